"""Look-ahead on one edge: assume it, apply the rules until a fixpoint or a contradiction.

Assumptions are propagated on the board itself and undone. The result of an assumption is cached
until one of the places changes that its propagation reached; so most assumptions are propagated
once. A refuted assumption stays refuted when more edges become known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from nonosat.explain.slitherlink.knowledge import Knowledge
from nonosat.explain.slitherlink.ways import sides_of_clue
from nonosat.puzzles.slitherlink.rules import IN, OPEN, OUT

if TYPE_CHECKING:
    from nonosat.core.limits import Watch

BY_RULE, BY_LOOP, BY_SIDES, BY_CLUE, BY_NOTHING = range(5)

Because = tuple[int, tuple[int, ...] | None]  # a value, and the edges that imply it


class ProbeContradiction(NamedTuple):
    """Contradiction of an assumption.

    Args:
        kind: BY_RULE if a clue or a corner cannot be completed, BY_LOOP if the path closes too
            early, BY_SIDES if a closed way over known edges crosses the path an odd number of
            times, BY_CLUE if the sides of cells leave a clue no choice, BY_NOTHING if no edge is
            left for the path.
        where: Number of the place in `Sights` for BY_RULE, of the cell for BY_CLUE, else of the
            edge.
        basis: The edges that imply the contradiction; None if these may be all consequences of the
            assumption.
    """

    kind: int
    where: int
    basis: tuple[int, ...] | None


class Trial(NamedTuple):
    """Result of an assumption.

    Args:
        edge: Edge of the assumption.
        value: Assumed value.
        decided: For each implied edge, in order, its value and the edges that imply it; None
            instead of these if they may be all edges decided before.
        broken: The contradiction; None if there is none.
        came_to: Numbers of the places that the propagation reached.
    """

    edge: int
    value: int
    decided: dict[int, Because]
    broken: ProbeContradiction | None
    came_to: frozenset[int]


class Refuted(NamedTuple):
    """An assumption that leads to a contradiction.

    Args:
        edge: Edge of the assumption.
        value: Refuted value.
        chain: (edge, value) of the consequences that the contradiction depends on, in order.
        broken: The contradiction.
    """

    edge: int
    value: int
    chain: tuple[tuple[int, int], ...]
    broken: ProbeContradiction


class Prober:
    """Look-ahead on the open edges of a board, with a cache of its results.

    Args:
        known: The known edges; unchanged after each call.
        watch: Limits of the work.
        is_far: True to propagate assumptions also through the sides of cells, inside and outside.
    """

    def __init__(self, known: Knowledge, watch: Watch, *, is_far: bool) -> None:
        self._known, self._watch, self._is_far = known, watch, is_far
        self._lattice = known.lattice
        self._trials: dict[tuple[int, int], Trial] = {}
        self._changed: dict[int, set[tuple[int, int]]] = {}  # by place, the trials that reached it
        self._found: list[tuple[int, int]] = []

    def changed(self, place: int) -> None:
        """Discard the cached trials that reached a place, because the place has changed."""
        for key in self._changed.pop(place, ()):
            self._trials.pop(key, None)

    def trial(self, edge: int, value: int) -> Trial:
        """Return the result of an assumption."""
        found = self._trials.get((edge, value))
        if found is None:
            self._watch.check()
            found = self._trials[edge, value] = self._followed(edge, value)
            for place in found.came_to:
                self._changed.setdefault(place, set()).add((edge, value))
        return found

    def refuted(self) -> Refuted | None:
        """Return the easiest assumption to refute; None if none is refuted."""
        while True:
            while self._found:
                edge, value = self._found.pop()
                if self._known.states[edge] == OPEN:
                    trial = self._followed(edge, value)
                    if trial.broken is not None:
                        return self._traced(trial)
            found = [trial for trial in self._all() if trial.broken is not None]
            if not found:
                return None
            shortest = sorted(found, key=lambda one: -len(self._traced(one).chain))
            self._found = [(trial.edge, trial.value) for trial in shortest]

    def _all(self) -> Iterator[Trial]:
        for edge, state in enumerate(self._known.states[:-1]):
            if state == OPEN:
                yield self.trial(edge, IN)
                yield self.trial(edge, OUT)

    def either(self) -> tuple[int, tuple[tuple[int, int], ...]] | None:
        """Return an open edge if both its values imply the same values of other edges.

        Returns:
            The edge, and (edge, value) of the others; None if no edge has such consequences.
        """
        best: tuple[int, tuple[tuple[int, int], ...]] | None = None
        for edge, state in enumerate(self._known.states[:-1]):
            if state != OPEN:
                continue
            self._watch.check()
            with_it, without = self.trial(edge, IN), self.trial(edge, OUT)
            values = dict(self._values(without))
            same = tuple(pair for pair in self._values(with_it) if values.get(pair[0]) == pair[1])
            if same and (best is None or len(same) > len(best[1])):
                best = edge, same
        return best

    @staticmethod
    def _values(trial: Trial) -> Iterator[tuple[int, int]]:
        return ((edge, why[0]) for edge, why in trial.decided.items())

    def _traced(self, trial: Trial) -> Refuted:
        """Return the refutation in a trial, with only those consequences that it depends on."""
        assert trial.broken is not None
        basis = trial.broken.basis
        needed = None if basis is None else set(basis)  # None for all
        chain = []
        for edge, (value, because) in reversed(trial.decided.items()):
            if needed is None or edge in needed:
                chain.append((edge, value))
                needed = None if needed is None or because is None else needed.union(because)
        return Refuted(trial.edge, trial.value, tuple(reversed(chain)), trial.broken)

    # Following

    def _followed(self, edge: int, value: int) -> Trial:
        known = self._known
        moment, touched = known.moment(), known.touched
        known.touched = set()
        follower = _Follower(known, self._is_far)
        broken = follower.run(edge, value)
        known.back(moment)
        known.touched = touched
        return Trial(edge, value, follower.decided, broken, frozenset(follower.came_to))


class _Follower:
    """Propagation of an assumption until a fixpoint or a contradiction."""

    def __init__(self, known: Knowledge, is_far: bool) -> None:
        self._known, self._is_far = known, is_far
        self._sights = known.lattice.sights
        self._waiting: deque[int] = deque()
        self.came_to: set[int] = set()
        self.decided: dict[int, Because] = {}

    def run(self, edge: int, value: int) -> ProbeContradiction | None:
        """Propagate the assumption; return its contradiction, if any."""
        broken = self._put(edge, value)
        while broken is None and (self._waiting or self._is_far):
            before = len(self.decided)
            broken = self._by_rules() or (self._by_sides() if self._is_far else None)
            if len(self.decided) == before:
                break
        states = self._known.states
        if broken is None and value == OUT and IN not in states and OPEN not in states:
            return ProbeContradiction(BY_NOTHING, edge, None)
        return broken

    def _by_rules(self) -> ProbeContradiction | None:
        sights = self._sights
        while self._waiting:
            place = self._waiting.popleft()
            seen, sees = sights.seen(place, self._known.states), sights.sees[place]
            if not seen.is_possible:
                return ProbeContradiction(BY_RULE, place, sees)
            for _, numbers, value in seen.concluded:
                for number in numbers:
                    state = self._known.states[sees[number]]
                    if state == 1 - value:
                        return ProbeContradiction(BY_RULE, place, sees)
                    if state == OPEN and (broken := self._decide(sees[number], value, sees)):
                        return broken
        return None

    def _decide(
        self, edge: int, value: int, because: tuple[int, ...] | None
    ) -> ProbeContradiction | None:
        self.decided[edge] = (value, because)
        return self._put(edge, value)

    def _put(self, edge: int, value: int) -> ProbeContradiction | None:
        known = self._known
        self.came_to.update(self._sights.wakes[edge])
        self._waiting.extend(self._sights.wakes[edge])
        if not known.put(edge, value):
            return ProbeContradiction(BY_LOOP, edge, (edge, *known.piece(edge)))
        if self._is_far and not known.join(edge):
            return ProbeContradiction(BY_SIDES, edge, None)
        if value == IN and known.tips is not None:
            self.came_to.update(known.lattice.at_corner[tip] for tip in known.tips)
            closing = known.lattice.between(*known.tips)
            if (
                closing is not None
                and known.states[closing] == OPEN
                and known.closes_early(closing)
            ):
                return self._decide(closing, OUT, tuple(known.piece(closing)))
        return None

    def _by_sides(self) -> ProbeContradiction | None:
        known = self._known
        while known.implied:
            edge = known.implied.popleft()
            value = known.value_by_sides(edge)
            assert value is not None  # its cells are in one set
            if known.states[edge] == OPEN and (broken := self._decide(edge, value, None)):
                return broken
        while known.touched:
            sided = sides_of_clue(known, cell := min(known.touched))
            if sided is None:
                known.touched.discard(cell)
                continue
            if not sided.decided:
                return ProbeContradiction(BY_CLUE, cell, None)
            for edge, value in sided.decided:
                if known.states[edge] == OPEN and (broken := self._decide(edge, value, None)):
                    return broken
        return None
