"""What the encodings share: clauses made in bulk, with the constants taken out.

A batch is an `array("i")` in which each clause ends with 0, the form that sinks take.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from nonosat.core.model import FALSE, TRUE


def put(batch: array[int], clauses: Iterable[Sequence[int]]) -> None:
    """Append clauses; those with TRUE are satisfied, FALSE is left out of the others."""
    for clause in clauses:
        if TRUE not in clause:
            batch.extend([lit for lit in clause if lit != FALSE] if FALSE in clause else clause)
            batch.append(0)


def put_columns(batch: array[int], *columns: Iterable[int]) -> None:
    """`put` for many short clauses, the n-th made of the n-th literals of all columns.

    The shortest column decides how many there are. 0.2 us a clause: constants are rare enough
    for one look at each clause to be cheaper than sorting them out beforehand.
    """
    for clause in zip(*columns, repeat(0)):
        if TRUE in clause:
            continue
        batch.extend([lit for lit in clause if lit != FALSE] if FALSE in clause else clause)


def put_arrays(batch: array[int], *columns: array[int]) -> None:
    """`put_columns` of arrays without constants, all of one length; ten times as fast."""
    width = len(columns) + 1
    clauses = array("i", bytes(4 * width * len(columns[0])))
    for place, column in enumerate(columns):
        clauses[place::width] = column
    batch += clauses


def negated(lits: Iterable[int]) -> Iterator[int]:
    """The literals' negations; works for the constants too."""
    return (-lit for lit in lits)
