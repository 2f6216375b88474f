"""Eager loop: each vertex on it has its number of steps from the root, as an order encoding.

The loop has a direction, and a root, the first vertex on it. Along an arc the position grows
by one unless the arc leads to the root, so every cycle contains a root, and there is one root. It
serves proofs, files and engines that are called once; the number of clauses is vertices times
edges, and boards that would need more than `MAX_CLAUSES` are refused.

Invariant: auxiliary variables are determined by the edges (and faces). About (vertices)^2
variables and 4 x edges x vertices clauses.

Source: Miller, Tucker, Zemlin, "Integer programming formulation of traveling salesman problems"
(Journal of the ACM 7, 1960), for positions along arcs; Tamura, Taga, Kitagawa, Banbara, "Compiling
finite linear CSP into SAT" (Constraints 14, 2009), for their order encoding.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from nonosat.clauses.batches import negated, put_columns
from nonosat.clauses.loops import add_arcs, add_cycles, add_roots, possible
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import FALSE, TRUE, Loop
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength

MAX_CLAUSES = 8_000_000


def encode(loop: Loop, sink: Sink) -> None:
    """Add the clauses of a loop to the sink.

    Raises:
        UnsupportedError: There would be more than about `MAX_CLAUSES` clauses.
        ValueError: An edge has a vertex out of range, or joins one to itself.
    """
    last = loop.num_vertices - 1  # position
    num_clauses = 4 * len(possible(loop)) * last
    if num_clauses > MAX_CLAUSES:
        raise UnsupportedError(
            f"the encoding loop=positions would make about {num_clauses:,} clauses of a loop over "
            f"{loop.num_vertices:,} places, expected at most {MAX_CLAUSES:,}; use loop=cut-sets, "
            "loop=cells (slitherlinks) or the engine cpsat; of files use .pb, .mzn or .xml"
        )
    add_cycles(loop, sink)
    arcs = add_arcs(loop, sink)
    roots = add_roots(loop, arcs, sink)
    bounds = [_add_bounds(used, root, last, sink) for used, root in roots]
    for u, v, arc in arcs:
        root = roots[v][1]
        if root != TRUE:
            _add_step(arc, root, bounds[u], bounds[v], sink)


def _add_bounds(used: int, root: int, last: int, sink: Sink) -> list[int]:
    """Return the order encoding of a vertex's position, after adding its clauses.

    The position is 0 at the root and off the loop, and at least 1 at other vertices. A vertex that
    can only be the root has no variables.

    Returns:
        Literals "the position is at least k" for k = 0 .. last + 1.
    """
    if root == TRUE:
        return [TRUE] + [FALSE] * (last + 1)
    first = sink.new_vars(last)
    steps = [TRUE, *range(first, first + last), FALSE]
    batch = array("i")
    put_columns(batch, negated(steps[2:]), steps[1:])
    put_columns(batch, [-steps[1]], [used])
    put_columns(batch, [-steps[1]], [-root])
    sink.add_batch(batch)
    return steps


def _add_step(arc: int, root: int, here: Sequence[int], there: Sequence[int], sink: Sink) -> None:
    """Add "along an arc the position grows by one, unless the arc leads to the root"."""
    batch = array("i")
    size = len(here) - 1
    arcs, roots = [-arc] * size, [root] * size
    put_columns(batch, arcs, roots, negated(here), there[1:])
    put_columns(batch, arcs, roots, here, negated(there[1:]))
    sink.add_batch(batch)


PLUGIN = Encoding(
    summary="eager: steps from the first vertex, as order variables; for small graphs",
    source="Miller, Tucker, Zemlin 1960; Tamura et al. 2009",
    strength=Strength.NONE,
    size=SizeFormula(
        "about the square of the vertices, and two an edge",
        "about four for each edge and vertex",
    ),
    encode=encode,
)
