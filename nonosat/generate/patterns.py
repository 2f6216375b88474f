"""Well-known pictures as nonograms: fractals, curves, automata, number patterns, weaves.

Each is drawn in any size; many exist in some sizes only, and then the largest one that fits is
drawn. Uniqueness of the solution is not guaranteed; `nonosat.check` decides it.
`nonosat.generate.structured` has hard puzzles with one solution.

Sources: see the comments below; staircases of dominoes are Wolter's (survey of paint-by-number
solvers, 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import cos, floor, isqrt, pi, sin
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from nonosat.core.about import About
from nonosat.core.errors import PuzzleError, counted, meant, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import polled, watch_of
from nonosat.core.scope import within
from nonosat.generate.canvas import Canvas, Point, negative
from nonosat.generate.structured import staircase
from nonosat.puzzles.nonogram.data import Nonogram, from_grid

# Pictures with many repeated clues, for which line reasoning decides few cells.
#
# * Sierpinski triangles: Pascal's triangle modulo 2, whose clues repeat on every scale.
# * Plaited knots: the same few clues in many lines.
#
# `nonosat.generate.structured` has others of that kind, in any number, with one solution each.


def sierpinski(order: int) -> Grid:
    """Return Pascal's triangle modulo 2 with its apex at the top: 2**order rows."""
    height = 2**order
    canvas = Canvas(height, 2 * height - 1)
    for row in polled(range(height)):
        for entry in range(row + 1):
            if entry & ~row == 0:  # Lucas 1878: the binomial coefficient is odd
                canvas.dot(row, height - 1 - row + 2 * entry)
    return canvas.grid()


def triangles(order: int) -> Grid:
    """Return Sierpinski's triangles of filled triangles three rows high: 3 * 2**order rows."""
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
    """Return a plait of `rows` x `columns` meshes, the strands alternately over and under each
    other.
    """
    margin = radius
    canvas = Canvas(2 * rows * pitch + 2 * margin + 1, 2 * columns * pitch + 2 * margin + 1)
    nodes = [
        (i, j) for i in polled(range(2 * rows + 1)) for j in range(2 * columns + 1) if (i + j) % 2
    ]
    for i, j in polled(nodes):
        for side in (j - 1, j + 1):
            if i < 2 * rows and 0 <= side <= 2 * columns:
                start = i * pitch + margin, j * pitch + margin
                canvas.stroke([start, (start[0] + pitch, side * pitch + margin)], radius=radius)
    for i, j in polled(nodes):
        if 0 < i < 2 * rows and 0 < j < 2 * columns:
            centre = i * pitch + margin, j * pitch + margin
            _crossing(canvas, centre, pitch // 2 * (1 if i % 2 else -1), radius)
    return canvas.grid()


def _crossing(canvas: Canvas, centre: Point, reach: int, radius: int) -> None:
    """Draw the upper strand, a free cell on either side; it slopes to the right if reach > 0."""
    row, column = centre
    ends = (row - abs(reach), column - reach), (row + abs(reach), column + reach)
    canvas.stroke(ends, colour=0, radius=radius + 1)
    canvas.stroke(ends, radius=radius)


# Mathematical pictures: fractals, curves, automata and number patterns on a board.
#
# Every function returns a filled-in grid. Most use integers; the others use floating point such
# that no cell depends on the last digits, so that every machine draws the same cells.
#
# Sources: Mandelbrot (1980), Hilbert (1891), Harter and Heighway's dragon (Gardner 1967), Gosper's
# glider gun for Conway's Life (Gardner 1970), Ulam's prime spiral (1963), Truchet's tiles (1704),
# Sierpinski (1915), Wolfram's rule 30 (1983), de Bruijn's pentagrids (1981).


_LAST_DIGITS = 1e-9  # far more than the difference between sines of different machines


def mandelbrot(height: int, width: int, steps: int = 60) -> Grid:
    """Return the points bounded under z -> z*z + c, -2.1 <= re < 0.7; symmetric in rows."""
    scale = 2.8 / width
    canvas = Canvas(height, width)

    def stays(row: int, column: int) -> bool:
        across, down = -2.1 + scale * (column + 0.5), scale * (row - (height - 1) / 2)
        x = y = 0.0
        for _ in range(steps):
            x, y = x * x - y * y + across, 2 * x * y + down
            if x * x + y * y > 4:
                return False
        return True

    canvas.where(stays)
    return canvas.grid()


def hilbert(order: int) -> Grid:
    """Return Hilbert's curve through 4**order corners, drawn on every second cell."""
    canvas = Canvas(2 ** (order + 1) - 1, 2 ** (order + 1) - 1)
    corners = [_hilbert_corner(order, step) for step in polled(range(4**order))]
    canvas.stroke([(2 * row, 2 * column) for row, column in corners])
    return canvas.grid()


def _hilbert_corner(order: int, step: int) -> Point:
    row = column = 0
    for level in range(order):
        side = 1 << level
        across, down = step >> 1 & 1, (step ^ step >> 1) & 1
        if not down:
            if across:
                row, column = side - 1 - row, side - 1 - column
            row, column = column, row
        row, column = row + side * down, column + side * across
        step >>= 2
    return row, column


def dragon(folds: int) -> Grid:
    """Return the dragon curve: a strip of paper folded `folds` times and opened to right angles."""
    turns: list[int] = []
    for _ in range(folds):
        turns = [*turns, 1, *(-turn for turn in reversed(turns))]
    place, step = (0, 0), (0, 2)
    points = [place, (0, 2)]
    for turn in polled(turns):
        step = (step[1] * turn, -step[0] * turn)
        points.append((points[-1][0] + step[0], points[-1][1] + step[1]))
    return _fitted(points)


def _fitted(points: list[Point]) -> Grid:
    """Return a polyline of empty cells on a filled board, with a margin of one cell."""
    top, left = (min(point[axis] for point in points) - 1 for axis in (0, 1))
    moved = [(row - top, column - left) for row, column in points]
    height, width = (max(point[axis] for point in moved) + 2 for axis in (0, 1))
    canvas = Canvas(height, width, colour=1)
    canvas.stroke(moved, colour=0)
    return canvas.grid()


def spirograph(size: int, wheel: float, pen: float, turns: int) -> Grid:
    """Return the curve of a pen at distance `pen` in a wheel of radius `wheel` inside a circle of
    1.

    The closed curve is filled by the even-odd rule.
    """
    steps = 60 * turns
    scale = (size - 1) / (2 * (1 - wheel + pen))
    corners = []
    for step in polled(range(steps)):
        angle = 2 * pi * turns * step / steps
        roll = angle * (1 - wheel) / wheel
        y = (1 - wheel) * sin(angle) - pen * sin(roll)
        x = (1 - wheel) * cos(angle) + pen * cos(roll)
        corners.append((_nearest((size - 1) / 2 + scale * y), _nearest((size - 1) / 2 + scale * x)))
    canvas = Canvas(size, size)
    canvas.polygon(corners)
    return canvas.grid()


def _nearest(value: float) -> int:
    """Return the nearest integer; halves round up, with a tolerance for rounding errors."""
    return floor(value + 0.5 + _LAST_DIGITS)


_GUN = """
........................#...........
......................#.#...........
............##......##............##
...........#...#....##............##
##........#.....#...##..............
##........#...#.##....#.#...........
..........#.....#.......#...........
...........#...#....................
............##......................
"""


def glider_gun(height: int, generations: int) -> Grid:
    """Return Gosper's gun after some generations of Life, in a corner of a board 50 cells wide."""
    canvas = Canvas(height, 50)
    canvas.stamp(_GUN, (2, 2))
    alive = {(row, column) for row in range(height) for column in range(50) if canvas[row, column]}
    for _ in polled(range(generations)):
        alive = _next_generation(alive)
    board = Canvas(height, 50)
    board.dots(alive)
    return board.grid()


def _next_generation(alive: set[Point]) -> set[Point]:
    neighbours: dict[Point, int] = {}
    for row, column in polled(alive):
        for place in ((row + y, column + x) for y in (-1, 0, 1) for x in (-1, 0, 1)):
            neighbours[place] = neighbours.get(place, 0) + (place != (row, column))
    return {place for place, num in neighbours.items() if num == 3 or (num == 2 and place in alive)}


def moire(size: int, ring: int, shift: int) -> Grid:
    """Return the cells that lie in a dark ring of exactly one of two families of rings.

    The centres of the families are `2 * shift` cells apart.
    """
    middle = size // 2
    canvas = Canvas(size, size)

    def dark(row: int, column: int, centre: int) -> int:
        return isqrt((row - middle) ** 2 + (column - centre) ** 2) // ring % 2

    canvas.where(
        lambda row, column: dark(row, column, middle - shift) != dark(row, column, middle + shift)
    )
    return canvas.grid()


def prime_spiral(size: int) -> Grid:
    """Return the primes on the spiral of natural numbers from the middle of an odd board."""
    canvas = Canvas(size, size)
    row = column = size // 2
    step, number = (0, 1), 1
    for stretch in polled(range(1, 2 * size)):
        for _ in range((stretch + 1) // 2):
            if _is_prime(number):
                canvas.dot(row, column)
            row, column, number = row + step[0], column + step[1], number + 1
        step = (-step[1], step[0])
    return canvas.grid()


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, isqrt(number) + 1))


def truchet(tiles: int, seed: int, tile: int = 6) -> Grid:
    """Return square tiles with two quarter circles, each in one of two orientations at random."""
    rng = Random(seed)
    canvas = Canvas(tiles * tile, tiles * tile)
    for top in range(0, tiles * tile, tile):
        for left in polled(range(0, tiles * tile, tile)):
            _truchet_tile(canvas, top, left, tile, rng.random() < 0.5)
    return canvas.grid()


def _truchet_tile(canvas: Canvas, top: int, left: int, tile: int, mirrored: bool) -> None:
    for row in range(tile):
        for column in polled(range(tile)):
            x = tile - 1 - column if mirrored else column
            near = min(_doubled_square(row, x), _doubled_square(tile - 1 - row, tile - 1 - x))
            if (tile - 2) ** 2 <= near <= (tile + 2) ** 2:
                canvas.dot(top + row, left + column)


def _doubled_square(row: int, column: int) -> int:
    """Return the square of twice the distance of a cell's centre from the board's corner."""
    return (2 * row + 1) ** 2 + (2 * column + 1) ** 2


def carpet(order: int) -> Grid:
    """Return Sierpinski's carpet: a square without its middle ninth, the eight others likewise."""
    canvas = Canvas(3**order, 3**order)

    def stays(row: int, column: int) -> bool:
        while row or column:
            if row % 3 == column % 3 == 1:
                return False
            row, column = row // 3, column // 3
        return True

    canvas.where(stays)
    return canvas.grid()


def rule_30(height: int) -> Grid:
    """Return Wolfram's automaton from one dark cell: new = left xor (middle or right)."""
    canvas = Canvas(height, 2 * height - 1)
    canvas.dot(0, height - 1)
    for row in polled(range(1, height)):
        for column in range(2 * height - 1):
            left, middle, right = (
                canvas[row - 1, column + x] if 0 <= column + x < 2 * height - 1 else 0
                for x in (-1, 0, 1)
            )
            canvas.dot(row, column, left ^ (middle | right))
    return canvas.grid()


def pentagrid(size: int, spacing: float) -> Grid:
    """Return the cells with an odd sum of stripe numbers of five families of parallel stripes.

    The families have the directions of a pentagon's sides.
    """
    canvas = Canvas(size, size)
    middle = (size - 1) / 2
    directions = [(sin(2 * pi * k / 5), cos(2 * pi * k / 5)) for k in range(5)]

    def dark(row: int, column: int) -> bool:
        y, x = row - middle, column - middle
        return sum(floor((y * s + x * c) / spacing + 0.2) for s, c in directions) % 2 == 1

    canvas.where(dark)
    return canvas.grid()


def rose(size: int, petals: int) -> Grid:
    """Return the flower r <= |cos(petals * angle / 2)|, by the Chebyshev recurrence."""
    canvas = Canvas(size, size)
    middle = (size - 1) / 2

    def inside(row: int, column: int) -> bool:
        z = complex(column - middle, middle - row)
        radius_squared = abs(z * z)
        if radius_squared == 0:
            return True
        cosine: float = (z**petals).real / (radius_squared ** (petals / 2))
        return radius_squared / (size / 2) ** 2 <= (1 + cosine) / 2

    canvas.where(inside)
    return canvas.grid()


MOST_ROWS = 1000


class Pattern(NamedTuple):
    """A kind of picture.

    Args:
        title: Title of a puzzle.
        least: Rows of the smallest picture.
        draw: Function that draws the largest picture of at most so many rows.
    """

    title: str
    least: int
    draw: Callable[[int], Grid]


def generate_pattern(
    name: str,
    size: int,
    *,
    dark: bool = False,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Nonogram:
    """Return the nonogram of a well-known picture, with the picture as its goal.

        >>> print(nonosat.generate_pattern("carpet", 9).goal)
        #########
        #.##.##.#
        #########
        ###...###
        #.#...#.#
        ###...###
        #########
        #.##.##.#
        #########

    Args:
        name: Name that `nonosat generate pattern --help` lists, for example `rose`.
        size: Maximum number of rows; some pictures exist in some sizes only.
        dark: Exchange filled and empty cells.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Memory of this process; None is without limit.

    Raises:
        PuzzleError: There is no such picture, or it has no version of so few or so many rows.
        LimitReached: A limit was reached first.
    """
    if name not in PATTERNS:
        idea = meant(name, PATTERNS) if isinstance(name, str) else ""
        known = ", ".join(PATTERNS)
        raise PuzzleError(f"{shown(name)} is not a pattern{idea}, expected {known}")
    pattern = PATTERNS[name]
    if type(size) is not int or not pattern.least <= size <= MOST_ROWS:
        found = counted(size, "row") if type(size) is int else shown(size)
        raise PuzzleError(f"{name} of {found}, expected {pattern.least} to {MOST_ROWS}")
    watch = watch_of(time_limit_s, memory_limit_mib)
    watch.check()
    drawn = within(watch, partial(pattern.draw, size))
    title = f"{pattern.title}, dark" if dark else pattern.title
    ending = "-dark" if dark else ""
    source = "nonosat generate pattern"
    about = About(id=f"{name}-{drawn.height}{ending}", title=title, source=source)
    return from_grid(negative(drawn) if dark else drawn, about=about)


def _power(base: int, most: int) -> int:
    """Return the largest exponent with base**exponent <= most; most is at least 1."""
    exponent = 0
    while base ** (exponent + 1) <= most:
        exponent += 1
    return exponent


def _dragon(most: int) -> Grid:
    """Return the largest dragon of at most so many rows; each fold makes it at least as large."""
    found = dragon(1)
    folds = 2
    while (larger := dragon(folds)).height <= most:
        found, folds = larger, folds + 1
    return found


PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "carpet": Pattern("Sierpinski's carpet", 3, lambda n: carpet(_power(3, n))),
        "dominoes": Pattern("Staircase of dominoes", 3, lambda n: staircase((n - 1) // 2)),
        "dragon": Pattern("Dragon curve", 5, _dragon),
        "glider-gun": Pattern("Glider gun", 12, lambda n: glider_gun(n, 150)),
        "hilbert": Pattern("Hilbert's curve", 3, lambda n: hilbert(_power(2, n + 1) - 1)),
        "knot": Pattern("Plaited knot", 17, lambda n: knot((n - 5) // 12, (n - 5) // 12 + 1)),
        "mandelbrot": Pattern("Mandelbrot set", 5, lambda n: mandelbrot(n, (60 * n + 24) // 49)),
        "moire": Pattern("Moire rings", 15, lambda n: moire(n, 3, 6)),
        "pentagrid": Pattern("Five directions", 5, lambda n: pentagrid(n, 5.5)),
        "primes": Pattern("Prime spiral", 3, lambda n: prime_spiral((n - 1) // 2 * 2 + 1)),
        "rose": Pattern("Rose of five petals", 5, lambda n: rose(n, 5)),
        "rule-30": Pattern("Rule 30", 2, rule_30),
        "sierpinski": Pattern("Sierpinski's triangle", 2, lambda n: sierpinski(_power(2, n))),
        "spirograph": Pattern("Spirograph", 9, lambda n: spirograph(n, 0.3, 0.25, 3)),
        "triangles": Pattern("Triangles of triangles", 3, lambda n: triangles(_power(2, n // 3))),
        "truchet": Pattern("Truchet tiles", 7, lambda n: truchet(n // 7, 1, 7)),
    }
)
