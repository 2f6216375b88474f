"""Helpers of encodings: clauses made in bulk, with the constants removed.

A batch is an `array("i")` in which each clause ends with 0, the form that sinks take.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from nonosat.core.limits import polled
from nonosat.core.model import FALSE, TRUE


def put(batch: array[int], clauses: Iterable[Sequence[int]]) -> None:
    """Append clauses; drop those with TRUE, and FALSE from the others."""
    for clause in polled(clauses):
        if TRUE not in clause:
            batch.extend([lit for lit in clause if lit != FALSE] if FALSE in clause else clause)
            batch.append(0)


def put_columns(batch: array[int], *columns: Iterable[int]) -> None:
    """Append many short clauses, the n-th made of the n-th literals of all columns.

    The shortest column determines their number. 0.2 us a clause: constants are so rare that
    checking each clause is cheaper than sorting them out beforehand.
    """
    for clause in polled(zip(*columns, repeat(0))):
        if TRUE in clause:
            continue
        batch.extend([lit for lit in clause if lit != FALSE] if FALSE in clause else clause)


def put_arrays(batch: array[int], *columns: array[int]) -> None:
    """Append clauses as `put_columns`, from arrays without constants; ten times as fast."""
    width = len(columns) + 1
    clauses = array("i", bytes(4 * width * len(columns[0])))
    for place, column in enumerate(columns):
        clauses[place::width] = column
    batch += clauses


def negated(lits: Iterable[int]) -> Iterator[int]:
    """Return the literals' negations; works for the constants too."""
    return (-lit for lit in lits)
