"""Grids from Python values: text, rows of characters or numbers, arrays of two dimensions.

Linear in the cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nonosat.errors import NotAPuzzleError, PuzzleError, counted, shown
from nonosat.grid import STATE_SYMBOLS, UNKNOWN, Grid
from nonosat.puzzles.nonogram.data import Nonogram

_EMPTY = dict.fromkeys("._-0 ", 0)
_FILLED = dict.fromkeys("#1█■", 1)
_EXPECTED = "expected a Grid, rows of text such as '.#?', or lists of numbers (None: unknown)"


def is_rows(value: object) -> bool:
    """Return whether a value is a list or an array, which `grid_of` reads."""
    return isinstance(value, list | tuple) or hasattr(value, "__array__")


def grid_of(value: Any, puzzle: Nonogram | None = None, *, name: str, has_unknown: bool) -> Grid:
    """Return the grid that a value from outside stands for.

    Args:
        value: A `Grid`; text, a line a row; a list of rows, which are text or lists of numbers and
            characters; or an array. "?", None and `UNKNOWN` are unknown cells.
        puzzle: The puzzle of the grid, whose size and colours are checked and whose symbols are
            read; None if there is none.
        name: The name of the value in messages.
        has_unknown: Cells may be unknown.

    Raises:
        NotAPuzzleError: The value is of another type; the message states what to write.
        PuzzleError: A row or a cell is none, or the grid does not fit the puzzle.
    """
    grid = value if isinstance(value, Grid) else _of_rows(value, _values(puzzle), name)
    if puzzle is not None:
        puzzle.check_picture(name, grid, has_unknown=has_unknown)
    elif not has_unknown and UNKNOWN in grid.cells:
        raise PuzzleError(f"{name} has unknown cells, expected all cells decided")
    return grid


def _values(puzzle: Nonogram | None) -> dict[str, int]:
    """Return the values of characters: those of the puzzle, else those that a grid prints."""
    if puzzle is None:
        signs = {sign: value for value, sign in enumerate(STATE_SYMBOLS[:UNKNOWN])}
        return {**signs, **_EMPTY, **_FILLED}
    own = {sign: value for value, sign in enumerate(puzzle.symbols)}
    return {**_EMPTY, **(_FILLED if len(puzzle.colours) == 1 else {}), **own}


def _of_rows(value: Any, values: Mapping[str, int], name: str) -> Grid:
    rows = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(rows, str):
        rows = [line.strip() for line in rows.strip().split("\n")]
    if not isinstance(rows, list | tuple):
        raise NotAPuzzleError(f"{name} is {shown(value)}, {_EXPECTED}{_instead(value)}")
    if not rows or any(not isinstance(row, str | list | tuple) or not row for row in rows):
        raise PuzzleError(f"{name} is {shown(value)}, {_EXPECTED}")
    width = len(rows[0])
    for at, row in enumerate(rows, start=1):
        if len(row) != width:
            found = f"row {at} of {name} has {counted(len(row), 'cell')}, the first row {width}"
            raise PuzzleError(f"{found}; expected rows of one length")
    cells = (_cell(cell, values, at, name) for at, row in enumerate(rows, 1) for cell in row)
    return Grid(len(rows), width, bytes(cells))


def _cell(cell: Any, values: Mapping[str, int], row: int, name: str) -> int:
    """Return the value of a cell."""
    if cell is None or cell == "?":
        return UNKNOWN
    if isinstance(cell, str) and cell in values:
        return values[cell]
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if hasattr(cell, "__index__") and 0 <= cell <= UNKNOWN:  # an int of Python or of NumPy
        return int(cell)
    known = " ".join(sign for sign in values if sign != " ")
    signs = known if len(known) < 40 else f"{known[:20]} ..."
    raise PuzzleError(
        f"row {row} of {name} has the cell {shown(cell)}, expected 0 for empty, 1, 2, ... for "
        f"colours, None for unknown, or one of {signs} ?"
    )


def _instead(value: object) -> str:
    """Return what to write for a result or a puzzle in place of a picture."""
    if hasattr(value, "solution"):
        return "; the picture of a result is its `solution`"
    if isinstance(value, Nonogram):
        return "; the picture of a puzzle is its `goal`"
    return ""
