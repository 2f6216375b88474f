"""A line as one automaton constraint over its cells.

For a clue that fills m cells with k blocks there are O(m + k) states and transitions.

Source: Pesant, "A regular language membership constraint for finite sequences of variables"
(CP 2004).
"""

from __future__ import annotations

from typing import Any

from nonosat.board.automaton import automaton
from nonosat.core.model import Line
from nonosat.core.plugins import Formulation


def formulate(line: Line, context: Any) -> None:
    """Add the line as an automaton to the `formulations.Context`."""
    transitions, finals = automaton(line)
    if not finals:  # CP-SAT refuses an automaton that accepts nothing
        context.model.add_bool_or([])
        return
    cells = [context.cell(lits) for lits in zip(*line.cells, strict=True)]
    context.model.add_automaton(cells, 0, finals, transitions)
    for place in line.filled:
        context.model.add_bool_or([context.literal(plane[place]) for plane in line.cells])


PLUGIN = Formulation(
    summary="an automaton over the cells",
    source="Pesant 2004",
    formulate=formulate,
)
