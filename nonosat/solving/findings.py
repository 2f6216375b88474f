"""What has been found of a puzzle: solutions, each verified and none twice, and the steps taken.

Engines are told of the values of solutions, so that they do not give them again. Of those that a
method without model has found they know nothing; one that an engine gives then is not new, and no
mistake of the engine's.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from nonosat.errors import RefutedError
from nonosat.families import family_of
from nonosat.result import Stage


class Findings:
    """All that is remembered.

    Attributes:
        solutions: Solutions, in order.
        values: Values of a model that stand for solutions: what engines shall not give.
        stages: The steps taken.
    """

    def __init__(self, puzzle: Any) -> None:
        self.solutions: dict[Any, None] = {}
        self.values: list[bytes] = []
        self.stages: list[Stage] = []
        self._puzzle = puzzle
        self._family = family_of(puzzle)
        self._untold: set[Any] = set()  # those among them that engines do not know of

    def checked(self, name: str, solution: Any) -> Any:
        """The solution; RefutedError where the clues refute what `name` gave."""
        if mistake := self._family.refutation(self._puzzle, solution):
            raise RefutedError(f"{name} gave a solution that the clues refute: {mistake}")
        return solution

    def decoded(self, name: str, values: bytes) -> Any:
        """The verified solution that an engine's values stand for."""
        return self.checked(name, self._family.decode(self._puzzle, values))

    def remember(self, solution: Any) -> None:
        """A verified solution of a method without model."""
        self.solutions[solution] = None
        self._untold.add(solution)

    def accept(self, name: str, values: bytes) -> Any:
        """The verified solution that an engine's values stand for; None where it is not new.

        Raises:
            RefutedError: It is none, or the engine should have known that it is not new.
        """
        solution = self.decoded(name, values)
        self.values.append(values)
        if solution in self._untold:
            self._untold.remove(solution)
            return None
        if solution in self.solutions:
            raise RefutedError(f"{name} gave the same solution twice")
        self.solutions[solution] = None
        return solution

    def first(self) -> Any:
        """The solution that was found first."""
        return next(iter(self.solutions))

    def stage(self, name: str, started: float, decided: int = 0, **detail: Any) -> None:
        """A step that has just ended."""
        self.stages.append(Stage(name, perf_counter() - started, decided, detail))
