"""Graphillion, which counts the loops of a graph by zero-suppressed decision diagrams.

The graph consists of the edges of the `Loop`; counts and clauses are linear constraints on the
number of chosen edges. The frontier moves from the first vertex to the last one.

Source: Inoue, Iwashita, Kawahara, Minato, "Graphillion: software library for very large sets of
labeled graphs" (STTT 2016); Kawahara et al., "Frontier-based search for enumerating all constrained
subgraphs with compressed representation" (IEICE 2017).
"""

from __future__ import annotations

from collections.abc import Iterable

from nonosat.core.errors import Remedy, UnsupportedError
from nonosat.core.model import FALSE, TRUE, Clause, Count, Loop, Model
from nonosat.core.plugins import ModelCounter

_Edge = tuple[int, int]
_Bounded = tuple[list[tuple[int, int, int]], tuple[int, int]]  # edges with factors, and bounds


def count_loops(model: Model) -> int:
    """Return the number of solutions of a model of one loop.

    Raises:
        UnsupportedError: Other variables than edges are constrained, or edges are parallel.
    """
    model.refuse_others("the counter zdd", Clause, Count, Loop)
    (loop,) = model.loops
    edges = _edges(loop)
    bounded = [_over_edges(count.lits, count.lower, count.upper, edges) for count in model.counts]
    for clause in model.clauses:
        bounded.append(_over_edges(clause.lits, 1, len(clause.lits), edges))
    if any(factors == [] and not low <= 0 <= high for factors, (low, high) in bounded):
        return 0
    needed = [_ordered(u, v) for u, v, lit in loop.edges if lit == TRUE]
    universe = sorted({*edges.values(), *needed})
    ends = {vertex for edge in universe for vertex in edge}
    if not universe or (loop.spanning and len(ends) < loop.num_vertices):
        return 0
    return _counted(universe, needed, loop.spanning, [one for one in bounded if one[0]])


def _ordered(u: int, v: int) -> _Edge:
    return (u, v) if u < v else (v, u)


def _edges(loop: Loop) -> dict[int, _Edge]:
    """Return the edge of each variable; edges whose literal is constant are left out."""
    found = {lit: _ordered(u, v) for u, v, lit in loop.edges if lit not in (TRUE, FALSE)}
    pairs = [_ordered(u, v) for u, v, lit in loop.edges if lit != FALSE]
    num_open = sum(lit not in (TRUE, FALSE) for _, _, lit in loop.edges)
    if len({*pairs}) < len(pairs) or len(found) < num_open or any(lit < 0 for lit in found):
        raise UnsupportedError(
            "zdd takes simple graphs with a variable of its own for each edge",
            remedy=Remedy("set", "backend", ("auto",)),
        )
    return found


def _over_edges(lits: Iterable[int], low: int, high: int, edges: dict[int, _Edge]) -> _Bounded:
    """Return bounds on the number of true literals as bounds on a sum over edges."""
    factors = []
    for lit in lits:
        if lit in (TRUE, FALSE):
            low, high = low - (lit == TRUE), high - (lit == TRUE)
        elif abs(lit) not in edges:
            raise UnsupportedError(
                "zdd counts loops whose other constraints are over their edges, but variable "
                f"{abs(lit)} is none",
                remedy=Remedy("set", "backend", ("auto",)),
            )
        elif lit > 0:
            factors.append((*edges[lit], 1))
        else:
            factors.append((*edges[-lit], -1))
            low, high = low - 1, high - 1
    return factors, (low, high)


def _counted(
    universe: list[_Edge], needed: list[_Edge], spanning: bool, bounded: list[_Bounded]
) -> int:
    from graphillion import GraphSet

    GraphSet.set_universe(universe, traversal="as-is")
    degree = 2 if spanning else range(0, 3, 2)
    found = GraphSet.graphs(
        vertex_groups=[[]],
        degree_constraints={vertex: degree for edge in universe for vertex in edge},
        linear_constraints=bounded or None,
    )
    for edge in needed:
        found = found.including(edge)
    return int(found.len())


PLUGIN = ModelCounter(
    summary="Graphillion, loops alone (Slitherlink, knight's tours), by decision diagrams",
    needs="graphillion",
    count_loops=count_loops,
)
