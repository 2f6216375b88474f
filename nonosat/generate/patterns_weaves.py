"""Pictures whose clues come again and again: reasoning about lines does not get far in them.

* Sierpinski triangles: Pascal's triangle modulo 2, whose clues repeat on every scale.
* Plaited knots: the same few clues on line after line.

`nonosat.generate.structured` has others of that kind, in any number, with one solution each.
"""

from __future__ import annotations

from nonosat.core.grid import Grid
from nonosat.generate.canvas import Canvas, Point


def sierpinski(order: int) -> Grid:
    """Pascal's triangle modulo 2 with its point at the top: 2**order rows."""
    height = 2**order
    canvas = Canvas(height, 2 * height - 1)
    for row in range(height):
        for entry in range(row + 1):
            if entry & ~row == 0:  # Lucas 1878: the binomial coefficient is odd
                canvas.dot(row, height - 1 - row + 2 * entry)
    return canvas.grid()


def triangles(order: int) -> Grid:
    """Sierpinski's triangles of filled triangles three rows high: 3 * 2**order rows."""
    height = 3 * 2**order
    canvas = Canvas(height, 2 * height - 1)
    _triangle(canvas, (0, height - 1), height)
    return canvas.grid()


def _triangle(canvas: Canvas, top: Point, height: int) -> None:
    row, column = top
    if height == 3:
        canvas.polygon([top, (row + 2, column - 2), (row + 2, column + 2)])
        return
    half = height // 2
    for corner in ((row, column), (row + half, column - half), (row + half, column + half)):
        _triangle(canvas, corner, half)


def knot(rows: int, columns: int, pitch: int = 6, radius: int = 2) -> Grid:
    """A plait of `rows` x `columns` meshes, the strands over and under each other by turns."""
    margin = radius
    canvas = Canvas(2 * rows * pitch + 2 * margin + 1, 2 * columns * pitch + 2 * margin + 1)
    nodes = [(i, j) for i in range(2 * rows + 1) for j in range(2 * columns + 1) if (i + j) % 2]
    for i, j in nodes:
        for side in (j - 1, j + 1):
            if i < 2 * rows and 0 <= side <= 2 * columns:
                start = i * pitch + margin, j * pitch + margin
                canvas.stroke([start, (start[0] + pitch, side * pitch + margin)], radius=radius)
    for i, j in nodes:
        if 0 < i < 2 * rows and 0 < j < 2 * columns:
            centre = i * pitch + margin, j * pitch + margin
            _crossing(canvas, centre, pitch // 2 * (1 if i % 2 else -1), radius)
    return canvas.grid()


def _crossing(canvas: Canvas, centre: Point, reach: int, radius: int) -> None:
    """The strand on top, with a free cell on either side; it falls to the right if reach > 0."""
    row, column = centre
    ends = (row - abs(reach), column - reach), (row + abs(reach), column + reach)
    canvas.stroke(ends, colour=0, radius=radius + 1)
    canvas.stroke(ends, radius=radius)
