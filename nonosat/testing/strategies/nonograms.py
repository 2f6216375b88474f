"""The strategy for nonograms of any class; see `classes` for single classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from nonosat.core.about import About
from nonosat.core.model import Clue
from nonosat.puzzles.nonogram.data import WHITE, Nonogram, from_grid
from nonosat.testing.strategies.lines import clues, hide, several
from nonosat.testing.strategies.numbers import shape_of
from nonosat.testing.strategies.pictures import (
    Inks,
    Sketch,
    abouts,
    backgrounds,
    corners,
    sketches,
    states,
)
from nonosat.testing.strategies.requested import NonogramRequirements, requested_of

# "wrong" is "picture" with given cells that may be wrong; it draws the same data. It is first, so
# that a puzzle of another kind can shrink to one with a wrong given cell.
_KINDS = ["wrong", *["picture"] * 6, "clue", "swap", *["any"] * 3]


def puzzles(
    max_cells: int = 36,
    max_colours: int = 3,
    unknown: bool = True,
    given: bool = True,
    about: bool = False,
    saved: bool = False,
    height: int | None = None,
    width: int | None = None,
) -> st.SearchStrategy[Nonogram]:
    """Return a strategy for nonograms of any shape and class.

    Half of them have the clues of a picture, which is their goal, and so a solution; a quarter have
    these clues with a change, a quarter have random clues. They shrink to fewer rows and columns,
    one colour, known lengths, no given cells, and empty cells: to a single empty one.

    Args:
        max_cells: Largest board, unless height and width are both given.
        max_colours: Largest number of inks, not all of which need be used; 1 for black and white.
        unknown: Permit blocks of unknown length.
        given: Permit given cells, which may be wrong if there is no goal.
        about: Draw metadata and a coloured background.
        saved: Permit states of progress, right or wrong.
        height: Rows; None for any number.
        width: Columns; None for any number.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    requested = requested_of(shape_of(max_cells, height, width), max_colours, unknown, given)
    return _puzzles(requested, about, saved)


@st.composite
def _puzzles(
    draw: st.DrawFn, requested: NonogramRequirements, about: bool, saved: bool
) -> Nonogram:
    inks = draw(requested.inks())
    kind = draw(st.sampled_from(_KINDS))
    if kind == "picture":
        puzzle = clued(draw(pictures(requested, len(inks))), inks)
    elif kind == "any":
        puzzle = draw(_any_clues(requested, inks))
    else:
        puzzle = draw(changed(requested, inks, kind))
    return replace(
        puzzle,
        background=draw(backgrounds()) if about else WHITE,
        about=draw(abouts()) if about else About(),
        saved=draw(states(puzzle.height, puzzle.width, len(inks))) if saved else (),
    )


@st.composite
def pictures(draw: st.DrawFn, requested: NonogramRequirements, num_colours: int) -> Sketch:
    """Draw a sketch; half of them have marked cells, and half numbers for unknown lengths."""
    hidden = requested.unknown and draw(st.booleans())
    marked = requested.given and draw(st.booleans())
    sketch = draw(sketches(requested.shape, num_colours, requested.given, requested.unknown))
    return sketch.only(marked, hidden)


def clued(sketch: Sketch, inks: Inks, wrong: bool = False) -> Nonogram:
    """Return the puzzle of a sketch; with `wrong`, some given cells may differ from the picture."""
    whole = from_grid(sketch.grid, inks)
    given = sketch.given(len(inks), wrong)
    fits = all(sketch.grid[row, column] == value for row, column, value in given)
    return replace(
        whole,
        rows=tuple(map(hide, whole.rows, sketch.rows)),
        columns=tuple(map(hide, whole.columns, sketch.columns)),
        given=given,
        goal=sketch.grid if fits else None,
    )


@st.composite
def changed(draw: st.DrawFn, requested: NonogramRequirements, inks: Inks, change: str) -> Nonogram:
    """Draw the clues of a picture with wrong given cells, one clue replaced, or two swapped."""
    longest = requested.shape.longest
    puzzle = clued(draw(pictures(requested, len(inks))), inks, wrong=True)
    if change == "wrong":
        return puzzle
    side = draw(st.sampled_from(["rows", "columns"]))
    lines: list[Clue] = [*getattr(puzzle, side)]
    place = draw(st.integers(0, longest - 1)) % len(lines)
    if change == "clue":
        lines[place] = draw(clues(longest, len(inks), requested.unknown))
    else:
        other = draw(st.integers(0, longest - 1)) % len(lines)
        lines[place], lines[other] = lines[other], lines[place]
    lines_now: Any = {side: tuple(lines)}
    return replace(puzzle, goal=None, **lines_now)


@st.composite
def _any_clues(draw: st.DrawFn, requested: NonogramRequirements, inks: Inks) -> Nonogram:
    shape = requested.shape
    tall, wide = draw(corners(shape))
    rows = draw(several(clues(wide, len(inks), requested.unknown), tall, shape.height))
    columns = draw(several(clues(tall, len(inks), requested.unknown), wide, shape.width))
    found: dict[tuple[int, int], int] = {}
    if requested.given and draw(st.booleans()):
        place = st.tuples(st.integers(0, tall - 1), st.integers(0, wide - 1))
        cells = st.lists(st.tuples(place, st.integers(0, len(inks))), max_size=4)
        found = dict(draw(cells))
    known = ((*at, value) for at, value in found.items())
    on_board = tuple(cell for cell in known if cell[0] < len(rows) and cell[1] < len(columns))
    return Nonogram(tuple(rows), tuple(columns), inks, given=on_board)
