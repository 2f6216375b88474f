"""Passes and guesses whose lines are painted by the optimum, trials with a memory of failures.

Source: document 000 (Viblo article), "Phương pháp tối ưu".
"""

from __future__ import annotations

from collections.abc import Generator

from nonosat.grid import Grid
from nonosat.limits import Watch
from nonosat.plugins import Ending
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._grid import BEARABLE, by_index, solve_by, too_many_steps
from nonosat.study._painting import by_memory
from nonosat.study._recursion import remembered_nodes

FAMILY = "nonogram"
SUMMARY = "passes and guesses; every cell of a line is tried both ways with a memory of failures"
SOURCE = "document 000, the optimum, corrected"
LARGEST = BEARABLE


def limit(puzzle: Nonogram) -> str | None:
    """Why one pass over its lines would take too long, or None."""
    return too_many_steps(puzzle, remembered_nodes)


def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
    """All solutions."""
    del seed
    return (yield from solve_by(by_memory, by_index, puzzle, watch))
