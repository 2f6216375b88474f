"""Other solutions close to a known one: images under symmetries of the clues, and 2x2 switches.

A switch exchanges two corners of a rectangle in one colour with two empty ones; this is the
commonest ambiguity of drawn puzzles (native/strategy/neighbours.hpp).
"""

from __future__ import annotations

from collections.abc import Iterator

from nonosat import _core
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram.data import Nonogram

_FIRST = 16  # number in the first batch


def neighbours(puzzle: Nonogram, grid: Grid) -> Iterator[Grid]:
    """Yield solutions other than `grid`, in growing batches, since few callers need all.

    They satisfy the clues; values of given cells are not verified.
    """
    board = _core.Board(len(puzzle.colours), puzzle.rows, puzzle.columns)
    most, given = _FIRST, 0
    while True:
        found = _core.neighbours(board, grid.cells, most)
        for cells in found[given:]:
            yield Grid(grid.height, grid.width, cells)
        if len(found) < most:
            return
        most, given = 16 * most, most
