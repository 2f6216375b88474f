"""A whole explanation: the steps of a puzzle, and what they end with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nonosat.core.result import Verdict
from nonosat.explain.explainers import explainer_of
from nonosat.explain.explanation import Explanation
from nonosat.explain.rating import Rating, rating_of
from nonosat.processes.guard import watch_of


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

    `print(found)` tells every step in a sentence.

    Args:
        puzzle: A nonogram, of which lines in colours or with blocks of unknown length are argued
            about completely, without the easier rules; or a Slitherlink.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        The steps up to the solution, or as far as the clues, or a limit, let them go; of an
        unsolvable nonogram also the clues that contradict each other.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
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
        Grade and tenths, or why there is no difficulty: only a unique puzzle has one.

    Raises:
        NotAPuzzleError, UnsupportedError, BackendError: As for `explain`.
    """
    # Not by `explain`: a rating has no use for the clues that contradict each other.
    watch = watch_of(time_limit_s, memory_limit_mib)
    return rating_of(explainer_of(puzzle, "ratings are").explain(puzzle, watch))
