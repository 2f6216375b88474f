"""A puzzle solved as a person would: all its steps, and what they end with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat.core.errors import counted
from nonosat.core.presenting import Data, Scene
from nonosat.core.result import Verdict
from nonosat.explain.data import contradiction_data, contradiction_in, legend_data
from nonosat.explain.explainers import explainer_of
from nonosat.explain.rating import rating_of
from nonosat.explain.story import numbered, storyboard
from nonosat.processes.guard import cut_by
from nonosat.questions.reply import Reply

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.core.plugins import Puzzle


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Reply):
    """A puzzle solved as a person would; the other fields are those of `Reply`.

        >>> found = nonosat.explain(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> found
        <Explanation: nonogram: 2 rows x 2 columns: unique, 3 steps>
        >>> nonosat.Explanation.from_data(found.to_data()) == found
        True

    Args:
        steps: In order; what they hold beside technique and sentence is the family's own.
        grid: What is known at the end: of a nonogram a `Grid`, UNKNOWN where it is not; of a
            Slitherlink its `Edges`.
        verdict: `unique` where the steps end with the one solution, `multiple` and `unsolvable`
            where they cannot, `unknown` where a limit ended them. Where it is not `unique`,
            `reason` says why.
        contradiction: Of an unsolvable puzzle, the clues that contradict each other.
    """

    steps: tuple[Any, ...]
    grid: Any
    verdict: Verdict
    contradiction: Any = None

    def told(self) -> str:
        """The verdict, and how many steps there are."""
        return f"{self.verdict.value}, {counted(len(self.steps), 'step')}"

    def __str__(self) -> str:
        why = [] if self.contradiction is None else self.contradiction.report()
        return "\n".join([*numbered(self.steps), self._brief(), *why])

    def scene(self) -> Scene:
        """The board at the end, with marks on unknown cells; of a contradiction its clues."""
        if self.contradiction is not None and self.contradiction.lines:
            clashing: Scene = self.contradiction.scene()
            return clashing
        unknown = self.grid.scene().marked
        return Scene(self.puzzle, self.grid, unknown, self.in_a_line())

    def story(self) -> Sequence[tuple[str, Scene]]:
        """The board after each step; of a contradiction its clues, and how they contradict."""
        if self.contradiction is not None and self.contradiction.lines:
            story: Sequence[tuple[str, Scene]] = self.contradiction.story()
            return story
        return storyboard(self.puzzle, self.steps)

    def found_data(self) -> Data:
        """The verdict, the difficulty, the board at the end, the steps."""
        explainer = explainer_of(self.puzzle)
        data: Data = {
            "verdict": self.verdict.value,
            "difficulty": rating_of(self).difficulty,
            "grid": explainer.state_data(self.puzzle, self.grid),
            "steps": [explainer.step_data(self.puzzle, step) for step in self.steps],
        }
        return data | contradiction_data(self.contradiction) | legend_data(self.puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """The fields of that data."""
        explainer = explainer_of(puzzle)
        return {
            "steps": tuple(explainer.step_of(puzzle, step) for step in data["steps"]),
            "grid": explainer.state_of(puzzle, data["grid"]),
            "verdict": Verdict(data["verdict"]),
            "contradiction": contradiction_in(data, puzzle),
        }


def explained(
    puzzle: Puzzle,
    steps: Sequence[Any],
    state: Callable[[], Any],
    work: Callable[[], tuple[Verdict, str]],
    watch: Watch,
) -> Explanation:
    """The explanation that work comes to within the limits of a watch.

    Args:
        puzzle: The puzzle.
        steps: Where the work puts its steps.
        state: What is known in the end.
        work: Finds the steps; gives the verdict and its reason.
        watch: Ends it.
    """
    started, ending = perf_counter(), (Verdict.UNKNOWN, "")

    def run() -> None:
        nonlocal ending
        ending = work()

    limit = cut_by(watch, run, guarded=False)
    verdict, reason = ending
    return Explanation(
        puzzle,
        tuple(steps),
        state(),
        verdict,
        reason=limit or reason,
        seconds=perf_counter() - started,
        limits=watch.limits,
    )
