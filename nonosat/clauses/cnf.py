"""Formula in conjunctive normal form: the simplest sink.

Clauses are stored one after another in a buffer of 32-bit integers, each ended by 0: four bytes a
literal, and the form in which batches go to engines and files.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import chain

from nonosat import _core
from nonosat.clauses.sinks import Buffer
from nonosat.core.errors import UnsupportedError

MAX_VARS = 2**30 - 2  # proof checkers store a literal as twice its variable
_CHUNK = 1024  # clauses converted to lists at a time


def check_num_vars(num_vars: int) -> None:
    """Raise an error before a literal of a formula exceeds its range.

    Raises:
        UnsupportedError: There are too many variables.
    """
    if num_vars > MAX_VARS:
        raise UnsupportedError(
            f"the formula would have {num_vars:,} variables or more, expected at most "
            f"{MAX_VARS:,}; take a smaller board, or fewer colours"
        )


def chunks(clauses: array[int], size: int) -> Iterator[list[list[int]]]:
    """Yield the clauses of a buffer, each without its closing 0, `size` clauses at a time."""
    start = 0
    while start < len(clauses):
        lists, start = _core.clause_lists(clauses, start, size)
        yield lists


def split(clauses: array[int]) -> Iterator[list[int]]:
    """Return the clauses of a buffer one by one, each without its closing 0."""
    return chain.from_iterable(chunks(clauses, _CHUNK))


class Cnf(Buffer):
    """Clauses over the variables 1 .. num_vars."""

    def __iter__(self) -> Iterator[list[int]]:
        return split(self.buffer)

    def __len__(self) -> int:
        return self.num_clauses
