"""What the tests believe of price tables: the dearest filling of each line, by enumeration.

Shares nothing with the code under test: rows are paid the price of each of their cells' values,
columns its cost less that price.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.oracles import Known, agrees, fillings

Prices = Mapping[tuple[int, int], int]  # by (cell, value); all others are free


class _Line(NamedTuple):
    is_row: bool
    cells: range
    fillings: list[bytes]  # of which at least one is left


class PricedLines:
    """The lines of a puzzle under a price table.

    Args:
        puzzle: The puzzle.
        known: What its cells may be, row-major; every line has a filling within that.
        prices: The table.
        scale: What a cell costs.
        solution: Values that cost nothing, a byte a cell; None: nothing costs anything.
    """

    def __init__(
        self, puzzle: Nonogram, known: Known, prices: Prices, scale: int, solution: bytes | None
    ) -> None:
        self._prices, self._scale, self._solution = prices, scale, solution
        height, width = puzzle.height, puzzle.width
        clues = [*puzzle.rows, *puzzle.columns]
        spans = [range(row * width, (row + 1) * width) for row in range(height)]
        spans += [range(column, height * width, width) for column in range(width)]
        self._lines = []
        for line, (clue, cells) in enumerate(zip(clues, spans, strict=True)):
            mine = [known[cell] for cell in cells]
            left = [filling for filling in fillings(clue, len(cells)) if agrees(filling, mine)]
            self._lines.append(_Line(line < height, cells, left))
        self._most = [max(self._payments(line)) for line in self._lines]

    def bound(self) -> int:
        """What all lines are paid at most, times the scale."""
        return sum(self._most)

    def bound_with(self, cell: int, value: int) -> int:
        """The same where a cell has a value."""
        bound = self.bound()
        for line, most in zip(self._lines, self._most, strict=True):
            if cell in line.cells:
                place = line.cells.index(cell)
                left = [filling for filling in line.fillings if filling[place] == value]
                bound += max(self._payments(line._replace(fillings=left))) - most
        return bound

    def _payments(self, line: _Line) -> list[int]:
        pay = self._price if line.is_row else self._rest
        return [sum(map(pay, line.cells, filling)) for filling in line.fillings]

    def _price(self, cell: int, value: int) -> int:
        return self._prices.get((cell, value), 0)

    def _rest(self, cell: int, value: int) -> int:
        is_dear = self._solution is not None and self._solution[cell] != value
        return self._scale * is_dear - self._price(cell, value)
