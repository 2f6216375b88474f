"""A rectangular board of coloured cells: what a nonogram's solution is.

Invariant: `cells` holds height * width bytes in row-major order, 0 for an empty cell and k for
the k-th colour of the puzzle (1 for "filled" in a puzzle of one colour).
"""

from __future__ import annotations

from dataclasses import dataclass

from nonosat.errors import PuzzleError, counted, rows_by_columns

MAX_CELLS = 16_000_000  # boards above this are refused before anything of their size is allocated
MAX_COLOURS = 254  # a cell is one byte, and 255 stands for "open" in the native core
UNKNOWN = 255  # a cell that nobody has decided, in a saved state and nowhere else


def refuse_size(height: int, width: int, most: int) -> None:
    """Raises PuzzleError for a board with a side below 1, or with more than `most` cells."""
    if height < 1 or width < 1:
        raise PuzzleError(f"{rows_by_columns(height, width)}, expected at least 1 of each")
    if height * width > most:
        raise PuzzleError(
            f"{rows_by_columns(height, width)} are {counted(height * width, 'cell', ',')}, "
            f"expected at most {most:,}"
        )


@dataclass(frozen=True, slots=True)
class Grid:
    """A filled-in board.

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
        if self.height < 1 or self.width < 1 or len(self.cells) != self.height * self.width:
            raise PuzzleError(
                f"a grid of {rows_by_columns(self.height, self.width)} has "
                f"{counted(len(self.cells), 'cell')}, expected {max(self.height * self.width, 1)}"
            )

    def row(self, index: int) -> bytes:
        """Cells of row `index`, left to right."""
        return self.cells[index * self.width : (index + 1) * self.width]

    def column(self, index: int) -> bytes:
        """Cells of column `index`, top to bottom."""
        return self.cells[index :: self.width]

    def __getitem__(self, place: tuple[int, int]) -> int:
        row, column = place
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise IndexError(f"cell {place} is outside {rows_by_columns(self.height, self.width)}")
        return self.cells[row * self.width + column]

    def differences(self, other: Grid) -> list[tuple[int, int]]:
        """Cells (row, column) in which two grids of the same size differ, row-major."""
        if (self.height, self.width) != (other.height, other.width):
            raise ValueError("grids of different sizes cannot be compared cell by cell")
        if self.cells == other.cells:
            return []
        pairs = enumerate(zip(self.cells, other.cells, strict=True))
        return [divmod(index, self.width) for index, (mine, yours) in pairs if mine != yours]

    def lines(self, symbols: str = ".#") -> list[str]:
        """The rows as strings, `symbols[k]` for colour k."""
        table = symbols.ljust(256, "?")
        text = self.cells.decode("latin-1").translate(table)  # str.translate indexes the table
        return [text[start : start + self.width] for start in range(0, len(text), self.width)]

    def __str__(self) -> str:
        return "\n".join(self.lines(SYMBOLS))


# One printable character a colour, "." for empty and "#" for the first.
SYMBOLS = (
    ".#"
    + "".join(chr(code) for code in range(0x61, 0x7B))
    + "".join(chr(code) for code in range(0x41, 0x5B))
    + "".join(chr(code) for code in range(0x30, 0x3A))
    + "".join(chr(code) for code in range(0xC0, 0x180))
)
