"""Sequential counter: "at least j of the first i literals are true", for the j that matter.

`s(i, j)` is a constant where the bounds or the number of literals decide it, and is left out where
no bound can be missed any more. Both directions of its definition are there: the variables are
determined by the literals, and unit propagation finds every implied literal.

Invariant: one model for each assignment within the bounds. Of n literals, bounds l and u need at
most l (n - l) + u (n - u) variables, one of the terms where l = u; four clauses for each.

Source: Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (CP 2005), here
with both bounds.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import combinations

from nonosat.encodings._shared import put
from nonosat.model import FALSE, TRUE, Count
from nonosat.plugins import Sink, Strength

SUMMARY = "sequential counter; complete"
SOURCE = "Sinz 2005"
STRENGTH = Strength.COMPLETE

PAIRWISE = 6  # up to so many literals, "at most one" has no more clauses in pairs than as a counter


def encode(count: Count, sink: Sink) -> None:
    """Add the clauses of a count to the sink.

    Raises:
        ValueError: A variable occurs twice among the literals.
    """
    lits = [lit for lit in count.lits if abs(lit) != TRUE]
    if len({abs(lit) for lit in lits}) != len(lits):
        raise ValueError(f"a variable occurs twice in {count}, expected different ones")
    known = count.lits.count(TRUE)
    lower, upper = max(count.lower - known, 0), min(count.upper - known, len(lits))
    batch = array("i")
    if lower > upper:
        sink.add(())
        return
    if lower == 1:
        put(batch, [lits])
        lower = 0
    if upper == len(lits) - 1:
        put(batch, [[-lit for lit in lits]])
        upper = len(lits)
    if (lower, upper) != (0, len(lits)):
        _bounds(lits, lower, upper, batch, sink)
    sink.add_batch(batch)


def _bounds(lits: Sequence[int], lower: int, upper: int, batch: array[int], sink: Sink) -> None:
    """Bounds of which one at least says something that no single clause does."""
    if upper == 0:
        put(batch, [(-lit,) for lit in lits])
    elif lower == len(lits):
        put(batch, [(lit,) for lit in lits])
    elif (lower, upper) == (0, 1) and len(lits) <= PAIRWISE:
        put(batch, [(-one, -other) for one, other in combinations(lits, 2)])
    elif (lower, upper) == (len(lits) - 1, len(lits)) and len(lits) <= PAIRWISE:
        put(batch, combinations(lits, 2))
    else:
        _counter(lits, lower, upper, batch, sink)


def _row(i: int, num_lits: int, lower: int, upper: int, sink: Sink) -> dict[int, int]:
    """s(i, j) by j, without those that neither bound asks for."""
    left = num_lits - i
    row = {}
    for j in range(upper + 2):
        if j == 0 or j <= lower - left:  # with fewer, the lower bound is out of reach
            row[j] = TRUE
        elif j > min(i, upper):
            row[j] = FALSE
        elif j <= lower or j > upper - left:
            row[j] = sink.new_var()
    return row


def _counter(lits: Sequence[int], lower: int, upper: int, batch: array[int], sink: Sink) -> None:
    before = _row(0, len(lits), lower, upper, sink)
    for i, lit in enumerate(lits, start=1):
        after = _row(i, len(lits), lower, upper, sink)
        for j, now in after.items():
            if j:
                fewer, same = before[j - 1], before[j]
                put(batch, [(-same, now)])  # what has been counted stays counted
                put(batch, [(-lit, -fewer, now)])  # a true literal counts
                put(batch, [(-now, same, lit)])  # nothing else does
                put(batch, [(-now, fewer)])  # a literal counts once
        before = after
