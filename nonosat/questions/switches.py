"""Switches: the sets of cells in which two pictures with the same clues differ.

What makes a set of cells a switch stands close to it. In each line that it touches, let a window
reach from the cell before its first cell to the cell behind its last one. The window has the same
runs before and after the change, and begins and ends with the same cells; so whatever stands
outside of the windows, the clues stay the same when the cells change. Therefore a picture that
agrees with ours in all windows has another solution, too.

The cost is linear in the cells of the lines that are touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from nonosat.grid import Grid
from nonosat.puzzles.nonogram.data import clue_of


def switches(mine: Grid, other: Grid) -> list[list[int]]:
    """The cells in which two pictures differ, in parts that share no line.

    Args:
        mine: A picture.
        other: Another one with the same clues.

    Returns:
        Cells, row-major; each part is a switch of its own, for it changes its lines alone.
    """
    differing = (
        cell
        for cell, pair in enumerate(zip(mine.cells, other.cells, strict=True))
        if pair[0] != pair[1]
    )
    return parts(mine, differing)


def parts(grid: Grid, cells: Iterable[int]) -> list[list[int]]:
    """Cells of a board in parts that share no line.

    Args:
        grid: Has the board's size.
        cells: Row-major, in order; so are those of each part.
    """
    every = list(cells)
    leader = list(range(grid.height + grid.width))  # of a line, rows first: another of its part

    def root(line: int) -> int:
        while leader[line] != line:
            leader[line] = leader[leader[line]]
            line = leader[line]
        return line

    for cell in every:
        row, column = divmod(cell, grid.width)
        leader[root(row)] = root(grid.height + column)
    found: dict[int, list[int]] = {}
    for cell in every:
        found.setdefault(root(cell // grid.width), []).append(cell)
    return list(found.values())


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
    rows: dict[int, list[int]] = {}
    columns: dict[int, list[int]] = {}
    for cell in switch:
        row, column = divmod(cell, width)
        rows.setdefault(row, []).append(column)
        columns.setdefault(column, []).append(row)
    for row, places in rows.items():
        for start, stop in windows(mine.row(row), other.row(row), places):
            found.update(range(row * width + start, row * width + stop))
    for column, places in columns.items():
        for start, stop in windows(mine.column(column), other.column(column), places):
            found.update(range(start * width + column, stop * width + column, width))
    return sorted(found)


def windows(mine: bytes, other: bytes, places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The smallest windows (start, stop) of a line that hold all places where it differs.

    Args:
        mine: The line of a picture.
        other: The same line of another picture with the same clue.
        places: Where they differ, in order.
    """
    first = places[0]
    for place, following in pairwise([*places, len(mine) + 2]):
        start, stop = max(first - 1, 0), min(place + 2, len(mine))
        is_last = place == places[-1]
        if is_last or (
            following >= place + 2 and clue_of(mine[start:stop]) == clue_of(other[start:stop])
        ):
            yield start, stop
            first = following
