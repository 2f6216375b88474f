"""Bases of sinks: the four methods of a `plugins.Sink` derived from two, and buffered clauses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence

from nonosat import _core
from nonosat.core.model import FALSE, TRUE

BATCH = 2**18  # literals buffered


class SinkBase(ABC):
    """Sink whose subclasses define only `new_vars` and `add_batch`."""

    def new_var(self) -> int:
        return self.new_vars(1)

    @abstractmethod
    def new_vars(self, count: int) -> int:
        """Make fresh variables with consecutive numbers; return the first."""

    def add(self, clause: Sequence[int]) -> None:
        """Add one clause; TRUE satisfies it, FALSE is dropped."""
        if TRUE not in clause:
            self.add_batch(array("i", [*(lit for lit in clause if lit != FALSE), 0]))

    @abstractmethod
    def add_batch(self, clauses: array[int]) -> None:
        """Add clauses without constants, each ended by 0."""


class Buffer(SinkBase):
    """Sink that buffers its clauses, one after another, each ended by 0.

    Args:
        num_vars: Number of variables that exist: 1 .. num_vars.

    Attributes:
        num_clauses: Number of clauses in the buffer.
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
        """Add one clause; TRUE satisfies it, FALSE is dropped."""
        if TRUE in clause:
            return
        self.buffer.extend([lit for lit in clause if lit != FALSE])
        self.buffer.append(0)
        self.num_clauses += 1

    def add_batch(self, clauses: array[int]) -> None:
        """Add clauses without constants, each ended by 0."""
        self.buffer.extend(clauses)
        self.num_clauses += _core.num_clauses(clauses)

    def take(self) -> array[int]:
        """Return the buffered clauses and empty the buffer."""
        clauses, self.buffer, self.num_clauses = self.buffer, array("i"), 0
        return clauses


class Batching(Buffer):
    """Buffer for an engine that takes batches: passes its clauses on once there are many.

    Args:
        num_vars: Number of variables that exist.
        most: Number of literals buffered; `BATCH` by default.
    """

    def __init__(self, num_vars: int, most: int | None = None) -> None:
        super().__init__(num_vars)
        self._most = BATCH if most is None else most

    @abstractmethod
    def _flush(self) -> None:
        """Pass on the result of `take`."""

    def add(self, clause: Sequence[int]) -> None:
        Buffer.add(self, clause)  # hot: `super()` takes an eighth longer
        if len(self.buffer) > self._most:
            self._flush()

    def add_batch(self, clauses: array[int]) -> None:
        Buffer.add_batch(self, clauses)
        if len(self.buffer) > self._most:
            self._flush()
