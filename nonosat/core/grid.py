"""A rectangular board of coloured cells: the solution of a nonogram.

Invariant: `cells` holds height * width bytes in row-major order, 0 for an empty cell and k for the
k-th colour of the puzzle (1 for "filled" in a puzzle of one colour).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from typing import Any, Self, overload

from nonosat.core.errors import PuzzleError, counted, rows_by_columns, shown
from nonosat.core.limits import polled
from nonosat.core.presenting import Drawn, Scene, quickly_pickled, reading

MAX_CELLS = 16_000_000  # boards above this are refused before anything of their size is allocated
_NOT_ZERO = rb"[^\0]"  # compiled when it is used: that delays a start
UNKNOWN = 255  # an undecided cell; occurs only in saved states


def refuse_size(height: int, width: int, most: int) -> None:
    """Raise PuzzleError for a board with a side below 1, or with more than `most` cells."""
    if height < 1 or width < 1:
        raise PuzzleError(f"{rows_by_columns(height, width)}, expected at least 1 of each")
    if height * width > most:
        raise PuzzleError(
            f"{rows_by_columns(height, width)} are {counted(height * width, 'cell', ',')}, "
            f"expected at most {most:,}"
        )


def whole_numbers(values: Any, name: str) -> tuple[int, ...]:
    """Return external values as a tuple; raise PuzzleError if one is not a whole number."""
    found = tuple(values) if isinstance(values, tuple | list) else None
    if found is not None and {*map(type, found)} <= {int}:
        return found
    if found is None or not all(map(_is_whole, found)):
        raise PuzzleError(f"{name}: {shown(values)}, expected a list of whole numbers")
    return tuple(map(index, found))


def _is_whole(value: Any) -> bool:
    """Return True for an integer of Python or of NumPy."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


@quickly_pickled
@dataclass(frozen=True, slots=True, repr=False)
class Grid(Drawn):
    """A filled-in board: iterates over its rows, `grid[row, column]` is a cell, `str` a picture.

        >>> grid = nonosat.Grid(2, 3, bytes([1, 0, 1, 0, 1, 0]))
        >>> print(grid)
        #.#
        .#.
        >>> grid
        <Grid: 2 rows x 3 columns, 3 of 6 cells filled>
        >>> grid[0, 2], grid[1], list(grid)
        (1, (0, 1, 0), [(1, 0, 1), (0, 1, 0)])
        >>> nonosat.Grid.from_data(grid.to_data()) == grid
        True

    `numpy.array(grid)` is the same as an array of two dimensions. Rows and columns count from 0.

    Args:
        height: Number of rows, at least 1.
        width: Number of columns, at least 1.
        cells: One byte a cell, row-major; 0 is empty, k is the k-th colour.

    Raises:
        PuzzleError: `cells` has not height * width bytes.
    """

    height: int
    width: int
    cells: bytes

    def __post_init__(self) -> None:
        if type(self.height) is not int or type(self.width) is not int:
            whole_numbers((self.height, self.width), "height and width")
        if type(self.cells) is not bytes:
            raise PuzzleError(
                f"the cells are {shown(self.cells)}, expected bytes, one a cell; of rows of cells "
                "write nonosat.from_picture(rows).goal"
            )
        if self.height < 1 or self.width < 1 or len(self.cells) != self.height * self.width:
            raise PuzzleError(
                f"a grid of {rows_by_columns(self.height, self.width)} has "
                f"{counted(len(self.cells), 'cell')}, expected {max(self.height * self.width, 1)}"
            )

    @classmethod
    def unknown(cls, height: int, width: int) -> Self:
        """Return a grid of unknown cells."""
        return cls(height, width, bytes([UNKNOWN]) * (height * width))

    def place(self, at: int) -> tuple[int, int]:
        """Return row and column of a cell, given its index in `cells`."""
        return divmod(at, self.width)

    def row(self, index: int) -> bytes:
        """Return the cells of row `index`, left to right."""
        return self.cells[index * self.width : (index + 1) * self.width]

    def column(self, index: int) -> bytes:
        """Return the cells of column `index`, top to bottom."""
        return self.cells[index :: self.width]

    def __len__(self) -> int:
        return self.height

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return (tuple(self.row(index)) for index in range(self.height))

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, place: tuple[int, int]) -> int: ...

    def __getitem__(self, place: int | tuple[int, int]) -> int | tuple[int, ...]:
        row, column = place if isinstance(place, tuple) else (place, 0)
        if not (0 <= row < self.height and 0 <= column < self.width):
            what = "cell" if isinstance(place, tuple) else "row"
            size = rows_by_columns(self.height, self.width)
            raise IndexError(f"{what} {shown(place)} is outside {size} (both count from 0)")
        if isinstance(place, tuple):
            return self.cells[row * self.width + column]
        return tuple(self.row(row))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the cells as a two-dimensional NumPy array, by default of unsigned bytes."""
        import numpy as np

        cells = np.frombuffer(self.cells, np.uint8).reshape(self.height, self.width)
        return np.array(cells, dtype=dtype, copy=copy)

    def differences(self, other: Grid) -> list[tuple[int, int]]:
        """Return the cells (row, column) in which two grids of equal size differ, row-major."""
        if (self.height, self.width) != (other.height, other.width):
            raise ValueError("grids of different sizes cannot be compared cell by cell")
        width = self.width
        return [divmod(cell, width) for cell in polled(self.differing(other))]

    def differing(self, other: Grid) -> list[int]:
        """Return the indices in `cells` at which two grids of equal size differ, ascending."""
        if self.cells == other.cells:
            return []
        changes = int.from_bytes(self.cells, "big") ^ int.from_bytes(other.cells, "big")
        found = re.finditer(_NOT_ZERO, changes.to_bytes(len(self.cells), "big"))
        return [match.start() for match in polled(found)]

    def lines(self, symbols: str = ".#") -> list[str]:
        """Return the rows as strings, with `symbols[k]` for colour k."""
        table = _bytes_of(symbols)
        if table:
            text = self.cells.translate(table).decode("latin-1")
        else:
            text = self.cells.decode("latin-1").translate(symbols.ljust(256, "?"))
        return [text[start : start + self.width] for start in range(0, len(text), self.width)]

    def __str__(self) -> str:
        return "\n".join(self.lines(STATE_SYMBOLS))

    def _summary(self) -> str:
        num_unknown, num_empty = self.cells.count(UNKNOWN), self.cells.count(0)
        size, cells = rows_by_columns(self.height, self.width), counted(len(self.cells), "cell")
        text = f"{size}, {len(self.cells) - num_unknown - num_empty} of {cells} filled"
        return f"{text}, {num_unknown} unknown" if num_unknown else text

    def scene(self) -> Scene:
        """Return the picture, with marks on unknown cells."""
        cells = enumerate(self.cells)
        unknown = [divmod(at, self.width) for at, cell in polled(cells) if cell == UNKNOWN]
        return Scene(None, self, unknown, self.in_a_line())

    def to_data(self) -> dict[str, Any]:
        """Return the rows as text: "." empty, "#" the first colour, then a, b, ...; "?" unknown."""
        return {"rows": self.lines(STATE_SYMBOLS)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the grid of the JSON data that `to_data` returns.

        Raises:
            FormatError: The rows have different lengths or unknown characters.
            PuzzleError: There are no rows.
        """
        with reading(cls):
            return cls.of_rows(data["rows"], STATE_SYMBOLS)

    @classmethod
    def of_rows(cls, rows: Sequence[str], symbols: str) -> Self:
        """Return the grid for rows of text, with `symbols[k]` for value k.

        Raises:
            ValueError: The rows differ in length, or contain other characters.
        """
        values = {symbol: value for value, symbol in enumerate(symbols)} | {"?": UNKNOWN}
        if len({len(row) for row in rows}) > 1:
            raise ValueError("rows of different lengths")
        if strange := set("".join(rows)) - values.keys():
            raise ValueError(f"the character {min(strange)!r} is not a cell")
        width = len(rows[0]) if rows else 0
        return cls(
            len(rows), width, bytes(values[symbol] for row in polled(rows) for symbol in row)
        )


def with_cells(grid: Grid, changes: Mapping[int, int]) -> Grid:
    """Return the grid with other values of some cells, which are indices in `cells`."""
    cells = bytearray(grid.cells)
    for cell, value in changes.items():
        cells[cell] = value
    return Grid(grid.height, grid.width, bytes(cells))


@lru_cache(maxsize=64)
def _bytes_of(symbols: str) -> bytes:
    """Return the symbols as a translation table of bytes, b"" if one takes two bytes.

    Translating bytes takes a tenth of the time of translating characters.
    """
    try:
        return symbols.ljust(256, "?").encode("latin-1")
    except UnicodeEncodeError:
        return b""


# One printable character a colour: "." for empty, "#" for the first colour.
SYMBOLS = (
    ".#"
    + "".join(chr(code) for code in range(0x61, 0x7B))
    + "".join(chr(code) for code in range(0x41, 0x5B))
    + "".join(chr(code) for code in range(0x30, 0x3A))
    + "".join(chr(code) for code in range(0xC0, 0x180))
)
STATE_SYMBOLS = SYMBOLS[:UNKNOWN] + "?"  # with "?" for an unknown cell
