"""Order and direct encoding of starts, channelled: a variable for each bound and for each value.

The encoding has the clauses of `order`, and a variable `d(b, p)` for each start p of a block:
"block b starts at p". Such a variable is equivalent to "block b starts at or before p, but not at
or before the preceding start"; for the first and the last start it is a bound itself. A block that
starts at p fills its cells. Therefore an empty cell excludes each start at which the block would
cover the cell, while an order variable becomes known only when all starts on one side of it are
excluded. A block of unknown length has the same variables for its end; its cells depend on its
bounds alone.

Invariant: the models are the fillings, one each, since all variables are determined by the cells.
Unit propagation refutes every inconsistent partial line, like that of `order`, and misses the same
implied cell of `??#??` with the clue 1 1. For k blocks, f filled cells and slack s: 2 k s - k
variables, and f (s + 1) clauses more than those of `order` and of the channels.

Source: Tamura, Taga, Kitagawa, Banbara, "Compiling finite linear CSP into SAT" (Constraints, 2009);
Walsh, "SAT v CSP" (CP 2000), for the direct encoding.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import pairwise

from nonosat.clauses.batches import put
from nonosat.core.model import FALSE, TRUE, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._order import OrderVariables, clauses, num_vars, spans


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    counted = spans(line, 1)
    if counted is None:
        sink.add(())
        return
    first = sink.new_vars(num_vars(counted)) if num_vars(counted) else 1
    sink.add_batch(clauses(line, first).buffer)
    batch = array("i")
    for block, (start, end) in zip(line.clue, spans(line, first) or (), strict=True):
        starts = list(_values(start, batch, sink))
        if block.length is None:
            list(_values(end, batch, sink))
            continue
        plane = line.cells[block.colour - 1]
        for place, lit in zip(start.places, starts, strict=True):
            put(batch, ((-lit, cell) for cell in plane[place : place + block.length]))
    sink.add_batch(batch)


def _values(bound: OrderVariables, batch: array[int], sink: Sink) -> Iterator[int]:
    """Yield the literals "at this place" after adding the clauses that tie them to the bound."""
    lits = [FALSE, *(bound.at(place) for place in bound.places)]
    for before, lit in pairwise(lits):
        if before == FALSE:
            yield lit
        elif lit == TRUE:
            yield -before
        else:
            value = sink.new_var()
            put(batch, [(-value, lit), (-value, -before), (-lit, before, value)])
            yield value


PLUGIN = Encoding(
    summary="order variables and a variable for each start, channelled",
    source="Tamura, Taga, Kitagawa, Banbara 2009; Walsh 2000",
    strength=Strength.CONFLICTS,
    size=SizeFormula("2*k*s - k", "7*k*s + f*s + 2*f - 3*k - 1"),
    encode=encode,
)
