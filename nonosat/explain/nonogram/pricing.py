"""Arguments by prices: earnings of rows and payments of columns that decide many cells at once.

Cells have prices. A row earns the prices of its cells, a column pays them, so in every solution the
rows earn together exactly what the columns pay. Suppose the rows earn at most R, by their dearest
fillings, and the columns pay at least P, by their cheapest ones. Then no solution deviates from
all of these by more than the slack R - P, and a value that would cost its row and its column more
is in no solution. This needs only integers: no search, no known solution, no assumption.

Native code finds prices that leave no room besides a solution found by its relaxation
(`nonosat.board.prices`). They are large, but people can check small ones only, so the table is
simplified: to the signs of its large prices, else to few sizes; then prices are moved by 1 while
that lowers the slack; then each price is dropped that the same conclusion does not need. Staircases
of dominoes keep prices of 1, which is an argument by counting.
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

# Earnings of one line: its dearest filling, and the cost of every other value.
#
# A cell has points for each value. A dynamic program over blocks and cells finds the filling with
# the most points; for the losses it runs from both ends. All numbers are integers, so the results
# are exact. Time and memory are blocks times cells; the time of losses is the number of cells in
# all positions of all blocks.


Points = Sequence[Sequence[int]]  # by value, then by cell

NEVER = -(1 << 62)  # for an impossible value; a few thousand of them add up safely


class Earnings:
    """Earnings of a line with at least one filling, at given prices.

    Args:
        clue: The blocks of the line.
        points: Earnings of the line by value and cell.
        sums: Maximum earnings of the beginnings of the line.

    Attributes:
        most: Earnings of the dearest filling.
    """

    def __init__(self, clue: Clue, points: Points, sums: _Sums) -> None:
        self._clue, self._points, self._sums = clue, points, sums
        self.most = sums.after[-1][-1]

    @cached_property
    def filling(self) -> bytes:
        """Dearest filling, a value a cell; of several the one with the earliest last blocks."""
        return _dearest(self._clue, self._points, self._sums)

    @cached_property
    def losses(self) -> list[list[int]]:
        """Cost of each value of each cell to the line: losses[value][cell].

        It is the difference between the dearest filling and the dearest one with this value; far
        more than any price if no filling has it.
        """
        back = _sums(self._clue[::-1], [values[::-1] for values in self._points])
        best = _best(self._clue, self._points, self._sums, back)
        return [[self.most - with_value for with_value in cells] for cells in best]


class _Sums(NamedTuple):
    """Maximum earnings of the first n cells of a line that contain its first blocks.

    Args:
        after: after[b][n]: these cells contain exactly the first b blocks.
        starts: starts[b][n]: likewise, and block b (counted from 0) may start at cell n.
        ends: ends[b][n]: they end with block b; if its length is unknown, it may continue.
    """

    after: list[list[int]]
    starts: list[list[int]]
    ends: list[list[int]]


def earnings(clue: Clue, points: Points) -> Earnings | None:
    """Return the earnings of a line; None if it has no filling.

    Args:
        clue: The blocks of the line.
        points: By value (0 is empty), then by cell; NEVER for an impossible value.
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
    """True if a block must be separated from the previous one, which has the same colour."""
    return index > 0 and clue[index - 1].colour == clue[index].colour


def _best(clue: Clue, points: Points, there: _Sums, back: _Sums) -> list[list[int]]:
    """Return the earnings of the dearest filling that has a value in a cell: best[value][cell]."""
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
    """Return the dearest filling of a line, built from its last cell to its first."""
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
    """Return the length of a block of unknown length that ends at `end` in the dearest filling."""
    ink, starts, ends = points[block.colour], sums.starts[index], sums.ends[index]
    first = end - 1
    while ends[first + 1] != starts[first] + ink[first]:
        first -= 1
    return end - first


# Earnings and payments of all lines at some prices, updated as prices change.


# Prices tried for each line while a table is repaired; with 2, steps-mixed and n-domino 20
# keep larger tables, and tables that need more are hardly ever repaired at all.
TRIES = 4


class Ledger:
    """Earnings of all lines that have prices; the others earn nothing.

    Args:
        known: The known values; every line can be completed.
        priced: Prices by place and value.
        watch: Limits of the work.

    Attributes:
        prices: Prices that are not 0.
        lines: Earnings of each line with prices; a column earns its payment, negated.
    """

    def __init__(self, known: Knowledge, priced: Mapping[Removal, int], watch: Watch) -> None:
        self._known, self._watch = known, watch
        self.prices = {pair: price for pair, price in priced.items() if price}
        lines = {line for place, _ in self.prices for line in known.through(place)}
        self.lines = {line: self._earnings(line) for line in sorted(lines)}

    def earned(self) -> int:
        """Return the maximal total earnings of the rows."""
        return sum(own.most for line, own in self.lines.items() if line < self._known.height)

    def paid(self) -> int:
        """Return the minimal total payments of the columns."""
        return -sum(own.most for line, own in self.lines.items() if line >= self._known.height)

    def slack(self) -> int:
        """Return the maximal earnings of rows minus the minimal payments of columns."""
        return self.earned() - self.paid()

    def best(self) -> tuple[Best, ...]:
        """Return the dearest filling of each row with prices, and the cheapest of each column."""
        priced = {line for place, _ in self.prices for line in self._known.through(place)}
        signed = [(line, 1 if line < self._known.height else -1) for line in sorted(priced)]
        return tuple(
            Best(line, sign * self.lines[line].most, self.lines[line].filling)
            for line, sign in signed
        )

    def removals(self) -> list[Removal]:
        """Return the values of open cells that would cost their lines more than the slack."""
        slack = self.slack()
        return [
            (place, value)
            for place in self._known.open_places()
            for value in self._known.values(place)
            if self._loss(place, value) > slack
        ]

    def mend(self, solution: bytes, largest: int) -> None:
        """Change prices by 1, one by one, while that lowers the slack and tries are left.

        The slack is 0 if the solution's fillings are the dearest ones. So each change makes one of
        them dearer, or a filling that is dearer than it cheaper.

        Args:
            solution: A solution, a value a place.
            largest: Upper bound on the absolute values of prices.
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
        """Return price changes by 1 that favour a line's solution over its dearest filling.

        Each is (place, value) and the new price.
        """
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
        """Set a price if this lowers the slack, else leave it; return True if it was set."""
        slack, before, old = self.slack(), dict(self.lines), self.prices.get(pair, 0)
        self._set(pair, price)
        if self.slack() < slack:
            return True
        self._restore(pair, old, before)
        return False

    def thin_out(self) -> None:
        """Set every price to 0 without which slack and removals stay, trying the smallest first."""
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
        """Change the price of a value of a cell, and the earnings of its lines."""
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
        """Return the earnings of a line for each value of its cells."""
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
        """Return the cost of a value to the row and the column of its cell."""
        row, column = self._known.through(place)
        loss = 0
        if own := self.lines.get(row):
            loss += own.losses[value][place % self._known.width]
        if own := self.lines.get(column):
            loss += own.losses[value][row]
        return loss


# Units of native work, about a nanosecond each, for either search: n-domino 20 takes 3e7.
WORK = 500_000_000
# Open cells up to which prices are not given up early, and units of native work for each: the
# rest of a staircase seems as hopeless as noise, and costs a few milliseconds.
SMALL = 400
SMALL_WORK = 20_000
# Shares of the largest price from which on the signs of prices are tried, in this order (a half is
# the first for staircases up to 10 dominoes, 0.4 up to 20, 0.6 for triangles), ...
SIGNS = (0.4, 0.5, 0.6, 0.3, 0.7, 0.2)
# ... and the largest prices after rounding, tried after them.
LARGEST = (2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 512, 2048, 1 << 14)

Prices = Mapping[Removal, int]  # by place and value


class Argument(NamedTuple):
    """A price table, and its consequences.

    Args:
        prices: By place and value; all others are 0.
        earned: Maximal earnings of all rows.
        paid: Minimal payments of all columns.
        best: The filling of each line with which it earns or pays this amount.
        removals: Values that no solution has.
    """

    prices: Prices
    earned: int
    paid: int
    best: tuple[Best, ...]
    removals: list[Removal]


def argument_of(ledger: Ledger) -> Argument:
    """Return the argument of a ledger's price table."""
    return Argument(ledger.prices, ledger.earned(), ledger.paid(), ledger.best(), ledger.removals())


def price_table(found: Argument, width: int) -> PriceTable:
    """Return the price table of an argument, its places as rows and columns of a board."""
    placed = (
        (*divmod(place, width), value, price) for (place, value), price in found.prices.items()
    )
    return PriceTable(tuple(sorted(placed)), found.earned, found.paid, found.best)


def argument(known: Knowledge, task: presolve.PresolvedModel, watch: Watch) -> Argument | None:
    """Return the smallest price table found that settles something; None if none is found.

    Args:
        known: The known values; the lines are at their fixpoint.
        task: The same knowledge as a native board.
        watch: Limits of the search.

    Raises:
        Impossible: A price table shows that there is no solution.
        LimitReached: A limit of the watch is reached.
    """
    is_small = task.num_open() <= SMALL
    work = SMALL_WORK * task.num_open() if is_small else WORK
    found = prices.find(task, watch, work=work, stubborn=is_small)
    if found.outcome is prices.PriceOutcome.OPEN:
        return None
    if found.outcome is prices.PriceOutcome.REFUTED:
        raise Impossible(_refutation(known, found.table(watch.check).prices, watch))
    solution = found.cells
    # Stubborn: the relaxation leaves few alternatives to this solution, or the solution is not that
    # of its marginals.
    found = prices.refute_others(task, solution, watch, work=WORK, stubborn=True)
    best = _best_ledger(known, found.table(watch.check).prices, solution, watch)
    if best is None:
        return None
    best.thin_out()
    return argument_of(best)


def _refutation(known: Knowledge, table: Prices, watch: Watch) -> str:
    """Return the contradiction in words, by the first simplification of a table that shows it."""
    ledgers = (Ledger(known, tried, watch) for tried, _ in _smaller(table))
    ledger = next(ledger for ledger in ledgers if ledger.slack() < 0)
    sizes = ledger.prices.values()
    return (
        f"at some prices from {min(sizes)} to {max(sizes)}, rows can earn "
        f"{ledger.earned()} together at most, but columns have to pay {ledger.paid()} at least"
    )


def _best_ledger(known: Knowledge, table: Prices, solution: bytes, watch: Watch) -> Ledger | None:
    """Return the first simplification of a table that rules out enough values.

    If none does, it is the one that rules out most; None if all rule out nothing.
    """
    best, most = None, 0
    for tried, largest in _smaller(table):
        ledger = Ledger(known, tried, watch)
        ledger.mend(solution, largest)
        count = len(ledger.removals())
        if count > most:
            best, most = ledger, count
        if count * count >= len(table):  # about as many as a line has
            break
    return best


def _smaller(table: Prices) -> Iterator[tuple[Prices, int]]:
    """Yield simplifications of a table, with prices of few sizes, and finally the table itself.

    Yields:
        The prices, and the largest absolute value among them.
    """
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
    """Return the integer nearest to a fraction; of two equally near ones the one further from 0."""
    size = (2 * abs(over) + under) // (2 * under)
    return size if over >= 0 else -size
