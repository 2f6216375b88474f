"""A puzzle solved as a person would: all its steps, and what they end with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nonosat.errors import counted
from nonosat.explain.contradictions import Contradiction, why_data, why_in
from nonosat.explain.data import legend_data, rows_data, step_data, steps_of
from nonosat.explain.rating import rating_of
from nonosat.explain.step import Step, numbered
from nonosat.explain.story import storyboard
from nonosat.grid import Grid
from nonosat.presenting import Data, Scene
from nonosat.questions.reply import Reply
from nonosat.result import Verdict


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Reply):
    """A puzzle solved as a person would; the other fields are those of `Reply`.

        >>> found = nonosat.explain(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> found
        <Explanation: nonogram: 2 rows x 2 columns: unique, 3 steps>
        >>> nonosat.Explanation.from_data(found.to_data()) == found
        True

    Args:
        steps: In order.
        grid: What is known at the end; UNKNOWN where it is not.
        verdict: `unique` where the steps end with the one solution, `multiple` and `unsolvable`
            where they cannot, `unknown` where a limit ended them. Where it is not `unique`,
            `reason` says why.
        contradiction: Of an unsolvable puzzle, the clues that contradict each other.
    """

    steps: tuple[Step, ...]
    grid: Grid
    verdict: Verdict
    contradiction: Contradiction | None = None

    def told(self) -> str:
        """The verdict, and how many steps there are."""
        return f"{self.verdict.value}, {counted(len(self.steps), 'step')}"

    def __str__(self) -> str:
        why = [] if self.contradiction is None else self.contradiction.report()
        return "\n".join([*numbered(self.steps), self._brief(), *why])

    def scene(self) -> Scene:
        """The board at the end, with marks on unknown cells; of a contradiction its clues."""
        if self.contradiction is not None and self.contradiction.lines:
            return self.contradiction.scene()
        unknown = self.grid.scene().marked
        return Scene(self.puzzle, self.grid, unknown, self.in_a_line())

    def story(self) -> Sequence[tuple[str, Scene]]:
        """The board after each step; of a contradiction its clues, and how they contradict."""
        if self.contradiction is not None and self.contradiction.lines:
            return self.contradiction.story()
        return storyboard(self.puzzle, self.steps)

    def found_data(self) -> Data:
        """The verdict, the difficulty, the board at the end, the steps."""
        data: Data = {
            "verdict": self.verdict.value,
            "difficulty": rating_of(self).difficulty,
            "grid": rows_data(self.puzzle, self.grid.cells),
            "steps": [step_data(self.puzzle, step) for step in self.steps],
        }
        return data | why_data(self.contradiction) | legend_data(self.puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """The fields of that data."""
        return {
            "steps": steps_of(puzzle, data["steps"]),
            "grid": Grid.of_rows(data["grid"], puzzle.symbols),
            "verdict": Verdict(data["verdict"]),
            "contradiction": why_in(data, puzzle),
        }
