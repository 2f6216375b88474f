"""Ladder of "one of the first i literals is true", for counts of one.

Rung `y(i)` implies `y(i + 1)`, and a literal is true exactly when the ladder steps up at it: it is
the order encoding of which literal is true. If exactly one is true, the last rung is TRUE, and no
clause holds all literals; if at most one is, the clauses are those of `sequential`, without the
pairs that `sequential` prefers for few literals.

Invariant: rungs are determined by the literals; unit propagation finds every implied literal.
n - 1 variables and about 4 n clauses for n literals, none longer than three. Counts of one false
literal are counts of one true negation; larger bounds are not supported.

Source: Gent, Nightingale, "A new encoding of AllDifferent into SAT" (ModRef 2004); Ansotegui,
Manya, "Mapping problems with finite-domain variables to problems with Boolean variables" (SAT
2004), under the name regular encoding.
"""

from __future__ import annotations

from array import array

from nonosat.clauses.batches import negated, put_columns
from nonosat.clauses.counts import counted, of_one, without_single_clauses
from nonosat.core.model import FALSE, TRUE, Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength


def encode(count: Count, sink: Sink) -> None:
    """Add the clauses of a count to the sink.

    Raises:
        UnsupportedError: Neither the true nor the false literals are limited to one.
        ValueError: A variable occurs twice among the literals.
    """
    bounds = counted(count, sink)
    if bounds is None:
        return
    batch = array("i")
    if not without_single_clauses(bounds, batch).is_open():
        lits, lower, _ = of_one(bounds, "ladder")
        batch = _ladder(lits, bool(lower), sink)
    sink.add_batch(batch)


def _ladder(lits: list[int], exactly: bool, sink: Sink) -> array[int]:
    """Return the clauses of "at most one of the literals is true", or of "exactly one"."""
    first = sink.new_vars(len(lits) - 1)
    rungs = range(first, first + len(lits) - 1)
    before = [FALSE, *rungs]
    # If none has to be true, the last literal is undecided above the last rung.
    after = [*rungs, TRUE] if exactly else list(rungs)
    batch = array("i")
    put_columns(batch, negated(before[1:]), after[1:])  # the ladder
    put_columns(batch, negated(lits), after)  # a true literal has stepped up
    put_columns(batch, negated(lits), negated(before))  # from below
    put_columns(batch, negated(after), before, lits)  # only a true literal steps up
    return batch


PLUGIN = Encoding(
    summary="a ladder that the true literal steps up, for counts of one; complete",
    source="Gent, Nightingale 2004; Ansotegui, Manya 2004",
    strength=Strength.COMPLETE,
    size=SizeFormula("n - 1", "4 * n - 5 + l"),
    encode=encode,
)
