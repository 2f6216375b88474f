"""Board for drawing shapes in integer arithmetic, so that every machine draws the same cells.

Invariant: later paint covers earlier paint, and cells outside the board are dropped. Cells are
addressed by (row, column) from 0; a shape covers a cell if it covers the cell's centre.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from nonosat.core.grid import Grid
from nonosat.core.limits import polled

Point = tuple[int, int]


class Canvas:
    """Cells of colours 0 (empty) to 255."""

    def __init__(self, height: int, width: int, colour: int = 0) -> None:
        self.height = height
        self.width = width
        self._cells = bytearray([colour]) * (height * width)

    def __getitem__(self, place: Point) -> int:
        return self._cells[place[0] * self.width + place[1]]

    def dot(self, row: int, column: int, colour: int = 1) -> None:
        """Paint one cell."""
        if 0 <= row < self.height and 0 <= column < self.width:
            self._cells[row * self.width + column] = colour

    def dots(self, places: Iterable[Point], colour: int = 1) -> None:
        """Paint the listed cells."""
        for row, column in polled(places):
            self.dot(row, column, colour)

    def where(self, inside: Callable[[int, int], bool], colour: int = 1) -> None:
        """Paint every cell (row, column) for which `inside` returns true."""
        for row in range(self.height):
            self.dots(
                ((row, column) for column in polled(range(self.width)) if inside(row, column)),
                colour,
            )

    def rectangle(self, top: int, left: int, bottom: int, right: int, colour: int = 1) -> None:
        """Paint rows top .. bottom - 1, columns left .. right - 1."""
        for row in polled(range(top, bottom)):
            self.dots(((row, column) for column in range(left, right)), colour)

    def ellipse(self, centre: Point, down: int, across: int, colour: int = 1) -> None:
        """Paint an ellipse around a cell's centre; half axes of `down` + 1/2 rows, `across` + 1/2
        columns.
        """
        a, b = (2 * down + 1) ** 2, (2 * across + 1) ** 2
        for row in range(-down, down + 1):
            reach = (a - 4 * row * row) * b
            span = (column for column in range(-across, across + 1) if 4 * column**2 * a <= reach)
            self.dots(((centre[0] + row, centre[1] + column) for column in span), colour)

    def disc(self, centre: Point, radius: int, colour: int = 1) -> None:
        """Paint a disc of radius `radius` + 1/2."""
        self.ellipse(centre, radius, radius, colour)

    def polygon(self, corners: Sequence[Point], colour: int = 1) -> None:
        """Paint the interior (even-odd rule) and the border of a closed polygon."""
        rows = [row for row, _ in corners]
        for row in polled(range(min(rows), max(rows) + 1)):
            for start, end in _spans(corners, row):
                self.dots(((row, column) for column in range(start, end + 1)), colour)
        self.dots(corners, colour)  # a vertex at the bottom lies in no span

    def stroke(self, points: Sequence[Point], colour: int = 1, radius: int = 0) -> None:
        """Paint a polyline with a round pen."""
        for start, end in pairwise(points):
            for place in segment(start, end):
                self.disc(place, radius, colour)

    def stamp(self, art: str, corner: Point = (0, 0), palette: str = "#") -> None:
        """Paint text art: `palette[k - 1]` paints colour k, all other characters paint nothing."""
        for row, text in enumerate(art_rows(art), start=corner[0]):
            for column, symbol in enumerate(text, start=corner[1]):
                if symbol in palette:
                    self.dot(row, column, palette.index(symbol) + 1)

    def grid(self) -> Grid:
        """Return the current picture."""
        return Grid(self.height, self.width, bytes(self._cells))


def art_rows(art: str) -> list[str]:
    """Return the lines of text art without the indentation of the source code."""
    return [line.strip() for line in art.strip().splitlines()]


def art_grid(art: str, palette: str = "#") -> Grid:
    """Return text art as a grid of its own size."""
    rows = art_rows(art)
    canvas = Canvas(len(rows), max(map(len, rows)))
    canvas.stamp(art, palette=palette)
    return canvas.grid()


def negative(grid: Grid) -> Grid:
    """Return the grid with filled and empty cells exchanged; newly filled cells have colour 1."""
    return Grid(grid.height, grid.width, bytes(not cell for cell in grid.cells))


def segment(start: Point, end: Point) -> list[Point]:
    """Return the cells nearest to the straight line between two cells, which are included."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (_between(start[0], end[0], step, steps), _between(start[1], end[1], step, steps))
        for step in range(steps + 1)
    ]


def _between(start: int, end: int, step: int, steps: int) -> int:
    """Return start + (end - start) * step / steps, rounded half up."""
    return start + (2 * (end - start) * step + steps) // (2 * steps)


def _spans(corners: Sequence[Point], row: int) -> list[Point]:
    """Return (first, last) column of each part of a row that lies inside a polygon."""
    inside = sorted(
        _crossing(start, end, row)
        for start, end in pairwise([*corners, corners[0]])
        if min(start[0], end[0]) <= row < max(start[0], end[0])
    )
    level = [
        (min(start[1], end[1]), max(start[1], end[1]))
        for start, end in pairwise([*corners, corners[0]])
        if start[0] == end[0] == row
    ]
    return [*zip(inside[::2], inside[1::2], strict=True), *level]


def _crossing(start: Point, end: Point, row: int) -> int:
    """Return the column at which a non-horizontal edge crosses a row, rounded half up."""
    if start[0] > end[0]:
        start, end = end, start
    return _between(start[1], end[1], row - start[0], end[0] - start[0])
