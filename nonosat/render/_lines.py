"""Puzzles of families that nothing else draws: the lines of a solution, a character a place."""

from __future__ import annotations

from typing import Any

from nonosat.plugins import Drawing, Puzzle
from nonosat.render._style import Style
from nonosat.render.look import USUAL, Look
from nonosat.render.shapes import FONT, Figure, Texts

LINE = FONT * 5 // 4
WIDE = FONT * 3 // 4  # of a character, wide enough for every monospaced font


def text(puzzle: Puzzle, solution: Any, style: Style, marked: object = ()) -> str:
    """The lines of a solution; of a puzzle its size."""
    del style, marked
    return "\n".join(_lines(puzzle, solution))


def figure(puzzle: Puzzle, solution: Any, marked: object = (), look: Look = USUAL) -> Figure:
    """The same lines as shapes."""
    del marked
    lines = _lines(puzzle, solution)
    places = [(2.0, 2.0 + LINE * row, line) for row, line in enumerate(lines, start=1)]
    shapes = [Texts(places, FONT, look.theme.ink, is_even=True)]
    width, height = WIDE * max(map(len, lines)) + 4, LINE * (len(lines) + 1) + 4
    return Figure(shapes, width, height, LINE, FONT)


def _lines(puzzle: Puzzle, solution: Any) -> list[str]:
    return [str(puzzle)] if solution is None else solution.lines()


DRAWING = Drawing(summary="the lines of a solution", text=text, figure=figure)
