"""Strategies for the boards of other families: open clues, loops, queens, knight's tours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from nonosat.core.model import MAX_LENGTH, AnyBlocks, Block, BlockOf, Entry, OpenClue, block_of
from nonosat.generate.slitherlink import clues_of
from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.nonogram.data import BLACK, INKS, clue_of
from nonosat.puzzles.queens.construction import columns as constructed
from nonosat.puzzles.queens.data import Queens
from nonosat.puzzles.ranges.data import RangeNonogram
from nonosat.puzzles.slitherlink.data import BLANK, MAX_CLUE, Slitherlink, around
from nonosat.testing.boards import is_move
from nonosat.testing.strategies.lines import several
from nonosat.testing.strategies.numbers import MOST_SIDE, Shape, check_number, shape_of
from nonosat.testing.strategies.pictures import sketches

Square = tuple[int, int]
_RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
_HIDDEN = 128  # marks from here on are blank cells
_LONGEST = 5  # side of a knight's board


def range_nonograms(
    max_cells: int = 12, max_colours: int = 2, stars: bool = True
) -> st.SearchStrategy[RangeNonogram]:
    """Return a strategy for nonograms with open clues; most have the solution that was drawn.

    They shrink to fewer cells, and to clues with known lengths.

    Args:
        max_cells: Largest board.
        max_colours: Largest number of colours.
        stars: Permit entries for any number of blocks.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    check_number("max_colours", max_colours, 1, len(INKS))
    return _range_nonograms(shape_of(max_cells, None, None), max_colours, stars)


@st.composite
def _range_nonograms(draw: st.DrawFn, shape: Shape, max_colours: int, stars: bool) -> RangeNonogram:
    num_colours = draw(st.integers(1, max_colours))
    grid = draw(sketches(shape, num_colours)).grid
    ways, wrong = draw(st.binary(max_size=24)), draw(st.integers(0, 7))
    chosen = iter(ways)  # known lengths after its end
    sides = [
        tuple(_opened(clue_of(line), chosen, stars) for line in lines)
        for lines in (grid, zip(*grid, strict=True))
    ]
    if wrong == 7:  # with the clue of another line
        sides[0] = (sides[0][-1], *sides[0][1:])
    inks = INKS[:num_colours] if num_colours > 1 else (BLACK,)
    given = ((0, 0, grid[0, 0]),) if wrong == 6 else ()
    return RangeNonogram(sides[0], sides[1], inks, given)


def _opened(clue: tuple[Block, ...], ways: Iterator[int], stars: bool) -> OpenClue:
    """Return a clue that allows at least the same runs."""
    found: list[Entry] = []
    for block in clue:
        assert block.length is not None
        size, colour, way = block.length, block.colour, next(ways, 0)
        choices: list[Block | BlockOf] = [
            block,
            Block(None, colour),
            block_of(range(size, size + 2), colour, "a line"),
            block_of([max(1, size - 2), size, size + 2], colour, "a line"),
            block_of(range(size, MAX_LENGTH + 1), colour, "a line"),
        ]
        found.append(AnyBlocks() if stars and way % 4 == 3 else choices[way // 4 % len(choices)])
        if stars and way >= 240:
            found.append(AnyBlocks())
    return tuple(found)


def slitherlinks(
    max_cells: int = 12,
    blank: bool = True,
    height: int | None = None,
    width: int | None = None,
) -> st.SearchStrategy[Slitherlink]:
    """Return a strategy for Slitherlink boards of any shape, most with the clues of some loop.

    They shrink to fewer rows and columns, then to a short loop and to no blank cells: to one cell
    with the clue 4.

    Args:
        max_cells: Largest board, unless height and width are both given.
        blank: Permit cells without a clue; half of the boards have some.
        height: Rows of cells; None for any number.
        width: Columns of cells; None for any number.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    return _slitherlinks(shape_of(max_cells, height, width), blank)


@st.composite
def _slitherlinks(draw: st.DrawFn, shape: Shape, blank: bool) -> Slitherlink:
    has_blanks = blank and draw(st.booleans())
    has_loop = draw(st.sampled_from([True, True, True, False]))
    sketch = draw(sketches(shape, MAX_CLUE, marked=blank))
    grid, clues = sketch.grid, sketch.grid.cells
    if has_loop:
        inside = _region(grid.height, grid.width, bytes(cell > 0 for cell in grid.cells))
        clues = clues_of(around(grid.height, grid.width, inside))
    kept = (
        BLANK if has_blanks and mark >= _HIDDEN else clue
        for clue, mark in zip(clues, sketch.marks, strict=True)
    )
    return Slitherlink(grid.height, grid.width, bytes(kept))


def _region(height: int, width: int, filled: bytes) -> bytes:
    """Return a region that one loop can surround, of cells that `filled` marks, a byte per cell.

    It grows from the first marked cell. A cell is added if inside and outside change exactly twice
    around it. So every region without holes and pinches can be reached from any of its cells.
    """
    cells = {divmod(place, width) for place, value in enumerate(filled) if value}
    inside = {min(cells, default=(0, 0))}
    grown = True
    while grown:
        grown = False
        for row, column in sorted(cells - inside):
            ring = [(row + down, column + across) in inside for down, across in _RING]
            changes = sum(ring[place] != ring[place - 1] for place in range(8))
            if changes == 2 and any(ring[1::2]):
                inside.add((row, column))
                grown = True
    return bytes(divmod(place, width) in inside for place in range(height * width))


def queens(max_n: int = 6, given: bool = True, blocked: bool = True) -> st.SearchStrategy[Queens]:
    """Return a strategy for n queens, with given queens; at least a third have solutions.

    They shrink to a smaller board, without queens and without blocked squares: to none at all.

    Args:
        max_n: Largest number of queens, at least 1; there may be 0.
        given: Permit given queens, which may attack each other.
        blocked: Permit blocked squares.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    check_number("max_n", max_n, 1, MOST_SIDE)
    return _queens(max_n, given, blocked)


@st.composite
def _queens(draw: st.DrawFn, max_n: int, given: bool, blocked: bool) -> Queens:
    n = draw(st.integers(0, max_n) | st.integers((max_n + 1) // 2, max_n))
    if not n:
        return Queens(0)
    side = st.integers(0, max_n - 1)
    squares = st.lists(st.tuples(side, side), max_size=max_n)
    rows = draw(st.lists(side, max_size=2))  # rows of given queens
    others = draw(squares) if blocked else []
    if draw(st.booleans()) and n not in (2, 3):
        placed = _seen(constructed(n), draw(st.integers(0, 7)))
        queens = {(row, placed[row]) for row in rows if row < n}
        others = [square for square in others if square not in [*enumerate(placed)]]
    else:
        queens = {(row, draw(side)) for row in rows}
    on_board = {*product(range(n), repeat=2)}
    return Queens(n, tuple(queens & on_board) if given else (), tuple({*others} & on_board))


def _seen(placed: list[int], way: int) -> list[int]:
    """Return a placement mirrored, upside down, or transposed, depending on `way`."""
    if way & 1:
        placed = placed[::-1]
    if way & 2:
        placed = [len(placed) - 1 - column for column in placed]
    return [placed.index(row) for row in range(len(placed))] if way & 4 else placed


def knights(
    max_squares: int = 14,
    closed: bool = True,
    holes: bool = True,
    given: bool = True,
) -> st.SearchStrategy[Knight]:
    """Return a strategy for knight's boards up to 5x5; more than half of them have a tour.

    Most consist of the squares of a walk, with holes elsewhere. They shrink to fewer squares,
    without numbers: to a single square.

    Args:
        max_squares: Largest number of squares to visit.
        closed: Permit boards that require a closed tour.
        holes: Permit holes; without them the board is a full rectangle.
        given: Permit given numbers, right or wrong.

    Raises:
        UnsupportedError: A number is too small, too large, or invalid.
    """
    check_number("max_squares", max_squares, 1, _LONGEST**2)
    return _knights(max_squares, closed, holes, given)


@st.composite
def _knights(draw: st.DrawFn, max_squares: int, closed: bool, holes: bool, given: bool) -> Knight:
    rows = draw(st.integers(1, _LONGEST if holes else min(_LONGEST, max_squares)))
    columns = draw(st.integers(1, _LONGEST if holes else min(_LONGEST, max_squares // rows)))
    every = [*product(range(rows), range(columns))]
    steps = draw(several(st.integers(0, 7), max_squares))
    walk = [every[draw(st.integers(0, _LONGEST**2 - 1)) % len(every)]]
    for step in steps[1:]:
        near = [square for square in every if is_move(walk[-1], square) and square not in walk]
        if not near:
            break
        walk.append(near[step % len(near)])
    visited = every if not holes else walk
    if len(visited) < len(every) and len(walk) < max_squares and draw(st.booleans()):
        rest = [square for square in every if square not in walk]
        visited = [*walk, rest[draw(st.integers(0, _LONGEST**2 - 1)) % len(rest)]]
    left_out = tuple(square for square in every if square not in visited)
    is_closed = closed and draw(st.booleans())
    if is_closed and len(visited) > 1 and not is_move(visited[0], visited[-1]):
        is_closed = draw(st.booleans())
    marks = draw(_numbers(visited)) if given and draw(st.booleans()) else ()
    return Knight(rows, columns, closed=is_closed, holes=left_out, given=marks)


@st.composite
def _numbers(draw: st.DrawFn, squares: list[Square]) -> tuple[tuple[int, int, int], ...]:
    """Draw given numbers: some squares of a walk with their numbers, sometimes a wrong one."""
    place = st.integers(0, _LONGEST**2 - 1).map(lambda at: at % len(squares))
    numbers = {at: at + 1 for at in draw(st.lists(place, max_size=4))}
    if numbers and draw(st.sampled_from([False, False, False, True])):
        other = draw(place) + 1
        numbers = {at: number for at, number in numbers.items() if number != other}
        numbers[draw(place)] = other
    return tuple((*squares[at], number) for at, number in numbers.items())
