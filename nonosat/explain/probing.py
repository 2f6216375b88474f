"""Arguments with an assumption: two lines, line by line, either way.

Invariant: everything a chain says follows from the knowledge it began with, the assumption and the
clues of its lines, one complete line argument a link. At a fixpoint of line reasoning a row and a
column refute nothing together, for they share one cell and each supports both of its values; the
shortest argument takes two parallel lines and the crossing lines that pass cells on between them.

A native board finds what can be refuted (a copy and a propagation an assumption); the shortest
chains are then looked for in Python, with bounds that grow. Failed literal probing: Freeman 1995.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from nonosat import _core
from nonosat.explain.knowledge import Knowledge
from nonosat.explain.step import Cell, Link
from nonosat.grid import UNKNOWN
from nonosat.limits import Watch

MOST = 400  # assumptions that are looked at more closely
BOUNDS = (8, 24, 10**9)  # lines that a chain may try, one bound after the other


class Refuted(NamedTuple):
    """An assumption that cannot hold, and why.

    Args:
        place: Where.
        value: What was assumed there.
        chain: One line after the other; no placement is left for the last one.
        is_two_lines: Whether it takes two parallel lines and lines crossing them, each once.
    """

    place: int
    value: int
    chain: tuple[Link, ...]
    is_two_lines: bool


class _Chain:
    """Knowledge under an assumption, and how it came to be."""

    def __init__(self, known: Knowledge, place: int, value: int) -> None:
        self.known = known.copy()
        self.known.apply(self.known.settling(place, value))
        self.links: list[tuple[int, list[tuple[int, int]]]] = []

    def follow(self, line: int) -> list[int] | None:
        """Let a line speak: the places it changes, or None where it cannot hold."""
        removals = self.known.implied(line)
        if removals is None:
            self.links.append((line, []))
            return None
        if removals:
            self.known.apply(removals)
            self.links.append((line, removals))
        return [place for place, _ in removals]

    def needed(self) -> tuple[Link, ...]:
        """The links that the last one rests on, itself included."""
        return self._as_links(self.needed_links())

    def needed_links(self) -> list[int]:
        """Their places, ascending."""
        needed = [len(self.links) - 1]
        for index in range(len(self.links) - 2, -1, -1):
            places = {place for place, _ in self.links[index][1]}
            on = (self.known.span(self.links[later][0]) for later in needed)
            if any(place in span for span in on for place in places):
                needed.append(index)
        return needed[::-1]

    def _as_links(self, places: list[int]) -> tuple[Link, ...]:
        width = self.known.width
        return tuple(
            Link(line, tuple((*divmod(place, width), value) for place, value in removals))
            for line, removals in (self.links[place] for place in places)
        )


def thinned(known: Knowledge, refuted: Refuted) -> Refuted:
    """The same refutation without the links that it can do without, tried one by one."""
    lines = [link.line for link in refuted.chain]
    for index in range(len(lines) - 2, -1, -1):
        fewer = lines[:index] + lines[index + 1 :]
        if _replayed(known, refuted, fewer) is not None:
            lines = fewer
    chain = _replayed(known, refuted, lines)
    assert chain is not None
    return refuted._replace(chain=chain.needed())


def _replayed(known: Knowledge, refuted: Refuted, lines: list[int]) -> _Chain | None:
    """The assumption with these lines one after the other; None where the last one can hold."""
    chain = _Chain(known, refuted.place, refuted.value)
    for line in lines:
        if chain.follow(line) is None:
            return chain
    return None


def two_lines(known: Knowledge, place: int, value: int) -> Refuted | None:
    """The assumption refuted by two parallel lines and what passes between them."""
    found = []
    for first in known.through(place):
        chain = _Chain(known, place, value)
        if _is_refuted_in_parallel(chain, first, place):
            found.append(Refuted(place, value, chain.needed(), True))
    return min(found, key=lambda refuted: len(refuted.chain), default=None)


def _is_refuted_in_parallel(chain: _Chain, first: int, place: int) -> bool:
    """Follow one line, those that cross it, then those beside it."""
    known = chain.known
    is_row = first < known.height
    changed = chain.follow(first)
    if changed is None:
        return True
    beside: set[int] = set()
    for crossed in [place, *changed]:
        passed = chain.follow(known.through(crossed)[is_row])
        if passed is None:
            return True
        beside |= {known.through(other)[not is_row] for other in passed}
    for line in sorted(beside - {first}):
        if known.implied(line) is None:
            chain.follow(line)
            return True
    return False


def line_by_line(
    known: Knowledge, place: int, value: int, bound: int, lines: frozenset[int] | None = None
) -> Refuted | None:
    """The assumption refuted by following the lines it touches, at most `bound` of them.

    Args:
        known: What is known without it.
        place: Where.
        value: What is assumed there.
        bound: Lines that may be asked.
        lines: Those that may be asked; None is all.
    """
    chain = _Chain(known, place, value)
    queue = deque(line for line in known.through(place) if lines is None or line in lines)
    waiting = set(queue)
    for _ in range(bound):
        if not queue:
            return None
        line = queue.popleft()
        waiting.discard(line)
        changed = chain.follow(line)
        if changed is None:
            return Refuted(place, value, chain.needed(), False)
        for other in changed:
            for touched in known.through(other):
                allowed = lines is None or touched in lines
                if touched != line and touched not in waiting and allowed:
                    waiting.add(touched)
                    queue.append(touched)
    return None


class Prober:
    """Assumptions about the open cells of a board.

    What it has refuted stays refuted as more becomes known, so it looks at the whole board again
    only when it has nothing left.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._found: list[Refuted] = []

    def next(self, known: Knowledge, board: _core.Board) -> Refuted | None:
        """An assumption that is refuted, the easiest that is known; None where there is none.

        Args:
            known: At a fixpoint of line reasoning.
            board: The same as a native board.
        """
        if not any(known.may_be(one.place, one.value) for one in self._found):
            self._found = self._shortest(known, list(self._refutable(known, board)))
        while self._found:
            one = self._found.pop(0)
            if known.may_be(one.place, one.value):
                again = two_lines(known, one.place, one.value)
                again = again or line_by_line(known, one.place, one.value, BOUNDS[-1])
                assert again is not None
                return thinned(known, again)
        return None

    def _refutable(self, known: Knowledge, board: _core.Board) -> Iterator[tuple[int, int]]:
        """Assumptions that line propagation refutes, the first `MOST` of them."""
        num_found = 0
        for place in known.open_places():
            self._watch.check()
            for value in known.values(place):
                trial = board.copy()
                trial.assign(place, value)
                if trial.propagate(self._watch.remaining_s(), self._watch.poll) is False:
                    num_found += 1
                    yield place, value
            if num_found >= MOST:
                return

    def _shortest(self, known: Knowledge, pairs: list[tuple[int, int]]) -> list[Refuted]:
        """Those with two-line arguments, else those that need the fewest lines."""
        for is_two_lines, bound in ((True, 0), *((False, bound) for bound in BOUNDS)):
            argued = []
            for place, value in pairs:
                self._watch.check()
                argued.append(self._argued(known, place, value, bound, is_two_lines))
            if found := [one for one in argued if one is not None]:
                return sorted(found, key=lambda one: len(one.chain))
        return []

    @staticmethod
    def _argued(
        known: Knowledge, place: int, value: int, bound: int, is_two_lines: bool
    ) -> Refuted | None:
        if is_two_lines:
            return two_lines(known, place, value)
        return line_by_line(known, place, value, bound)


class Either(NamedTuple):
    """What every value of a place leads to: (place, value) pairs."""

    place: int
    settled: tuple[tuple[int, int], ...]


def either_way(known: Knowledge, board: _core.Board, watch: Watch) -> Either | None:
    """The first open place all of whose values settle the same further cells."""
    before = bytes(known.cells)
    quick = _Filter(before)
    for place in known.open_places():
        watch.check()
        outcomes = []
        for value in known.values(place):
            trial = board.copy()
            trial.assign(place, value)
            if trial.propagate(watch.remaining_s(), watch.poll) is None:
                raise watch.limit()
            outcomes.append(trial.cells())
        if quick.passes(outcomes) and (agreed := _agreed(before, outcomes)):
            return Either(place, agreed)
    return None


class _Filter:
    """Tells fast that outcomes agree on nothing: whole boards at once, as numbers of a byte a cell.

    An open cell has all bits set, so one that has become known differs from it in its highest bit;
    known values that are equal do not differ in their lowest. Colours above 127 escape it.
    """

    def __init__(self, before: bytes) -> None:
        self._before = int.from_bytes(before, "little")
        self._ones = int.from_bytes(b"\1" * len(before), "little")

    def passes(self, outcomes: list[bytes]) -> bool:
        """Whether some open cell may have become the same in all of them."""
        first, *others = (int.from_bytes(cells, "little") for cells in outcomes)
        agreeing = (first ^ self._before) >> 7 & self._ones
        for other in others:
            agreeing &= (other ^ self._before) >> 7 & ~(first ^ other)
        return bool(agreeing)


def _agreed(before: bytes, outcomes: list[bytes]) -> tuple[tuple[int, int], ...]:
    """Open places that have one and the same value in all outcomes."""
    pairs = enumerate(zip(before, *outcomes, strict=True))
    return tuple((place, column[1]) for place, column in pairs if _agrees(column))


def _agrees(column: tuple[int, ...]) -> bool:
    old, first, *others = column
    return old == UNKNOWN != first and all(value == first for value in others)


def refuting(refuted: Refuted, width: int) -> Cell:
    """The assumption as a cell with a value."""
    row, column = divmod(refuted.place, width)
    return row, column, refuted.value
