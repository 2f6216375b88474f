"""Insert staircases of dominoes into pictures, to make puzzles of grade 7.

A puzzle of grade 7 is decided by prices (a linear bound over all lines,
`native/prices/priced_board.hpp`), but not by easier techniques. Random pictures are hardly ever of
grade 7: prices rarely decide a cell that failed literal probing leaves open. Staircases of dominoes
(`structured.py`) are of grade 7. If the cell in which two dominoes meet is left out, and a single
cell is at the end, a staircase of 4 steps is sufficient, on 9x9.

A picture with such a staircase mostly gives a puzzle of grade 7, too, if the cells around the
staircase are empty and all others are changed until there is one solution. This is an observation,
so the grade must be checked.

At most 2000 places are examined, each of at most 225 cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import product, zip_longest
from random import Random
from typing import NamedTuple

from nonosat.core.errors import PuzzleError, rows_by_columns
from nonosat.core.grid import Grid, with_cells
from nonosat.generate.grades import HARDEST
from nonosat.generate.mending.driving import Orbit, alone
from nonosat.generate.structured import CORNER

# Number of steps. With more, clause learning takes too long to prove that there is one solution; if
# two staircases mirror each other, some puzzles with 6 steps took 10 s.
_FEWEST, _MOST, _MOST_MIRRORED = 4, 7, 5
_MARGINS = (3, 4, 5)  # with 2 the puzzle more often needs guesses, or is easier
_PLACES = 2000
_STEP = sorted(CORNER - {(0, 0)})


class _Form(NamedTuple):
    """Position and shape of a staircase on a board.

    Args:
        steps: Number of steps, two dominoes each.
        margin: Cells of the staircase's square within this distance of a filled cell, in both
            directions, are empty.
        is_mirrored: True if left and right are exchanged.
        is_upended: True if top and bottom are exchanged.
        top: First row.
        left: First column.
    """

    steps: int
    margin: int
    is_mirrored: bool
    is_upended: bool
    top: int
    left: int


class Stencil(NamedTuple):
    """Cells that a staircase requires; cells are row-major.

    Args:
        filled: Cells of the staircase.
        empty: Cells around it.
    """

    filled: frozenset[int]
    empty: frozenset[int]

    @property
    def cells(self) -> frozenset[int]:
        """All cells of the stencil."""
        return self.filled | self.empty

    def put_into(self, picture: Grid, ink: int) -> Grid:
        """Return a picture with the staircase in a colour."""
        return with_cells(picture, dict.fromkeys(self.empty, 0) | dict.fromkeys(self.filled, ink))


def check_room(height: int, width: int, *, is_symmetric: bool) -> None:
    """Raise an error if a board, or each half of a symmetric one, has no room for a staircase.

    Raises:
        PuzzleError: The board is too small; the message states the required size.
    """
    side = _side(_FEWEST)
    columns, what = (2 * side - 1, "a symmetric puzzle") if is_symmetric else (side, "a puzzle")
    if height < side or width < columns:
        raise PuzzleError(
            f"{what} of grade {HARDEST} of {rows_by_columns(height, width)}, expected at least "
            f"{rows_by_columns(side, columns)}"
        )


def drawn_stencil(
    height: int, width: int, rng: Random, *, is_symmetric: bool, orbit: Orbit = alone
) -> Stencil:
    """Return a random stencil with as many steps as fit on the board, or one less.

    Args:
        height: Number of rows.
        width: Number of columns.
        rng: Random number generator.
        is_symmetric: True if the staircase lies in the left half, and `orbit` adds its mirror
            image.
        orbit: Function that returns the cells that always have the same value as a cell.
    """
    columns = (width + 1) // 2 if is_symmetric else width
    most = min(_MOST_MIRRORED if is_symmetric else _MOST, (min(height, columns) - 1) // 2)
    steps = rng.randint(max(_FEWEST, most - 1), most)
    margin, is_mirrored, is_upended = rng.choice(_MARGINS), rng.random() < 0.5, rng.random() < 0.5
    top = rng.randint(0, height - _side(steps))
    left = rng.randint(0, columns - _side(steps))
    form = _Form(steps, margin, is_mirrored, is_upended, top, left)
    one = _stencil(form, width)
    filled = frozenset(each for cell in one.filled for each in orbit(cell))
    return Stencil(filled, frozenset(each for cell in one.empty for each in orbit(cell)) - filled)


def plantings(
    picture: Grid, kept: Collection[int], num_colours: int
) -> Iterator[tuple[Grid, Stencil]]:
    """Yield pictures with a staircase of each length, those with the fewest changed cells first.

    Args:
        picture: Picture that is changed.
        kept: Cells that stay unchanged.
        num_colours: Number of colours; the staircase has one of them.
    """
    every = list(_forms(picture.height, picture.width))
    if len(every) > _PLACES:
        every = Random(0).sample(every, _PLACES)
    found: dict[int, list[tuple[int, _Form, int]]] = {}
    for form in every:
        stencil = _stencil(form, picture.width)
        inks = Counter(picture.cells[cell] for cell in stencil.filled)
        ink = max(range(1, num_colours + 1), key=lambda one: (inks[one], -one))
        emptied = sum(picture.cells[cell] > 0 for cell in stencil.empty)
        found.setdefault(form.steps, []).append((emptied - inks[ink], form, ink))
    for same_rank in zip_longest(*map(sorted, found.values())):
        for _, form, ink in filter(None, same_rank):
            stencil = _stencil(form, picture.width)
            planted = stencil.put_into(picture, ink)
            if all(planted.cells[cell] == picture.cells[cell] for cell in kept):
                yield planted, stencil


def _forms(height: int, width: int) -> Iterator[_Form]:
    """Yield all staircases that fit on a board, each with the least margin."""
    both = (False, True)
    for steps in range(_FEWEST, _MOST + 1):
        tops, lefts = range(height - _side(steps) + 1), range(width - _side(steps) + 1)
        for is_mirrored, is_upended, top, left in product(both, both, tops, lefts):
            yield _Form(steps, _MARGINS[0], is_mirrored, is_upended, top, left)


def _side(steps: int) -> int:
    """Return the number of rows, which is that of columns, of a staircase."""
    return 2 * steps + 1


def _stencil(form: _Form, width: int) -> Stencil:
    """Return the stencil of a staircase on a board."""
    last = _side(form.steps) - 1

    def cell(row: int, column: int) -> int:
        row = last - row if form.is_upended else row
        column = last - column if form.is_mirrored else column
        return (form.top + row) * width + form.left + column

    filled, empty = _parts(form.steps, form.margin)
    return Stencil(frozenset(cell(*at) for at in filled), frozenset(cell(*at) for at in empty))


@lru_cache
def _parts(steps: int, margin: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return (filled cells, empty cells) of a staircase, as (row, column) from its top left."""
    starts = range(0, 2 * steps, 2)
    filled = [(start + row, start + column) for start in starts for row, column in _STEP]
    filled.append((2 * steps, 2 * steps))
    empty = [
        (row, column)
        for row, column in product(range(_side(steps)), repeat=2)
        if (row, column) not in filled
        and any(max(abs(row - r), abs(column - c)) <= margin for r, c in filled)
    ]
    return filled, empty
