"""Order encoding of starts with a variable for each cell that a block may cover.

The order variables and their clauses are those of `order`. Instead of clauses about the cells
between two blocks, each cell that a block may cover has a variable "the block covers the cell": the
block has started by then and has not ended before. A filled cell is covered by one of the blocks.

Invariant: the models are the fillings, one each. Unit propagation may miss that a partial line has
no filling; the smallest is `??##??` with the clue 1 1, in which either block may cover either cell.
The encoding serves for comparison: the cover variables are about half of all that is propagated.
For n cells, k blocks, f filled cells and slack s: f + 2 k s variables, O(n + f + k s) clauses.

Source: the order encoding of Tamura, Taga, Kitagawa, Banbara (Constraints, 2009), with cover
variables.
"""

from __future__ import annotations

from array import array
from collections import defaultdict

from nonosat.clauses.batches import put
from nonosat.core.model import FALSE, TRUE, Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._order import Span, clauses, num_vars, spans


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    counted = spans(line, 1)
    if counted is None:
        sink.add(())
        return
    first = sink.new_vars(num_vars(counted)) if num_vars(counted) else 1
    batch = array("i")
    # Constraints between the blocks, which do not depend on the cells.
    put(batch, (c for c in clauses(line, first) if c and all(abs(lit) >= first for lit in c)))
    covering: dict[tuple[int, int], list[int]] = defaultdict(list)
    for block, span in zip(line.clue, spans(line, first) or (), strict=True):
        for cell in span.cells():
            covers = _cover(span, cell, batch, sink)
            covering[block.colour, cell].append(covers)
            put(batch, [(-covers, line.cells[block.colour - 1][cell])])
    for colour, plane in enumerate(line.cells, start=1):
        put(batch, ((-lit, *covering[colour, cell]) for cell, lit in enumerate(plane)))
    for cell in line.filled:
        put(batch, [[plane[cell] for plane in line.cells]])
    sink.add_batch(batch)


def _cover(span: Span, cell: int, batch: array[int], sink: Sink) -> int:
    """Return the literal "the block covers the cell"."""
    begun, ended = span.start.at(cell), span.end.at(cell - 1)
    if (begun, ended) == (TRUE, FALSE) and not num_vars([span]):
        return TRUE
    covers = sink.new_var()
    put(batch, [(-covers, begun), (-covers, -ended), (-begun, ended, covers)])
    return covers


PLUGIN = Encoding(
    summary="order variables and cover variables; for comparison with the lean form",
    source="Tamura, Taga, Kitagawa, Banbara 2009",
    strength=Strength.NONE,
    size=SizeFormula("f + 2*k*s", "6*k*s + 3*f - 1"),
    encode=encode,
)
