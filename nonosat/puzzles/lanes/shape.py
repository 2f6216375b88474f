"""Shapes of boards of lanes: cells with places, and lanes, which are sequences of cells.

A `Shape` is a short description, and `Shape.layout` are the cells and lanes that it describes:

    triddler    a hexagon of triangles with six sides; lanes in three directions
    grid        a rectangle of which cells are left out; each stretch of a row or column is a lane
    grids       rectangles that may overlap; a row or column of each is a lane
    lanes       any lanes

A place is (row, column). In a triddler a triangle with its point up covers the columns p and p + 1
of half the side of a triangle, and so does the next one, with its point down, one column further
right; its place is (row, p). The six sides are those of the outline, clockwise from the top; a side
may have length 0 if none of the two beside it has.

Geometry of triddlers: cell (a, b, c) with a - b + c = -1 (point up) or 0 (point down). Rows have
constant a, lanes / constant b, lanes \\ constant c, and p = 2 b - a, or 2 b + 1 - a. Two lanes of
different directions may share two cells. Linear in the cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from nonosat.core.errors import PuzzleError, counted, shown
from nonosat.core.grid import whole_numbers
from nonosat.core.limits import polled

MAX_CELLS = 250_000
MAX_SIDE = 100_000  # of the rectangle around all places
MOST_LANES = 4  # through one cell
NUM_SIDES = 6
DIRECTIONS = ("row", "line /", "line \\")  # of the lanes of a triddler

Place = tuple[int, int]
Lanes = tuple[tuple[int, ...], ...]


class Layout(NamedTuple):
    """Cells and lanes of a shape.

    Args:
        places: (row, column) of each cell.
        lanes: Cells of each lane, in the order of its blocks.
        names: Name of each lane in sentences.
        groups: Number of lanes of each group, in order: the lanes of one direction.
        alike: Number of consecutive groups that have the same cells.
        height: Number of rows.
        width: Number of columns.
    """

    places: tuple[Place, ...]
    lanes: Lanes
    names: tuple[str, ...]
    groups: tuple[int, ...]
    alike: int
    height: int
    width: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a board; `triddler`, `outline`, `grids` and `of_lanes` make one.

    Args:
        kind: "triddler", "grid", "grids" or "lanes".
        parts: Six sides; rows of a picture; (row, column, height, width) of each grid; or lanes,
            each a sequence of places.

    Raises:
        PuzzleError: There is no such shape; the message names the wrong part.
    """

    kind: str
    parts: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in _SHAPES:
            raise PuzzleError(f"the shape {shown(self.kind)}, expected one of {', '.join(_SHAPES)}")
        if not isinstance(self.parts, list | tuple) or not self.parts:
            raise PuzzleError(f"the shape {self.kind} is {shown(self.parts)}, expected a list")
        parts = tuple(
            part if isinstance(part, str | int) else _frozen(part) for part in polled(self.parts)
        )
        object.__setattr__(self, "parts", parts)
        _ = self.layout  # raises for parts that describe no shape

    @property
    def layout(self) -> Layout:
        """Cells and lanes."""
        return _layout(self)

    @property
    def size(self) -> str:
        """Size in words."""
        if self.kind == "triddler":
            return f"sides {' '.join(map(str, self.parts))}"
        if self.kind == "grids":
            return counted(len(self.parts), "grid")
        layout = self.layout
        return f"{layout.height} x {layout.width} places" if self.kind == "grid" else "own lanes"

    def to_data(self) -> dict[str, Any]:
        """Return the shape as JSON data."""
        return {self.kind: _thawed(self.parts)}

    @classmethod
    def from_data(cls, data: object) -> Shape:
        """Return the shape for JSON data: an object with the kind as its only key."""
        if not isinstance(data, dict) or len(data) != 1:
            raise PuzzleError(
                f"shape is {shown(data)}, expected an object with one of {', '.join(_SHAPES)}"
            )
        ((kind, parts),) = data.items()
        return cls(kind, parts)


def triddler(*sides: int) -> Shape:
    """Return a hexagon of triangles.

    Args:
        *sides: Lengths of the sides: top, upper right, lower right, bottom, lower left, upper left;
            or one length for all of them.
    """
    return Shape("triddler", sides * NUM_SIDES if len(sides) == 1 else sides)


def outline(*rows: str) -> Shape:
    """Return a rectangle of which cells are left out: "#" is a cell, "." is none."""
    return Shape("grid", rows)


def grids(*boxes: Sequence[int]) -> Shape:
    """Return rectangles (row, column, height, width), which may overlap in pairs."""
    return Shape("grids", boxes)


def samurai(side: int, overlap: int) -> Shape:
    """Return five squares: four at corners, and one in the middle that overlaps each of them."""
    side, overlap = whole_numbers((side, overlap), "side and overlap")
    step = side - overlap
    corners = [(row, column) for row in (0, 2 * step) for column in (0, 2 * step)]
    return grids(*((row, column, side, side) for row, column in (*corners, (step, step))))


def of_lanes(*lanes: Iterable[Place]) -> Shape:
    """Return a shape of any lanes, each a sequence of places (row, column)."""
    parts = (tuple(lane) if isinstance(lane, Iterable) else lane for lane in lanes)
    return Shape("lanes", tuple(parts))


def _thawed(part: Any) -> Any:
    return [*map(_thawed, part)] if isinstance(part, tuple) else part


def _frozen(part: object) -> tuple[Any, ...]:
    """Return a list of numbers, or of lists of numbers, as tuples."""
    if isinstance(part, list | tuple):
        if part and isinstance(part[0], list | tuple):
            return tuple(whole_numbers(place, "a place of a lane") for place in part)
        return whole_numbers(part, "a part of the shape")
    raise PuzzleError(f"a part of the shape is {shown(part)}, expected a list of whole numbers")


@lru_cache(maxsize=64)
def _layout(shape: Shape) -> Layout:
    layout: Layout = _SHAPES[shape.kind](shape.parts)
    passing = Counter(cell for lane in layout.lanes for cell in lane)
    for cell, number in passing.items():
        if number > MOST_LANES:
            row, column = layout.places[cell]
            raise PuzzleError(
                f"{number} lanes pass through row {row + 1}, column {column + 1}, expected at most "
                f"{MOST_LANES}"
            )
    return layout


def _check_cells(number: int) -> None:
    if number > MAX_CELLS:
        raise PuzzleError(f"{number:,} cells, expected at most {MAX_CELLS:,}")


# Triddlers


def _of_sides(parts: tuple[Any, ...]) -> Layout:
    """Return the layout of a hexagon of triangles."""
    sides = whole_numbers(parts, "the sides of a triddler")
    if len(sides) != NUM_SIDES or min(sides) < 0:
        raise PuzzleError(
            f"a triddler has the sides {shown(list(sides))}, expected six lengths of at least 0"
        )
    top, upper_right, lower_right, bottom, lower_left, upper_left = sides
    num_rows, num_rising, num_falling = (
        upper_left + lower_left,
        top + upper_right,
        bottom + lower_right,
    )
    is_closed = num_rising == bottom + lower_left and num_rows == upper_right + lower_right
    if not is_closed or top + upper_left == 0 or 0 in (num_rows, num_rising, num_falling):
        raise PuzzleError(
            f"no hexagon has the sides {' '.join(map(str, sides))}: clockwise from the top, the "
            "first and second must be as long as the fourth and fifth, the second and third as the "
            "fifth and sixth, and no two neighbours 0"
        )
    _check_cells(num_rows * (num_rising + num_falling))
    places: list[Place] = []
    rows, rising, falling = _lists(num_rows), _lists(num_rising), _lists(num_falling)
    for a in polled(range(num_rows)):
        # Point up: c = b - a - 1; point down: c = b - a; both from -upper_left.
        for b in range(max(0, a - upper_left), min(num_rising, a - upper_left + num_falling + 1)):
            at = b - a + upper_left  # index of the lane \ of the triangle with its point down
            up, down = at > 0, at < num_falling
            if up:
                rows[a].append(len(places))
                falling[at - 1].append(len(places))
                places.append((a, 2 * b - a))
            if down:
                rows[a].append(len(places))
                falling[at].append(len(places))
                rising[b].append(len(places))
                places.append((a, 2 * b + 1 - a))
            if up:  # the lane / meets the triangle with its point down first
                rising[b].append(len(places) - 1 - down)
    least = min(column for _, column in places)
    width = max(column for _, column in places) - least + 1
    names = tuple(
        f"{name} {number}"
        for name, lanes in zip(DIRECTIONS, (rows, rising, falling), strict=True)
        for number in range(1, len(lanes) + 1)
    )
    return Layout(
        tuple((row, column - least) for row, column in places),
        tuple(map(tuple, (*rows, *rising, *falling))),
        names,
        (num_rows, num_rising, num_falling),
        3,
        num_rows,
        width,
    )


def _lists(number: int) -> list[list[int]]:
    return [[] for _ in range(number)]


# Squares


def _of_rows(parts: tuple[Any, ...]) -> Layout:
    """Return the layout of a rectangle of which cells are left out."""
    width = len(parts[0]) if isinstance(parts[0], str) else 0
    for number, row in enumerate(parts, 1):
        if not isinstance(row, str) or len(row) != width or row.strip("#."):
            raise PuzzleError(
                f"row {number} of the grid is {shown(row)}, expected '#' for a cell, '.' for none, "
                "and rows of equal length"
            )
    _check_cells(len(parts) * width)
    places = [
        (y, x) for y, row in enumerate(polled(parts)) for x, sign in enumerate(row) if sign == "#"
    ]
    if not places:
        raise PuzzleError("the grid has no cell, expected at least one '#'")
    columns = sorted(places, key=lambda place: place[::-1])
    sides = [
        [*_stretches("row", places)],
        [*_stretches("column", [(x, y) for y, x in columns])],
    ]
    lanes = [(name, [place[::-1] for place in lane]) for name, lane in sides[1]]
    return _layout_of([*sides[0], *lanes], (len(sides[0]), len(lanes)), 2)


def _stretches(name: str, places: Iterable[Place]) -> Iterator[tuple[str, list[Place]]]:
    """Yield the stretches of neighbouring places in each line, with their names."""
    for line, mine in groupby(places, key=lambda place: place[0]):
        runs = [
            [(y, x) for _, (y, x) in run]
            for _, run in groupby(enumerate(mine), key=lambda item: item[1][1] - item[0])
        ]
        for number, run in enumerate(runs, 1):
            part = f", part {number}" if len(runs) > 1 else ""
            yield f"{name} {line + 1}{part}", run


def _of_boxes(parts: tuple[Any, ...]) -> Layout:
    """Return the layout of rectangles that may overlap."""
    lanes: list[tuple[str, list[Place]]] = []
    groups, area = list[int](), 0
    for number, box in enumerate(parts, 1):
        if not isinstance(box, tuple) or len(box) != 4 or min(box) < 0 or 0 in box[2:]:
            raise PuzzleError(
                f"grid {number} is {shown(box)}, expected [row, column, height, width]"
            )
        top, left, height, width = box
        area += height * width
        if area > MOST_LANES // 2 * MAX_CELLS:  # a cell lies in two grids at most
            raise PuzzleError(f"grids of {area:,} cells, expected at most {MAX_CELLS:,}")
        rows, columns = range(top, top + height), range(left, left + width)
        where = f" of grid {number}" if len(parts) > 1 else ""
        lanes += [(f"row {y - top + 1}{where}", [(y, x) for x in columns]) for y in polled(rows)]
        lanes += [
            (f"column {x - left + 1}{where}", [(y, x) for y in rows]) for x in polled(columns)
        ]
        groups += [height, width]
    return _layout_of(lanes, groups, 2)


def _of_places(parts: tuple[Any, ...]) -> Layout:
    """Return the layout of any lanes."""
    lanes = []
    for number, lane in enumerate(polled(parts), 1):
        is_valid = isinstance(lane, tuple) and all(
            isinstance(place, tuple) and len(place) == 2 and min(place) >= 0 for place in lane
        )
        if not is_valid or not lane or len(set(lane)) < len(lane):
            raise PuzzleError(
                f"lane {number} is {shown(lane)}, expected different places [row, column]"
            )
        lanes.append((f"lane {number}", [*lane]))
    return _layout_of(lanes, (len(lanes),), 1)


def _layout_of(
    lanes: Sequence[tuple[str, list[Place]]], groups: Sequence[int], alike: int
) -> Layout:
    """Return the layout of named lanes; cells are numbered in reading order."""
    places = sorted({place for _, lane in polled(lanes) for place in lane})
    _check_cells(len(places))
    height, width = (1 + max(place[part] for place in places) for part in (0, 1))
    if max(height, width) > MAX_SIDE or height * width > 16 * MAX_CELLS:
        raise PuzzleError(f"places in {height:,} rows and {width:,} columns, expected fewer")
    number = {place: cell for cell, place in enumerate(places)}
    return Layout(
        tuple(places),
        tuple(tuple(number[place] for place in lane) for _, lane in polled(lanes)),
        tuple(name for name, _ in lanes),
        tuple(groups),
        alike,
        height,
        width,
    )


_SHAPES = {
    "triddler": _of_sides,
    "grid": _of_rows,
    "grids": _of_boxes,
    "lanes": _of_places,
}
