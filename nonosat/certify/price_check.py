"""Checker for price tables in plain Python integers, without native code.

Every cell has a price for each colour; empty cells are free. A cell value costs one if it differs
from the known solution, else nothing. Rows are paid the price, columns the cost minus the price.
The total payment for a solution is then the number of cells in which it differs, for any prices. So
no solution differs in more cells than the sum of the maximum payments of all lines: the price
bound.

* The bound of a table is below the least distance of two solutions: the known one is the only one.
* Without a known solution there are no costs; a bound below 0 proves that there is no solution.
* Otherwise, values that would lower the bound below the goal are excluded, and the next table
  covers the remaining fillings. Before each table the lines are propagated to their fixpoint.

Prices are integers in units of 1 / `scale` of a cell.

Invariant: the values of the known solution are never excluded.
Source: Lagrangian decomposition (M. Guignard, S. Kim 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from nonosat.certify.plain_board import PlainBoard, members
from nonosat.certify.price_line import ClueLine
from nonosat.puzzles.nonogram.data import Nonogram


@dataclass(frozen=True, slots=True)
class ClaimedPrices:
    """Prices of cells.

    Args:
        scale: Number of units per cell; at least 1.
        prices: By colour (the first is 1), row and column. Cells after the end of a row are free.
    """

    scale: int
    prices: tuple[Sequence[Sequence[int]], ...]

    def num_prices(self) -> int:
        """Return the number of prices that are not 0."""
        return sum(len(row) - row.count(0) for plane in self.prices for row in plane)


class ClaimResult(NamedTuple):
    """Result of checking a claim.

    Args:
        is_proven: True if the claim follows.
        num_used: Number of tables that were read; later ones are not needed.
        bound: Price bound of the last of them, times its scale; 0 without a table.
    """

    is_proven: bool
    num_used: int
    bound: int


def least_distance(puzzle: Nonogram) -> int:
    """Return a lower bound on the number of cells in which two solutions differ.

    A line whose blocks have known lengths has the same number of cells of each colour in all its
    fillings, so two fillings differ in at least two cells. If that holds for all rows and for all
    columns, at least two rows differ, in two cells each.
    """
    known = [
        all(block.length is not None for clue in clues for block in clue)
        for clues in (puzzle.rows, puzzle.columns)
    ]
    return (1 + known[0]) * (1 + known[1])


def outcome(
    puzzle: Nonogram,
    solution: Sequence[int] | None,
    tables: Sequence[ClaimedPrices],
    pause: Callable[[], None],
) -> ClaimResult:
    """Check if tables prove that there is no other solution, or none at all.

    Args:
        puzzle: The clues.
        solution: A solution that the caller has verified, one value per cell, row-major; None for
            the claim that there is none.
        tables: Any number of price tables.
        pause: Called for every line; an exception raised by it ends the work.
    """
    board = _PaidBoard(puzzle, solution, pause)
    goal = 0 if solution is None else least_distance(puzzle)
    bound = num_used = 0
    while board.propagate():
        if solution is not None and board.is_decided():
            return ClaimResult(True, num_used, bound)
        if num_used == len(tables):
            return ClaimResult(False, num_used, bound)
        table = tables[num_used]
        num_used += 1
        bound = board.bound(table)
        if bound < goal * table.scale:
            return ClaimResult(True, num_used, bound)
        board.rule_out(table, bound, goal)
    return ClaimResult(solution is None, num_used, bound)


class _PaidBoard(PlainBoard):
    """A board with payments of its lines.

    Args:
        puzzle, solution, pause: See `outcome`.
    """

    def __init__(
        self, puzzle: Nonogram, solution: Sequence[int] | None, pause: Callable[[], None]
    ) -> None:
        super().__init__(puzzle, pause)
        self.solution = solution

    def bound(self, table: ClaimedPrices) -> int:
        """Return the sum of the maximum payments of all lines."""
        total = 0
        for line, weights in self._weighed(table):
            self.pause()
            total += line.dearest(weights)
        return total

    def rule_out(self, table: ClaimedPrices, bound: int, goal: int) -> None:
        """Exclude each value with which the price bound would be below `goal` cells.

        Args:
            table: The prices.
            bound: Price bound of the board, in units of the table's scale.
            goal: Number of cells.
        """
        never = -2 * _refusal(table, self.height * self.width)
        spare = bound - goal * table.scale  # largest loss of the bound that keeps a value
        losses = [[[0] * self.width for _ in range(self.num_values)] for _ in range(self.height)]
        for index, (line, weights) in enumerate(self._weighed(table)):
            self.pause()
            most = line.dearest(weights)
            for value, paid in enumerate(line.dearest_with(weights, never)):
                for cell in members(self.may[index][value]):
                    row, column = (
                        (index, cell) if index < self.height else (cell, index - self.height)
                    )
                    losses[row][value][column] += most - paid[cell]
        for row, of_row in enumerate(losses):
            for value, lost in enumerate(of_row):
                for column in members(self.may[row][value]):
                    if lost[column] > spare and not self._is_known(row, column, value):
                        self.remove(row, column, value)

    def _is_known(self, row: int, column: int, value: int) -> bool:
        return self.solution is not None and self.solution[row * self.width + column] == value

    def _weighed(self, table: ClaimedPrices) -> Iterator[tuple[ClueLine, list[list[int]]]]:
        """Yield each line with its payment for each value of each cell."""
        refusal = _refusal(table, self.height * self.width)
        height, width, scale = self.height, self.width, table.scale
        for row in range(height):
            paid = [[0] * width, *(_padded(plane[row], width) for plane in table.prices)]
            yield self.lines[row], _refused(paid, self.may[row], refusal)
        planes = [zip_longest(*plane, fillvalue=0) for plane in table.prices]
        for column in range(width):
            line = height + column
            prices = [next(plane, (0,) * height) for plane in planes]
            paid = [[0] * height, *([-price for price in mine] for mine in prices)]
            if self.solution is not None:
                known = self.solution[column::width]
                for value, mine in enumerate(paid):
                    paid[value] = [
                        price if have == value else price + scale
                        for price, have in zip(mine, known, strict=True)
                    ]
            yield self.lines[line], _refused(paid, self.may[line], refusal)


def _refusal(table: ClaimedPrices, num_cells: int) -> int:
    """Return a number above the difference between the payments of any two fillings."""
    paid = sum(abs(price) for plane in table.prices for row in plane for price in row)
    return 2 * (paid + table.scale * num_cells) + 1


def _refused(paid: list[list[int]], may: list[int], refusal: int) -> list[list[int]]:
    """Lower the payments of excluded values by `refusal`, so that no best filling uses them."""
    full = (1 << len(paid[0])) - 1
    for value, mine in enumerate(paid):
        for cell in members(full & ~may[value]):
            mine[cell] -= refusal
    return paid


def _padded(row: Sequence[int], width: int) -> list[int]:
    return [*row, *[0] * (width - len(row))]
