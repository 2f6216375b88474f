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

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from nonosat.board import prices
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge, Removal
from nonosat.explain.nonogram.step import Best, PriceTable

if TYPE_CHECKING:
    from nonosat.board import presolve
    from nonosat.core.limits import Watch
    from nonosat.core.model import Block, Clue

# Earnings of one line: its dearest filling, and the loss by every other value.
#
# A cell has points for each value. A dynamic program over blocks and cells finds the filling with
# the most points; for the losses it runs from both ends. All numbers are integers, so the results
# are exact. Time and memory are blocks times cells; losses take the cells of all places of all
# blocks.


Points = Sequence[Sequence[int]]  # by value, then by cell

NEVER = -(1 << 62)  # for a value that a cell cannot have; a few thousand of them add up safely


class Earnings:
    """What a line with at least one filling earns.

    Args:
        clue: Its blocks.
        points: What it earns for the values of its cells.
        sums: Its sums from the first cell on.

    Attributes:
        most: The points of the dearest filling.
    """

    def __init__(self, clue: Clue, points: Points, sums: _Sums) -> None:
        self._clue, self._points, self._sums = clue, points, sums
        self.most = sums.after[-1][-1]

    @cached_property
    def filling(self) -> bytes:
        """The dearest filling, a value a cell; of several the one with its last blocks first."""
        return _dearest(self._clue, self._points, self._sums)

    @cached_property
    def losses(self) -> list[list[int]]:
        """By value, then by cell: how much less the dearest filling with that value earns.

        Far more than any price where there is none.
        """
        back = _sums(self._clue[::-1], [values[::-1] for values in self._points])
        best = _best(self._clue, self._points, self._sums, back)
        return [[self.most - with_value for with_value in cells] for cells in best]


class _Sums(NamedTuple):
    """The most points of the first cells of a line; first indices count blocks, second ones cells.

    Args:
        after: All of the first blocks are in the first cells, and nothing else.
        starts: The same, and the next block may start behind them.
        ends: Block b ends there; one of unknown length may go on.
    """

    after: list[list[int]]
    starts: list[list[int]]
    ends: list[list[int]]


def earnings(clue: Clue, points: Points) -> Earnings | None:
    """The earnings of a line; None where it has no filling.

    Args:
        clue: Its blocks.
        points: By value (0 is empty), then by cell; NEVER for a value that a cell cannot have.
    """
    sums = _sums(clue, points)
    return None if sums.after[-1][-1] < NEVER // 2 else Earnings(clue, points, sums)


def _sums(clue: Clue, points: Points) -> _Sums:
    empty, length = points[0], len(points[0])
    after, starts, all_ends = [list(accumulate(empty, initial=0))], [], []
    for index, block in enumerate(clue):
        ink = points[block.colour]
        start = after[-1]
        if _is_apart(clue, index):
            start = [NEVER, *map(add, start, empty)]
        ends = [NEVER] * (length + 1)
        if block.length is None:
            for cell in range(length):
                ends[cell + 1] = max(ends[cell], start[cell]) + ink[cell]
        else:
            sums = list(accumulate(ink, initial=0))
            for first in range(length - block.length + 1):
                end = first + block.length
                ends[end] = start[first] + sums[end] - sums[first]
        now = [NEVER]
        for cell in range(length):
            now.append(max(now[cell] + empty[cell], ends[cell + 1]))
        after.append(now)
        starts.append(start)
        all_ends.append(ends)
    return _Sums(after, starts, all_ends)


def _is_apart(clue: Clue, index: int) -> bool:
    """Whether a block has an empty cell before it, as the block before has its colour."""
    return index > 0 and clue[index - 1].colour == clue[index].colour


def _best(clue: Clue, points: Points, there: _Sums, back: _Sums) -> list[list[int]]:
    """By value, then by cell, the points of the dearest filling with that value."""
    length, last = len(points[0]), len(clue)
    best = [[NEVER] * length for _ in points]
    for num_before, before in enumerate(there.after):
        behind = back.after[last - num_before]
        for cell, own in enumerate(points[0]):
            best[0][cell] = max(best[0][cell], before[cell] + own + behind[length - 1 - cell])
    for index, block in enumerate(clue):
        mine, ink = best[block.colour], points[block.colour]
        opposite = last - 1 - index
        if block.length is None:
            for cell in range(length):
                both = there.ends[index][cell + 1] + back.ends[opposite][length - cell]
                mine[cell] = max(mine[cell], both - ink[cell])
            continue
        for end in range(block.length, length + 1):
            total = there.ends[index][end] + back.starts[opposite][length - end]
            for cell in range(end - block.length, end):
                mine[cell] = max(mine[cell], total)
    return best


def _dearest(clue: Clue, points: Points, sums: _Sums) -> bytes:
    """The dearest filling, put together from its last cell to its first."""
    empty = points[0]
    filling = bytearray(len(empty))
    left, end = len(clue), len(empty)
    while end and left:
        if sums.after[left][end] == sums.after[left][end - 1] + empty[end - 1]:
            end -= 1
            continue
        left -= 1
        block = clue[left]
        first = end - (block.length or _length(block, points, sums, left, end))
        filling[first:end] = bytes([block.colour]) * (end - first)
        end = first - _is_apart(clue, left)
    return bytes(filling)


def _length(block: Block, points: Points, sums: _Sums, index: int, end: int) -> int:
    """The length of a block of unknown length that ends there in the dearest filling."""
    ink, starts, ends = points[block.colour], sums.starts[index], sums.ends[index]
    first = end - 1
    while ends[first + 1] != starts[first] + ink[first]:
        first -= 1
    return end - first


# Earnings and payments of all lines at some prices, updated as prices change.


# Prices that are tried for each line while a table is mended; 2 leave steps-mixed and n-domino 20
# with larger tables, and what takes more is hardly ever mended at all.
TRIES = 4


class Ledger:
    """The earnings of all lines that have prices; the others earn nothing.

    Args:
        known: What is known; every line can be completed.
        priced: Prices by place and value.
        watch: Ends it.

    Attributes:
        prices: Those that are not 0.
        lines: By line with prices what it earns. A column earns what it pays, negated.
    """

    def __init__(self, known: Knowledge, priced: Mapping[Removal, int], watch: Watch) -> None:
        self._known, self._watch = known, watch
        self.prices = {pair: price for pair, price in priced.items() if price}
        lines = {line for place, _ in self.prices for line in known.through(place)}
        self.lines = {line: self._earnings(line) for line in sorted(lines)}

    def earned(self) -> int:
        """What all rows earn together at most."""
        return sum(own.most for line, own in self.lines.items() if line < self._known.height)

    def paid(self) -> int:
        """What all columns pay together at least."""
        return -sum(own.most for line, own in self.lines.items() if line >= self._known.height)

    def slack(self) -> int:
        """How much more the rows earn at most than the columns pay at least."""
        return self.earned() - self.paid()

    def best(self) -> tuple[Best, ...]:
        """The dearest filling of each row that has prices left, and the cheapest of each column."""
        priced = {line for place, _ in self.prices for line in self._known.through(place)}
        signed = [(line, 1 if line < self._known.height else -1) for line in sorted(priced)]
        return tuple(
            Best(line, sign * self.lines[line].most, self.lines[line].filling)
            for line, sign in signed
        )

    def removals(self) -> list[Removal]:
        """The values of open cells that would cost their lines more than the slack."""
        slack = self.slack()
        return [
            (place, value)
            for place in self._known.open_places()
            for value in self._known.values(place)
            if self._loss(place, value) > slack
        ]

    def mend(self, solution: bytes, largest: int) -> None:
        """Move prices by 1 while that lowers the slack, as long as a few tries are left.

        Only the solution's own fillings can bring it down to 0, so each move makes one of them
        dearer, or what is dearer now less so.

        Args:
            solution: A value a place.
            largest: Prices stay within it.
        """
        tries = TRIES * len(self.lines)
        has_moved = True
        while has_moved and tries > 0 and self.slack() > 0:
            has_moved = False
            for line in sorted(self.lines):
                for pair, price in self._moves(line, solution, largest):
                    tries -= 1
                    if self._try(pair, price):
                        has_moved = True
                        break
                if tries <= 0:
                    break

    def _moves(self, line: int, solution: bytes, largest: int) -> list[tuple[Removal, int]]:
        """Prices of a line next to its own, with which its solution is dearer or others less so."""
        sign = 1 if line < self._known.height else -1
        moves = []
        for place, value in zip(self._known.span(line), self.lines[line].filling, strict=True):
            right = solution[place]
            if value == right:
                continue
            for pair, step in (((place, right), sign), ((place, value), -sign)):
                price = self.prices.get(pair, 0) + step
                if pair[1] and abs(price) <= largest:
                    moves.append((pair, price))
        return moves

    def _try(self, pair: Removal, price: int) -> bool:
        """Set a price, and keep it if the slack is smaller."""
        slack, before, old = self.slack(), dict(self.lines), self.prices.get(pair, 0)
        self._set(pair, price)
        if self.slack() < slack:
            return True
        self._restore(pair, old, before)
        return False

    def thin_out(self) -> None:
        """Drop every price that the same removals do without, the smallest first."""
        slack = self.slack()
        claimed: dict[int, list[Removal]] = {}
        for one in self.removals():
            claimed.setdefault(one[0], []).append(one)
        for pair in sorted(self.prices, key=lambda pair: (abs(self.prices[pair]), pair)):
            old, before = self.prices[pair], dict(self.lines)
            self._set(pair, 0)
            touched = (place for line in self._through(pair) for place in self._known.span(line))
            at_stake = (one for place in touched for one in claimed.get(place, ()))
            if self.slack() != slack or any(self._loss(*one) <= slack for one in at_stake):
                self._restore(pair, old, before)

    def _set(self, pair: Removal, price: int) -> None:
        """Give a cell another price."""
        self.prices[pair] = price
        if not price:
            del self.prices[pair]
        for line in self._through(pair):
            self.lines[line] = self._earnings(line)

    def _restore(self, pair: Removal, price: int, lines: dict[int, Earnings]) -> None:
        self.prices[pair] = price
        if not price:
            del self.prices[pair]
        self.lines = lines

    def _through(self, pair: Removal) -> tuple[int, int]:
        return self._known.through(pair[0])

    def _earnings(self, line: int) -> Earnings:
        self._watch.check()
        found = earnings(self._known.clues[line], self._points(line))
        assert found is not None
        return found

    def _points(self, line: int) -> list[list[int]]:
        """What a line earns for each value of its cells."""
        sign = 1 if line < self._known.height else -1
        span = self._known.span(line)
        return [
            [
                sign * self.prices.get((place, value), 0) if is_possible else NEVER
                for place, is_possible in zip(span, plane, strict=True)
            ]
            for value, plane in enumerate(self._known.planes(line))
        ]

    def _loss(self, place: int, value: int) -> int:
        """What a value would cost the row and the column of its cell."""
        row, column = self._known.through(place)
        loss = 0
        if own := self.lines.get(row):
            loss += own.losses[value][place % self._known.width]
        if own := self.lines.get(column):
            loss += own.losses[value][row]
        return loss


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


def argument(known: Knowledge, task: presolve.PresolvedModel, watch: Watch) -> Argument | None:
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
    best = _best_ledger(known, found.table(watch.check).prices, solution, watch)
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


def _best_ledger(known: Knowledge, table: Prices, solution: bytes, watch: Watch) -> Ledger | None:
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
