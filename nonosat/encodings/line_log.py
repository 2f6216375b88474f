"""Binary starts: the index of a block's start among the feasible ones, in bits.

The clauses are those of `order` with each order literal replaced by its meaning for the bits: "at
most j" is one clause for each 0 in j, "more than j" one for each 1 in j + 1, so that a clause of
`order` becomes the product of a few such clauses. A block of unknown length has bits for its last
cell too. Bit patterns that stand for no start are excluded.

Invariant: the models are the fillings, one each: starts are determined by the cells, and bits by
the start. Unit propagation is weak: a start that is excluded rarely decides a bit, and it does not
refute `....` with the clue 1. For k blocks
and slack s: k log2(s + 1) variables, rounded up, and O(n + f + k s) log(s)^2 clauses for n cells
of which f are filled.

Source: Iwama, Miyazaki, "SAT-variable complexity of hard combinatorial problems" (1994), for the
bits; Walsh, "SAT v CSP" (CP 2000).
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from nonosat.clauses.batches import put
from nonosat.core.limits import polled
from nonosat.core.model import Line
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength
from nonosat.encodings._order import OrderVariables, Span, clauses, spans

STAND_INS = 2**30  # variables from here on represent order variables; no model has so many cells


class _Binary(NamedTuple):
    """Bits of a number, the lowest first, and how many values it has."""

    bits: range
    size: int

    def at_most(self, limit: int) -> list[tuple[int, ...]]:
        """Return the clauses "the number is at most `limit`"."""
        return [
            (-bit, *(-self.bits[j] for j in range(i + 1, len(self.bits)) if limit >> j & 1))
            for i, bit in enumerate(self.bits)
            if not limit >> i & 1
        ]

    def more_than(self, limit: int) -> list[tuple[int, ...]]:
        """Return the clauses "the number is more than `limit`"."""
        least = limit + 1
        return [
            (bit, *(self.bits[j] for j in range(i + 1, len(self.bits)) if not least >> j & 1))
            for i, bit in enumerate(self.bits)
            if least >> i & 1
        ]


def encode(line: Line, sink: Sink) -> None:
    """Add the clauses of a line to the sink."""
    found = spans(line, STAND_INS)
    if found is None:
        sink.add(())
        return
    bounds = _distinct(found)
    numbers = [_number(bound, sink) for bound in bounds]
    firsts = [bound.first for bound in bounds]
    batch = array("i")
    for number in numbers:
        put(batch, number.at_most(number.size - 1))

    def meaning(lit: int) -> list[tuple[int, ...]]:
        if abs(lit) < STAND_INS:
            return [(lit,)]
        index = bisect_right(firsts, abs(lit)) - 1
        limit = abs(lit) - firsts[index]
        return numbers[index].at_most(limit) if lit > 0 else numbers[index].more_than(limit)

    for clause in clauses(line, STAND_INS):
        put(batch, _product([meaning(lit) for lit in clause]))
    sink.add_batch(batch)


def _distinct(found: list[Span]) -> list[OrderVariables]:
    """Return the bounds that have variables, without duplicates."""
    bounds = {bound.first: bound for span in found for bound in span if bound.num_vars}
    return [bounds[first] for first in sorted(bounds)]


def _number(bound: OrderVariables, sink: Sink) -> _Binary:
    num_bits = bound.num_vars.bit_length()
    first = sink.new_vars(num_bits)
    return _Binary(range(first, first + num_bits), len(bound.places))


def _product(factors: Sequence[list[tuple[int, ...]]]) -> Iterator[tuple[int, ...]]:
    """Yield the clauses for "one of these formulas holds", without tautologies."""
    for chosen in polled(product(*factors)):
        lits = dict.fromkeys(lit for part in chosen for lit in part)
        if not any(-lit in lits for lit in lits):
            yield tuple(lits)


PLUGIN = Encoding(
    summary="the starts' numbers in bits: fewest variables, weak propagation",
    source="Iwama, Miyazaki 1994; Walsh 2000",
    strength=Strength.NONE,
    size=SizeFormula(
        "k*s.bit_length()",
        "up to b*b for each clause of order, where b is s.bit_length()",
    ),
    encode=encode,
)
