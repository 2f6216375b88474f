"""The log of a run: its solutions, each verified and none twice, and the steps that it took.

Engines are told the values of solutions, so that they do not give them again. A family's own method
gives solutions without values, which no engine can be told; an engine may give such a solution
again, and makes no mistake by that.
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
    """Solutions and steps so far; nothing here decides what the next step is.

    Args:
        puzzle: The puzzle.
        family: Its family, whose verifier every solution passes.

    Attributes:
        solutions: Solutions, in order.
        values: Values of a model that stand for solutions: what engines shall not give.
        tried: What the family's own methods said that came to no end, each with its name.
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
        self._untold: set[Any] = set()  # solutions that engines do not know

    def checked(self, by: AnswerSource, solution: Any) -> Any:
        """The solution that somebody gave; RefutedError where the clues refute it."""
        self.backend = by.backend
        if mistake := self._family.refutation(self._puzzle, solution):
            raise self._refuted(by, f"gave a solution that the clues refute: {mistake}")
        return solution

    def decoded(self, by: AnswerSource, values: bytes) -> Any:
        """The verified solution that an engine's values stand for."""
        return self.checked(by, self._family.decode(self._puzzle, values))

    def _refuted(self, by: AnswerSource, what: str) -> RefutedError:
        """An answer that is wrong, and to whom that is to be told."""
        advice = by._replace(family=str(self._puzzle.family)).advice()
        return RefutedError(f"{by} {what}", advice=advice)

    def remember(self, solution: Any) -> None:
        """Take a verified solution of a method that needs no model."""
        self.solutions[solution] = None
        self._untold.add(solution)

    def accept(self, by: AnswerSource, values: bytes) -> Any:
        """Take the solution that an engine's values stand for; None where it is not new.

        Raises:
            RefutedError: The clues refute it, or the engine was told that it is not new.
        """
        solution = self.decoded(by, values)
        self.values.append(values)
        if solution in self._untold:
            self._untold.remove(solution)
            return None
        if solution in self.solutions:
            raise self._refuted(by, "gave the same solution twice")
        self.solutions[solution] = None
        return solution

    def first(self) -> Any:
        """The oldest solution."""
        return next(iter(self.solutions))

    def stage(self, name: str, started: float, decided: int = 0, **detail: Any) -> None:
        """Write down a step that has just ended."""
        self.stages.append(Stage(name, perf_counter() - started, decided, detail))

    def limited(self, limit: str) -> str:
        """Which limit was hit, and what had been tried where methods of the family's own had."""
        engines = [
            f"{detail['engine']}: stopped after {counted(detail.get('conflicts', 0), 'conflict')}"
            for detail in (stage.detail for stage in self.stages)
            if "engine" in detail
        ]
        return f"{limit} ({'; '.join([*self.tried, *engines])})" if self.tried else limit
