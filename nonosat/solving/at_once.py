"""Small puzzles that a look of some microseconds decides, without a pipeline around it.

What the pipeline takes for such a puzzle is nearly all bookkeeping: 60 microseconds for a 5x5 that
its lines decide in 3. Invariant: a result is the one that the pipeline would come to, its solution
verified in the same way; whatever is not usual, and whatever takes longer, is left to the pipeline.
"""

from __future__ import annotations

from time import perf_counter

from nonosat.core import seams
from nonosat.core.plugins import Family, Puzzle
from nonosat.core.result import Options, Result, Stage, Verdict

LEAST_S = 0.01  # of a time limit that needs no guard here


def decided(puzzle: Puzzle, family: Family, options: Options, started: float) -> Result | None:
    """The result for a puzzle that propagation decides at once; None for all others.

    Args:
        puzzle: The puzzle.
        family: Its family.
        options: How to solve it.
        started: When that began, by `perf_counter`.
    """
    if family.at_once is None or not _is_usual(options):
        return None
    seams.doing("propagate and probe")
    solution = family.at_once(puzzle)
    if solution is None or family.refutation(puzzle, solution):
        return None  # the pipeline says who gave a wrong answer
    if (goal := family.goal(puzzle)) is not None and goal != solution:
        return None
    seconds = perf_counter() - started
    size = puzzle.height * puzzle.width
    return Result(
        puzzle,
        Verdict.SOLVED if options.max_solutions == 1 else Verdict.UNIQUE,
        (solution,),
        "",
        seconds,
        (Stage("propagate", seconds, size),),
        "propagate",
        options=options,
    )


def _is_usual(options: Options) -> bool:
    """Whether nothing is asked for that would have to be refused, used or held to a tight limit."""
    return (
        options.backend == "auto"
        and options.presolve != "none"
        and options.hints == "auto"
        and options.cubes is None
        and options.memory_limit_mib is None
        and not (options.encoding or options.formulation or options.redundant)
        and (options.time_limit_s is None or options.time_limit_s >= LEAST_S)
    )
