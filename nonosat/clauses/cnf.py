"""A formula in conjunctive normal form: the plainest sink.

Clauses lie one after another in a buffer of 32-bit integers, each ended by 0: four bytes a
literal, and the form in which batches travel to engines and files.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain

from nonosat import _core
from nonosat.errors import UnsupportedError
from nonosat.model import FALSE, TRUE

MAX_VARS = 2**30 - 2  # the proof checkers hold a literal as twice its variable
_CHUNK = 1024  # clauses made into lists at a time


def check_num_vars(num_vars: int) -> None:
    """Refuse a formula before one of its literals does not fit.

    Raises:
        UnsupportedError: There are too many variables.
    """
    if num_vars > MAX_VARS:
        raise UnsupportedError(
            f"the formula would have {num_vars:,} variables or more, expected at most "
            f"{MAX_VARS:,}; take a smaller board, or fewer colours"
        )


def chunks(clauses: array[int], size: int) -> Iterator[list[list[int]]]:
    """The clauses of a buffer, each without its closing 0, so many at a time."""
    start = 0
    while start < len(clauses):
        lists, start = _core.clause_lists(clauses, start, size)
        yield lists


def split(clauses: array[int]) -> Iterator[list[int]]:
    """The clauses of a buffer one by one, each without its closing 0."""
    return chain.from_iterable(chunks(clauses, _CHUNK))


class Cnf:
    """Clauses over the variables 1 .. num_vars."""

    def __init__(self, num_vars: int = 0) -> None:
        self.num_vars = num_vars
        self.num_clauses = 0
        self.buffer = array("i")

    def new_var(self) -> int:
        return self.new_vars(1)

    def new_vars(self, count: int) -> int:
        first = self.num_vars + 1
        self.num_vars += count
        return first

    def add(self, clause: Sequence[int]) -> None:
        """One clause; TRUE satisfies it, FALSE is left out of it."""
        if TRUE in clause:
            return
        self.buffer.extend([lit for lit in clause if lit != FALSE])
        self.buffer.append(0)
        self.num_clauses += 1

    def add_batch(self, clauses: array[int]) -> None:
        """Clauses without constants, each ended by 0."""
        self.buffer.extend(clauses)
        self.num_clauses += _core.num_clauses(clauses)

    def __iter__(self) -> Iterator[list[int]]:
        return split(self.buffer)

    def __len__(self) -> int:
        return self.num_clauses
