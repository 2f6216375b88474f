"""Cells that a repair leaves as they are."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

from nonosat.core.errors import PuzzleError, UnsupportedError, rows_by_columns, shown
from nonosat.core.plugins import Puzzle
from nonosat.core.wording import cell_text
from nonosat.generate.mending.result import Place


def kept_cells(puzzle: Puzzle, places: Iterable[Place]) -> set[int]:
    """The numbers of cells (row, column) of a puzzle.

    Raises:
        UnsupportedError: They are no cells.
        PuzzleError: One is outside.
    """
    height, width = puzzle.height, puzzle.width
    if isinstance(places, str) or not isinstance(places, Iterable):
        raise UnsupportedError(f"keep is {shown(places)}, expected cells (row, column)")
    kept = set()
    for place in places:
        try:
            row, column = map(index, place)
        except (TypeError, ValueError):
            told = f"keep holds {shown(place)}, expected cells (row, column)"
            raise UnsupportedError(told) from None
        if not (0 <= row < height and 0 <= column < width):
            raise PuzzleError(
                f"the kept cell in {cell_text(row, column)} is outside the board of "
                f"{rows_by_columns(height, width)}"
            )
        kept.add(row * width + column)
    return kept
