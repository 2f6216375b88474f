"""Binomial encoding, pairwise for "at most one": no `upper` + 1 literals are all true.

Likewise, of n literals, no n - `lower` + 1 are all false. No auxiliary variables; unit propagation
finds every implied literal; binom(n, upper + 1) + binom(n, lower - 1) clauses, which are counted
before any is made.

Source: folklore; Frisch, Giannaros, "SAT encodings of the at-most-k constraint" (ModRef 2010),
discuss it under the name binomial.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from math import comb
from operator import neg

from nonosat.clauses.batches import negated, put, put_arrays
from nonosat.clauses.counts import Bounds, counted
from nonosat.core.errors import UnsupportedError, about
from nonosat.core.limits import checkpoint, polled
from nonosat.core.model import TRUE, Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength

MAX_CLAUSES = 200_000
MAX_LITS = 4_000_000  # 16 MB: as many as the largest allowed number of clauses of 20 literals
_SMALL = 8  # literals of counts that are encoded together
_CHUNK = 10_000  # clauses made before they are sent


def encode(count: Count, sink: Sink) -> None:
    """Add the clauses of a count to the sink.

    Raises:
        UnsupportedError: There would be more than `MAX_CLAUSES` clauses or `MAX_LITS` literals.
        ValueError: A variable occurs twice among the literals.
    """
    bounds = counted(count, sink)
    if bounds is None:
        return
    clauses = _subsets(bounds)
    while chunk := list(islice(clauses, _CHUNK)):
        checkpoint()
        batch = array("i")
        put(batch, chunk)
        sink.add_batch(batch)


def encode_counts(counts: Sequence[Count]) -> Iterator[array[int]] | None:
    """Return the clauses of `encode` for all counts, reordered; None if one is large or unusual."""
    alike: dict[tuple[int, int, int], list[Sequence[int]]] = {}
    for count in polled(counts):
        lits, size = count.lits, len(count.lits)
        is_usual = 0 < size <= _SMALL and 0 <= count.lower <= count.upper <= size
        if not is_usual or min(lits) < 1 or max(lits) == TRUE or len({*lits}) < size:
            return None
        alike.setdefault((size, count.lower, count.upper), []).append(lits)
    return (_batch(group, lower, upper) for (_, lower, upper), group in alike.items())


def _batch(group: Sequence[Sequence[int]], lower: int, upper: int) -> array[int]:
    """Return the clauses of counts with equal bounds and equal numbers of literals."""
    batch = array("i")
    columns = [array("i", column) for column in polled(zip(*group, strict=True))]
    against = [array("i", map(neg, column)) for column in polled(columns)]
    for subset in polled(combinations(against, upper + 1)):
        put_arrays(batch, *subset)
    for subset in polled(combinations(columns, len(columns) - lower + 1)):
        put_arrays(batch, *subset)
    return batch


def _subsets(bounds: Bounds) -> Iterator[Sequence[int]]:
    """Yield the clauses of a count after checking that they are not too many."""
    lits, lower, upper = bounds
    many, few = upper + 1, len(lits) - lower + 1  # literals of a clause for either bound
    num_many, num_few = comb(len(lits), many), comb(len(lits), few)
    num_clauses, num_lits = num_many + num_few, num_many * many + num_few * few
    if num_clauses > MAX_CLAUSES or num_lits > MAX_LITS:
        raise UnsupportedError(
            f"the encoding count=pairwise would make {about(num_clauses)} clauses with "
            f"{about(num_lits)} literals to state that {lower} to {upper} of {len(lits)} hold, "
            f"expected at most {MAX_CLAUSES} with {MAX_LITS}; use count=sequential or "
            "count=totalizer"
        )
    yield from combinations(negated(lits), many)
    yield from combinations(lits, few)


PLUGIN = Encoding(
    summary="a clause for each subset that is too many, no variables; complete",
    source="folklore; Frisch, Giannaros 2010",
    strength=Strength.COMPLETE,
    size=SizeFormula("0", "comb(n, u + 1) + comb(n, n - l + 1)"),
    encode=encode,
    encode_counts=encode_counts,
)
