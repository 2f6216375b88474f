"""Small sets of clues that contradict each other, proved by a price table.

A price table has a price for each value of each cell, and gives an upper bound over all solutions
(`prices.py`). A bound below 0 proves that there is no solution: by the columns' clues, all filled
cells cost more than the rows' clues allow.

If the clue of a line is left out, the line may have any filling, and the bound counts the dearest
value of each of its cells. This increases the bound; the increase is the worth of the clue. The
worths of several clues add up exactly. Therefore all clues are left out at once whose total worth
does not raise the bound to 0. Then prices are searched again on a board that has only the remaining
clues, and so on, until no further clue can be left out. (Without a known solution the bound below 0
is a certificate of J. Farkas, 1902, for the polytopes of the lines.)

Invariant: every set of clues that this module returns is contradictory, by the exact bound of a
board that uses no other clues.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nonosat import _core
from nonosat.board import prices
from nonosat.board.presolve import PresolvedModel, Rectangle
from nonosat.core.errors import LimitReached, counted
from nonosat.core.limits import polled
from nonosat.core.wording import lines_listed

if TYPE_CHECKING:
    from nonosat.core.limits import Watch

# Sweeps times open cells, for one set of clues and for all: about 50 ns each. An n-domino of 20
# with a mistyped clue takes 8 to 14 million, and its longest single set 0.7.
MOST_SWEPT = 50_000_000
TRIAL_WORK = 1_000_000_000  # units of native work, about a nanosecond each

_Proof = tuple[Sequence[tuple[int, int, int]], Sequence[tuple[int, int]]]  # `_core.Prices.proof`


@dataclass(frozen=True, slots=True)
class Clash:
    """Clues that contradict each other, with a table of prices that proves it.

    Args:
        shape: Shape of the board.
        lines: Numbers of their lines, ascending: rows first, then columns.
        most: Upper bound on the cost of all filled cells, by the clues of the rows.
        least: Lower bound on it by the clues of the columns, greater than `most`.
        prices: (cell, value) to the price, of a table that proves it.
    """

    shape: Rectangle
    lines: tuple[int, ...]
    most: int
    least: int
    prices: Mapping[tuple[int, int], int]

    def description(self) -> str:
        """Return the contradiction as a clause: "there are 81 cells of which at most 7 ..."."""
        rows = self._clues("rows", 0, self.shape.height)
        columns = self._clues("columns", self.shape.height, self.shape.width)
        priced = {cell: price for (cell, _), price in self.prices.items() if price}
        num_cells = counted(len(priced), "cell")
        kinds = set(priced.values()) if self.shape.num_colours == 1 else set()
        if len(kinds) != 1 or kinds - {1, -1}:
            return (
                f"there are prices for {num_cells} at which all that is filled costs at most "
                f"{self.most} by {rows}, and at least {self.least} by {columns}"
            )
        few, many = (rows, columns) if kinds == {1} else (columns, rows)
        most, least = sorted(map(abs, (self.most, self.least)))
        return (
            f"there are {num_cells} of which at most {most} can be filled by {few}, and at least "
            f"{least} must be by {many}"
        )

    def _clues(self, kind: str, first: int, number: int) -> str:
        """Return the clues of one side's lines in words."""
        lines = [line for line in self.lines if first <= line < first + number]
        if len(lines) == number:
            return f"the clues of all {kind}"
        return (
            f"the clue{'s' if len(lines) > 1 else ''} of {lines_listed(lines, self.shape.height)}"
        )


class _Payments(NamedTuple):
    """Payments of the lines of a refuted board.

    Args:
        prices: (cell, value) to the price by a table with a bound below 0.
        most: For each line, the payment for its dearest filling; the bound is their sum.
        free: For each line, the payment if its clue is left out.
    """

    prices: Mapping[tuple[int, int], int]
    most: list[int]
    free: list[int]

    @classmethod
    def of(cls, found: _Proof) -> _Payments:
        priced, paid = found
        prices = {(cell, value): price for cell, value, price in polled(priced)}
        return cls(prices, [most for most, _ in paid], [free for _, free in paid])

    def worth(self, line: int) -> int:
        return self.free[line] - self.most[line]

    def dispensable(self, lines: Iterable[int]) -> list[int]:
        """Return lines among those given; without their clues the same prices refute the board."""
        spare, found = -sum(self.most), []
        for line in sorted(lines, key=self.worth):
            spare -= self.worth(line)
            if spare <= 0:
                break
            found.append(line)
        return found

    def clash(self, lines: Iterable[int], shape: Rectangle) -> Clash:
        """Return the contradiction of the clues of `lines`, which must hold without all others."""
        kept = frozenset(lines)
        paid = [(self.most if line in kept else self.free)[line] for line in range(len(self.most))]
        most, least = sum(paid[: shape.height]), -sum(paid[shape.height :])
        return Clash(shape, tuple(sorted(kept)), most, least, self.prices)


def reason_of(refuted: _core.Pricing | _core.Strategy, shape: Rectangle, watch: Watch) -> str:
    """Return a contradiction that a search by prices has found, as part of a sentence for people.

    Args:
        refuted: The search, which has refuted its board.
        shape: Shape of the board.
        watch: Limits of the work.

    Returns:
        The words; "" if the search refuted only a region of the board, or if a limit is reached
        first, which does not change the verdict.
    """
    with suppress(LimitReached, MemoryError):
        if found := refuted.refutation(watch.remaining_s(), watch.poll):
            paid = _Payments.of(found)
            every = range(len(paid.most))
            return paid.clash(set(every) - set(paid.dispensable(every)), shape).description()
    return ""


def fewest(task: PresolvedModel, watch: Watch) -> Clash | None:
    """Return a small set of clues that contradict each other by prices.

    Args:
        task: Presolved model with a board that is not propagated; it is not changed. Given cells
            always hold.
        watch: Limits of the work.

    Returns:
        The set; None if prices do not refute the board, or line propagation alone does.

    Raises:
        LimitReached: A limit of the watch is reached.
        MemoryError: Native code would exceed its memory limit.
    """
    assert task.shape is not None
    search = _ClashSearch(task, watch, range(task.shape.height + task.shape.width))
    if not search.is_refuted():
        return None
    search.leave_out()
    return search.clash()


def among(task: PresolvedModel, lines: Iterable[int], watch: Watch) -> Clash | None:
    """Return the contradiction of the clues of `lines` if prices show one, else None.

    Propagation must not show it either; arguments and exceptions are those of `fewest`.
    """
    search = _ClashSearch(task, watch, lines)
    return search.clash() if search.is_refuted() else None


class _ClashSearch:
    """Search for a small set of contradictory clues, starting from those of some lines.

    Attributes:
        kept: Lines whose clues contradict each other.
    """

    def __init__(self, task: PresolvedModel, watch: Watch, lines: Iterable[int]) -> None:
        assert task.shape is not None
        self._task, self._watch = task, watch
        self._shape = task.shape
        self._lines = range(task.shape.height + task.shape.width)
        self._left = MOST_SWEPT
        self.kept = set(lines)
        self._paid: _Payments | None = None  # of a board that knows the clues of `kept` alone

    def clash(self) -> Clash:
        assert self._paid is not None
        return self._paid.clash(self.kept, self._shape)

    def is_refuted(self) -> bool:
        """True if prices refute the kept clues together, and propagation alone does not."""
        task = self._without(())
        if not task.propagate(self._watch):
            return False
        return self._took(prices.refute(task, self._watch, work=TRIAL_WORK), task)

    def leave_out(self) -> None:
        """Leave out clues until each remaining one is needed, or the budget is spent."""
        needed: set[int] = set()
        most = len(self._lines)  # number of clues left out at once
        while (rest := self.kept - needed) and self._left > 0:
            assert self._paid is not None
            batch = (self._paid.dispensable(rest) or [min(rest, key=self._paid.worth)])[:most]
            if self._is_refuted_without(batch):
                self.kept -= set(batch)
                most = len(self._lines)
            elif len(batch) == 1:
                needed.add(batch[0])
                most = len(self._lines)
            else:
                most = len(batch) // 2

    def _is_refuted_without(self, lines: Sequence[int]) -> bool:
        task = self._without(lines)
        is_consistent = task.propagate(self._watch)
        assert is_consistent  # the board with more clues was consistent
        return self._took(prices.refute(task, self._watch, work=TRIAL_WORK), task)

    def _without(self, lines: Sequence[int]) -> PresolvedModel:
        """Return the board with the kept clues, except those of the given lines."""
        assert self._task.board is not None
        board = self._task.board.copy()
        for line in self._lines:
            if line not in self.kept or line in lines:
                board.leave_out(line)
        return PresolvedModel(self._task.model, self._task.shape, board)

    def _took(self, found: prices.PriceResult, task: PresolvedModel) -> bool:
        """True if the search `found` refuted its board; its payments are stored in this case."""
        self._left -= found.num_sweeps * task.num_open()
        if found.outcome is not prices.PriceOutcome.REFUTED:
            return False
        self._paid = _Payments.of(self._watch.result_of(found.native.proof))
        return True
