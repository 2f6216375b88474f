"""Does a claim follow from price tables? In plain Python integers, without anything native.

Every cell has a price for each colour; empty cells are free. Rows are paid the price, columns what
is left of the cell's cost: of a cell's values all but that of the known solution cost one. What the
lines are paid for a solution is then how many cells it differs in, whatever the prices are. So no
solution differs in more cells than all lines are paid for their dearest fillings: the price bound.

* The bound of a table is below the least distance of two solutions: the known one is the only one.
* There is no known solution, so that nothing costs anything, and a bound is below 0: there is none.
* Else values are ruled out with which the bound would be so low, and the next table looks at the
  fillings that are left. Before each table the lines are propagated to their fixpoint.

Prices are integers and stand for fractions of a cell, `scale` of them for one.

Invariant: with the known solution all of its values stay on the board.
Source: Lagrangian decomposition (M. Guignard, S. Kim 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from nonosat.certify.plain_board import Board, members
from nonosat.certify.price_line import Line
from nonosat.puzzles.nonogram.data import Nonogram


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices of cells.

    Args:
        scale: How many units a cell is; at least 1.
        prices: By colour (the first is 1), row and column. The cells behind a row's end are free.
    """

    scale: int
    prices: tuple[Sequence[Sequence[int]], ...]

    def num_prices(self) -> int:
        """How many are not 0."""
        return sum(len(row) - row.count(0) for plane in self.prices for row in plane)


class Outcome(NamedTuple):
    """What became of a claim.

    Args:
        is_proven: Whether it follows.
        num_used: How many tables were looked at; none of those behind them is needed.
        bound: The price bound of the last of them, times its scale; 0 without one.
    """

    is_proven: bool
    num_used: int
    bound: int


def least_distance(puzzle: Nonogram) -> int:
    """How many cells two solutions differ in at least.

    A line whose blocks have known lengths has the same number of cells of each colour in all its
    fillings, so it differs in no cell or in two. Where that holds for all rows, and for all
    columns, two rows differ, in two cells each.
    """
    known = [
        all(block.length is not None for clue in clues for block in clue)
        for clues in (puzzle.rows, puzzle.columns)
    ]
    return (1 + known[0]) * (1 + known[1])


def outcome(
    puzzle: Nonogram,
    solution: Sequence[int] | None,
    tables: Sequence[PriceTable],
    pause: Callable[[], None],
) -> Outcome:
    """Whether tables prove that there is no other solution, or none at all.

    Args:
        puzzle: The clues.
        solution: A solution, which the caller has checked, a value a cell, row-major; None where
            the claim is that there is none.
        tables: As many as there are prices for.
        pause: Called every line; what it raises ends the work.
    """
    board = _Priced(puzzle, solution, pause)
    goal = 0 if solution is None else least_distance(puzzle)
    bound = num_used = 0
    while board.propagate():
        if solution is not None and board.is_decided():
            return Outcome(True, num_used, bound)
        if num_used == len(tables):
            return Outcome(False, num_used, bound)
        table = tables[num_used]
        num_used += 1
        bound = board.bound(table)
        if bound < goal * table.scale:
            return Outcome(True, num_used, bound)
        board.rule_out(table, bound, goal)
    return Outcome(solution is None, num_used, bound)


class _Priced(Board):
    """A board whose lines are paid.

    Args:
        puzzle, solution, pause: See `outcome`.
    """

    def __init__(
        self, puzzle: Nonogram, solution: Sequence[int] | None, pause: Callable[[], None]
    ) -> None:
        super().__init__(puzzle, pause)
        self.solution = solution

    def bound(self, table: PriceTable) -> int:
        """What all lines are paid at most."""
        total = 0
        for line, weights in self._weighed(table):
            self.pause()
            total += line.dearest(weights)
        return total

    def rule_out(self, table: PriceTable, bound: int, goal: int) -> None:
        """Take away the values with which the bound is below `goal` cells."""
        never = -2 * _refusal(table, self.height * self.width)
        spare = bound - goal * table.scale  # what a value may lose of the bound
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

    def _weighed(self, table: PriceTable) -> Iterator[tuple[Line, list[list[int]]]]:
        """Every line, with what it is paid for each value of each cell."""
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


def _refusal(table: PriceTable, num_cells: int) -> int:
    """More than a filling can gain over another one by prices and costs."""
    paid = sum(abs(price) for plane in table.prices for row in plane for price in row)
    return 2 * (paid + table.scale * num_cells) + 1


def _refused(paid: list[list[int]], may: list[int], refusal: int) -> list[list[int]]:
    """What is paid, so much less for values that a cell may not have that no filling takes them."""
    full = (1 << len(paid[0])) - 1
    for value, mine in enumerate(paid):
        for cell in members(full & ~may[value]):
            mine[cell] -= refusal
    return paid


def _padded(row: Sequence[int], width: int) -> list[int]:
    return [*row, *[0] * (width - len(row))]
