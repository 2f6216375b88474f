"""Oracle for price tables: the filling of each line with maximum payment, by enumeration.

It shares no code with the code under test: rows are paid the price of each of their cells' values,
columns its cost minus that price.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing.oracles import Known, agrees, fillings

Prices = Mapping[tuple[int, int], int]  # by (cell, value); missing ones are 0


class _PricedLine(NamedTuple):
    is_row: bool
    cells: range
    fillings: list[bytes]  # possible fillings, at least one


class PricedLines:
    """Lines of a puzzle under a price table.

    Args:
        puzzle: The puzzle.
        known: Possible values of its cells, row-major; every line has a filling within them.
        prices: The table.
        scale: Cost of a cell.
        solution: Values without cost, one byte per cell; None if there are no costs.
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
            self._lines.append(_PricedLine(line < height, cells, left))
        self._most = [max(self._payments(line)) for line in self._lines]

    def bound(self) -> int:
        """Return the sum of the maximum payments of all lines, times the scale."""
        return sum(self._most)

    def bound_with(self, cell: int, value: int) -> int:
        """Return the bound for solutions in which a cell has a value."""
        bound = self.bound()
        for line, most in zip(self._lines, self._most, strict=True):
            if cell in line.cells:
                place = line.cells.index(cell)
                left = [filling for filling in line.fillings if filling[place] == value]
                bound += max(self._payments(line._replace(fillings=left))) - most
        return bound

    def _payments(self, line: _PricedLine) -> list[int]:
        pay = self._price if line.is_row else self._rest
        return [sum(map(pay, line.cells, filling)) for filling in line.fillings]

    def _price(self, cell: int, value: int) -> int:
        return self._prices.get((cell, value), 0)

    def _rest(self, cell: int, value: int) -> int:
        is_dear = self._solution is not None and self._solution[cell] != value
        return self._scale * is_dear - self._price(cell, value)
