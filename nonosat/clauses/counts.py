"""Helpers of the encodings of counts: removed constants, and bounds that need no counting."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from nonosat.clauses.batches import negated, put
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import TRUE, Count
from nonosat.core.plugins import Sink


class Bounds(NamedTuple):
    """Bounds: `lower` to `upper` of the literals are true.

    The literals have different variables, 0 <= lower <= upper <= n. At least one of the bounds is
    not equivalent to unit clauses, so there are two literals or more.
    """

    lits: list[int]
    lower: int
    upper: int

    def is_open(self) -> bool:
        """True if every assignment is within the bounds."""
        return self.lower == 0 and self.upper == len(self.lits)

    def of_false(self) -> Bounds:
        """Return the equivalent bounds on the negated literals."""
        size = len(self.lits)
        return Bounds(list(negated(self.lits)), size - self.upper, size - self.lower)


def counted(count: Count, sink: Sink) -> Bounds | None:
    """Return the bounds on the literals that are not constants; None if they need no encoding.

    Bounds that cannot be met are added to the sink as the empty clause, bounds that decide all
    literals as unit clauses.

    Raises:
        ValueError: A variable occurs twice among the literals.
    """
    lits = [lit for lit in count.lits if abs(lit) != TRUE]
    if len({abs(lit) for lit in lits}) != len(lits):
        raise ValueError(f"a variable occurs twice in {count}, expected different ones")
    known = count.lits.count(TRUE)
    lower, upper = max(count.lower - known, 0), min(count.upper - known, len(lits))
    if lower > upper:
        sink.add(())
    elif upper == 0:
        for lit in lits:
            sink.add((-lit,))
    elif lower == len(lits):
        for lit in lits:
            sink.add((lit,))
    elif (lower, upper) != (0, len(lits)):
        return Bounds(lits, lower, upper)
    return None


def without_single_clauses(bounds: Bounds, batch: array[int]) -> Bounds:
    """Return bounds that need more than one clause; add the others to the batch as a clause.

    "At least one" and "not all" are single clauses.
    """
    lits, lower, upper = bounds
    if lower == 1:
        put(batch, [lits])
        lower = 0
    if upper == len(lits) - 1:
        put(batch, [list(negated(lits))])
        upper = len(lits)
    return Bounds(lits, lower, upper)


def of_one(bounds: Bounds, encoding: str) -> Bounds:
    """Return equivalent bounds with `upper` 1, on the literals or on their negations.

    Raises:
        UnsupportedError: Neither the true nor the false literals are limited to one.
    """
    for one in (bounds, bounds.of_false()):
        if one.upper == 1:
            return one
    lits, lower, upper = bounds
    raise UnsupportedError(
        f"the encoding count={encoding} supports no bounds above one, but here "
        f"{_amount(lower, upper)} of {len(lits)} literals must be true; use count=sequential, "
        "count=totalizer or count=pairwise"
    )


def _amount(lower: int, upper: int) -> str:
    return f"{lower}" if lower == upper else f"{lower} to {upper}"
