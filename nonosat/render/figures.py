"""Conversion of puzzles, solutions and scenes to figures, and of figures to SVG documents."""

from __future__ import annotations

from itertools import chain
from textwrap import shorten

from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Drawn, Scene
from nonosat.render import Places, drawing_of, lines_of
from nonosat.render._painting.svg import MAX_PIXELS, document
from nonosat.render.look import USUAL, Look
from nonosat.render.shapes import FONT, Figure, Page, Texts, text_width, wrapped

_NARROWEST = 420  # pixels: the caption of a small picture may be wider than the picture
_MOST_LINES = 6  # lines of a caption
_LEADING = 1.25
_LONGEST_TITLE = 150  # characters
_LINE = FONT * 5 // 4
_WIDE = FONT * 3 // 4  # width of a character, enough for every monospaced font


def figure(puzzle: Puzzle, solution: object, marked: Places = (), look: Look = USUAL) -> Figure:
    """Return the figure of a solution; of the puzzle if `solution` is None."""
    drawn: Figure = drawing_of(puzzle).figure(puzzle, solution, marked, look)
    return drawn


def svg(puzzle: Puzzle, solution: object, marked: Places = (), caption: str = "") -> str:
    """Return the figure of a solution, or of the puzzle, as SVG without XML declaration."""
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
    title = shorten(caption, _LONGEST_TITLE, placeholder="...")
    return document(Page([*drawn.shapes, Texts(places, size)], width, height, title))


def svg_of(shown: object) -> str:
    """Return the SVG document that notebooks show for an object.

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
    if states.groups and drawing_of(puzzle).grouped is None:
        marked = [*marked, *chain.from_iterable(places for _, places in states.groups)]
    return figure(puzzle, solution, marked, look)


def figure_by_lines(
    puzzle: Puzzle, solution: object, marked: Places = (), look: Look = USUAL
) -> Figure:
    """Return the figure of a solution's lines of text; of the puzzle's size without a solution."""
    lines = lines_of(puzzle, solution, marked)
    places = [(2.0, 2.0 + _LINE * row, line) for row, line in enumerate(lines, start=1)]
    shapes = [Texts(places, FONT, look.theme.ink, is_even=True)]
    width, height = _WIDE * max(map(len, lines)) + 4, _LINE * (len(lines) + 1) + 4
    return Figure(shapes, width, height, _LINE, FONT)
