"""How ugly changes of a picture are: of equally small repairs the least ugly comes first.

A changed cell is ugly where it stands alone: a pixel in an empty area, a hole in a solid one. One
beside the outline of a shape is not. So the ugliness of a change is the number of the cell's four
neighbours in the picture that have another value than it gets, 0 to 4; outside of the board
everything is empty. In colour a neighbour's colour is therefore less ugly than another one. The
ugliness of several changes is the sum, as if each were the only one.
"""

from __future__ import annotations

from nonosat.core.grid import Grid

UGLIEST = 4  # change of one cell


def ugliness(picture: Grid, repaired: Grid) -> int:
    """How ugly all changes of a picture are."""
    return sum(
        ugliness_of(picture, row * picture.width + column, repaired[row, column])
        for row, column in picture.differences(repaired)
    )


def ugliness_of(picture: Grid, cell: int, value: int) -> int:
    """How ugly one change is.

    Args:
        picture: As it is without changes.
        cell: Row-major.
        value: What the cell gets.
    """
    row, column = divmod(cell, picture.width)
    places = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return sum(_value(picture, *place) != value for place in places)


def _value(picture: Grid, row: int, column: int) -> int:
    is_inside = 0 <= row < picture.height and 0 <= column < picture.width
    return picture[row, column] if is_inside else 0
