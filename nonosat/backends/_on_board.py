"""Base of engines that work on the board and accept no other variables."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from nonosat.clauses.cnf import split
from nonosat.clauses.sinks import SinkBase
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import Constraint
from nonosat.core.plugins import Engine


class BoardEngine(SinkBase, Engine):
    """Base of engines whose only variables are cells; each subclass accepts a few clauses only."""

    def new_vars(self, count: int) -> int:
        del count
        raise UnsupportedError(f"{self.label} has no variables but the cells; try a SAT backend")

    def constrain(self, constraint: Constraint) -> None:
        kind = type(constraint).__name__
        raise UnsupportedError(f"{self.label} takes no {kind} constraint; try a SAT backend")

    def add_batch(self, clauses: array[int]) -> None:
        for clause in split(clauses):
            self.add(clause)

    def refuse(self, assumptions: Sequence[int]) -> None:
        """Raise UnsupportedError if there are any assumptions."""
        if assumptions:
            raise UnsupportedError(f"{self.label} takes no assumptions; try a SAT backend")
