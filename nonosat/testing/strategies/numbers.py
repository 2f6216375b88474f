"""Numeric arguments of strategies: invalid ones raise when a strategy is created."""

from __future__ import annotations

from typing import NamedTuple

from nonosat.core.errors import UnsupportedError, shown

MOST_CELLS = 5_000  # above, the data of a puzzle exceeds hypothesis's buffer
MOST_SIDE = 5_000
MOST_COLOURS = 255  # one byte per cell


def check_number(name: str, found: object, least: int, most: int) -> None:
    """Raise UnsupportedError unless an argument is a whole number from `least` to `most`."""
    if type(found) is not int or not least <= found <= most:
        raise UnsupportedError(
            f"{name} is {shown(found)}, expected a whole number from {least} to {most}"
        )


class Shape(NamedTuple):
    """Permitted sizes of boards.

    Args:
        max_cells: Largest board, unless height and width are both given.
        height: Rows; None for any number.
        width: Columns; None for any number.
    """

    max_cells: int
    height: int | None = None
    width: int | None = None

    @property
    def longest(self) -> int:
        """Largest possible number of cells of a line."""
        return max(self.max_cells, self.height or 1, self.width or 1)


def shape_of(max_cells: int, height: int | None, width: int | None, least: int = 1) -> Shape:
    """Return the permitted sizes of boards.

    Raises:
        UnsupportedError: No board has such a size; `least` is the minimum of `max_cells`.
    """
    check_number("max_cells", max_cells, least, MOST_CELLS)
    for name, side in (("height", height), ("width", width)):
        if side is not None:
            check_number(name, side, 1, MOST_SIDE)
    return Shape(max_cells, height, width)
