"""Price tables that prove a verdict, found natively and reduced in size.

The lines of a board are propagated to their fixpoint without probing, as in the checkers. A table
that does not prove the claim may still exclude values of cells; then another one is computed for
the remaining fillings.
"""

from __future__ import annotations

from typing import NamedTuple

from nonosat.board import prices
from nonosat.board.presolve import PresolvedModel
from nonosat.certify.price_check import ClaimedPrices
from nonosat.certify.price_table import MOST_TABLES, distance_of, natively
from nonosat.core.errors import counted
from nonosat.core.limits import Watch
from nonosat.core.model import Model
from nonosat.puzzles.nonogram.data import Nonogram

# Work limit of a search that is unlikely to succeed: of the 13 puzzles of the survey that lines
# leave open prices prove 6, 3 of which look hopeless at first; none of them takes 0.1 s.
_BRIEF = 100_000_000  # units of native work
_PER_CELL = 1_000_000  # n-domino 20 takes 10,000 for each open cell, n-domino 100 200,000
_MOST_HALVINGS = 60


class FoundTables(NamedTuple):
    """Result of a search for tables.

    Args:
        tables: The tables; all of them are needed if they prove the claim.
        why_not: Reason in words why they do not prove the claim; "" if they do.
    """

    tables: list[ClaimedPrices]
    why_not: str


class PriceProver:
    """Search for the tables of one puzzle after propagation of its lines.

    Args:
        puzzle: A puzzle that is not too large (`price_table.too_large`).
        model: Model of the puzzle.
        solution: The only known solution, one byte per cell, row-major; None for the claim that
            there is none.
        watch: Polled throughout.
    """

    def __init__(
        self, puzzle: Nonogram, model: Model, solution: bytes | None, watch: Watch
    ) -> None:
        watch.doing("prices")
        self.puzzle, self.solution, self._watch = puzzle, solution, watch
        self._goal = distance_of(puzzle, has_solution=solution is not None)
        self._task = PresolvedModel.of(model, watch.check)
        self._is_consistent = self._task.propagate(watch)

    def is_open(self) -> bool:
        """Return True if propagation alone leaves the puzzle open."""
        return self._is_consistent and self._task.num_open() > 0

    def run(self, *, stubborn: bool) -> FoundTables:
        """Search for tables.

        Args:
            stubborn: Continue for long even if success is unlikely.
        """
        board = self._task.board
        assert board is not None
        tables: list[ClaimedPrices] = []
        while self.is_open():
            if len(tables) == MOST_TABLES:
                return FoundTables(tables, f"{MOST_TABLES} price tables do not prove it")
            priced = self._priced(stubborn)
            tables.append(self._table(priced))
            if priced.bound < self._goal:
                tables[-1] = self._smaller(tables)
                break
            ruled_out = priced.ruled_out(self._goal, self._watch)
            if not ruled_out:
                bound = counted(priced.bound, "cell")
                return FoundTables(
                    tables, f"the price bound is {bound}, expected below {self._goal}"
                )
            for cell, value in ruled_out:
                board.remove(cell, value)
            self._is_consistent = self._task.propagate(self._watch)
        return FoundTables(tables, "")

    def _priced(self, stubborn: bool) -> prices.PriceResult:
        """Search for one table."""
        work = min(prices.WORK, _BRIEF + _PER_CELL * self._task.num_open())
        found = self._searched(work, stubborn=stubborn)
        if stubborn or found.bound < self._goal:
            return found
        return self._searched(_BRIEF, stubborn=True)

    def _searched(self, work: int, *, stubborn: bool) -> prices.PriceResult:
        if self.solution is None:
            return prices.find(self._task, self._watch, work=work, stubborn=stubborn)
        return prices.refute_others(
            self._task, self.solution, self._watch, work=work, stubborn=stubborn
        )

    def _table(self, priced: prices.PriceResult) -> ClaimedPrices:
        """Return the best table over all cells, with a price of 0 for empty.

        The native search makes the lowest remaining value of a cell free; if that is a colour, the
        cell cannot be empty.
        """
        found = priced.table(self._watch.check)
        width = self.puzzle.width
        planes = tuple([[0] * width for _ in self.puzzle.rows] for _ in self.puzzle.colours)
        for (cell, value), price in found.prices.items():
            planes[value - 1][cell // width][cell % width] = price
        return ClaimedPrices(found.scale, planes)

    def _smaller(self, tables: list[ClaimedPrices]) -> ClaimedPrices:
        """Return the last table with smaller numbers, as long as they still prove the claim."""
        *before, best = tables
        whole = _divided(best, 1, best.scale)
        first = best = whole if self._is_proven([*before, whole]) else best
        for halvings in range(1, _MOST_HALVINGS):
            smaller = _divided(first, first.scale, 2**halvings)
            if smaller == best or not self._is_proven([*before, smaller]):
                break
            best = smaller
        return best

    def _is_proven(self, tables: list[ClaimedPrices]) -> bool:
        """Return True if the bound of the last table proves the claim without propagation."""
        found = natively(self.puzzle, self.solution, tables, self._watch)
        return found.is_proven and found.bound < self._goal * tables[-1].scale


def _divided(table: ClaimedPrices, scale: int, divisor: int) -> ClaimedPrices:
    """Return the table with another scale, its prices divided and rounded."""
    planes = (
        [[(2 * price + divisor) // (2 * divisor) for price in row] for row in plane]
        for plane in table.prices
    )
    return ClaimedPrices(scale, tuple(planes))
