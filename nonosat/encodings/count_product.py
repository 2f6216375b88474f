"""Two-product encoding of "at most one": literals in a square, at most one row and one column.

A literal implies the variables of its row and of its column; no two rows are true, and no two
columns. Chen applies the encoding again to rows and columns; pairs, which are used here, add less
than n clauses for n literals. A row or column also implies that one of its literals is true, so
that its variable is determined by the literals; this does not change the strength.

Invariant: unit propagation finds every implied literal. About 2 sqrt(n) variables, 3 n clauses.
Counts of one false literal are counts of one true negation. Larger bounds, for which Frisch and
Giannaros (2010) take as many coordinates as the bound has units, are refused.

Source: Chen, "A new SAT encoding of the at-most-one constraint" (ModRef 2010).
"""

from __future__ import annotations

from array import array
from itertools import combinations
from math import ceil, sqrt

from nonosat.clauses.batches import negated, put, put_columns
from nonosat.clauses.counts import counted, of_one, without_single_clauses
from nonosat.core.model import Count
from nonosat.core.plugins import Encoding, Sink, SizeFormula, Strength

_ROWS, _COLUMNS = "ceil(sqrt(n))", "ceil(n / ceil(sqrt(n)))"


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
        _square(of_one(bounds, "product").lits, batch, sink)
    sink.add_batch(batch)


def _square(lits: list[int], batch: array[int], sink: Sink) -> None:
    """Add the clauses of "at most one of the literals is true"."""
    num_rows = ceil(sqrt(len(lits)))
    num_columns = ceil(len(lits) / num_rows)
    rows = [lits[at : at + num_columns] for at in range(0, len(lits), num_columns)]
    columns = [lits[at::num_columns] for at in range(num_columns)]
    for lines in (rows, columns):
        first = sink.new_vars(len(lines))
        marks = range(first, first + len(lines))
        for mark, line in zip(marks, lines, strict=True):
            put_columns(batch, negated(line), [mark] * len(line))
            put(batch, [(-mark, *line)])
        put(batch, combinations(negated(marks), 2))


PLUGIN = Encoding(
    summary="rows and columns of a square of the literals, for counts of one; complete",
    source="Chen 2010",
    strength=Strength.COMPLETE,
    size=SizeFormula(
        f"{_ROWS} + {_COLUMNS}", f"l + 2 * n + comb({_ROWS} + 1, 2) + comb({_COLUMNS} + 1, 2)"
    ),
    encode=encode,
)
