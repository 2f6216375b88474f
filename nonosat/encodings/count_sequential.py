"""Sequential counter: "at least j of the first i literals are true", for the j that matter.

`s(i, j)` is a constant if the bounds or the number of literals decide it, and is left out if both
bounds are certain to hold. Both directions of its definition are encoded: the variables are
determined by the literals, and unit propagation finds every implied literal.

Invariant: one model for each assignment within the bounds. For n literals, the bounds l and u
share the variables that both need: l (u - l) + u (n - u) in all, four clauses for each.

Source: Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints" (CP 2005), here
with both bounds.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import combinations

from nonosat.clauses.batches import negated, put
from nonosat.clauses.counts import Bounds, counted, without_single_clauses
from nonosat.core.model import FALSE, TRUE, Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength

PAIRWISE = 6  # up to this many literals, pairs need no more clauses for "at most one"


def encode(count: Count, sink: Sink) -> None:
    """Add the clauses of a count to the sink.

    Raises:
        ValueError: A variable occurs twice among the literals.
    """
    bounds = counted(count, sink)
    if bounds is None:
        return
    batch = array("i")
    bounds = without_single_clauses(bounds, batch)
    if not bounds.is_open():
        _bounds(bounds, batch, sink)
    sink.add_batch(batch)


def _bounds(bounds: Bounds, batch: array[int], sink: Sink) -> None:
    """Add the clauses of bounds, at least one of which needs more than a single clause."""
    lits, lower, upper = bounds
    if (lower, upper) == (0, 1) and len(lits) <= PAIRWISE:
        put(batch, combinations(negated(lits), 2))
    elif (lower, upper) == (len(lits) - 1, len(lits)) and len(lits) <= PAIRWISE:
        put(batch, combinations(lits, 2))
    else:
        _counter(lits, lower, upper, batch, sink)


def _row(i: int, num_lits: int, lower: int, upper: int, sink: Sink) -> dict[int, int]:
    """Return s(i, j) by j, for those j that a bound needs."""
    left = num_lits - i
    row = {}
    for j in range(upper + 2):
        if j == 0 or j <= lower - left:  # below this count the lower bound is out of reach
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
                put(batch, [(-same, now)])  # the count never decreases
                put(batch, [(-lit, -fewer, now)])  # a true literal counts
                put(batch, [(-now, same, lit)])  # only a true literal increases the count
                put(batch, [(-now, fewer)])  # a literal counts once
        before = after


PLUGIN = Encoding(
    summary="sequential counter; complete",
    source="Sinz 2005",
    strength=Strength.COMPLETE,
    size=SizeFormula("l * (u - l) + u * (n - u)", "4 * (l * (u - l) + u * (n - u)) - 2 * (u - l)"),
    encode=encode,
)
