"""Clauses that are held back until there are many of them: a sink for engines told in batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence

from nonosat.clauses.cnf import Cnf

BATCH = 2**18  # literals held back


class Batching(ABC):
    """What is told to an engine, in `_pending` until there is a batch of it.

    Args:
        num_vars: Variables of the model.
    """

    def __init__(self, num_vars: int) -> None:
        self._pending = Cnf(num_vars)

    @abstractmethod
    def _flush(self) -> None:
        """Hand on what is pending, and go on with nothing."""

    def new_var(self) -> int:
        return self._pending.new_var()

    def new_vars(self, count: int) -> int:
        return self._pending.new_vars(count)

    def add(self, clause: Sequence[int]) -> None:
        self._pending.add(clause)
        self._flush_if_many()

    def add_batch(self, clauses: array[int]) -> None:
        self._pending.add_batch(clauses)
        self._flush_if_many()

    def _flush_if_many(self) -> None:
        if len(self._pending.buffer) > BATCH:
            self._flush()
