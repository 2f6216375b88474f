"""What is recorded of a run that came to an answer: verdict, number, verified solutions."""

from __future__ import annotations

from time import monotonic
from typing import Any

from nonosat import families
from nonosat.errors import RefutedError
from nonosat.grid import Grid
from nonosat.plugins import Puzzle
from nonosat.result import Verdict

KEPT = 2  # solutions that are recorded
MAX_COUNT = 10**4000  # Python reads numbers of up to 4300 digits
Outcome = dict[str, Any]


def recorded(count: int | None) -> int | None:
    """A count as it is recorded: none that readers of JSON could not read, by its length."""
    return None if count is None or count >= MAX_COUNT else count


def verdict_of(num_solutions: int) -> Verdict:
    """What the number of all solutions, or two of more, says of a puzzle."""
    return (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(num_solutions, 2)]


def verified(puzzle: Puzzle, grids: list[Grid]) -> Outcome:
    """Solutions as they are recorded, after they have been held against the clues once more.

    Raises:
        RefutedError: One is none, or two are the same.
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
