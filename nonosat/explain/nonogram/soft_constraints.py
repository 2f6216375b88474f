"""Clues and cells as soft constraints, and smallest contradictory sets of them.

A member is the clue of a line, or a cell with its value. Each has a selector literal in an engine;
a set of literals from `minimal_sets` is translated back here. The reason of a cell, contradictory
marks and contradictory clues are the same query with different members, and different additional
assumptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nonosat import _core
from nonosat.core.plugins import Answer
from nonosat.explain.minimal_sets import MORE_WORK, Core, Minimality, SmallestMus, irreducible

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.core.model import Clue
    from nonosat.explain.nonogram.clue_oracle import ClueOracle
    from nonosat.explain.nonogram.knowledge import Knowledge, Removal


CONFLICTS = 1000  # conflicts of a first search; members of its failed core are tried last
Pair = tuple[int, int]  # a place and its value
_MOST_TRACED = 8  # lines that break in the same round, traced to find the shortest trace
_RUN = re.compile(rb"([^\0])\1*", re.DOTALL)


class SmallestSet(NamedTuple):
    """Members that cannot hold together.

    Args:
        lines: Numbers of lines, ascending.
        pairs: Cells with their values, ascending.
        minimality: Minimality of the set.
    """

    lines: tuple[int, ...]
    pairs: tuple[Pair, ...]
    minimality: Minimality


class SoftConstraints:
    """Members as soft constraints of an engine: a smallest contradictory set of them is searched.

    Args:
        engine: The engine.
        known: Knowledge about the board, which has its clues.
        lines: Lines whose clues are members.
        pairs: Cells that are members, with their values.
    """

    def __init__(
        self,
        engine: ClueOracle,
        known: Knowledge,
        lines: Iterable[int] = (),
        pairs: Iterable[Pair] = (),
    ) -> None:
        self._engine, self._known = engine, known
        self._line_of = {engine.selectors[line]: line for line in lines}
        self._pair_of = {engine.oracle.all_of(engine.is_value(*pair)): pair for pair in pairs}
        self.lits = [*self._line_of, *self._pair_of]

    def fewest(
        self,
        base: Sequence[int],
        watch: Watch,
        nearness: Callable[[int], int] = lambda _: 0,
        more_work: int = MORE_WORK,
        start: Trace | None = None,
        least: int = 0,
    ) -> SmallestSet:
        """Return the smallest set that contradicts `base`, or else an irreducible one.

        Args:
            base: Literals that always hold; together with all members they are contradictory.
            watch: Limits of the search; the best set so far is returned.
            nearness: Function that returns the priority of a line; lines of high priority are more
                likely to be in the set.
            more_work: As for `SmallestMus`.
            least: As for `SmallestMus`.
            start: Some members that already contradict `base`; the search starts from them. None
                for all members.
        """
        answer = self._engine.query([*base, *self.lits], CONFLICTS)
        core = {*(self._engine.oracle.failed() if answer is Answer.UNSAT else self.lits)}

        def order(lit: int) -> tuple[bool, int]:
            return lit in core, nearness(self._line_of[lit]) if lit in self._line_of else 0

        lits, begin = sorted(self.lits, key=order), self._of(start)
        oracle = _BasedOracle(self._engine, base, self._held)
        found = SmallestMus(oracle, lits, watch, more_work, begin, least)
        return self._named(found.core())

    def without(self, line: int) -> bytes | None:
        """Return cells that satisfy all members except one line; None if none were found."""
        lits = [lit for lit in self.lits if self._line_of.get(lit) != line]
        answer = self._engine.query(lits, CONFLICTS)
        return self._engine.cells() if answer is Answer.SAT else None

    def _held(self) -> set[int]:
        """Return the selectors of the members that the engine's last solution satisfies."""
        cells, known = self._engine.cells(), self._known
        held = {lit for lit, (place, value) in self._pair_of.items() if cells[place] == value}
        for lit, line in self._line_of.items():
            span = known.span(line)
            if has_runs(cells[span.start : span.stop : span.step], known.clues[line]):
                held.add(lit)
        return held

    def _of(self, trace: Trace | None) -> frozenset[int] | None:
        """Return the selector literals of the lines and cells of a trace; None without a trace."""
        if trace is None:
            return None
        lines = {lit for lit, line in self._line_of.items() if line in trace.lines}
        return frozenset(
            lines | {lit for lit, (place, _) in self._pair_of.items() if place in trace.places}
        )

    def _named(self, core: Core) -> SmallestSet:
        lines = sorted(self._line_of[lit] for lit in core.lits if lit in self._line_of)
        pairs = sorted(self._pair_of[lit] for lit in core.lits if lit in self._pair_of)
        return SmallestSet(tuple(lines), tuple(pairs), core.minimality)


class _BasedOracle:
    """Oracle that adds assumptions to each query of an engine.

    Args:
        engine: The engine.
        base: Assumptions that always hold.
        held: Function that returns the members that hold in the engine's last solution.
    """

    def __init__(
        self, engine: ClueOracle, base: Sequence[int], held: Callable[[], set[int]]
    ) -> None:
        self.oracle, self.held = engine.oracle, held
        self._engine, self._base = engine, base

    def query(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Return the answer under the base and further assumptions."""
        return self._engine.query([*self._base, *assumptions], budget)


def has_runs(cells: bytes, clue: Clue) -> bool:
    """True if the runs of a finished line are the blocks of the clue."""
    runs = [(run.end() - run.start(), cells[run.start()]) for run in _RUN.finditer(cells)]
    return len(runs) == len(clue) and all(
        colour == block.colour and block.length in (None, length)
        for (length, colour), block in zip(runs, clue, strict=True)
    )


# Traces: a contradiction found by line propagation, with the lines and cells that it depends on.
#
# All lines are propagated in rounds, each from the result of the previous rounds, so the first line
# that breaks depends on short chains. Only a part of the values known in a line is kept that has
# the same consequences, found by leaving out halves, quarters and so on. The lines of such a trace
# are few on a large board, while a failed core has many, and a search for an irreducible set may
# start from them. A line of n cells costs O(k log n) propagations of a line if k cells are kept.


class Trace(NamedTuple):
    """Lines and cells that a contradiction depends on.

    Args:
        lines: Lines whose clues are used.
        places: Cells whose values were known from the start.
    """

    lines: frozenset[int]
    places: frozenset[int]


class _Cause(NamedTuple):
    """Cause of a removal in `traced`: number of the round (0: known from the start), and line."""

    round: int
    line: int


def traced(known: Knowledge, watch: Watch) -> Trace | None:
    """Propagate all lines in rounds from `known`; return the trace of the first contradiction.

    Return None if there is none.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    causes = {gone: _Cause(0, -1) for gone in known.removed()}
    now = known.copy()
    changed: Iterable[int] = range(len(known.clues))
    number = 0
    while changed:
        number += 1
        found: dict[int, list[Removal]] = {}
        broken = []
        for line in changed:
            watch.check()
            removals = now.implied(line)
            if removals is None:
                broken.append(line)
            else:
                found[line] = removals
        if broken:
            tracer = _Tracer(known, causes, watch)
            traces = [tracer.trace(line, number) for line in broken[:_MOST_TRACED]]
            return min(traces, key=lambda one: len(one.lines) + len(one.places))
        for line, removals in found.items():
            for gone in removals:
                causes.setdefault(gone, _Cause(number, line))
        now.apply(gone for removals in found.values() for gone in removals)
        touched = {place for removals in found.values() for place, _ in removals}
        changed = sorted({line for place in touched for line in now.through(place)})
    return None


class _Tracer:
    """Finder of the lines and cells that a contradiction depends on, by the causes of removals."""

    def __init__(self, known: Knowledge, causes: dict[Removal, _Cause], watch: Watch) -> None:
        self._known, self._causes, self._watch = known, causes, watch

    def trace(self, line: int, number: int) -> Trace:
        """Return the trace of a line that has no placement left in round `number`."""
        lines, places = set[int](), set[int]()
        pending: dict[tuple[int, int], set[Removal] | None] = {(number, line): None}
        while pending:
            self._watch.check()
            node = max(pending)
            targets = pending.pop(node)
            lines.add(node[1])
            for gone in self._kept(*node, targets):
                cause = self._causes[gone]
                if cause.round == 0:
                    places.add(gone[0])
                    continue
                more = pending.setdefault((cause.round, cause.line), set())
                assert more is not None  # only the last round has a line that breaks
                more.add(gone)
        return Trace(frozenset(lines), frozenset(places))

    def _kept(self, number: int, line: int, targets: set[Removal] | None) -> list[Removal]:
        """Return removals of earlier rounds that suffice for the implications of a line in a round.

        Args:
            number: The round; only removals of earlier rounds are used.
            line: The line.
            targets: Values that the line rules out in the round; None if it has no filling.
        """
        span, clue = self._known.span(line), self._known.clues[line]
        position = {place: at for at, place in enumerate(span)}
        values = range(self._known.num_values)
        gone = [(place, value) for place in span for value in values]
        knew = [one for one in gone if (c := self._causes.get(one)) and c.round < number]
        knew.sort(key=lambda one: self._causes[one].round, reverse=True)  # latest first

        def follows(part: Iterable[Removal]) -> bool:
            planes = [bytearray(b"\1") * len(span) for _ in values]
            for place, value in part:
                planes[value][position[place]] = 0
            found = _core.line_values(len(span), clue, list(map(bytes, planes)))
            if found is None or targets is None:
                return found is None
            return all(position[place] not in found[value] for place, value in targets)

        return irreducible(knew, follows)
