"""The strategy for nonograms of any class; `classes` has those of one."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from nonosat.about import About
from nonosat.model import Clue
from nonosat.puzzles.nonogram.data import WHITE, Colour, Nonogram, from_grid
from nonosat.testing.strategies.lines import clues, hide, several
from nonosat.testing.strategies.pictures import (
    Shape,
    Sketch,
    abouts,
    backgrounds,
    colour_sets,
    corners,
    sketches,
    states,
)

Inks = tuple[Colour, ...]


@st.composite
def puzzles(
    draw: st.DrawFn,
    max_cells: int = 36,
    max_colours: int = 3,
    unknown: bool = True,
    given: bool = True,
    about: bool = False,
    saved: bool = False,
    height: int | None = None,
    width: int | None = None,
) -> Nonogram:
    """Nonograms of any shape and class.

    Half of them have the clues of a picture, which is their goal, and so a solution; a quarter have
    these clues with something changed, a quarter have any clues. They shrink to fewer rows and
    columns, one colour, known lengths, no given cells, and empty cells: to a single empty one.

    Args:
        draw: Given by hypothesis, not by you.
        max_cells: Largest board, where height and width are not both given.
        max_colours: Largest number of inks; not all of them need be used. 1 is black and white.
        unknown: Whether blocks may be of unknown length.
        given: Whether cells may be given from the start, rightly or (without a goal) not.
        about: Whether there are metadata and a coloured background.
        saved: Whether there may be states of progress, right or wrong.
        height: Rows; None for any number.
        width: Columns; None for any number.
    """
    inks = draw(st.integers(1, max_colours).flatmap(colour_sets))
    shape = Shape(max_cells, height, width)
    kind = draw(st.sampled_from(["picture", "picture", "changed", "any"]))
    if kind == "picture":
        puzzle = clued(draw(pictures(shape, len(inks), unknown, given)), inks)
    elif kind == "changed":
        puzzle = draw(changed(shape, inks, unknown, given))
    else:
        puzzle = draw(_any_clues(shape, inks, unknown, given))
    return replace(
        puzzle,
        background=draw(backgrounds()) if about else WHITE,
        about=draw(abouts()) if about else About(),
        saved=draw(states(puzzle.height, puzzle.width, len(inks))) if saved else (),
    )


@st.composite
def pictures(draw: st.DrawFn, shape: Shape, num_colours: int, unknown: bool, given: bool) -> Sketch:
    """Sketches; half of them with marked cells, and half with numbers for unknown lengths."""
    hidden = unknown and draw(st.booleans())
    marked = given and draw(st.booleans())
    return draw(sketches(shape, num_colours, given, unknown)).only(marked, hidden)


def clued(sketch: Sketch, inks: Inks, wrong: bool = False) -> Nonogram:
    """The puzzle of a sketch; with `wrong`, some given cells are none of the picture's."""
    whole = from_grid(sketch.grid, inks)
    return replace(
        whole,
        rows=tuple(map(hide, whole.rows, sketch.rows)),
        columns=tuple(map(hide, whole.columns, sketch.columns)),
        given=sketch.given(len(inks), wrong),
        goal=None if wrong else sketch.grid,
    )


@st.composite
def changed(draw: st.DrawFn, shape: Shape, inks: Inks, unknown: bool, given: bool) -> Nonogram:
    """The clues of a picture with two of them swapped or one replaced, or with a wrong cell."""
    puzzle = clued(draw(pictures(shape, len(inks), unknown, given)), inks, wrong=True)
    side = draw(st.sampled_from(["rows", "columns"]))
    lines: list[Clue] = [*getattr(puzzle, side)]
    place = draw(st.integers(0, shape.longest - 1)) % len(lines)
    change = draw(st.sampled_from(["nothing", "clue", "swap"]))
    if change == "clue":
        lines[place] = draw(clues(shape.longest, len(inks), unknown))
    elif change == "swap":
        other = draw(st.integers(0, shape.longest - 1)) % len(lines)
        lines[place], lines[other] = lines[other], lines[place]
    return replace(puzzle, **{side: tuple(lines)})  # type: ignore[arg-type]  # one of the two


@st.composite
def _any_clues(draw: st.DrawFn, shape: Shape, inks: Inks, unknown: bool, given: bool) -> Nonogram:
    tall, wide = draw(corners(shape))
    rows = draw(several(clues(wide, len(inks), unknown), tall, shape.height))
    columns = draw(several(clues(tall, len(inks), unknown), wide, shape.width))
    found: dict[tuple[int, int], int] = {}
    if given and draw(st.booleans()):
        place = st.tuples(st.integers(0, tall - 1), st.integers(0, wide - 1))
        cells = st.lists(st.tuples(place, st.integers(0, len(inks))), max_size=4)
        found = dict(draw(cells))
    known = ((*at, value) for at, value in found.items())
    on_board = tuple(cell for cell in known if cell[0] < len(rows) and cell[1] < len(columns))
    return Nonogram(tuple(rows), tuple(columns), inks, given=on_board)
