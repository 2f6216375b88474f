"""All solutions of a small puzzle, by brute force: the last word where solvers disagree.

Nothing of the model, the encodings, the engines or a family's own methods takes part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nonosat.grid import Grid
from nonosat.plugins import Puzzle
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.testing import oracles

MOST_CELLS = 64  # of a nonogram; the oracle follows the lines, so that most of these take no time


def every_solution(puzzle: Puzzle) -> Iterator[Any] | None:
    """All solutions, as they are found; None where there is no way to find them."""
    if isinstance(puzzle, Nonogram) and puzzle.height * puzzle.width <= MOST_CELLS:
        return _pictures(puzzle)
    return None


def _pictures(puzzle: Nonogram) -> Iterator[Grid]:
    for cells in oracles.solutions(puzzle):
        yield Grid(puzzle.height, puzzle.width, cells)
