"""Numbers that strategies are asked for: wrong ones are refused when a strategy is made."""

from __future__ import annotations

from typing import NamedTuple

from nonosat.core.errors import UnsupportedError, shown

MOST_CELLS = 5_000  # beyond, hypothesis has no room for what is drawn of a puzzle
MOST_SIDE = 5_000
MOST_COLOURS = 255  # a byte a cell


def check_number(name: str, found: object, least: int, most: int) -> None:
    """Raise UnsupportedError where an argument is no whole number from `least` to `most`."""
    if type(found) is not int or not least <= found <= most:
        raise UnsupportedError(
            f"{name} is {shown(found)}, expected a whole number from {least} to {most}"
        )


class Shape(NamedTuple):
    """What boards may measure.

    Args:
        max_cells: Largest board, where height and width are not both given.
        height: Rows; None for any number.
        width: Columns; None for any number.
    """

    max_cells: int
    height: int | None = None
    width: int | None = None

    @property
    def longest(self) -> int:
        """No line has more cells."""
        return max(self.max_cells, self.height or 1, self.width or 1)


def shape_of(max_cells: int, height: int | None, width: int | None, least: int = 1) -> Shape:
    """What boards may measure.

    Raises:
        UnsupportedError: No board measures so; `least` is for `max_cells`.
    """
    check_number("max_cells", max_cells, least, MOST_CELLS)
    for name, side in (("height", height), ("width", width)):
        if side is not None:
            check_number(name, side, 1, MOST_SIDE)
    return Shape(max_cells, height, width)
