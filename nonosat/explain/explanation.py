"""Explanation of a puzzle: all steps of a person's solution, its outcome and its difficulty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat.core.errors import counted
from nonosat.core.limits import watch_of
from nonosat.core.presenting import Data, Scene
from nonosat.core.result import Verdict
from nonosat.core.scope import run_limited
from nonosat.explain.data import contradiction_data, contradiction_in, legend_data
from nonosat.explain.explainers import explainer_of
from nonosat.explain.story import numbered, storyboard
from nonosat.questions.reply import Reply

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.core.plugins import Puzzle

NAMES = {
    0: "nothing to do",
    1: "very easy",
    2: "easy",
    3: "moderate",
    4: "tricky",
    5: "hard",
    6: "very hard",
    7: "extremely hard",
    8: "beyond reasoning",
}


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Reply):
    """Solution of a puzzle in a person's steps; the other fields are those of `Reply`.

        >>> found = nonosat.explain(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> found
        <Explanation: nonogram: 2 rows x 2 columns: unique, 3 steps>
        >>> nonosat.Explanation.from_data(found.to_data()) == found
        True

    Args:
        steps: The steps in order; fields other than `technique`, `settled` and `sentence` depend on
            the family.
        grid: The state at the end: a `Grid` of a nonogram, with UNKNOWN in open cells; `Edges` of a
            Slitherlink.
        verdict: `unique` if the steps end with the only solution, `multiple` and `unsolvable`
            if they cannot, `unknown` if a limit ended them. Unless it is `unique`,
            `reason` states why.
        contradiction: The contradictory clues of an unsolvable puzzle.
    """

    steps: tuple[Any, ...]
    grid: Any
    verdict: Verdict
    contradiction: Any = None

    def description(self) -> str:
        """Return the verdict and the number of steps."""
        return f"{self.verdict.value}, {counted(len(self.steps), 'step')}"

    def __str__(self) -> str:
        why = [] if self.contradiction is None else self.contradiction.report()
        return "\n".join([*numbered(self.steps), self._summary(), *why])

    def scene(self) -> Scene:
        """Return the board at the end with unknown cells marked, or the contradictory clues."""
        if self.contradiction is not None and self.contradiction.lines:
            clashing: Scene = self.contradiction.scene()
            return clashing
        unknown = self.grid.scene().marked
        return Scene(self.puzzle, self.grid, unknown, self.in_a_line())

    def story(self) -> Sequence[tuple[str, Scene]]:
        """Return the board after each step; or the clues of a contradiction, and its derivation."""
        if self.contradiction is not None and self.contradiction.lines:
            story: Sequence[tuple[str, Scene]] = self.contradiction.story()
            return story
        return storyboard(self.puzzle, self.steps)

    def found_data(self) -> Data:
        """Return the verdict, the difficulty, the board at the end, and the steps."""
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
        """Return constructor arguments from the data that `found_data` returned."""
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
    """Run `work`, which finds the steps, within the limits of a watch; return the explanation.

    Args:
        puzzle: The puzzle.
        steps: List to which the work appends its steps.
        state: Function that returns the state at the end.
        work: Function that finds the steps, and returns the verdict and its reason.
        watch: Limits of the work.
    """
    started, ending = perf_counter(), (Verdict.UNKNOWN, "")

    def run() -> None:
        nonlocal ending
        ending = work()

    limit = run_limited(watch, run)
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


def explain(
    puzzle: Any, *, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Explanation:
    """Solve a puzzle as a person would, step by step, the easiest step first.

        >>> found = nonosat.explain(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> [step.settled for step in found.steps]
        [((0, 0, 1), (0, 1, 1)), ((1, 1, 1),), ((1, 0, 0),)]
        >>> print(found.grid)
        ##
        .#

    `print(found)` prints a sentence for every step.

    Args:
        puzzle: A nonogram (the easier rules do not apply to lines in colours or with blocks of
            unknown length, only complete line reasoning); or a Slitherlink.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        The steps up to the solution, or as far as the clues or a limit allow; for an unsolvable
        nonogram also the contradictory clues.

    Raises:
        NotAPuzzleError: It is not a puzzle; the message names valid inputs.
        UnsupportedError: A puzzle of another family, or limits out of range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    watch = watch_of(time_limit_s, memory_limit_mib)
    explainer = explainer_of(puzzle)
    found: Explanation = explainer.explain(puzzle, watch)
    if found.verdict is not Verdict.UNSOLVABLE or explainer.contradiction is None:
        return found
    why = explainer.contradiction(puzzle, watch)
    return replace(found, contradiction=why, seconds=found.seconds + why.seconds)


# Ratings. The grade is the number of the hardest technique in its family's explainer; the tenths
# give the share of the cells (or edges) that techniques of that grade settle. So 4.2 is
# a nonogram that needs complete reasoning about single lines for more than a fifth of its cells,
# and 8.0 a puzzle that needs a guess for very few. Ratings are counted and never timed, so a puzzle
# always has the same one.


@dataclass(frozen=True, slots=True, repr=False)
class Rating(Reply):
    """Difficulty of a puzzle; `reason` states why there is none.

        >>> found = nonosat.rate(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> found
        <Rating: nonogram: 2 rows x 2 columns: difficulty 1.9 (very easy)>
        >>> nonosat.Rating.from_data(found.to_data()) == found
        True

    Args:
        verdict: Verdict of its explanation; only a unique puzzle has a difficulty.
        difficulty: Grade and tenths, from 1.0 to 8.9; 0.0 if every cell is given; None for a
            puzzle without a difficulty.
        name: Name of the grade; "" without one.
        steps: Number of steps of each technique.
        cells: Number of cells, or edges, that the steps of each technique decide.
    """

    verdict: Verdict
    difficulty: float | None
    name: str
    steps: Mapping[str, int]
    cells: Mapping[str, int]

    def description(self) -> str:
        """Return the difficulty in words, or that there is none."""
        if self.difficulty is None:
            return f"no difficulty, {self.verdict.value}"
        return f"difficulty {self.difficulty} ({self.name})"

    def found_data(self) -> Data:
        """Return the difficulty, and the numbers from which it is computed."""
        return {
            "verdict": self.verdict.value,
            "difficulty": self.difficulty,
            "name": self.name,
            "steps": dict(self.steps),
            "cells": dict(self.cells),
        } | legend_data(self.puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        names = ("difficulty", "name", "steps", "cells")
        return {"verdict": Verdict(data["verdict"])} | {name: data[name] for name in names}


def rating_of(found: Explanation) -> Rating:
    """Return the difficulty of an explanation."""
    grades = explainer_of(found.puzzle).grades
    steps = Counter(step.technique for step in found.steps)
    cells: Counter[str] = Counter()
    for step in found.steps:
        cells[step.technique] += len(step.settled)
    difficulty, name = None, ""
    if found.verdict is Verdict.UNIQUE:
        difficulty, name = _difficulty(cells, grades), _name(steps, grades)
    return Rating(
        found.puzzle,
        found.verdict,
        difficulty,
        name,
        _ordered(steps, grades),
        _ordered(cells, grades),
        reason=found.reason,
        seconds=found.seconds,
        limits=found.limits,
    )


def rate(
    puzzle: Any, *, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Rating:
    """Find a puzzle's difficulty; arguments and errors as for `explain`.

        >>> nonosat.rate(nonosat.nonogram([[2], [1]], [[1], [2]])).difficulty
        1.9

    Args:
        puzzle: A nonogram or a Slitherlink.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        Grade and tenths, or the reason why there is no difficulty: only a unique puzzle has one.

    Raises:
        NotAPuzzleError, UnsupportedError, BackendError: As for `explain`.
    """
    # Not by `explain`: a rating does not need the contradictory clues.
    watch = watch_of(time_limit_s, memory_limit_mib)
    return rating_of(explainer_of(puzzle, "ratings are").explain(puzzle, watch))


def _name(steps: Counter[str], grades: Mapping[str, int]) -> str:
    """Return the name of the hardest technique's grade."""
    return NAMES[max((grades[technique] for technique in steps), default=0)]


def _difficulty(cells: Counter[str], grades: Mapping[str, int]) -> float:
    """Return the difficulty: the hardest grade, and the tenths of the cells that it decides."""
    if not cells:
        return 0.0
    grade = max(grades[name] for name in cells)
    share = sum(count for name, count in cells.items() if grades[name] == grade) / cells.total()
    return round(grade + min(int(10 * share), 9) / 10, 1)


def _ordered(counts: Counter[str], grades: Mapping[str, int]) -> dict[str, int]:
    """Return the counts, easiest technique first, without those that were not needed."""
    return {name: counts[name] for name in grades if name in counts}
