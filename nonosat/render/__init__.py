"""Pictures of puzzles and solutions: text for terminals and pipes; figures for SVG, PNG and PDF.

A module or folder of this package that has the name of a family draws its puzzles by a record
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

_NARROWEST = 420  # pixels: the caption of a small picture may be wider than the picture
_MOST_LINES = 6  # lines of a caption
_LEADING = 1.25
_LONGEST_TITLE = 150  # characters
_LINE = FONT * 5 // 4
_WIDE = FONT * 3 // 4  # width of a character, enough for every monospaced font


def _drawing(puzzle: Puzzle) -> Drawing:
    """Return the record that draws puzzles of this family."""
    is_ours = isinstance(puzzle.family, str)  # another object may have the name by chance
    if is_ours and plugins.is_there("render", name := name_of(puzzle)):
        return plugins.find("render", name)
    return _BY_LINES


def text(puzzle: Puzzle, solution: object, style: Style = PLAIN, marked: Places = ()) -> str:
    """Return a solution as text with marked places; the puzzle if `solution` is None."""
    return _drawing(puzzle).text(puzzle, solution, style, marked)


def grouped(
    puzzle: Puzzle,
    solution: object,
    groups: Sequence[Places],
    others: Places = (),
    style: Style = PLAIN,
) -> str:
    """Return a solution as text, groups of places marked (`questions.groups.marks`), others by "?".

    If the family's pictures have no groups, all of these places are marked alike.
    """
    drawing = _drawing(puzzle)
    if drawing.grouped is None:
        return drawing.text(puzzle, solution, style, [*chain(*groups), *others])
    return drawing.grouped(puzzle, solution, groups, others, style)


def figure(puzzle: Puzzle, solution: object, marked: Places = (), look: Look = USUAL) -> Figure:
    """Return a solution, or the puzzle, as shapes to paint."""
    drawn: Figure = _drawing(puzzle).figure(puzzle, solution, marked, look)
    return drawn


def svg(puzzle: Puzzle, solution: object, marked: Places = (), caption: str = "") -> str:
    """Return a solution, or the puzzle, as an SVG document, without XML declaration."""
    return captioned(figure(puzzle, solution, marked), caption)


def captioned(drawn: Figure, caption: str) -> str:
    """Return a figure as an SVG document with a caption below, in letters of the usual size."""
    scale = min(1, MAX_PIXELS / max(drawn.width, drawn.height))
    size = round(FONT / scale)
    width = max(drawn.width, size + min(text_width(caption, size), _NARROWEST))
    lines = wrapped(caption, width - size, size, _MOST_LINES)
    feet = (drawn.height + 1.5 * size + at * _LEADING * size for at in range(len(lines)))
    places = [(size / 3, foot, line) for foot, line in zip(feet, lines, strict=True)]
    height = drawn.height + 2 * size + (len(lines) - 1) * _LEADING * size
    from textwrap import shorten  # compiles patterns that pictures as text do not need

    title = shorten(caption, _LONGEST_TITLE, placeholder="...")
    return document(Page([*drawn.shapes, Texts(places, size)], width, height, title))


def svg_of(shown: object) -> str:
    """Return the SVG document for notebooks.

    Args:
        shown: A puzzle, a solution or a result, whose `scene` gives the content of its picture; or
            a scene.
    """
    scene = shown if isinstance(shown, Scene) else None
    if scene is None:
        scene = shown.scene() if isinstance(shown, Drawn) else Scene(shown, caption=str(shown))
    return captioned(figure_of(scene), scene.caption)


def figure_of(scene: Scene, look: Look = USUAL) -> Figure:
    """Return a scene as shapes."""
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


# Puzzles of families without a drawing: the lines of a solution. A line with as many words as the
# puzzle has columns has a word per place, any other a character per place. Marked places (row,
# column) or (row, column, content) have "?" instead.


def _lines_as_text(puzzle: Puzzle, solution: object, style: Style, marked: Places = ()) -> str:
    """Return the lines of a solution, or the size of a puzzle."""
    del style
    return "\n".join(_lines(puzzle, solution, marked))


def _lines_as_figure(
    puzzle: Puzzle, solution: object, marked: Places = (), look: Look = USUAL
) -> Figure:
    """Return the lines of a solution, or the size of a puzzle, as shapes."""
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
    """Return a line with "?" in some columns."""
    spans = [word.span() for word in re.finditer(r"\S+", line)]
    if len(spans) != width:
        spans = [(at, at + 1) for at in range(len(line))]
    chars = [*line]
    for start, end in (spans[column] for column in columns if column < len(spans)):
        chars[start:end] = "?".rjust(end - start)
    return "".join(chars)


_BY_LINES = Drawing(summary="the lines of a solution", text=_lines_as_text, figure=_lines_as_figure)
