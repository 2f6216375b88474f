"""Log of a run: its distinct verified solutions, and the steps taken.

Engines receive blocking clauses for known values. A family's own method returns solutions without
values, which cannot be blocked; an engine may therefore return such a solution again, without being
wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import RefutedError, counted
from nonosat.core.plugins import Family, Puzzle
from nonosat.core.result import Stage


class SolveLog:
    """Solutions of a puzzle that were found so far, and stages of the steps that were taken.

    Args:
        puzzle: The puzzle.
        family: Its family, whose verifier checks every solution.

    Attributes:
        solutions: Solutions, in order.
        values: Values of the model for each solution that an engine found; engines exclude them.
        tried: Messages of the family's methods that gave up, each with the method's name.
        stages, backend, encoding, tree: As in `Result`.
    """

    def __init__(self, puzzle: Puzzle, family: Family) -> None:
        self.solutions: dict[Any, None] = {}
        self.values: list[bytes] = []
        self.tried: list[str] = []
        self.stages: list[Stage] = []
        self.backend = ""
        self.encoding: Mapping[str, str] = {}
        self.tree: Sequence[Mapping[str, Any]] = ()
        self._puzzle = puzzle
        self._family = family
        self._unblocked: set[Any] = set()  # solutions that engines have not blocked

    def checked(self, by: AnswerSource, solution: Any) -> Any:
        """Return a solution after verification; raise RefutedError if the clues refute it."""
        self.backend = by.backend
        if mistake := self._family.refutation(self._puzzle, solution):
            raise self._refuted(by, f"gave a solution that the clues refute: {mistake}")
        return solution

    def decoded(self, by: AnswerSource, values: bytes) -> Any:
        """Decode an engine's values, and return the verified solution."""
        return self.checked(by, self._family.decode(self._puzzle, values))

    def _refuted(self, by: AnswerSource, what: str) -> RefutedError:
        """Return the error for a wrong answer, with advice on its source."""
        advice = by._replace(family=str(self._puzzle.family)).advice()
        return RefutedError(f"{by} {what}", advice=advice)

    def remember(self, solution: Any) -> None:
        """Store a verified solution of a method that needs no model."""
        self.solutions[solution] = None
        self._unblocked.add(solution)

    def accept(self, by: AnswerSource, values: bytes) -> Any:
        """Store and return the solution for an engine's values; None if a method had found it.

        Raises:
            RefutedError: The clues refute it, or the engine returned a blocked solution.
        """
        solution = self.decoded(by, values)
        self.values.append(values)
        if solution in self._unblocked:
            self._unblocked.remove(solution)
            return None
        if solution in self.solutions:
            raise self._refuted(by, "gave the same solution twice")
        self.solutions[solution] = None
        return solution

    def first(self) -> Any:
        """Return the first solution."""
        return next(iter(self.solutions))

    def stage(self, name: str, started: float, decided: int = 0, **detail: Any) -> None:
        """Append the stage of a step that has just ended."""
        self.stages.append(Stage(name, perf_counter() - started, decided, detail))

    def limited(self, limit: str) -> str:
        """Return the limit that was hit, in words, with the family's methods that gave up."""
        engines = [
            f"{detail['engine']}: stopped after {counted(detail.get('conflicts', 0), 'conflict')}"
            for detail in (stage.detail for stage in self.stages)
            if "engine" in detail
        ]
        return f"{limit} ({'; '.join([*self.tried, *engines])})" if self.tried else limit
