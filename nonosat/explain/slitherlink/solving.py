"""Explanation of a Slitherlink from its first step to its verdict; grading by techniques."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.core.errors import counted
from nonosat.core.grid import UNKNOWN
from nonosat.core.result import Verdict
from nonosat.explain.explanation import Explanation, explained
from nonosat.explain.slitherlink.data import Following
from nonosat.explain.slitherlink.knowledge import Impossible
from nonosat.explain.slitherlink.solver import Solver
from nonosat.explain.slitherlink.step import GRADES, Step
from nonosat.puzzles import slitherlink
from nonosat.puzzles.slitherlink.rules import OPEN

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.slitherlink import Slitherlink
    from nonosat.puzzles.slitherlink.edges import Edges


def explained_within(puzzle: Slitherlink, watch: Watch) -> Explanation:
    """Return the explanation of a puzzle, as far as the limits of a watch allow."""
    steps: list[Step] = []
    followed = Following(puzzle)

    def work() -> tuple[Verdict, str]:
        solver = Solver(puzzle, watch)
        try:
            for step in solver.steps():
                steps.append(step)
                followed.learn(step)
            return _ending(puzzle, followed.state())
        except Impossible as error:
            return Verdict.UNSOLVABLE, str(error)
        finally:
            solver.guesser.close()

    return explained(puzzle, steps, followed.state, work, watch)


def _ending(puzzle: Slitherlink, state: Edges) -> tuple[Verdict, str]:
    """Return the verdict on a puzzle after its last step, and its reason."""
    if num_open := state.values.count(UNKNOWN):
        edges = counted(num_open, "open edge")
        return Verdict.MULTIPLE, f"there are solutions that differ in the {edges}"
    if mistake := slitherlink.refutation(puzzle, state.path()):
        return Verdict.UNSOLVABLE, f"only one path is possible, and it is wrong: {mistake}"
    return Verdict.UNIQUE, ""


def grade_within(puzzle: Slitherlink, watch: Watch, hardest: int) -> int | None:
    """Return the grade of a puzzle with one solution, as by `rate`; None if it is harder.

    Args:
        puzzle: A puzzle with one solution.
        watch: Limits of the work; LimitReached is raised at a limit.
        hardest: Hardest grade that is tried; at most 7, so that nothing is guessed.
    """
    solver = Solver(puzzle, watch, hardest=hardest)
    grade = max((GRADES[step.technique] for step in solver.steps()), default=0)
    return None if OPEN in solver.known.states else grade
