"""Does a picture satisfy the clues? Shares no code with the model, encodings or native core.

It reads each line of the picture with a regular expression built from nothing but the picture's
bytes: maximal runs of one colour, which must be the clue's blocks one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.grid import Grid
    from nonosat.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram

_RUN = re.compile(rb"([^\0])\1*", re.DOTALL)


def _mistake(clue: Clue, cells: bytes) -> str | None:
    runs = [(len(run[0]), run[0][0]) for run in _RUN.finditer(cells)]
    fits = len(runs) == len(clue) and all(
        colour == block.colour and block.length in (None, length)
        for (length, colour), block in zip(runs, clue, strict=True)
    )
    return None if fits else f"has the runs {runs}, its clue is {[tuple(block) for block in clue]}"


def refutation(puzzle: Nonogram, grid: Grid) -> str | None:
    """Why `grid` is not a solution of `puzzle`, or None when it is one."""
    if (grid.height, grid.width) != (puzzle.height, puzzle.width):
        return (
            f"the picture is {grid.height} rows x {grid.width} columns, "
            f"the puzzle {puzzle.height} x {puzzle.width}"
        )
    for row, column, colour in puzzle.given:
        if grid[row, column] != colour:
            return f"cell ({row}, {column}) is {grid[row, column]}, given is {colour}"
    for index, clue in enumerate(puzzle.rows):
        if mistake := _mistake(clue, grid.row(index)):
            return f"row {index} {mistake}"
    for index, clue in enumerate(puzzle.columns):
        if mistake := _mistake(clue, grid.column(index)):
            return f"column {index} {mistake}"
    return None
