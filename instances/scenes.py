"""Larger pictures, painted with shapes instead of cell by cell.

Every function returns a filled-in grid; constants name the inks of the coloured ones.
"""

from __future__ import annotations

from random import Random

from nonosat.core.grid import Grid
from nonosat.generate.canvas import Canvas, Point

BALLOON_INKS = "roybn"
RAINBOW_INKS = "roygbps"
ISLAND_INKS = "oysbfgnk"


def castle() -> Grid:
    """Return a castle between mountains at night, mirrored in a lake: 200 x 200, one colour."""
    canvas = Canvas(200, 200)
    canvas.rectangle(0, 0, 130, 200)
    _night_sky(canvas)
    _mountains(canvas)
    _castle_hill(canvas)
    _lake(canvas)
    return canvas.grid()


def _night_sky(canvas: Canvas) -> None:
    canvas.disc((34, 150), 21, 0)
    for centre, radius in (((28, 143), 4), ((42, 152), 5), ((30, 160), 3), ((41, 138), 2)):
        canvas.disc(centre, radius)
    rng = Random(8)
    for _ in range(22):
        row, column = rng.randrange(4, 62), rng.randrange(4, 118)
        canvas.stroke([(row - 1, column), (row + 1, column)], 0)
        canvas.stroke([(row, column - 1), (row, column + 1)], 0)


def _mountains(canvas: Canvas) -> None:
    for peak, left, right in (((74, 28), -40, 96), ((66, 178), 108, 240), ((82, 104), 40, 168)):
        base = 130
        canvas.polygon([peak, (base, left), (base, right)], 0)
        fold = [(base, right), (base, peak[1] + 14), (peak[0] + 30, peak[1] + 2)]
        canvas.polygon([peak, *fold, (peak[0] + 18, peak[1] + 5)])


def _castle_hill(canvas: Canvas) -> None:
    canvas.polygon([(112, 70), (112, 132), (136, 172), (136, 26)])
    for left, top, width in ((72, 86, 12), (118, 86, 12), (86, 74, 9), (106, 74, 9)):
        _tower(canvas, left, top, width)
    canvas.rectangle(92, 80, 114, 122)
    for left in range(84, 118, 6):
        canvas.rectangle(89, left, 93, left + 3)
    canvas.rectangle(102, 97, 114, 105, 0)
    canvas.disc((102, 100), 3, 0)
    canvas.rectangle(104, 99, 114, 103)


def _tower(canvas: Canvas, left: int, top: int, width: int) -> None:
    """Paint walls with a pale rim, a pointed roof and two lit windows."""
    canvas.rectangle(top - 1, left - 2, 116, left + width + 2, 0)
    canvas.rectangle(top, left, 114, left + width)
    middle = left + width // 2
    canvas.polygon([(top - 20, middle), (top - 1, left - 3), (top - 1, left + width + 2)], 0)
    canvas.polygon([(top - 17, middle), (top - 2, left - 1), (top - 2, left + width)])
    for row in (top + 5, top + 13):
        canvas.rectangle(row, middle - 1, row + 4, middle + 1, 0)


def _lake(canvas: Canvas) -> None:
    """Paint the mirror image of the rows above 136, with ripples across."""
    canvas.rectangle(131, 0, 137, 200)
    for row in range(138, 192):
        above = 136 - (row - 138) * 2
        for column in range(200):
            canvas.dot(row, column, canvas[above, column])
        if row % 6 == 1:
            ripple = (row * 37) % 60
            canvas.rectangle(row, ripple, row + 1, ripple + 130, 0)
    canvas.rectangle(192, 0, 200, 200)


def balloon() -> Grid:
    """Return a striped hot-air balloon: 44 x 34, five colours."""
    canvas = Canvas(44, 34)
    for across, colour in ((16, 1), (12, 2), (7, 3), (2, 4)):
        canvas.ellipse((15, 16), 15, across, colour)
        points = [
            (20, 16 - across),
            (32, 16 - across // 3),
            (32, 16 + across // 3),
            (20, 16 + across),
        ]
        canvas.polygon(points, colour)
    canvas.stroke([(33, 12), (37, 13)], 5)
    canvas.stroke([(33, 20), (37, 19)], 5)
    canvas.rectangle(38, 12, 44, 21, 5)
    canvas.rectangle(40, 13, 41, 20, 3)
    return canvas.grid()


def rainbow() -> Grid:
    """Return six arcs between two clouds: 30 x 56, seven colours."""
    canvas = Canvas(30, 56)
    for colour, radius in enumerate(range(26, 8, -3), start=1):
        canvas.disc((27, 28), radius, colour)
    canvas.disc((27, 28), 8, 0)
    for centre, radius in (
        ((25, 5), 4),
        ((22, 10), 5),
        ((25, 15), 4),
        ((25, 41), 4),
        ((22, 46), 5),
    ):
        canvas.disc(centre, radius, 7)
    canvas.disc((25, 51), 4, 7)
    canvas.rectangle(26, 0, 30, 20, 7)
    canvas.rectangle(26, 36, 30, 56, 7)
    return canvas.grid()


def island() -> Grid:
    """Return a sunset behind an island with palms: 100 x 100, eight colours."""
    canvas = Canvas(100, 100, 1)
    canvas.rectangle(0, 0, 60, 100, 3)
    for row, colour in ((22, 2), (34, 1)):
        canvas.rectangle(row, 0, 60, 100, colour)
    canvas.disc((52, 66), 17, 2)
    _clouds(canvas)
    _sea(canvas)
    canvas.ellipse((84, 32), 9, 30, 5)
    canvas.rectangle(88, 0, 100, 100, 4)
    canvas.ellipse((86, 32), 3, 34, 5)
    _palm(canvas, (80, 34), (40, 38))
    _palm(canvas, (80, 26), (56, 16))
    _sail(canvas)
    return canvas.grid()


def _clouds(canvas: Canvas) -> None:
    for row, left, right in ((12, 58, 88), (16, 66, 96), (28, 4, 22), (44, 74, 99), (48, 2, 16)):
        canvas.ellipse((row, (left + right) // 2), 2, (right - left) // 2, 0)


def _sea(canvas: Canvas) -> None:
    canvas.rectangle(60, 0, 100, 100, 4)
    for row in range(61, 86, 3):
        spread = 15 - (row - 60) // 3
        canvas.rectangle(row, 66 - spread, row + 1, 66 + spread, 2)
    for row, left, right in ((66, 78, 96), (71, 84, 98), (77, 70, 90), (92, 60, 84), (95, 8, 40)):
        canvas.rectangle(row, left, row + 1, right, 3)


def _palm(canvas: Canvas, foot: Point, crown: Point) -> None:
    row, column = crown
    middle = ((foot[0] + row) // 2, (foot[1] + column) // 2 - 2)
    canvas.stroke([foot, middle, crown], 7, 1)
    for tip_row, tip_column in ((7, -15), (-1, -14), (-8, -8), (-8, 8), (-1, 14), (7, 15)):
        bend = (row - 5 + tip_row // 3, column + tip_column // 2)
        canvas.stroke([crown, bend, (row + tip_row, column + tip_column)], 6, 1)
    canvas.disc((row + 2, column), 1, 8)


def _sail(canvas: Canvas) -> None:
    canvas.polygon([(52, 86), (66, 86), (66, 94)], 8)
    canvas.polygon([(54, 84), (66, 84), (66, 79)], 8)
    canvas.polygon([(68, 76), (68, 97), (71, 93), (71, 79)], 7)
