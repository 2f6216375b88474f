"""Multi-valued decision diagram of a line's fillings: a level for each cell, equal parts merged.

The diagram is the unrolled automaton after reduction: two states before a cell are one node when
the same fillings of the remaining cells lead from both to the end. For one colour it is a quasi-
reduced binary diagram. A filling is a path. There is a variable for each node and each arc; two of
them that are equivalent, because a node has one way out or one way in, are the same variable.

Invariant: the models are the fillings, one each, since a node has one arc at most for a value; the
counts of the family state that a cell has at most one colour. Unit propagation is complete, as an
arc that remains has remaining ones before and after it, hence a whole path of them. There are
never more nodes than states of the automaton; on an open line there are fewer only after the last
block, and the more cells are known the more nodes are merged.

Source: Abío, Gange, Mayer-Eichberger, Stuckey, "On CNF encodings of decision diagrams" (CPAIOR
2016), for clauses along the paths; Bryant, "Graph-based algorithms for Boolean function
manipulation" (1986), for reduction.
"""

from __future__ import annotations

from collections import defaultdict

from nonosat.board.automaton import Arc, Layers
from nonosat.core.limits import polled
from nonosat.core.model import Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._layers import add_paths, layers


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    found = layers(line)
    if found is None:
        sink.add(())
    else:
        add_paths(_reduced(found), line, sink)


def _reduced(found: Layers) -> Layers:
    """Return the same paths with equal parts merged, from the last level to the first.

    A state becomes the least state that has the same arcs.
    """
    reduced: Layers = []
    merged: dict[int, int] = defaultdict(int)  # after the last cell all states are one
    for arcs in polled(reversed(found)):
        leaving = defaultdict(list)
        for tail, value, head in sorted(arcs):
            leaving[tail].append((value, merged[head]))
        first: dict[tuple[tuple[int, int], ...], int] = {}
        merged = {tail: first.setdefault(tuple(ways), tail) for tail, ways in leaving.items()}
        reduced.append([Arc(tail, *way) for ways, tail in first.items() for way in ways])
    return reduced[::-1]


PLUGIN = Encoding(
    summary="levelled, reduced decision diagram of the fillings, a path through it; complete",
    source="Abío, Gange, Mayer-Eichberger, Stuckey 2016",
    strength=Strength.COMPLETE,
    size=SizeFormula("3*k*s - 1", "8*k*s + f*s + 3*n - s - 4"),
    encode=encode,
)
