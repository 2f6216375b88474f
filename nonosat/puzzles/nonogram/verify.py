"""Does a picture satisfy the clues? Shares no code with the model, encodings or native core.

It reads each line of the picture with a regular expression built from nothing but the picture's
bytes: maximal runs of one colour, which must be the clue's blocks one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nonosat.errors import rows_by_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nonosat.grid import Grid
    from nonosat.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram

_RUN = re.compile(rb"([^\0])\1*", re.DOTALL)
_SHOWN = 8  # runs and blocks listed by a message


def _mistake(clue: Clue, cells: bytes) -> str | None:
    runs = [(len(run[0]), run[0][0]) for run in _RUN.finditer(cells)]
    agree = [
        colour == block.colour and block.length in (None, length)
        for (length, colour), block in zip(runs, clue, strict=False)
    ]
    if len(runs) == len(clue) and all(agree):
        return None
    first = agree.index(False) if False in agree else len(agree)
    return f"has the runs {_from(first, runs)}, its clue is {_from(first, clue)}"


def _from(first: int, parts: Sequence[tuple[int | None, int]]) -> str:
    """Pairs (length, colour) as a list; of a long one those about the first that differs."""
    if len(parts) <= _SHOWN:
        return str([tuple(part) for part in parts])
    start = max(0, first - 1)
    shown = [str(tuple(part)) for part in parts[start : start + _SHOWN]]
    before = [f"({start} before)"] * (start > 0)
    after = len(parts) - start - len(shown)
    return f"[{', '.join([*before, *shown, *[f'({after} after)'] * (after > 0)])}]"


def refutation(puzzle: Nonogram, grid: Grid) -> str | None:
    """Why `grid` is not a solution of `puzzle`, or None when it is one."""
    if (grid.height, grid.width) != (puzzle.height, puzzle.width):
        return (
            f"the picture is {rows_by_columns(grid.height, grid.width)}, "
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
