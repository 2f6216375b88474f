"""Arguments by prices: many cells settled at once by what rows earn and columns pay.

Cells have prices. A row earns the prices of its cells, a column pays them, so in every solution the
rows earn together exactly what the columns pay. Say the rows earn at most R, by their dearest
fillings, and the columns pay at least P, by their cheapest ones. Then no solution is further from
all of these than the slack R - P, and a value that would cost its row and its column more than that
is in none. This takes integers and nothing else: no search, no known solution, no assumption.

Native code finds prices that leave no room beside a solution that its relaxation has
(`nonosat.board.prices`). They are large. What people can check are small ones, so the table is cut
down: to the signs of its large prices, else to few sizes; then prices are moved by 1 while that
lowers the slack; then each price goes that the same claim does without. Staircases of dominoes are
left with prices of 1, which is an argument by counting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from nonosat.board import prices
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge, Removal
from nonosat.explain.nonogram.ledger import Ledger
from nonosat.explain.nonogram.step import Best, PriceTable

if TYPE_CHECKING:
    from nonosat.board import presolve
    from nonosat.core.limits import Watch

# Units of native work, about a nanosecond each, for either search: n-domino 20 takes 3e7.
WORK = 500_000_000
# Open cells up to which prices are not given up early, and units of native work for each: what is
# left of a staircase looks as hopeless as noise, and costs a few milliseconds.
SMALL = 400
SMALL_WORK = 20_000
# Shares of the largest price from which on the signs of prices are tried, in this order (a half is
# the first for staircases up to 10 dominoes, 0.4 up to 20, 0.6 for triangles), ...
SIGNS = (0.4, 0.5, 0.6, 0.3, 0.7, 0.2)
# ... and what the largest price is rounded to after them.
LARGEST = (2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 512, 2048, 1 << 14)

Prices = Mapping[Removal, int]  # by place and value


class Argument(NamedTuple):
    """A price table, and what follows from it.

    Args:
        prices: By place and value; what is not named is free.
        earned: What all rows earn at most.
        paid: What all columns pay at least.
        best: How each line does that.
        removals: Values that no solution has.
    """

    prices: Prices
    earned: int
    paid: int
    best: tuple[Best, ...]
    removals: list[Removal]


def argument_of(ledger: Ledger) -> Argument:
    """The argument of a price table at its lines."""
    return Argument(ledger.prices, ledger.earned(), ledger.paid(), ledger.best(), ledger.removals())


def price_table(found: Argument, width: int) -> PriceTable:
    """The prices of an argument with their rows and columns."""
    placed = (
        (*divmod(place, width), value, price) for (place, value), price in found.prices.items()
    )
    return PriceTable(tuple(sorted(placed)), found.earned, found.paid, found.best)


def argument(known: Knowledge, task: presolve.Task, watch: Watch) -> Argument | None:
    """The smallest price table found that settles something; None where none is found.

    Args:
        known: What is known; the lines are at their fixpoint.
        task: The same as a native board.
        watch: Ends it.

    Raises:
        Impossible: A price table shows that there is no solution.
        LimitReached: The watch ended it.
    """
    is_small = task.num_open() <= SMALL
    work = SMALL_WORK * task.num_open() if is_small else WORK
    found = prices.find(task, watch, work=work, stubborn=is_small)
    if found.outcome is prices.Outcome.OPEN:
        return None
    if found.outcome is prices.Outcome.REFUTED:
        raise Impossible(_refutation(known, found.table(watch.check).prices, watch))
    solution = found.cells
    # The relaxation leaves it little room, or its marginals were not a solution.
    found = prices.refute_others(task, solution, watch, work=WORK, stubborn=True)
    best = _best(known, found.table(watch.check).prices, solution, watch)
    if best is None:
        return None
    best.thin_out()
    return argument_of(best)


def _refutation(known: Knowledge, table: Prices, watch: Watch) -> str:
    """What the first of the smaller tables says by which rows cannot earn what columns pay."""
    ledgers = (Ledger(known, tried, watch) for tried, _ in _smaller(table))
    ledger = next(ledger for ledger in ledgers if ledger.slack() < 0)
    sizes = ledger.prices.values()
    return (
        f"at some prices from {min(sizes)} to {max(sizes)}, rows can earn "
        f"{ledger.earned()} together at most, but columns have to pay {ledger.paid()} at least"
    )


def _best(known: Knowledge, table: Prices, solution: bytes, watch: Watch) -> Ledger | None:
    """The first of the smaller tables that rules out enough, else the one with the most."""
    best, most = None, 0
    for tried, largest in _smaller(table):
        ledger = Ledger(known, tried, watch)
        ledger.mend(solution, largest)
        count = len(ledger.removals())
        if count > most:
            best, most = ledger, count
        if count * count >= len(table):  # about a line's worth
            break
    return best


def _smaller(table: Prices) -> Iterator[tuple[Prices, int]]:
    """Tables with prices of few sizes, and their largest; at last the table itself."""
    most = max(map(abs, table.values()), default=0)
    for share in SIGNS:
        large = {pair: price for pair, price in table.items() if abs(price) >= share * most > 0}
        yield {pair: 1 if price > 0 else -1 for pair, price in large.items()}, 1
    for largest in LARGEST:
        if largest < most:
            rounded = {pair: _nearest(price * largest, most) for pair, price in table.items()}
            yield rounded, largest
    yield table, most


def _nearest(over: int, under: int) -> int:
    """The integer next to a fraction; of two the one further from 0."""
    size = (2 * abs(over) + under) // (2 * under)
    return size if over >= 0 else -size
