"""Totalizer: a balanced tree that adds up sorted unary numbers.

A node has the outputs "at least j of my literals are true", defined by those of its two halves in
both directions. Outputs that the bounds do not need are left out; at the root those within
the lower bound are TRUE, the first beyond the upper one is FALSE. False literals are counted
instead of true ones if they need fewer outputs.

Invariant: outputs are determined by the literals; unit propagation finds every implied literal.
O(n log n) variables and O(n c) clauses for n literals and counts up to c, O(n^2) at most.

Source: Bailleux, Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints" (CP 2003);
Buettner, Rintanen, "Satisfiability planning with constraints on the number of actions" (ICAPS
2005), for the outputs left out.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from nonosat.clauses.batches import put
from nonosat.clauses.counts import Bounds, counted, without_single_clauses
from nonosat.core.model import FALSE, TRUE, Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength


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
        lits, lower, upper = min(bounds, bounds.of_false(), key=_outputs)
        most = _outputs(Bounds(lits, lower, upper))
        root = [TRUE] * lower
        if upper < len(lits):
            root += [*(sink.new_var() for _ in range(upper - lower)), FALSE]
        _add(lits, root, most, batch, sink)
    sink.add_batch(batch)


def _outputs(bounds: Bounds) -> int:
    """Return the highest count that the bounds need."""
    lits, lower, upper = bounds
    return lower if upper == len(lits) else upper + 1


def _add(
    lits: Sequence[int], total: Sequence[int], most: int, batch: array[int], sink: Sink
) -> None:
    """Make `total` the sorted unary number of true literals, up to the length of `total`."""
    middle = len(lits) // 2
    halves = []
    for half in (lits[:middle], lits[middle:]):
        if len(half) == 1:
            halves.append(half)
            continue
        size = min(len(half), most)
        first = sink.new_vars(size)
        halves.append(range(first, first + size))
        _add(half, halves[-1], most, batch, sink)
    put(batch, _sums(halves[0], halves[1], total))


def _sums(
    one: Sequence[int], other: Sequence[int], total: Sequence[int]
) -> Iterator[tuple[int, int, int]]:
    """Yield the clauses of total = one + other."""
    # At least 0 is always true. More than the number of literals is false, and if higher outputs
    # were left out instead, `total` has none that high either.
    one, other, total = (TRUE, *one, FALSE), (TRUE, *other, FALSE), (TRUE, *total)
    for i in range(len(one) - 1):
        for j in range(len(other) - 1):
            at = i + j
            if 0 < at < len(total):  # at least i and at least j are at least i + j
                yield -one[i], -other[j], total[at]
            if at + 1 < len(total):  # at most i and at most j are at most i + j
                yield one[i + 1], other[j + 1], -total[at + 1]


PLUGIN = Encoding(
    summary="a tree of unary sums; complete",
    source="Bailleux, Boufkhad 2003; Buettner, Rintanen 2005",
    strength=Strength.COMPLETE,
    size=SizeFormula(
        "min(m, u + 1) for each half of m > 1 literals, halves of halves too, and u - l for all n; "
        "n - l for u if that is less",
        "the product of the numbers of outputs of two halves, twice, for each node",
    ),
    encode=encode,
)
