"""Recorded parts of a run with an answer: verdict, number, verified solutions."""

from __future__ import annotations

from time import monotonic
from typing import Any

from nonosat.core import families
from nonosat.core.errors import RefutedError
from nonosat.core.grid import Grid
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Verdict

SKIPPED = "skipped: "  # prefix of the reason of a run that was skipped for its size
KEPT = 2  # maximum number of recorded solutions
MAX_COUNT = 10**4000  # Python reads numbers of up to 4300 digits
Outcome = dict[str, Any]


def recorded(count: int | None) -> int | None:
    """Return a count for the record; None if it has more digits than readers of JSON accept."""
    return None if count is None or count >= MAX_COUNT else count


def verdict_of(num_solutions: int) -> Verdict:
    """Return the verdict for a number of solutions; 2 may stand for more."""
    return (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(num_solutions, 2)]


def verified(puzzle: Puzzle, grids: list[Grid]) -> Outcome:
    """Verify solutions against the clues again, and return them in recorded form.

    Raises:
        RefutedError: A solution violates a clue, or two solutions are the same.
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
