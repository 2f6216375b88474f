"""Steps of an explanation, each with its technique, lines, cells and a sentence.

Cells are (row, column, value): value 0 is empty, k the k-th colour. Lines are numbered rows first,
then columns. A step follows from the clues and the cells that the preceding steps decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from nonosat import _core
from nonosat.core.grid import Grid, with_cells
from nonosat.core.presenting import States

Cell = tuple[int, int, int]

TECHNIQUES = {name: summary for name, _, summary in _core.techniques()}  # easiest first
GRADES = {name: grade for name, grade, _ in _core.techniques()}


class Link(NamedTuple):
    """Link of a chain: the values that one line rules out under an assumption.

    Args:
        line: Number of the line.
        rules_out: Cells with a value that the line rules out. The last link of a refutation has
            none, because its line has no placement.
    """

    line: int
    rules_out: tuple[Cell, ...]


class Best(NamedTuple):
    """Best filling of a line by prices.

    Args:
        line: Number of the line.
        amount: Earnings of a row, or payment of a column.
        filling: The filling, a value a cell.
    """

    line: int
    amount: int
    filling: bytes


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices of cells. Rows earn them and columns pay them, so both sums are equal in a solution.

    Args:
        prices: (row, column, value, price) if not 0, in this order.
        earned: Total earnings of the dearest fillings of all rows.
        paid: Total payments of the cheapest fillings of all columns; not more than `earned`.
        best: These fillings, of each line that has prices, ascending.
    """

    prices: tuple[tuple[int, int, int, int], ...]
    earned: int
    paid: int
    best: tuple[Best, ...] = ()

    def lines(self, height: int) -> tuple[int, ...]:
        """Return the lines that have prices, ascending; the others neither earn nor pay."""
        crossed = {line for row, column, *_ in self.prices for line in (row, height + column)}
        return tuple(sorted(crossed))


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an explanation.

    Args:
        technique: One of `TECHNIQUES`.
        lines: The lines that the step uses, its main line first; for "either way" and guesses those
            through the cell, even if other lines are used.
        settled: Cells that have one value left now.
        ruled_out: Values removed from cells that stay open (only in coloured puzzles).
        sentence: The step in English.
        assumed: The refuted assumption, a cell with a value; for "either way", which tries all
            values of a cell, this cell with value UNKNOWN.
        chain: Refutation of the assumption.
        searched: For a guess, the budget in conflicts of the search that tried to refute the
            opposite; 0 if the search had no limit.
        is_proven: False for a guess whose opposite that search did not refute.
        prices: For a step by prices: a value is in no solution if its cost to its row and its
            column together exceeds `earned` minus `paid`.
    """

    technique: str
    lines: tuple[int, ...]
    settled: tuple[Cell, ...]
    ruled_out: tuple[Cell, ...]
    sentence: str
    assumed: Cell | None = None
    chain: tuple[Link, ...] = ()
    searched: int = 0
    is_proven: bool = True
    prices: PriceTable | None = None


def of_native(found: tuple[Any, ...]) -> Step:
    """Return a step from its native fields."""
    technique, lines, settled, ruled_out, sentence, assumed, chain = found
    links = tuple(Link(*link) for link in chain)
    return Step(technique, lines, settled, ruled_out, sentence, assumed, links)


def highlights(step: Step, caption: str = "") -> tuple[list[tuple[int, int]], str, States]:
    """Return marked cells, caption and other states of a picture of a step."""
    marked = [(row, column) for row, column, _ in (*step.settled, *step.ruled_out)]
    assumed = [step.assumed[:2]] if step.assumed is not None else []
    seen = () if step.prices is not None else step.lines  # prices use all lines
    return marked, caption, States(assumed=assumed, seen=seen)


def filled(grid: Grid, cells: Iterable[Cell]) -> Grid:
    """Return the grid with other values in some cells."""
    return with_cells(grid, {row * grid.width + column: value for row, column, value in cells})
