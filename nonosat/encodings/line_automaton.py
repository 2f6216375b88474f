"""Unrolled automaton: a variable for each state before each cell and for each transition over it.

Only those states remain that are reachable from the start over possible values of the cells, and
from which a final state is reachable. Two of these variables that are equivalent, because a state
has one way out or one way in, are the same variable: inside a block of known length there are no
new variables.

Invariant: the models are the fillings, one each, since the automaton is deterministic; the counts
of the family state that a cell has at most one colour. Unit propagation is complete: a transition
that remains has remaining ones before and after it, hence a whole path of them. For n cells,
k blocks, f filled cells and slack s: 3 k s variables, 8 k s + f s + 3 n clauses.

Source: Quimper, Walsh, "Global grammar constraints" (CP 2006); Bacchus, "GAC via unit propagation"
(CP 2007).
"""

from __future__ import annotations

from nonosat.core.model import Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._layers import add_paths, layers


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    found = layers(line)
    if found is None:
        sink.add(())
    else:
        add_paths(found, line, sink)


PLUGIN = Encoding(
    summary="unrolled automaton with states and transitions; larger, complete propagation",
    source="Quimper, Walsh 2006; Bacchus 2007",
    strength=Strength.COMPLETE,
    size=SizeFormula("3*k*s - 1", "8*k*s + f*s + 3*n - 6"),
    encode=encode,
)
