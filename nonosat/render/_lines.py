"""Puzzles of families that nothing else draws: the lines of a solution.

A line of as many words as the puzzle has columns has a word a place, any other a character. Places
(row, column), or (row, column, what stands there), that stand out have "?" instead.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from nonosat.core.plugins import Drawing, Puzzle
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


DRAWING = Drawing(summary="the lines of a solution", text=text, figure=figure)
