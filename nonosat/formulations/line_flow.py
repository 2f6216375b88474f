"""A line as a unit of flow through the graph of its fillings.

There is a Boolean for each arc, conservation at every node, and for every value of a cell either
one of the arcs that give it or the negation of the value. Without integrality that is the convex
hull of the line's fillings. CP-SAT then solves the relaxation of all lines together: it refutes
puzzles of structured uniqueness without branching (`nonosat.board.prices` computes the same bound
faster), and costs time without benefit if the relaxation is not tight.

Invariant: arcs are determined by the cells. For k blocks of slack s: O(k s) Booleans.

Source: Cote, Gendron, Rousseau, "Modeling the regular constraint with integer programming" (CPAIOR
2007); Ford, Fulkerson, "Flows in Networks" (1962).
"""

from __future__ import annotations

from typing import Any

from nonosat.board.flow import flow_of
from nonosat.board.line import possible, refuse_giant
from nonosat.core.model import Line
from nonosat.core.plugins import Formulation


def formulate(line: Line, context: Any) -> None:
    """Add the line to the `formulations.Context`.

    Raises:
        MemoryError: The graph has millions of arcs.
    """
    refuse_giant(line)
    cells = possible(line)
    if cells is None:
        context.model.add_bool_or([])
        return
    may = [[place in known for place in range(len(line))] for known in cells]
    flow = flow_of(line.clue, len(line))
    into: list[list[Any]] = [[] for _ in range(flow.num_nodes)]
    out: list[list[Any]] = [[] for _ in range(flow.num_nodes)]
    giving: list[list[list[Any]]] = [[[] for _ in may] for _ in range(len(line))]
    for arc, is_left in zip(flow.arcs, flow.within(may), strict=True):
        if is_left:
            way = context.model.new_bool_var("")
            out[arc.tail].append(way)
            into[arc.head].append(way)
            for place, value in arc.covers():
                giving[place][value].append(way)
    for leaving, entering in zip(out[1:-1], into[1:-1], strict=True):
        if leaving:
            context.model.add(sum(leaving) == sum(entering))
    if out[0]:
        context.model.add_exactly_one(out[0])
    for place, (empty, *filled) in enumerate(giving):
        lits = [context.literal(plane[place]) for plane in line.cells]
        context.model.add_exactly_one([*empty, *lits])
        for ways, lit in zip(filled, lits, strict=True):
            context.model.add_exactly_one([*ways, ~lit])


PLUGIN = Formulation(
    summary="a unit of flow through the graph of its fillings; its relaxation is their hull",
    source="Cote, Gendron, Rousseau 2007",
    formulate=formulate,
    is_hull=True,
)
