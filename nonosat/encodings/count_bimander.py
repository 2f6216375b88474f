"""Bimander encoding of "at most one": pairs of literals, each with a number in binary.

At most one literal of a pair is true, and a literal implies the bits of its pair's number. Literals
of two pairs imply different values of some bit. The bits are free if no literal is true.

Invariant: unit propagation finds every implied literal. For n literals log2(n / 2) variables,
rounded up, and for each of them n clauses, of two literals all of them. Counts of one false literal
are counts of one true negation; larger bounds are not supported.

Source: Hoelldobler, Nguyen, "An efficient encoding of the at-most-one constraint" (KRR report
13-04, TU Dresden, 2013), with groups of two.
"""

from __future__ import annotations

from array import array

from nonosat.clauses.batches import put, put_columns
from nonosat.clauses.counts import counted, of_one, without_single_clauses
from nonosat.core.model import Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength

_BITS = "ceil(log2(ceil(n / 2)))"


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
    bounds = without_single_clauses(bounds, batch)
    if not bounds.is_open():
        lits = [-lit for lit in of_one(bounds, "bimander").lits]
        put_columns(batch, lits[:-1:2], lits[1::2])
        num_bits = ((len(lits) - 1) // 2).bit_length()
        first = sink.new_vars(num_bits)
        for place, lit in enumerate(lits):
            number = place // 2
            bits = (first + at if number >> at & 1 else -first - at for at in range(num_bits))
            put(batch, [(lit, bit) for bit in bits])
    sink.add_batch(batch)


PLUGIN = Encoding(
    summary="pairs of literals with numbers in binary, for counts of one; complete",
    source="Hoelldobler, Nguyen 2013",
    strength=Strength.COMPLETE,
    size=SizeFormula(_BITS, f"l + n // 2 + n * {_BITS}"),
    encode=encode,
    determined=False,
)
