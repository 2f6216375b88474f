"""Step by step solver of Slitherlinks: always the easiest technique that decides an edge.

Places (clues and corners) at which a rule applies are in a heap, easiest first; of equally easy
ones the one that changed last, so that a line of argument continues as a person's would. When no
rule applies, loops, the sides of cells, assumptions, and a guess follow. Invariant: every step
follows from the clues and the steps before it, in every solution; uniqueness is never used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from nonosat.explain.slitherlink.guessing import Guesser
from nonosat.explain.slitherlink.knowledge import Impossible, Knowledge, Lattice
from nonosat.explain.slitherlink.probing import Prober
from nonosat.explain.slitherlink.step import GRADES, OF_RULES, RANK, Step
from nonosat.explain.slitherlink.ways import CutEdge, Split, narrow_ways, sides_of_clue
from nonosat.explain.slitherlink.wording import Pairs, StepWording
from nonosat.puzzles.slitherlink.rules import IN, OPEN, OUT

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.slitherlink.data import Slitherlink

SELDOM = 100  # approximate number of searches for narrow ways on a board that needs look-aheads


class Solver:
    """Solver of a Slitherlink, step by step up to the solution.

    Args:
        puzzle: The puzzle.
        watch: Limits of the work.
        given: Known edges with values, in addition to those of the puzzle.
        hardest: A grade; harder techniques are not tried.

    Attributes:
        known: The known edges so far.
        wording: Source of the sentences of steps.
    """

    def __init__(
        self,
        puzzle: Slitherlink,
        watch: Watch,
        given: Iterable[tuple[int, int]] = (),
        hardest: int = GRADES["guess"],
    ) -> None:
        self._watch, self._hardest = watch, hardest
        self._lattice = Lattice(puzzle)
        self._sights = self._lattice.sights
        self.known = Knowledge(self._lattice)
        self.wording = StepWording(self.known)
        self._heap: list[tuple[int, int, int]] = []  # rank, negative time, place
        self._now = 0
        self._closing = dict[int, None]()  # edges that may close a piece of the path
        self._narrow: deque[CutEdge] = deque()
        self._near = Prober(self.known, watch, is_far=False)
        self._far = Prober(self.known, watch, is_far=True)
        self.guesser = Guesser(puzzle, watch)
        self._given = (*puzzle.given_edges(), *given)
        self._broken: Impossible | None = None
        self._last_num_open = (
            self._lattice.num_edges + 1
        )  # open edges at the last narrow way search
        self._patience = 1

    def steps(self) -> Iterator[Step]:
        """Yield steps until all edges are decided, or each open edge differs in two solutions.

        Raises:
            Impossible: There is no solution; the last step, if any, is the one that shows it.
            LimitReached: A limit of the watch is reached.
        """
        for place in reversed(range(len(self._sights.places))):
            self._watch.check()
            self._apply_rules(place)
        for edge, value in self._given:
            self._watch.check()
            self._take([(edge, value)])
        while step := self._next():
            yield step
        if OPEN not in self.known.states and not self.known.loops.closed:
            raise Impossible("no edge is left for the path")

    def _next(self) -> Step | None:
        """Return the easiest step; None if there is none."""
        self._watch.check()
        if self._broken is not None:
            raise self._broken
        size = self._lattice.num_edges
        self._watch.doing("edges decided", size - self._num_open(), size)
        if OPEN not in self.known.states:
            return None
        return (
            self._by_closed_loop()
            or self._by_rule()
            or self._within("early loop", self._by_loop)
            or self._within("inside and outside", self._by_sides)
            or self._within("sides of a clue", self._by_clue)
            or self._within("narrow way", partial(self._by_narrow_way, self._patience))
            or self._within("look-ahead", self._by_look_ahead)
            or self._within("narrow way", partial(self._by_narrow_way, 1))
            or self._within("either way", self._by_either)
            or self._within("far look-ahead", self._by_far_look_ahead)
            or self._within("guess", self._by_guess)
        )

    def _within(self, technique: str, find: object) -> Step | None:
        """Return the step that `find` returns; None if the technique is harder than allowed."""
        assert callable(find)
        found: Step | None = find() if GRADES[technique] <= self._hardest else None
        return found

    # Taking over values

    def _take(self, pairs: Pairs) -> None:
        """Set the values of edges, and queue the rules and loops that this makes possible.

        Raises:
            Impossible: The values contradict known edges.
        """
        known, item = self.known, self.wording
        for edge, value in pairs:
            if known.states[edge] == value:
                continue
            if known.states[edge] != OPEN:
                raise Impossible(f"{item.words.edge(edge)} is on the path, and has to be off it")
            if not known.put(edge, value):
                if known.tips is None and known.loops.closed:
                    raise Impossible(item.closes_early(edge))
                self._refuse_corners(edge)
            if value == IN and known.tips is not None:
                closing = self._lattice.between(*known.tips)
                if closing is not None:
                    self._closing[closing] = None
            if not known.join(edge):
                text = "a way over known edges crosses the path an odd number of times"
                raise Impossible(text)
        woken = dict.fromkeys(place for edge, _ in pairs for place in self._sights.wakes[edge])
        for place in woken:
            self._near.changed(place)
            self._far.changed(place)
            self._apply_rules(place)

    def _refuse_corners(self, edge: int) -> None:
        """Raise Impossible if a corner of the edge has three edges on the path."""
        for corner in self._lattice.ends[edge]:
            place = self._lattice.at_corner[corner]
            if not self._sights.seen(place, self.known.states).is_possible:
                raise Impossible(self.wording.impossible(place))

    def _apply_rules(self, place: int) -> None:
        """Queue a place if a rule applies there; raise Impossible if it cannot be completed."""
        seen = self._sights.seen(place, self.known.states)
        if not seen.is_possible:
            raise Impossible(self.wording.impossible(place))
        if seen.concluded:
            self._now += 1
            rank = min(RANK[OF_RULES[found.rule.number]] for found in seen.concluded)
            heappush(self._heap, (rank, -self._now, place))

    def _believed(self, step: Step, pairs: Pairs) -> Step:
        """Record the values `pairs` of a step and return it.

        A contradiction that they cause is raised when the next step is requested.
        """
        try:
            self._take(pairs)
        except Impossible as error:
            self._broken = error
        return step

    # The techniques, easiest first

    def _by_closed_loop(self) -> Step | None:
        if not self.known.loops.closed:
            return None
        states = self.known.states
        pairs = [(edge, OUT) for edge, state in enumerate(states) if state == OPEN]
        return self._believed(self.wording.closed(pairs), pairs)

    def _by_rule(self) -> Step | None:
        states = self.known.states
        while self._heap:
            rank, now, place = heappop(self._heap)
            sees = self._sights.sees[place]
            concluded = self._sights.seen(place, states).concluded
            for found in sorted(concluded, key=lambda one: RANK[OF_RULES[one.rule.number]]):
                its_rank = RANK[OF_RULES[found.rule.number]]
                if any(states[sees[number]] == 1 - found.value for number in found.seen):
                    text = f"{self.wording.impossible(place)} as other clues force them"
                    raise Impossible(text)
                edges = [sees[number] for number in found.seen if states[sees[number]] == OPEN]
                if not edges:
                    continue  # edges of a cell diagonally beyond, which are known
                if its_rank > rank:
                    heappush(self._heap, (its_rank, now, place))
                    break
                if GRADES[OF_RULES[found.rule.number]] > self._hardest:
                    break
                pairs = [(edge, found.value) for edge in dict.fromkeys(edges)]
                step = self.wording.by_rule(place, found, pairs)
                heappush(self._heap, (rank, now, place))  # it may have further conclusions
                return self._believed(step, pairs)
        return None

    def _by_loop(self) -> Step | None:
        for edge in list(self._closing):
            if self.known.states[edge] != OPEN:
                del self._closing[edge]
            elif self.known.closes_early(edge):
                return self._believed(self.wording.early(edge), [(edge, OUT)])
        return None

    def _by_sides(self) -> Step | None:
        while self.known.implied:
            edge = self.known.implied.popleft()
            if self.known.states[edge] == OPEN:
                value = self.known.value_by_sides(edge)
                assert value is not None  # its cells are in one set
                return self._believed(self.wording.by_sides(edge, value), [(edge, value)])
        return None

    def _by_clue(self) -> Step | None:
        for cell in sorted(self.known.touched):
            sided = sides_of_clue(self.known, cell)
            if sided is None:
                self.known.touched.discard(cell)
            elif not sided.decided:
                clue = self.wording.words.clue(cell)
                raise Impossible(f"the cells around {clue} do not allow its edges")
            else:
                return self._believed(self.wording.by_clue(sided), sided.decided)
        return None

    def _by_narrow_way(self, patience: int) -> Step | None:
        """Return the step of a narrow way (see `narrow_ways`); None if there is none.

        The board is searched only if `patience` edges were decided since the last search, because a
        search for each step would be quadratic. Until a look-ahead is needed it is done at each
        step, and once more before any harder technique, so that grades do not depend on `patience`.
        """
        step = self._kept_narrow_way()
        if step is None and self._num_open() <= self._last_num_open - patience:
            self._last_num_open = self._num_open()
            for found in narrow_ways(self.known, self._watch.check):
                if isinstance(found, Split):
                    raise Impossible(self.wording.split(found))
                self._narrow.append(found)
            step = self._kept_narrow_way()
        return step

    def _kept_narrow_way(self) -> Step | None:
        """Return the step of a narrow way that an earlier search found; None if none is left."""
        while self._narrow:
            one = self._narrow.popleft()
            if self.known.states[one.edge] == OPEN:
                return self._believed(self.wording.narrow(one), [(one.edge, one.value)])
        return None

    def _num_open(self) -> int:
        return self.known.states.count(OPEN)

    def _by_look_ahead(self) -> Step | None:
        self._patience = 1 + self._lattice.num_edges // SELDOM
        return self._refuted(self._near, "look-ahead")

    def _by_far_look_ahead(self) -> Step | None:
        return self._refuted(self._far, "far look-ahead")

    def _refuted(self, prober: Prober, technique: str) -> Step | None:
        found = prober.refuted()
        if found is None:
            return None
        step = self.wording.refuted(found, technique)
        return self._believed(step, [(found.edge, 1 - found.value)])

    def _by_either(self) -> Step | None:
        found = self._near.either()
        return None if found is None else self._believed(self.wording.either(*found), found[1])

    def _by_guess(self) -> Step | None:
        known = self.known
        gain = self._near.trial
        found = self.guesser.next(known.states, lambda *pair: len(gain(*pair).decided))
        return None if found is None else self._believed(self.wording.guess(*found), [found])
