"""The four logic rules alone, to their fixpoint, without guesses.

Source: document 003 (T. Lemoine), "Règles logiques".
"""

from __future__ import annotations

from collections.abc import Generator

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._grid import MOST_LENGTH, PlainBoard, without_guesses
from nonosat.study._lines import Meter, refusal
from nonosat.study._rules import RULES, apply_rules

LARGEST = f"{MOST_LENGTH} cells a line"


def limit(puzzle: Nonogram) -> str | None:
    """Return a message if the puzzle's lines are too long, else None."""
    if reason := refusal(puzzle):
        return reason
    if (longest := max(puzzle.height, puzzle.width)) <= MOST_LENGTH:
        return None
    rounds = puzzle.height + puzzle.width + puzzle.height * puzzle.width
    return f"up to {rounds:,} lines of {longest} cells in turn, expected at most {LARGEST}"


def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
    """Yield the solution, if the rules find it."""
    del seed
    board, meter, counts = PlainBoard(puzzle), Meter(watch), dict[str, int]()

    def holds() -> bool:
        settled = apply_rules(board, RULES, meter)
        counts.update(settled or {})
        return settled is not None

    return (yield from without_guesses(holds, board, meter, lambda: counts))


PLUGIN = Study(
    family="nonogram",
    summary="the four logic rules alone; undetermined if they stop early",
    source="document 003, règles logiques, corrected",
    largest=LARGEST,
    limit=limit,
    solve=solve,
)
