"""Random data that many tests draw: clues, lines, grids, puzzles. All of them shrink well."""

from __future__ import annotations

from hypothesis import strategies as st

from nonosat.about import About
from nonosat.grid import UNKNOWN, Grid
from nonosat.model import FALSE, TRUE, Block, Clue, Line
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, Nonogram, clue_of, from_grid

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@st.composite
def clues(draw: st.DrawFn, max_length: int = 8, max_colours: int = 3, blotted: bool = True) -> Clue:
    """A clue for a line of `max_length` cells; now and then it does not fit."""
    known = st.integers(1, max(1, max_length // 2)) | st.integers(1, max_length + 1)
    length: st.SearchStrategy[int | None] = st.one_of(known, st.none()) if blotted else known
    block = st.builds(Block, length, st.integers(1, max_colours))
    return tuple(draw(st.lists(block, max_size=(max_length + 1) // 2)))


@st.composite
def lines(draw: st.DrawFn, max_length: int = 8, max_colours: int = 3, blotted: bool = True) -> Line:
    """A line with some cells known: filled, empty, not of a colour, or filled in any colour.

    Literal k * length + 1 + i is "cell i has colour k + 1" where it is not a constant.
    """
    length = draw(st.integers(1, max_length))
    colours = draw(st.integers(1, max_colours))
    if draw(st.booleans()):  # the clue of a picture, so that many lines are feasible
        cells = draw(st.lists(st.integers(0, colours), min_size=length, max_size=length))
        clue = clue_of(cells)
        if blotted and clue and draw(st.booleans()):
            place = draw(st.integers(0, len(clue) - 1))
            clue = (*clue[:place], Block(None, clue[place].colour), *clue[place + 1 :])
    else:
        clue = draw(clues(length, colours, blotted))
    planes = [[k * length + 1 + i for i in range(length)] for k in range(colours)]
    known = st.sampled_from(["open"] * 4 + ["empty", "not", "is", "filled"])
    filled = set()
    for cell in range(length):
        what = draw(known)
        colour = draw(st.integers(0, colours - 1)) if what in ("is", "not") else 0
        if what == "filled":
            filled.add(cell)
        for k in range(colours):
            if what == "empty" or (what == "is" and k != colour) or (what == "not" and k == colour):
                planes[k][cell] = FALSE
            elif what == "is":
                planes[k][cell] = TRUE
    return Line(tuple(map(tuple, planes)), clue, frozenset(filled))


@st.composite
def grids(draw: st.DrawFn, max_cells: int = 36, max_colours: int = 3) -> Grid:
    """A picture of any shape: 1xN, Nx1, square or not, empty and full ones among them."""
    height = draw(st.integers(1, 6) | st.integers(1, max_cells))
    width = draw(st.integers(1, max(1, max_cells // height)))
    colours = draw(st.integers(1, max_colours))
    count = height * width
    uniform = st.integers(0, colours).map(lambda value: bytes([value]) * count)
    mixed = st.lists(st.integers(0, colours), min_size=count, max_size=count).map(bytes)
    return Grid(height, width, draw(st.one_of(mixed, mixed, mixed, uniform)))


def colour_sets(count: int) -> st.SearchStrategy[tuple[Colour, ...]]:
    """`count` inks: the default one alone, or letters in any order and shade."""
    if count == 1:
        return st.just((BLACK,))
    keys = st.lists(st.sampled_from(LETTERS), min_size=count, max_size=count, unique=True)
    shade = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")
    shades = st.lists(shade, min_size=count, max_size=count)
    return st.builds(lambda names, rgbs: tuple(map(Colour, names, rgbs)), keys, shades)


def backgrounds() -> st.SearchStrategy[Colour]:
    """White, or another colour."""
    shade = st.integers(0, 0xFFFFFF).map(lambda value: Colour(WHITE.key, f"#{value:06x}"))
    return st.just(WHITE) | shade


def texts() -> st.SearchStrategy[str]:
    """Metadata in any script, without control characters and blanks at the ends."""
    plain = st.characters(
        exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp"), exclude_characters="\ufeff"
    )
    return st.text(plain | st.sampled_from("&\"'<>#:=é"), max_size=12).map(str.strip)


def abouts() -> st.SearchStrategy[About]:
    """Metadata, every field of it."""
    fields = ("title", "author", "copyright", "license", "source", "description")
    return st.builds(About, **{field: texts() for field in fields})


@st.composite
def puzzles(
    draw: st.DrawFn,
    max_cells: int = 36,
    max_colours: int = 3,
    blotted: bool = True,
    given: bool = True,
    about: bool = False,
    saved: bool = False,
) -> Nonogram:
    """A puzzle: half of them have the clues of a picture (and so a solution), half have any.

    Args:
        draw: Hypothesis's.
        max_cells: Largest board.
        max_colours: Largest number of inks; not all of them need be used.
        blotted: Whether blocks may be of unknown length.
        given: Whether cells may be given: of the picture, or any.
        about: Whether there are metadata and a coloured background.
        saved: Whether there may be states of progress, right or wrong.
    """
    grid = draw(grids(max_cells, max_colours))
    count = draw(st.integers(max(1, *grid.cells), max_colours))
    inks = draw(colour_sets(count))
    solvable = draw(st.booleans())
    puzzle = from_grid(grid, inks)
    rows, columns, goal = puzzle.rows, puzzle.columns, puzzle.goal
    if not solvable:
        rows = tuple(draw(clues(grid.width, count, blotted)) for _ in range(grid.height))
        columns = tuple(draw(clues(grid.height, count, blotted)) for _ in range(grid.width))
        goal = draw(st.none() | st.just(goal))
    elif blotted and draw(st.booleans()):
        keep = st.booleans()
        rows = tuple(_blot(clue, draw(keep), draw(keep)) for clue in rows)
        columns = tuple(_blot(clue, draw(keep), draw(keep)) for clue in columns)
    known: tuple[tuple[int, int, int], ...] = ()
    if given and draw(st.booleans()):
        cell = st.tuples(st.integers(0, grid.height - 1), st.integers(0, grid.width - 1))
        cells = draw(st.lists(cell, max_size=4, unique=True))
        any_colour = st.integers(0, count)
        known = tuple((*at, grid[at] if solvable else draw(any_colour)) for at in cells)
    return Nonogram(
        rows,
        columns,
        colours=inks,
        background=draw(backgrounds()) if about else WHITE,
        given=known,
        goal=goal,
        about=draw(abouts()) if about else About(),
        saved=draw(states(grid.height, grid.width, count)) if saved else (),
    )


def states(height: int, width: int, colours: int) -> st.SearchStrategy[tuple[Grid, ...]]:
    """Up to two states of progress."""
    table = bytes((UNKNOWN, *range(colours + 1))[code % (colours + 2)] for code in range(256))
    count = height * width
    cells = st.binary(min_size=count, max_size=count).map(lambda data: data.translate(table))
    state = st.builds(Grid, st.just(height), st.just(width), cells)
    return st.lists(state, max_size=2).map(tuple)


def _blot(clue: Clue, first: bool, others: bool) -> Clue:
    """The clue with its first block, or all others, of unknown length."""
    return tuple(
        Block(None, block.colour) if (first if index == 0 else others) else block
        for index, block in enumerate(clue)
    )
