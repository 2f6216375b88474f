"""Price tables for people: what every line earns or pays, and the table as text.

A line's dearest filling is its best by these prices: for a row the one that earns the most, for a
column the one that pays the least.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from nonosat.explain.ledger import Ledger
from nonosat.limits import Limits, Watch

if TYPE_CHECKING:
    from nonosat.explain.knowledge import Knowledge
    from nonosat.explain.step import PriceTable
    from nonosat.puzzles.nonogram import Nonogram

WIDEST = 100  # characters of a row of a table that is printed


class Best(NamedTuple):
    """The best that a line can do.

    Args:
        amount: What a row earns then, or a column pays.
        filling: How, a value a cell.
    """

    amount: int
    filling: bytes


def best_of_lines(table: PriceTable, known: Knowledge) -> dict[int, Best]:
    """By line with prices the best that it can do.

    Args:
        table: The prices.
        known: What is known before their step.
    """
    priced = {
        (row * known.width + column, value): price for row, column, value, price in table.prices
    }
    ledger = Ledger(known, priced, Watch(Limits()))
    return {
        line: Best(own.most if line < known.height else -own.most, own.filling)
        for line, own in ledger.lines.items()
    }


def printed(puzzle: Nonogram, table: PriceTable, known: Knowledge) -> list[str]:
    """The table as text, one for each colour; of a wide one only how large it is.

    The last column says what a row earns at most, the last row what a column pays at least.
    """
    best = best_of_lines(table, known)
    shown = [price for *_, price in table.prices] + [own.amount for own in best.values()]
    size = 1 + max(len(str(price)) for price in shown)
    if size * (puzzle.width + 1) + 2 > WIDEST:
        prices = [price for *_, price in table.prices]
        return [
            f"   The table has {len(prices)} prices from {min(prices)} to {max(prices)}; --html "
            "draws it and --json has it."
        ]
    text = []
    for value in sorted({value for _, _, value, _ in table.prices}):
        mine = {(row, column): price for row, column, v, price in table.prices if v == value}
        if len(puzzle.colours) > 1 or not value:
            ink = puzzle.colours[value - 1].key if value else "empty"
            text.append(f"   Prices of {ink}:")
        for row in range(puzzle.height):
            cells = (mine.get((row, column), "") for column in range(puzzle.width))
            earned = best[row].amount if row in best else ""
            text.append(_aligned(cells, earned, size))
    paid = (best.get(puzzle.height + column) for column in range(puzzle.width))
    sums = ("" if own is None else own.amount for own in paid)
    return [*text, "   " + "-" * (size * puzzle.width + 2), _aligned(sums, "", size)]


def _aligned(cells: Iterable[int | str], last: int | str, size: int) -> str:
    """A row of a table; a cell without a price is a dot."""
    inside = "".join(f"{'.' if cell == '' else cell:>{size}}" for cell in cells)
    return f"   {inside} |{last:>{size}}".rstrip()
