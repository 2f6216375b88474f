"""Lazy loop: degrees, and edges across the cut around each cycle that is not the only one.

A model with several cycles is refused by clauses that every single loop satisfies. The cut-set of
a cycle holds the edges around its vertices. A loop through an edge of this cycle and an edge
of another one crosses the cut, so: not this edge, or not the other, or one of the cut-set. If
the loop is spanning, the cut-set alone. To negate each cycle instead is unsound: one of them may
be the loop on its own.

Invariant: an accepted model is one cycle; a refused model violates each clause returned.
Checking a model takes time linear in the graph.

Source: Dantzig, Fulkerson, Johnson, "Solution of a large-scale traveling-salesman problem"
(Operations Research 2, 1954), for the cuts; Soh, Le Berre, Roussel, Banbara, Tamura, "Incremental
SAT-based method with native Boolean cardinality handling for the Hamiltonian cycle problem" (JELIA
2014), for adding them to a solver model by model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nonosat.clauses.loops import add_cycles, components, incident, is_true, possible
from nonosat.core.model import FALSE, TRUE, Loop
from nonosat.core.plugins import Encoding, Refiner, Sink, SizeFormula, Strength


class DisjointCycle(NamedTuple):
    """A cycle that is disjoint from another one.

    Args:
        cycle: Vertices of the cycle.
        own: Index of an edge of the cycle among the edges of the loop.
        other: Index of an edge of the other cycle.
    """

    cycle: Sequence[int]
    own: int
    other: int


class CutSets:
    """Refiner for models of the degree clauses of one loop."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._edges = possible(loop)
        self._incident = incident(loop, self._edges)

    def __call__(self, values: bytes) -> list[tuple[int, ...]]:
        """Return clauses that every single loop satisfies and these values violate; none for one
        loop.
        """
        chosen = self._chosen(values)
        if not chosen:
            return [_clause(self._lit(edge) for edge in self._edges)]
        return [self._cut(apart) for apart in self._apart(chosen)]

    def apart(self, values: bytes) -> list[DisjointCycle]:
        """Return all cycles but the largest; the edges that are true in `values` must be cycles."""
        return self._apart(self._chosen(values))

    def _apart(self, chosen: Sequence[int]) -> list[DisjointCycle]:
        edges = self._loop.edges
        ways: list[list[int]] = [[] for _ in range(self._loop.num_vertices)]
        first: dict[int, int] = {}  # a chosen edge at each vertex
        for edge in chosen:
            u, v, _ = edges[edge]
            ways[u].append(v)
            ways[v].append(u)
            first.setdefault(u, edge)
            first.setdefault(v, edge)
        cycles = components(ways, first)
        largest = max(cycles, key=len, default=[])
        others = (cycle for cycle in cycles if cycle is not largest)
        return [DisjointCycle(cycle, first[cycle[0]], first[largest[0]]) for cycle in others]

    def _chosen(self, values: bytes) -> list[int]:
        edges = self._loop.edges
        return [edge for edge in self._edges if is_true(edges[edge][2], values)]

    def _cut(self, apart: DisjointCycle) -> tuple[int, ...]:
        """Return the clause of a cycle: a loop through both edges, `own` and `other`, leaves it."""
        cycle, own, other = apart
        sides = dict.fromkeys(cycle)
        crossing = [
            self._lit(edge)
            for vertex in cycle
            for edge in self._incident[vertex]
            if not (self._loop.edges[edge][0] in sides and self._loop.edges[edge][1] in sides)
        ]
        if self._loop.spanning:
            return _clause(crossing)
        return _clause([-self._lit(own), -self._lit(other), *crossing])

    def _lit(self, edge: int) -> int:
        return self._loop.edges[edge][2]


def _clause(lits: Iterable[int]) -> tuple[int, ...]:
    """Return the literals that are not FALSE; a violated clause never contains TRUE."""
    found = tuple(lit for lit in lits if lit != FALSE)
    assert TRUE not in found
    return found


def encode(loop: Loop, sink: Sink) -> Refiner:
    """Add the degrees, and the faces if there are any; the refiner that is returned adds the cuts.

    Raises:
        ValueError: An edge has a vertex out of range, or joins one to itself.
    """
    add_cycles(loop, sink)
    return CutSets(loop)


PLUGIN = Encoding(
    summary="lazy: edges across the cut around each cycle that is not the only one",
    source="Dantzig, Fulkerson, Johnson 1954; Soh et al. 2014",
    strength=Strength.NONE,
    size=SizeFormula(
        "none for degrees up to 8, else a sequential counter a vertex",
        "degrees of 0 or 2: 8 a vertex of degree 4, 64 a vertex of degree 8; and the cuts",
    ),
    encode=encode,
)
