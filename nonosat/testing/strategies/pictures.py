"""Strategies for pictures, and for other parts of a puzzle besides its clues.

A picture is drawn as patterns, one per row, and as the places of the patterns that its columns
show. So any row or column can be removed by dropping its drawn data, without any effect on the
rest. In this way hypothesis shrinks a failing 10x10 to the smallest board.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import isqrt
from typing import NamedTuple

from hypothesis import strategies as st

from nonosat.core.about import About
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour
from nonosat.testing.strategies.lines import several
from nonosat.testing.strategies.numbers import Shape, check_number, shape_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"
Inks = tuple[Colour, ...]
MOST_CODED = 127  # colours that a byte can represent
_PLAIN = 216  # a row in six is of one colour
# A row in six is filled from its first filled cell to its end. These codes are the smallest, so
# that cells can be filled while a picture shrinks: some boards can lose no column before that.
_TO_THE_END = 40
# Marks from here on are given cells with the picture's value, a cell in eight ...
_GIVEN = 224
# ... and those from here on, if cells may be wrong, determine the given value directly, and keep it
# while the picture shrinks: a required cell becomes a contradicting one, which a smaller board can
# show. They are the smaller codes, so that this is tried first.
_DIRECT = 212


class Sketch(NamedTuple):
    """A picture, with data from which given cells and unknown lengths are chosen.

    Args:
        grid: The picture.
        marks: One byte per cell, which selects given cells.
        rows: One number below 256 per row; its bits select blocks of unknown length.
        columns: One number below 256 per column; its bits select blocks of unknown length.
    """

    grid: Grid
    marks: bytes
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def only(self, marked: bool, hidden: bool) -> Sketch:
        """Return the sketch with its marks only if `marked`, its numbers only if `hidden`."""
        return Sketch(
            self.grid,
            self.marks if marked else bytes(len(self.marks)),
            self.rows if hidden else (0,) * len(self.rows),
            self.columns if hidden else (0,) * len(self.columns),
        )

    def given(self, num_colours: int, wrong: bool) -> tuple[tuple[int, int, int], ...]:
        """Return the marked cells; with `wrong` some may differ from the picture."""
        found = []
        for place, (mark, value) in enumerate(zip(self.marks, self.grid.cells, strict=True)):
            at = divmod(place, self.grid.width)
            if mark >= _GIVEN:
                found.append((*at, value))
            elif wrong and mark >= _DIRECT:
                found.append((*at, (mark - _DIRECT) % (num_colours + 1)))
        return tuple(found)


@st.composite
def corners(draw: st.DrawFn, shape: Shape) -> tuple[int, int]:
    """Draw the maximum height of a board, and its maximum width for this height."""
    height, width = shape.height, shape.width
    if height is None:
        most = max(1, shape.max_cells // (width or 1))
        height = isqrt(most)
        if not draw(st.sampled_from([True, True, False])):  # not a square
            height = draw(st.integers(1, most))
    return height, max(1, shape.max_cells // height) if width is None else width


@st.composite
def sketches(
    draw: st.DrawFn, shape: Shape, num_colours: int, marked: bool = False, hidden: bool = False
) -> Sketch:
    """Draw pictures of any shape, including 1xN, Nx1, empty and full lines and boards.

    They shrink to fewer rows and columns, then to empty cells. A row is drawn as bytes: a byte that
    may make it of one colour or filled to the end, then its pattern, its marks and its number. A
    column is drawn as bytes, too: its place in the patterns, and its number.

    Args:
        draw: Given by hypothesis.
        shape: Permitted sizes.
        num_colours: Colours are 1 .. num_colours, not all of which need be used.
        marked: Draw marks of cells.
        hidden: Draw numbers of lines other than 0.
    """
    turned = shape.height is None and shape.width is None and draw(st.booleans())
    tall, wide = draw(corners(shape))
    length = 2 * wide  # of a pattern: more places than columns, so that few columns are the same
    size = 1 + length + (length if marked else 0) + hidden
    rows = draw(several(st.binary(min_size=size, max_size=size), tall, shape.height))
    size = (1 if length <= _PLAIN else 4) + hidden
    columns = draw(several(st.binary(min_size=size, max_size=size), wide, shape.width))
    places = [int.from_bytes(data[: size - hidden], "big") % length for data in columns]
    patterns = [data[1:2] * length if data[0] >= _PLAIN else data[1:] for data in rows]
    lines = [[_value(cells[at], num_colours) for at in places] for cells in patterns]
    values = (
        value
        for data, line in zip(rows, lines, strict=True)
        for value in (_to_the_end(line) if data[0] < _TO_THE_END else line)
    )
    marks = (data[1 + length + at] if marked else 0 for data in rows for at in places)
    found = Sketch(
        Grid(len(rows), len(columns), bytes(values)),
        bytes(marks),
        tuple(data[-1] if hidden else 0 for data in rows),
        tuple(data[-1] if hidden else 0 for data in columns),
    )
    return _turned(found) if turned else found


def _value(code: int, num_colours: int) -> int:
    """Return the cell value of a drawn code: an even code is an empty cell, an odd one a colour."""
    return 1 + (code >> 1) % num_colours if code & 1 else 0


def _to_the_end(line: list[int]) -> Iterator[int]:
    """Yield a line's cells, after filling each empty one with the colour of the cell before it."""
    last = 0
    for value in line:
        last = value or last
        yield last


def _turned(sketch: Sketch) -> Sketch:
    """Return the sketch with rows as columns."""
    height, width = sketch.grid.height, sketch.grid.width
    cells, marks = (
        b"".join(data[at::width] for at in range(width))
        for data in (sketch.grid.cells, sketch.marks)
    )
    return Sketch(Grid(width, height, cells), marks, sketch.columns, sketch.rows)


def grids(
    max_cells: int = 36,
    max_colours: int = 3,
    height: int | None = None,
    width: int | None = None,
) -> st.SearchStrategy[Grid]:
    """Return a strategy for pictures of any shape, including 1xN, Nx1 and empty and full lines.

    They shrink to fewer rows and columns, then to empty cells: to a single empty cell.

    Args:
        max_cells: Largest picture, unless height and width are both given.
        max_colours: Largest number of colours.
        height: Rows; None for any number.
        width: Columns; None for any number.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    check_number("max_colours", max_colours, 1, MOST_CODED)
    shape = shape_of(max_cells, height, width)
    drawn = st.integers(1, max_colours).flatmap(lambda number: sketches(shape, number))
    return drawn.map(lambda sketch: sketch.grid)


# Other parts of a puzzle; each strategy is cached, because creating one takes long


@cache
def colour_sets(count: int) -> st.SearchStrategy[Inks]:
    """Return a strategy for `count` inks: the default one, or letters in any order and shade."""
    if count == 1:
        return st.just((BLACK,))
    keys = st.lists(st.sampled_from(LETTERS), min_size=count, max_size=count, unique=True)
    shade = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")
    shades = st.lists(shade, min_size=count, max_size=count)
    return st.builds(lambda names, rgbs: tuple(map(Colour, names, rgbs)), keys, shades)


@cache
def backgrounds() -> st.SearchStrategy[Colour]:
    """Return a strategy for white or another colour."""
    shade = st.integers(0, 0xFFFFFF).map(lambda value: Colour(WHITE.key, f"#{value:06x}"))
    return st.just(WHITE) | shade


@cache
def texts() -> st.SearchStrategy[str]:
    """Return a strategy for text in any script, without control characters and outer blanks."""
    plain = st.characters(
        exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp"), exclude_characters="\ufeff"
    )
    return st.text(plain | st.sampled_from("&\"'<>#:=é"), max_size=12).map(str.strip)


@cache
def abouts() -> st.SearchStrategy[About]:
    """Return a strategy for metadata in all fields."""
    fields = ("title", "author", "copyright", "license", "source", "description")
    return st.builds(About, **{field: texts() for field in fields})


def states(height: int, width: int, colours: int) -> st.SearchStrategy[tuple[Grid, ...]]:
    """Return a strategy for up to two states of progress."""
    table = bytes((UNKNOWN, *range(colours + 1))[code % (colours + 2)] for code in range(256))
    count = height * width
    cells = st.binary(min_size=count, max_size=count).map(lambda data: data.translate(table))
    state = st.builds(Grid, st.just(height), st.just(width), cells)
    return st.lists(state, max_size=2).map(tuple)
