"""What the encodings of counts share: constants taken out, and the bounds that need no counting."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from nonosat.clauses.batches import negated, put
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import TRUE, Count
from nonosat.core.plugins import Sink


class Bounds(NamedTuple):
    """`lower` to `upper` of the literals are true: different variables, 0 <= lower <= upper <= n.

    At least one of the bounds says something that no unit clauses do, so there are two literals
    or more.
    """

    lits: list[int]
    lower: int
    upper: int

    def is_open(self) -> bool:
        """Whether every assignment is within the bounds."""
        return self.lower == 0 and self.upper == len(self.lits)

    def of_false(self) -> Bounds:
        """The same said of the literals' negations."""
        size = len(self.lits)
        return Bounds(list(negated(self.lits)), size - self.upper, size - self.lower)


def counted(count: Count, sink: Sink) -> Bounds | None:
    """What is to be said of the literals that are no constants; None when nothing is left.

    Bounds out of reach become the empty clause, bounds that decide all literals unit clauses.

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
    """The bounds but for those that one clause says: at least one is true, not all of them are."""
    lits, lower, upper = bounds
    if lower == 1:
        put(batch, [lits])
        lower = 0
    if upper == len(lits) - 1:
        put(batch, [list(negated(lits))])
        upper = len(lits)
    return Bounds(lits, lower, upper)


def of_one(bounds: Bounds, encoding: str) -> Bounds:
    """Bounds with `upper` 1, for encodings of "at most one": of the literals or their negations.

    Raises:
        UnsupportedError: They count further than to one.
    """
    for one in (bounds, bounds.of_false()):
        if one.upper == 1:
            return one
    lits, lower, upper = bounds
    raise UnsupportedError(
        f"the encoding count={encoding} counts to one and no further, but here "
        f"{_amount(lower, upper)} of {len(lits)} have to hold; use count=sequential, "
        "count=totalizer or count=pairwise"
    )


def _amount(lower: int, upper: int) -> str:
    return f"{lower}" if lower == upper else f"{lower} to {upper}"
