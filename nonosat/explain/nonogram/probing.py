"""Arguments with an assumption: carried to a parallel line, or followed line by line.

Invariant: a chain follows from its initial knowledge, the assumption and the clues of
its lines; each link is one complete line argument. At the line fixpoint, a row and a column
refute nothing together, for they share one cell and each supports both of its values. The shortest
argument takes two parallel lines, and the crossing lines that carry cells from one to the other.

A native board finds the refutable assumptions (`_core.look_ahead`); the shortest chains are then
searched in Python, with increasing bounds. Failed literal probing: Freeman 1995.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from nonosat.board import presolve
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.step import Cell, Link
from nonosat.puzzles import nonogram

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

BOUNDS = (8, 24, 10**9)  # maximal lengths of a chain, in turn


class Refuted(NamedTuple):
    """A refuted assumption with its derivation.

    Args:
        place: The cell.
        value: The assumed value.
        chain: The line arguments in order; the last line has no placement left.
        is_parallel: True if the chain consists of two parallel lines and lines that cross them.
    """

    place: int
    value: int
    chain: tuple[Link, ...]
    is_parallel: bool


class _Chain:
    """Knowledge under the assumption that a place has a value, with its derivation."""

    def __init__(self, known: Knowledge, place: int, value: int) -> None:
        self.known = known.copy()
        self.known.apply(self.known.settling(place, value))
        self.links: list[tuple[int, list[tuple[int, int]]]] = []

    def follow(self, line: int) -> list[int] | None:
        """Propagate a line; return the places that change, or None if it has no placement."""
        removals = self.known.implied(line)
        if removals is None:
            self.links.append((line, []))
            return None
        if removals:
            self.known.apply(removals)
            self.links.append((line, removals))
        return [place for place, _ in removals]

    def needed(self) -> tuple[Link, ...]:
        """Return the links on which the last link depends, and the last link."""
        return self._as_links(self.needed_links())

    def needed_links(self) -> list[int]:
        """Return the indices of the links that `needed` returns, ascending."""
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
    """Return the refutation with a chain from which no single link can be left out."""
    lines = [link.line for link in refuted.chain]
    for index in range(len(lines) - 2, -1, -1):
        fewer = lines[:index] + lines[index + 1 :]
        if _replayed(known, refuted, fewer) is not None:
            lines = fewer
    chain = _replayed(known, refuted, lines)
    assert chain is not None
    return refuted._replace(chain=chain.needed())


def _replayed(known: Knowledge, refuted: Refuted, lines: list[int]) -> _Chain | None:
    """Repeat a refutation with these lines, in order; None if they do not refute the assumption."""
    chain = _Chain(known, refuted.place, refuted.value)
    for line in lines:
        if chain.follow(line) is None:
            return chain
    return None


def parallel_lines(known: Knowledge, place: int, value: int) -> Refuted | None:
    """Refute an assumption by two parallel lines and the lines that cross them, if possible."""
    refutations = []
    for first in known.through(place):
        chain = _Chain(known, place, value)
        if _breaks_beside(chain, first, place):
            refutations.append(Refuted(place, value, chain.needed(), True))
    return min(refutations, key=lambda refuted: len(refuted.chain), default=None)


def _breaks_beside(chain: _Chain, first: int, place: int) -> bool:
    """Propagate the line `first`, then lines that cross it; return True at a contradiction.

    The contradiction may also be in a line parallel to `first` that the crossing lines changed.
    """
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
    """Refute an assumption by propagating lines, beginning with those through its cell.

    Return None if `bound` lines do not refute it.

    Args:
        known: The known values without the assumption.
        place: The cell.
        value: The assumed value.
        bound: Maximal number of lines.
        lines: The lines that may be used; None for all.
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


def task_of(puzzle: Nonogram, known: Knowledge, watch: Watch) -> presolve.PresolvedModel:
    """Return the knowledge of a puzzle as a native board; its lines are not yet propagated."""
    task = presolve.PresolvedModel.of(nonogram.build(puzzle), watch.check)
    assert task.board is not None
    for place, value in known.removed():
        task.board.remove(place, value)
    return task


class Prober:
    """Search for short refutations of assumptions about the open cells of a board.

    Refuted assumptions stay refuted as more becomes known. They are stored, and the whole board is
    checked again only when none of them is left.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._found: list[Refuted] = []

    def kept(self, known: Knowledge) -> Refuted | None:
        """Return the easiest stored refutation, derived again; None if none is left."""
        while self._found:
            one = self._found.pop(0)
            if known.may_be(one.place, one.value):
                again = parallel_lines(known, one.place, one.value)
                again = again or line_by_line(known, one.place, one.value, BOUNDS[-1])
                assert again is not None
                return thinned(known, again)
        return None

    def easiest(self, known: Knowledge, refuted: list[tuple[int, int]]) -> Refuted | None:
        """Store the shortest refutations of assumptions; return the easiest, None without any.

        Args:
            known: The known values.
            refuted: Assumptions (place, value) that line propagation refutes.
        """
        self._found = self._shortest(known, refuted)
        return self.kept(known)

    def _shortest(self, known: Knowledge, pairs: list[tuple[int, int]]) -> list[Refuted]:
        """Return refutations of these assumptions, the shortest first; [] if none is found.

        Those by parallel lines are returned if there are any, else those by the fewest lines.
        """
        for is_parallel, bound in ((True, 0), *((False, bound) for bound in BOUNDS)):
            argued = []
            for place, value in pairs:
                self._watch.check()
                argued.append(self._argued(known, place, value, bound, is_parallel))
            if found := [one for one in argued if one is not None]:
                return sorted(found, key=lambda one: len(one.chain))
        return []

    @staticmethod
    def _argued(
        known: Knowledge, place: int, value: int, bound: int, is_parallel: bool
    ) -> Refuted | None:
        if is_parallel:
            return parallel_lines(known, place, value)
        return line_by_line(known, place, value, bound)


def refuting(refuted: Refuted, width: int) -> Cell:
    """Return the refuted assumption as (row, column, value)."""
    row, column = divmod(refuted.place, width)
    return row, column, refuted.value
