"""What is recorded of a run with an answer: verdict, number, verified solutions."""

from __future__ import annotations

from time import monotonic
from typing import Any

from nonosat.core import families
from nonosat.core.errors import RefutedError
from nonosat.core.grid import Grid
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Verdict

SKIPPED = "skipped: "  # begins the reason of a run that would have been too large
KEPT = 2  # solutions that are recorded
MAX_COUNT = 10**4000  # Python reads numbers of up to 4300 digits
Outcome = dict[str, Any]


def recorded(count: int | None) -> int | None:
    """A count for the record; None where it has more digits than readers of JSON take."""
    return None if count is None or count >= MAX_COUNT else count


def verdict_of(num_solutions: int) -> Verdict:
    """The verdict that the number of solutions means; 2 may stand for more."""
    return (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(num_solutions, 2)]


def verified(puzzle: Puzzle, grids: list[Grid]) -> Outcome:
    """Check solutions against the clues once more, and return them as they are recorded.

    Raises:
        RefutedError: A solution breaks a clue, or two solutions are the same.
    """
    started = monotonic()
    refutation = families.family_of(puzzle).refutation
    for grid in grids:
        if mistake := refutation(puzzle, grid):
            raise RefutedError(f"a picture that the clues refute: {mistake}")
    if len(set(grids)) < len(grids):
        raise RefutedError("the same solution twice")
    seconds = monotonic() - started
    return {"check_s": seconds, "solutions": [str(grid).split("\n") for grid in grids]}
