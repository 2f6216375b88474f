"""Switches: the sets of cells in which two pictures with the same clues differ.

What makes a set of cells a switch stands close to it. In each line that it touches, let a window
reach from the cell before its first cell to the cell behind its last one. The window has the same
runs before and after the change, and begins and ends with the same cells; so whatever stands
outside of the windows, the clues stay the same when the cells change. Therefore a picture that
agrees with ours in all windows has another solution, too.

The cost is linear in the cells of the lines that are touched.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from nonosat.grid import Grid
from nonosat.questions.joining import Joining


def switches(mine: Grid, other: Grid) -> list[list[int]]:
    """The cells in which two pictures differ, in parts that share no window.

    Args:
        mine: A picture.
        other: Another one with the same clues.

    Returns:
        Cells, row-major; each part is a switch of its own: it changes whole windows, so the
        clues stay the same, whatever the other parts do.
    """
    differing = [
        cell
        for cell, pair in enumerate(zip(mine.cells, other.cells, strict=True))
        if pair[0] != pair[1]
    ]
    width = mine.width
    rows, columns = by_lines(differing, width)
    groups = [
        [row * width + place for place in group]
        for row, places in rows.items()
        for group in _windowed(mine.row(row), other.row(row), places)
    ]
    groups += [
        [place * width + column for place in group]
        for column, places in columns.items()
        for group in _windowed(mine.column(column), other.column(column), places)
    ]
    return _joined(differing, groups)


def parts(grid: Grid, cells: Iterable[int]) -> list[list[int]]:
    """Cells of a board in parts that share no line.

    Args:
        grid: Has the board's size.
        cells: Row-major, in order; so are those of each part.
    """
    every = list(cells)
    rows, columns = by_lines(every, grid.width)
    groups = [[row * grid.width + place for place in places] for row, places in rows.items()]
    groups += [
        [place * grid.width + column for place in places] for column, places in columns.items()
    ]
    return _joined(every, groups)


def _windowed(mine: bytes, other: bytes, places: list[int]) -> Iterator[list[int]]:
    """The places of each window of a line."""
    for start, stop in windows(mine, other, places):
        yield places[bisect_left(places, start) : bisect_left(places, stop)]


def by_lines(cells: Iterable[int], width: int) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Of each row that cells stand in their columns, and of each column their rows."""
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    for cell in cells:
        row, column = divmod(cell, width)
        rows.setdefault(row, []).append(column)
        columns.setdefault(column, []).append(row)
    return rows, columns


def _joined(cells: Sequence[int], groups: Iterable[Sequence[int]]) -> list[list[int]]:
    """Cells in parts, none of which holds some cells of a group without the others."""
    joining = Joining(cells)
    for group in groups:
        joining.join(group)
    return joining.parts()


def surroundings(mine: Grid, switch: Sequence[int], other: Grid) -> list[int]:
    """All cells of the windows of a switch; whoever agrees with `mine` there has it, too.

    Args:
        mine: A picture.
        switch: Cells in which `other` differs from it; one of `switches`.
        other: A picture with the same clues.

    Returns:
        Cells, row-major, those of the switch among them.
    """
    width = mine.width
    found = set[int]()
    rows, columns = by_lines(switch, width)
    for row, places in rows.items():
        for start, stop in windows(mine.row(row), other.row(row), places):
            found.update(range(row * width + start, row * width + stop))
    for column, places in columns.items():
        for start, stop in windows(mine.column(column), other.column(column), places):
            found.update(range(start * width + column, stop * width + column, width))
    return sorted(found)


def windows(mine: bytes, other: bytes, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The smallest windows (start, stop) of a line that hold all places where it differs.

    As the whole lines have the same runs, so have their beginnings that fill equally many cells.

    Args:
        mine: The line of a picture.
        other: The same line of another picture with the same clue.
        places: Where they differ, in order.
    """
    first = places[0]
    more = 0  # filled cells of `mine` in the window
    for place, following in pairwise([*places, len(mine) + 2]):
        more += bool(mine[place]) - bool(other[place])
        if not more and following >= place + 2:
            yield max(first - 1, 0), min(place + 2, len(mine))
            first = following
