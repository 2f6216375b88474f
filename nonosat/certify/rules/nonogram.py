"""The rules of a nonogram: a line for each clue, at most one colour per cell, and given cells.

Variable 1 + (k * height + row) * width + column is "the cell has colour k + 1". Lines and counts
are generated on demand, because a small file may describe a board larger than memory. Size: linear
in the board, times the colours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from nonosat.certify.rules import Statement
from nonosat.core.grid import Grid
from nonosat.core.model import Clause, Count, Line, MadeLines, Model
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.ranges.data import AnyNonogram


class _BoardLines(MadeLines):
    """The rows, then the columns."""

    def __init__(self, puzzle: AnyNonogram) -> None:
        self._puzzle = puzzle

    def __len__(self) -> int:
        return self._puzzle.height + self._puzzle.width

    def line(self, index: int) -> Line:
        puzzle = self._puzzle
        height, width = puzzle.height, puzzle.width
        if index < height:
            clue, first, step, length = puzzle.rows[index], index * width, 1, width
        else:
            column = index - height
            clue, first, step, length = puzzle.columns[column], column, width, height
        size = height * width
        planes = range(1 + first, 1 + first + size * len(puzzle.colours), size)
        return Line(tuple(range(at, at + length * step, step) for at in planes), clue)


class _ColourRule(Collection[Count]):
    """At most one colour for each cell, if there are several."""

    def __init__(self, puzzle: AnyNonogram) -> None:
        self._size, self._num_colours = puzzle.height * puzzle.width, len(puzzle.colours)

    def __len__(self) -> int:
        return self._size if self._num_colours > 1 else 0

    def __contains__(self, count: object) -> bool:
        return any(count == mine for mine in self)

    def __iter__(self) -> Iterator[Count]:
        end = 1 + self._size * self._num_colours
        for cell in range(1, len(self) + 1):
            yield Count(tuple(range(cell, end, self._size)), 0, 1)


def model_of(puzzle: AnyNonogram) -> Model:
    """Return a model of clues, colours, and given cells."""
    size, num_colours = puzzle.height * puzzle.width, len(puzzle.colours)
    units = []
    for row, column, colour in puzzle.given:
        cell = 1 + row * puzzle.width + column
        for k in range(num_colours):
            units.append(Clause((cell + k * size if k + 1 == colour else -cell - k * size,)))
    return Model(
        num_vars=size * num_colours,
        lines=_BoardLines(puzzle),
        counts=_ColourRule(puzzle),
        clauses=tuple(units),
    )


def true_in(puzzle: AnyNonogram, grid: Grid) -> Iterator[int]:
    """Yield the variables of the filled cells with their colours."""
    size = puzzle.height * puzzle.width
    return (cell + (colour - 1) * size for cell, colour in enumerate(grid.cells, 1) if colour)


RULES = Statement(Nonogram, model_of, true_in)
