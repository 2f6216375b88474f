"""A circuit through the vertices on the loop, in one direction; other vertices have self-loops.

If there are faces, the direction is that which has the inside to its left: an arc is a Boolean
between two faces, and degrees follow from them. That is 20 to 100 times as fast as arcs that may
run either way. Without faces the first vertex on the loop fixes the direction, so that every
solution occurs once.

Invariant: variables made here are determined by the edges (and faces). Linear in the graph.

Source: the circuit constraint of CP-SAT (Perron, Furnon, OR-Tools).
"""

from __future__ import annotations

from typing import Any

from nonosat.clauses.loops import add_arcs, add_cycles, add_roots, by_vertex
from nonosat.core.model import FALSE, Loop
from nonosat.core.plugins import Formulation
from nonosat.formulations._context import CpClauseSink


def formulate(loop: Loop, context: Any) -> None:
    """Add the loop to the `formulations.Context`.

    Raises:
        ValueError: An edge has a vertex out of range, or two equal ones.
    """
    clauses = CpClauseSink(context)
    add_cycles(loop, clauses)
    arcs = add_arcs(loop, clauses)
    # A circuit that leaves out every vertex is one, too: require a chosen edge.
    clauses.add([lit for _, _, lit in loop.edges if lit != FALSE])
    ways = [(u, v, clauses.literal(lit)) for u, v, lit in arcs]
    if loop.faces is None:
        add_roots(loop, arcs, clauses)
    if not loop.spanning:
        for vertex, (leaving, _) in enumerate(by_vertex(loop, arcs)):
            unused = clauses.new_var()
            clauses.add([unused, *leaving])
            for lit in leaving:
                clauses.add([-unused, -lit])
            ways.append((vertex, vertex, clauses.literal(unused)))
    if ways:
        context.model.add_circuit(ways)


PLUGIN = Formulation(
    summary="AddCircuit, its direction determined by inside and outside if there are faces",
    source="Perron, Furnon: OR-Tools CP-SAT",
    formulate=formulate,
)
