"""Pictures of puzzles and solutions: text for terminals and pipes; figures for all that is painted.

A module or folder of this package, named as the family, draws its puzzles by a record
`plugins.Drawing`. A family without one is shown by the lines of its solutions. Figures are made of
`shapes`, and painted as SVG for notebooks and pages, as PNG and as PDF, from the same shapes.
`saving.save` writes sheets and pictures into files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from nonosat.core import plugins
from nonosat.core.families import name_of
from nonosat.core.plugins import Drawing, Puzzle
from nonosat.core.presenting import Drawn, Scene
from nonosat.render._painting.svg import MAX_PIXELS, document
from nonosat.render._style import PLAIN, Style
from nonosat.render.look import USUAL, Look
from nonosat.render.shapes import FONT, Figure, Page, Texts, text_width, wrapped

__all__ = [
    "PLAIN",
    "Figure",
    "Look",
    "Places",
    "Style",
    "captioned",
    "figure",
    "figure_of",
    "grouped",
    "svg",
    "svg_of",
    "text",
]

Places = Collection[tuple[int, ...]]

_NARROWEST = 420  # pixels: the caption of a small picture may be wider than it
_MOST_LINES = 6  # of a caption
_LEADING = 1.25
_LONGEST_TITLE = 150  # characters
_LINE = FONT * 5 // 4
_WIDE = FONT * 3 // 4  # of a character, wide enough for every monospaced font


def _drawing(puzzle: Puzzle) -> Drawing:
    """What draws puzzles of this family."""
    is_ours = isinstance(puzzle.family, str)  # not a record that has the name by chance
    if is_ours and plugins.is_there("render", name := name_of(puzzle)):
        return plugins.find("render", name)
    return _BY_LINES


def text(puzzle: Puzzle, solution: Any, style: Style = PLAIN, marked: Places = ()) -> str:
    """A solution as text, with the places that stand out; the puzzle where `solution` is None."""
    return _drawing(puzzle).text(puzzle, solution, style, marked)


def grouped(
    puzzle: Puzzle,
    solution: Any,
    groups: Sequence[Places],
    others: Places = (),
    style: Style = PLAIN,
) -> str:
    """A solution as text, groups of places marked (`questions.groups.marks`), and others by "?".

    Where the family's pictures show no groups, all of these places are marked alike.
    """
    drawing = _drawing(puzzle)
    if drawing.grouped is None:
        return drawing.text(puzzle, solution, style, [*chain(*groups), *others])
    return drawing.grouped(puzzle, solution, groups, others, style)


def figure(puzzle: Puzzle, solution: Any, marked: Places = (), look: Look = USUAL) -> Figure:
    """The same as shapes, to be painted."""
    drawn: Figure = _drawing(puzzle).figure(puzzle, solution, marked, look)
    return drawn


def svg(puzzle: Puzzle, solution: Any, marked: Places = (), caption: str = "") -> str:
    """The same as a whole SVG document, without XML declaration, to be embedded or saved."""
    return captioned(figure(puzzle, solution, marked), caption)


def captioned(drawn: Figure, caption: str) -> str:
    """A figure as an SVG document with a text below, whose letters are as large as elsewhere."""
    scale = min(1, MAX_PIXELS / max(drawn.width, drawn.height))
    size = round(FONT / scale)
    width = max(drawn.width, size + min(text_width(caption, size), _NARROWEST))
    lines = wrapped(caption, width - size, size, _MOST_LINES)
    feet = (drawn.height + 1.5 * size + at * _LEADING * size for at in range(len(lines)))
    places = [(size / 3, foot, line) for foot, line in zip(feet, lines, strict=True)]
    height = drawn.height + 2 * size + (len(lines) - 1) * _LEADING * size
    from textwrap import shorten  # compiles patterns that a picture as text does not need

    title = shorten(caption, _LONGEST_TITLE, placeholder="...")
    return document(Page([*drawn.shapes, Texts(places, size)], width, height, title))


def svg_of(shown: Any) -> str:
    """The SVG document that a notebook shows.

    Args:
        shown: A puzzle, a solution or a result, whose `scene` says what its picture shows; or a
            scene.
    """
    scene = shown if isinstance(shown, Scene) else None
    if scene is None:
        scene = shown.scene() if isinstance(shown, Drawn) else Scene(shown, caption=str(shown))
    return captioned(figure_of(scene), scene.caption)


def figure_of(scene: Scene, look: Look = USUAL) -> Figure:
    """A scene as shapes."""
    from nonosat.board.beliefs import Beliefs

    puzzle, solution, marked, _, states = scene
    look = look._replace(states=states)
    if isinstance(solution, Beliefs):
        from nonosat.render.nonogram import beliefs

        return beliefs.figure(puzzle, solution.planes, look)
    if puzzle is None:
        from nonosat.render.nonogram.inks import bare

        puzzle, look = bare(solution), look._replace(clues="none")
    if states.groups and _drawing(puzzle).grouped is None:
        marked = [*marked, *chain.from_iterable(places for _, places in states.groups)]
    return figure(puzzle, solution, marked, look)


# Puzzles of families without a drawing: the lines of a solution. A line of as many words as the
# puzzle has columns has a word a place, any other a character. Places (row, column), or (row,
# column, what stands there), that stand out have "?" instead.


def _lines_as_text(puzzle: Puzzle, solution: Any, style: Style, marked: Places = ()) -> str:
    """The lines of a solution; of a puzzle its size."""
    del style
    return "\n".join(_lines(puzzle, solution, marked))


def _lines_as_figure(
    puzzle: Puzzle, solution: Any, marked: Places = (), look: Look = USUAL
) -> Figure:
    """The same lines as shapes."""
    lines = _lines(puzzle, solution, marked)
    places = [(2.0, 2.0 + _LINE * row, line) for row, line in enumerate(lines, start=1)]
    shapes = [Texts(places, FONT, look.theme.ink, is_even=True)]
    width, height = _WIDE * max(map(len, lines)) + 4, _LINE * (len(lines) + 1) + 4
    return Figure(shapes, width, height, _LINE, FONT)


def _lines(puzzle: Puzzle, solution: Any, marked: Places) -> list[str]:
    if solution is None:
        return [str(puzzle)]
    columns: dict[int, set[int]] = {}
    for row, column in (place[:2] for place in marked if len(place) in (2, 3)):
        columns.setdefault(row, set()).add(column)
    lines = enumerate(solution.lines())
    return [_marked(line, columns.get(row, set()), puzzle.width) for row, line in lines]


def _marked(line: str, columns: Collection[int], width: int) -> str:
    """A line with "?" in some columns."""
    spans = [word.span() for word in re.finditer(r"\S+", line)]
    if len(spans) != width:
        spans = [(at, at + 1) for at in range(len(line))]
    chars = [*line]
    for start, end in (spans[column] for column in columns if column < len(spans)):
        chars[start:end] = "?".rjust(end - start)
    return "".join(chars)


_BY_LINES = Drawing(summary="the lines of a solution", text=_lines_as_text, figure=_lines_as_figure)
