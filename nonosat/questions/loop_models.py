"""Models that are about the edges of one loop and nothing else, as native counting takes them.

The edges' variables are those by which solutions differ, and every other constraint speaks of them
alone. Which faces are inside follows from the edges, so that faces are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from nonosat import _core
from nonosat.core.limits import Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Loop, Model
from nonosat.questions.facts import told_apart_by
from nonosat.questions.native_rules import numbers_of

MOST_IN_RULE = 250  # literals: native states count them in a byte
MOST_VERTICES = 4_000_000


@dataclass(frozen=True, slots=True)
class Loops:
    """One loop, and rules for its edges.

    Args:
        loop: The loop; each literal is a constant, or stands on one edge alone.
        rules: Clauses and counts of literals of edges.
        edges: By variable the literal of its edge, counted from 1: negative where the edge is
            chosen where the variable is false.
    """

    loop: Loop
    rules: tuple[Clause | Count, ...]
    edges: dict[int, int]

    def counter(self, units: Iterable[int], max_bytes: int, watch: Watch) -> _core.LoopCount:
        """A native counter.

        Args:
            units: Literals of edges that are known.
            max_bytes: For its states.
            watch: Ends it; asked while the edges are put in order.
        """

        def go_on() -> bool:
            watch.check()
            return False

        edges = self.loop.edges
        fixed = [Clause((place if lit == TRUE else -place,)) for place, lit in self._constant()]
        rules = chain(map(self._native, self.rules), fixed, map(self._unit, units))
        return _core.LoopCount(
            self.loop.num_vertices,
            [vertex for u, v, _ in edges for vertex in (u, v)],
            self.loop.spanning,
            numbers_of(rules),
            max_bytes,
            go_on,
        )

    def _constant(self) -> Iterator[tuple[int, int]]:
        edges = enumerate(self.loop.edges, start=1)
        return ((place, lit) for place, (_, _, lit) in edges if lit in (TRUE, FALSE))

    def _unit(self, lit: int) -> Clause:
        return Clause((self._own(lit),) if abs(lit) in self.edges else (TRUE,))

    def _native(self, rule: Clause | Count) -> Clause | Count:
        lits = [self._own(lit) for lit in rule.lits]
        return Clause(lits) if isinstance(rule, Clause) else Count(lits, rule.lower, rule.upper)

    def _own(self, lit: int) -> int:
        if abs(lit) == TRUE:
            return lit
        return self.edges[lit] if lit > 0 else -self.edges[-lit]


def loops_of(model: Model) -> Loops | None:
    """What native counting takes of a model; None where it holds anything else."""
    if len(model.loops) != 1 or len(model.lines):
        return None
    (loop,) = model.loops
    if loop.num_vertices > MOST_VERTICES:
        return None
    edges: dict[int, int] = {}
    for place, (u, v, lit) in enumerate(loop.edges, start=1):
        if u == v or abs(lit) in edges:
            return None
        if abs(lit) != TRUE:
            edges[abs(lit)] = place if lit > 0 else -place
    told_by = told_apart_by(model)
    faces = {abs(face) for pair in loop.faces or () for face in pair}
    rules: tuple[Clause | Count, ...] = (*model.clauses, *model.counts)
    said = {abs(lit) for rule in rules for lit in rule.lits} - {TRUE}
    if {*told_by} != edges.keys() or faces & edges.keys() or not said <= edges.keys():
        return None
    if any(len(rule.lits) > MOST_IN_RULE for rule in rules):
        return None
    return Loops(loop, rules, edges)
