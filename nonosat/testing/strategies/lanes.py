"""Strategies for boards of lanes: triddlers, outlines, grids that overlap, any lanes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from hypothesis import strategies as st

from nonosat.core.errors import PuzzleError
from nonosat.core.grid import Grid
from nonosat.core.model import Block
from nonosat.puzzles.lanes import (
    LaneNonogram,
    Shape,
    from_grid,
    grids,
    of_lanes,
    outline,
    triddler,
)
from nonosat.puzzles.nonogram.data import BLACK, INKS
from nonosat.testing.strategies.numbers import check_number

MOST_CELLS = 200
KINDS = ("triddler", "grid", "grids", "lanes")  # kinds of shapes


def lane_nonograms(
    max_cells: int = 16,
    max_colours: int = 2,
    unknown: bool = True,
    given: bool = True,
    kinds: Sequence[str] = KINDS,
) -> st.SearchStrategy[LaneNonogram]:
    """Return a strategy for boards of lanes; most have the solution that was drawn.

    They shrink to fewer cells, and to clues with known lengths.

    Args:
        max_cells: Largest board, at least 6.
        max_colours: Largest number of colours.
        unknown: Permit blocks of unknown length.
        given: Permit a given cell.
        kinds: Kinds of shapes: "triddler", "grid", "grids", "lanes".

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    check_number("max_cells", max_cells, 6, MOST_CELLS)
    check_number("max_colours", max_colours, 1, len(INKS))
    return _lane_nonograms(max_cells, max_colours, unknown, given, tuple(kinds))


@st.composite
def _lane_nonograms(
    draw: st.DrawFn,
    max_cells: int,
    max_colours: int,
    unknown: bool,
    given: bool,
    kinds: tuple[str, ...],
) -> LaneNonogram:
    kind = draw(st.sampled_from(kinds))
    shape = draw(_BOARDS[kind](max_cells))
    num_colours = draw(st.integers(1, max_colours))
    layout = shape.layout
    size = len(layout.places)
    drawn = draw(st.binary(min_size=size, max_size=size))
    cells = bytearray(layout.height * layout.width)
    for (row, column), value in zip(layout.places, drawn, strict=True):
        cells[row * layout.width + column] = value % (num_colours + 1)
    inks = INKS[:num_colours] if num_colours > 1 else (BLACK,)
    grid = Grid(layout.height, layout.width, bytes(cells))
    whole = from_grid(shape, grid, inks)
    wrong = draw(st.integers(0, 7))
    clues = [*whole.clues]
    if unknown:
        hidden = iter(draw(st.binary(max_size=24)))
        clues = [
            tuple(
                Block(None, ink) if next(hidden, 0) > 170 else Block(length, ink)
                for length, ink in clue
            )
            for clue in clues
        ]
    if wrong == 7:  # with the clues of other lanes
        clues = [clues[-1], *clues[:-1]]
    place = layout.places[0]
    is_given = given and wrong == 6
    return LaneNonogram(shape, tuple(clues), inks, ((*place, grid[place]),) if is_given else ())


@cache
def _triddlers(max_cells: int) -> list[Shape]:
    """Return small hexagons of triangles, the smallest first."""
    found = []
    for top, upper_right, lower_left, upper_left in product(range(4), repeat=4):
        bottom, lower_right = top + upper_right - lower_left, lower_left + upper_left - upper_right
        try:
            shape = triddler(top, upper_right, lower_right, bottom, lower_left, upper_left)
        except PuzzleError:
            continue
        if len(shape.layout.places) <= max_cells:
            found.append(shape)
    return sorted(found, key=lambda shape: len(shape.layout.places))


@st.composite
def _outlines(draw: st.DrawFn, max_cells: int) -> Shape:
    height = draw(st.integers(1, 5))
    width = draw(st.integers(1, max(1, max_cells // height)))
    marks = draw(st.lists(st.integers(0, 3), min_size=height * width, max_size=height * width))
    signs = "".join("." if mark == 3 else "#" for mark in marks)
    rows = [signs[at : at + width] for at in range(0, len(signs), width)]
    return outline(*rows) if "#" in signs else outline("#")


@st.composite
def _overlapping(draw: st.DrawFn, max_cells: int) -> Shape:
    sides = st.integers(1, 3)
    boxes = [(0, 0, draw(sides), draw(sides))]
    for _ in range(draw(st.integers(0, 2))):
        box = (draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(sides), draw(sides))
        try:
            shape = grids(*boxes, box)
        except PuzzleError:  # three grids share a cell
            continue
        if len(shape.layout.places) <= max_cells:
            boxes.append(box)
    return grids(*(boxes if boxes[0][2] * boxes[0][3] <= max_cells else [(0, 0, 2, 3)]))


@st.composite
def _any_lanes(draw: st.DrawFn, max_cells: int) -> Shape:
    places = [divmod(cell, 4) for cell in range(min(max_cells, 12))]
    numbers = st.lists(st.integers(0, len(places) - 1), min_size=1, max_size=5, unique=True)
    lanes = draw(st.lists(numbers, min_size=1, max_size=4))
    return of_lanes(*([places[number] for number in lane] for lane in lanes))


_BOARDS = {
    "triddler": lambda most: st.sampled_from(_triddlers(most)),
    "grid": _outlines,
    "grids": _overlapping,
    "lanes": _any_lanes,
}
