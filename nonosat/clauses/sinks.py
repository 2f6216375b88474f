"""Bases of sinks: the four methods of a `plugins.Sink` made of fewer, and clauses held back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence

from nonosat import _core
from nonosat.core.model import FALSE, TRUE

BATCH = 2**18  # literals held back


class SinkBase(ABC):
    """A sink that has to say two things only: where variables come from, and what takes a batch."""

    def new_var(self) -> int:
        return self.new_vars(1)

    @abstractmethod
    def new_vars(self, count: int) -> int:
        """So many fresh variables: the first of them, the others follow it."""

    def add(self, clause: Sequence[int]) -> None:
        """One clause; TRUE satisfies it, FALSE is left out of it."""
        if TRUE not in clause:
            self.add_batch(array("i", [*(lit for lit in clause if lit != FALSE), 0]))

    @abstractmethod
    def add_batch(self, clauses: array[int]) -> None:
        """Clauses without constants, each ended by 0."""


class Buffer(SinkBase):
    """Holds its clauses back, one after another, each ended by 0.

    Args:
        num_vars: Variables that there are already: 1 .. num_vars.

    Attributes:
        num_clauses: How many are in the buffer.
        buffer: The clauses, four bytes a literal.
    """

    def __init__(self, num_vars: int = 0) -> None:
        self.num_vars = num_vars
        self.num_clauses = 0
        self.buffer = array("i")

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

    def take(self) -> array[int]:
        """The clauses held back; the buffer is empty afterwards."""
        clauses, self.buffer, self.num_clauses = self.buffer, array("i"), 0
        return clauses


class Batching(Buffer):
    """Hands its clauses on, to an engine that is told in batches, once there are many of them.

    Args:
        num_vars: Variables that there are already.
        most: Literals held back; `BATCH` by default.
    """

    def __init__(self, num_vars: int, most: int | None = None) -> None:
        super().__init__(num_vars)
        self._most = BATCH if most is None else most

    @abstractmethod
    def _flush(self) -> None:
        """Hand on what `take` gives."""

    def add(self, clause: Sequence[int]) -> None:
        Buffer.add(self, clause)  # hot: `super()` would take an eighth longer
        if len(self.buffer) > self._most:
            self._flush()

    def add_batch(self, clauses: array[int]) -> None:
        Buffer.add_batch(self, clauses)
        if len(self.buffer) > self._most:
            self._flush()
