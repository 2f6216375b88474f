"""Ugliness of changes of a picture: of equally small repairs the least ugly comes first.

A changed cell is ugly if it is isolated: a pixel in an empty area, a hole in a solid one. A cell
next to the outline of a shape is not. The ugliness of a change is therefore the number of the
cell's four neighbours in the original picture whose value differs from the new one, 0 to 4;
everything outside of the board is empty. In colour, a neighbour's colour is therefore less ugly
than another one. The ugliness of several changes is the sum, each computed as if it were the only
one.
"""

from __future__ import annotations

from nonosat.core.grid import Grid

UGLIEST = 4  # change of one cell


def ugliness(picture: Grid, repaired: Grid) -> int:
    """Return the ugliness of all changes of a picture."""
    return sum(
        ugliness_of(picture, row * picture.width + column, repaired[row, column])
        for row, column in picture.differences(repaired)
    )


def ugliness_of(picture: Grid, cell: int, value: int) -> int:
    """Return the ugliness of one change.

    Args:
        picture: Picture without changes.
        cell: Row-major number of the cell.
        value: New value of the cell.
    """
    row, column = divmod(cell, picture.width)
    places = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return sum(_value(picture, *place) != value for place in places)


def _value(picture: Grid, row: int, column: int) -> int:
    is_inside = 0 <= row < picture.height and 0 <= column < picture.width
    return picture[row, column] if is_inside else 0
