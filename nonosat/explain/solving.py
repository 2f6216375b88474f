"""A whole explanation: the steps of a puzzle, and what they end with."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from nonosat import families
from nonosat.errors import LimitReached
from nonosat.explain.guessing import left_of
from nonosat.explain.knowledge import Contradiction
from nonosat.explain.solver import Solver
from nonosat.explain.step import Explanation, Step
from nonosat.grid import UNKNOWN, Grid
from nonosat.limits import Limits, Watch
from nonosat.puzzles import nonogram
from nonosat.result import Options, Verdict
from nonosat.solving import pipeline

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram


def watch_of(time_limit_s: float | None, memory_limit_mib: int | None) -> Watch:
    """A clock with these limits, checked as those of every command are."""
    options = Options(time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    return Watch(Limits(options.time_limit_s, options.memory_limit_mib))


def explain(
    puzzle: Nonogram, *, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Explanation:
    """Solve a puzzle as a person would, step by step, the easiest line first.

    Args:
        puzzle: A nonogram; lines in colours or with blocks of unknown length are argued about
            completely, without the easier rules.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        The steps up to the solution, or as far as the clues, or a limit, let them go.

    Raises:
        UnsupportedError: A puzzle of another family, or limits out of range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    families.require(puzzle, "nonogram", "explanations are")
    watch = watch_of(time_limit_s, memory_limit_mib)
    started = perf_counter()
    steps: list[Step] = []
    solver = Solver(puzzle, watch)
    verdict, reason = Verdict.UNKNOWN, ""
    try:
        if problem := nonogram.obstacle(puzzle):
            raise Contradiction(problem)
        steps.extend(solver.steps())
        verdict, reason = _ending(puzzle, solver, steps, watch)
    except Contradiction as error:
        verdict, reason = Verdict.UNSOLVABLE, str(error)
    except (LimitReached, MemoryError) as error:
        reason = str(error) or watch.reason() or "out of memory"
    finally:
        solver.guesser.close()
    grid = Grid(puzzle.height, puzzle.width, bytes(solver.known.cells))
    seconds = perf_counter() - started
    return Explanation(puzzle, tuple(steps), grid, verdict, reason, seconds, watch.limits)


def _ending(
    puzzle: Nonogram, solver: Solver, steps: list[Step], watch: Watch
) -> tuple[Verdict, str]:
    """The verdict on a puzzle whose steps are at their end, and its reason."""
    if num_open := solver.known.cells.count(UNKNOWN):
        return Verdict.MULTIPLE, f"there are solutions that differ in the {num_open} open cells"
    if all(step.is_proven for step in steps):
        return Verdict.UNIQUE, ""
    result = pipeline.check(puzzle, **left_of(watch))
    if result.verdict is Verdict.MULTIPLE:
        return result.verdict, f"there are solutions that differ in {len(result.disputed)} cells"
    return result.verdict, result.reason
