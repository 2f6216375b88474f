"""What the lines of a board earn and pay at some prices, kept up to date as prices change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from nonosat.explain.nonogram.earnings import NEVER, Earnings, earnings
from nonosat.explain.nonogram.step import Best

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.explain.nonogram.knowledge import Knowledge, Removal

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
