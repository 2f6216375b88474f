"""Grids from Python values: text, rows of characters or numbers, arrays of two dimensions.

Linear in the cells.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from nonosat.core.errors import NotAPuzzleError, PuzzleError, counted, shown
from nonosat.core.grid import STATE_SYMBOLS, UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.puzzles.nonogram.data import Nonogram

EMPTY = ". _-0\u2591\u25a1\u2b1c\u00b7"  # the last ones: light shade, white squares, middle dot
_EMPTY = dict.fromkeys(EMPTY, 0)
_FILLED = dict.fromkeys("#1█■", 1)
_EXPECTED = "expected a Grid, rows of text such as '.#?', or lists of numbers (None: unknown)"


def is_rows(value: object) -> bool:
    """Return True if a value is a list or an array, which `grid_of` reads."""
    return isinstance(value, list | tuple) or hasattr(value, "__array__")


def grid_of(value: object, puzzle: Nonogram | None = None, *, name: str, has_unknown: bool) -> Grid:
    """Return the grid that an external value represents.

    Args:
        value: A `Grid`; text, a line a row; a list of rows, which are text or lists of numbers and
            characters; or an array. "?", None and `UNKNOWN` are unknown cells.
        puzzle: The puzzle of the grid, whose size and colours are checked and whose symbols are
            read; None if there is none.
        name: The name of the value in messages.
        has_unknown: Cells may be unknown.

    Raises:
        NotAPuzzleError: The value is of another type; the message states what to write.
        PuzzleError: A row or a cell has no valid form, or the grid does not fit the puzzle.
    """
    size = None if puzzle is None else (puzzle.height, puzzle.width)
    if isinstance(value, Grid):
        grid = value
    else:
        grid = read_grid(value, _values(puzzle), name=name, size=size)
    if puzzle is not None:
        puzzle.check_picture(name, grid, has_unknown=has_unknown)
    elif not has_unknown:
        check_decided(grid, name)
    return grid


def check_decided(grid: Grid, name: str) -> None:
    """Raise a PuzzleError if a cell is unknown."""
    if UNKNOWN in grid.cells:
        raise PuzzleError(f"{name} has unknown cells, expected all cells decided")


def _values(puzzle: Nonogram | None) -> dict[str, int]:
    """Return the cell value of each character: by the puzzle's symbols, else by those of `Grid`."""
    if puzzle is None:
        signs = {sign: value for value, sign in enumerate(STATE_SYMBOLS[:UNKNOWN])}
        return {**signs, **_EMPTY, **_FILLED}
    own = {sign: value for value, sign in enumerate(puzzle.symbols)}
    return {**_EMPTY, **(_FILLED if len(puzzle.colours) == 1 else {}), **own}


def text_rows(value: object, size: tuple[int, int] | None = None) -> list[str] | None:
    """Return the rows of a text or of a list of texts; None for anything else.

    Blanks around the rows are removed as layout if empty cells have another sign; else they are
    empty cells. In a text that has only blanks, lines at both ends that are shorter than a row are
    removed, too.

    Args:
        value: A text, a line a row; a list of such lines; or another value.
        size: Rows and columns, if they are known: blanks beyond these are removed.
    """
    if isinstance(value, str):
        lines = value.split("\n")
    elif isinstance(value, list | tuple) and all(isinstance(row, str) for row in value):
        lines = [*value]
    else:
        return None
    if any(sign in line for line in lines for sign in EMPTY if sign != " "):
        return _trimmed([line.strip() for line in lines], 0, 1)
    filled = [line for line in lines if line.strip()]
    height, width = size or (0, max(map(len, filled), default=0))
    lines = _trimmed(lines, height, 1)
    if isinstance(value, str):
        lines = _trimmed(lines, height, width if size is None and filled else sys.maxsize)
    margins = [len(line) - len(line.lstrip()) for line in filled]
    widest = max((len(line.rstrip()) for line in filled), default=0)
    spare = max(0, min([*margins, widest - width]))
    if any(" " in line or not line for line in lines):
        lines = [line[spare:].rstrip().ljust(width or len(line)) for line in lines]
    return lines


def _trimmed(lines: list[str], height: int, shortest: int) -> list[str]:
    """Remove blank lines shorter than `shortest` at both ends, but keep `height` lines."""
    start, stop = 0, len(lines)
    while stop - start > height and not lines[stop - 1].strip() and len(lines[stop - 1]) < shortest:
        stop -= 1
    while stop - start > height and not lines[start].strip() and len(lines[start]) < shortest:
        start += 1
    return lines[start:stop]


def read_grid(
    value: Any, values: Mapping[str, int], *, name: str, size: tuple[int, int] | None = None
) -> Grid:
    """Return the grid of rows of text, of lists or of an array.

    Args:
        value: The rows.
        values: The values of characters; "?" and None are unknown.
        name: The name of the value in messages.
        size: Rows and columns, if they are known.

    Raises:
        NotAPuzzleError: The value is of another type; the message states what to write.
        PuzzleError: A row or a cell has no valid form, or rows differ in length.
    """
    rows = text_rows(value, size)
    if rows is None:
        rows = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(rows, Mapping) or not isinstance(rows, Iterable) or _instead(value):
        raise NotAPuzzleError(f"{name} is {shown(value)}, {_EXPECTED}{_instead(value)}")
    if not (found := [_row(row, values, at, name) for at, row in enumerate(polled(rows), start=1)]):
        raise PuzzleError(f"{name} is empty, expected rows of cells")
    width = len(found[0])
    for at, row in enumerate(found, start=1):
        if len(row) != width:
            what = f"row {at} of {name} has {counted(len(row), 'cell')}, the first row {width}"
            raise PuzzleError(f"{what}; expected rows of one length")
    return Grid(len(found), width, b"".join(found))


def _row(row: Any, values: Mapping[str, int], at: int, name: str) -> bytes:
    """Return the values of the cells of a row."""
    is_row = isinstance(row, Iterable) and not isinstance(row, Mapping)
    if not is_row or not (cells := [*row]):
        raise PuzzleError(f"row {at} of {name} is {shown(row)}, expected a list of cells")
    return bytes(_cell(cell, values, at, name) for cell in polled(cells))


def _cell(cell: Any, values: Mapping[str, int], row: int, name: str) -> int:
    """Return the value of a cell."""
    if cell is None or cell == "?":
        return UNKNOWN
    if isinstance(cell, str) and cell in values:
        return values[cell]
    if (isinstance(cell, float) and cell.is_integer()) or type(cell).__name__ == "bool_":
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
    """Return advice for an error: the expression to write if a result or a puzzle was passed."""
    if hasattr(value, "solution"):
        return "; the picture of a result is its `solution`"
    if isinstance(value, Nonogram):
        return "; the picture of a puzzle is its `goal`"
    return ""
