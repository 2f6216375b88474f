"""Explanation of a nonogram from its first step to its verdict; grading by techniques."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import left_of
from nonosat.core.result import Verdict
from nonosat.explain.explanation import Explanation, explained
from nonosat.explain.nonogram.knowledge import Impossible
from nonosat.explain.nonogram.solver import Solver
from nonosat.explain.nonogram.step import GRADES, Step
from nonosat.puzzles import nonogram
from nonosat.solving import pipeline

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram


def explained_within(puzzle: Nonogram, watch: Watch) -> Explanation:
    """Return the explanation of a puzzle, as far as the limits of a watch allow."""
    steps: list[Step] = []
    solver = Solver(puzzle, watch)

    def work() -> tuple[Verdict, str]:
        try:
            if problem := nonogram.obstacle(puzzle):
                return Verdict.UNSOLVABLE, problem
            steps.extend(solver.steps())
            return _ending(puzzle, solver, steps, watch)
        except Impossible as error:
            return Verdict.UNSOLVABLE, str(error)
        finally:
            solver.guesser.close()

    def state() -> Grid:
        return Grid(puzzle.height, puzzle.width, bytes(solver.known.cells))

    return explained(puzzle, steps, state, work, watch)


FURTHER = 50  # approximate time of a step with assumptions, in steps in one line


class Graded(NamedTuple):
    """Result of solving a puzzle with the techniques up to a grade.

    Args:
        grade: Grade of the puzzle; None if these techniques do not solve it. If techniques up to
            grade 7 are allowed, a grade below 7 may differ from that of `rate`.
        left: Numbers of the cells that need harder techniques, row-major.
        effort: Amount of work: 1 for a step in one line, more for any other step.
    """

    grade: int | None
    left: list[int]
    effort: int


def graded_within(puzzle: Nonogram, watch: Watch, hardest: int) -> Graded:
    """Return the grade of a puzzle with a solution, if it is at most `hardest`; faster than `rate`.

    Args:
        puzzle: A puzzle with a solution.
        watch: Limits of the work; LimitReached is raised at a limit.
        hardest: Hardest grade that is tried; at most 7, so that nothing is guessed.
    """
    solver = Solver(puzzle, watch, hardest=hardest, is_brief=hardest == GRADES["prices"])
    grade = effort = 0
    beyond = set[int]()
    for step in solver.steps():
        its = GRADES[step.technique]
        grade, effort = max(grade, its), effort + 1
        if its > GRADES["complete line"]:
            effort += FURTHER + solver.known.cells.count(UNKNOWN)
        if grade > hardest:
            beyond = {row * puzzle.width + column for row, column, _ in step.settled}
            break
    cells = solver.known.cells
    left = [at for at, value in enumerate(cells) if value == UNKNOWN or at in beyond]
    is_beyond = grade > hardest or UNKNOWN in cells
    return Graded(None if is_beyond else grade, left, effort)


def _ending(
    puzzle: Nonogram, solver: Solver, steps: list[Step], watch: Watch
) -> tuple[Verdict, str]:
    """Return the verdict on a puzzle after its last step, and its reason."""
    if num_open := solver.known.cells.count(UNKNOWN):
        return Verdict.MULTIPLE, f"there are solutions that differ in the {num_open} open cells"
    if all(step.is_proven for step in steps):
        return Verdict.UNIQUE, ""
    result = pipeline.check(puzzle, **left_of(watch))
    if result.verdict is Verdict.MULTIPLE:
        return result.verdict, f"there are solutions that differ in {len(result.disputed)} cells"
    return result.verdict, result.reason
