"""Commander encoding of "at most one": groups of literals, each with a commander.

At most one literal of a group is true, a literal implies its commander, and at most one commander
is true, which the same encoding states again. A commander also implies that a literal of its group
is true, so that it is determined by the literals.

Invariant: unit propagation finds every implied literal. For n literals n / 2 variables and 3.5 n
clauses, in the limit. Counts of one false literal are counts of one true negation; larger bounds
are not supported.

Source: Klieber, Kwon, "Efficient CNF encoding for selecting 1 from N objects" (CFV 2007).
"""

from __future__ import annotations

from array import array
from itertools import combinations

from nonosat.clauses.batches import negated, put, put_columns
from nonosat.clauses.counts import counted, of_one, without_single_clauses
from nonosat.core.model import Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength

_GROUP = 3  # literals of a group, the size that needs the fewest clauses
_FEW = 4  # so many literals are compared in pairs


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
        lits = of_one(bounds, "commander").lits
        while len(lits) > _FEW:
            lits = _commanders(lits, batch, sink)
        put(batch, combinations(negated(lits), 2))
    sink.add_batch(batch)


def _commanders(lits: list[int], batch: array[int], sink: Sink) -> list[int]:
    """Add the clauses of the groups of some literals, and return the commanders."""
    groups = [lits[at : at + _GROUP] for at in range(0, len(lits), _GROUP)]
    first = sink.new_vars(len(groups))
    commanders = list(range(first, first + len(groups)))
    for commander, group in zip(commanders, groups, strict=True):
        put(batch, combinations(negated(group), 2))
        put_columns(batch, negated(group), [commander] * len(group))
        put(batch, [(-commander, *group)])
    return commanders


PLUGIN = Encoding(
    summary="groups of three literals with a commander each, for counts of one; complete",
    source="Klieber, Kwon 2007",
    strength=Strength.COMPLETE,
    size=SizeFormula("about n / 2", "about 3.5 n"),
    encode=encode,
)
