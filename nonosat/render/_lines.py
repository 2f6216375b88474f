"""Puzzles of families that nothing else draws: the lines of a solution, a character a place.

Places (row, column) that stand out have "?" for their character, where the lines have so many.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from nonosat.plugins import Drawing, Puzzle
from nonosat.render._style import Style
from nonosat.render.look import USUAL, Look
from nonosat.render.shapes import FONT, Figure, Texts

Places = Collection[tuple[int, ...]]
LINE = FONT * 5 // 4
WIDE = FONT * 3 // 4  # of a character, wide enough for every monospaced font


def text(puzzle: Puzzle, solution: Any, style: Style, marked: Places = ()) -> str:
    """The lines of a solution; of a puzzle its size."""
    del style
    return "\n".join(_lines(puzzle, solution, marked))


def figure(puzzle: Puzzle, solution: Any, marked: Places = (), look: Look = USUAL) -> Figure:
    """The same lines as shapes."""
    lines = _lines(puzzle, solution, marked)
    places = [(2.0, 2.0 + LINE * row, line) for row, line in enumerate(lines, start=1)]
    shapes = [Texts(places, FONT, look.theme.ink, is_even=True)]
    width, height = WIDE * max(map(len, lines)) + 4, LINE * (len(lines) + 1) + 4
    return Figure(shapes, width, height, LINE, FONT)


def _lines(puzzle: Puzzle, solution: Any, marked: Places) -> list[str]:
    if solution is None:
        return [str(puzzle)]
    rows = [[*line] for line in solution.lines()]
    for row, column in (place for place in marked if len(place) == 2):
        if row < len(rows) and column < len(rows[row]):
            rows[row][column] = "?"
    return ["".join(row) for row in rows]


DRAWING = Drawing(summary="the lines of a solution", text=text, figure=figure)
