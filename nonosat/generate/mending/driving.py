"""Where to change a picture so that it loses its flaws: quickly, not with the fewest changes.

A change is worth more, the less room it leaves: the number of ways in which the blocks of its row
and of its column can be placed, as a logarithm. Of each flaw the best cell is changed, of all flaws
at once; what is wrong with the changed picture is the next round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb, log
from random import Random

from nonosat.grid import Grid
from nonosat.model import Clue
from nonosat.puzzles.nonogram.data import clue_of

_AGAIN = 1.0  # how much more room a cell must save for each time that it has been changed
_NOISE = 0.3  # of the room saved, at random: equal pictures would come again


@lru_cache(1 << 16)
def _room(clue: Clue, length: int) -> float:
    """Logarithm of the number of ways to place all blocks of a clue, whose lengths are known."""
    needed = sum(block.length or 0 for block in clue)
    needed += sum(one.colour == other.colour for one, other in pairwise(clue))
    return log(comb(length - needed + len(clue), len(clue)))


Doubts = Callable[[Grid], Sequence[Sequence[int]]]  # parts of a picture to be changed
Orbit = Callable[[int], Sequence[int]]


def alone(cell: int) -> Sequence[int]:
    """The orbit of a cell that changes by itself."""
    return (cell,)


class Driver:
    """Changes a picture until nothing is wrong with it.

    Args:
        picture: What it began as.
        num_colours: Of the puzzle.
        doubts: What is wrong with a picture, as sets of cells.
        kept: Cells that stay as they are.
        orbit: Cells that change together with a cell, itself among them.
    """

    def __init__(
        self,
        picture: Grid,
        num_colours: int,
        doubts: Doubts,
        kept: Collection[int] = (),
        orbit: Orbit = alone,
    ) -> None:
        self._picture, self._values = picture, range(num_colours + 1)
        self._doubts, self._kept, self._orbit = doubts, kept, orbit

    def drive(self, start: Grid, most: int) -> Grid | None:
        """Change more cells; None where it takes `most` changes, or where no cell is free.

        Args:
            start: Where to begin.
            most: Changes of the first picture.
        """
        mine, random, times = start, Random(0), Counter[int]()
        for _ in range(2 * most):
            doubts = self._doubts(mine)
            if not doubts:
                return mine
            for cells in doubts:
                choices = [each for cell in cells for each in self._choices(mine, cell)]
                if not choices:
                    return None
                rated = (
                    (room + _AGAIN * times[cell] + _NOISE * random.random(), cell, other)
                    for room, cell, other in choices
                )
                _, cell, mine = min(rated, key=lambda choice: choice[0])
                times[cell] += 1
            if len(self._picture.differences(mine)) >= most:
                return None
        return None

    def ease(self, mended: Grid) -> Grid:
        """Take back changes that are not needed."""
        pairs = enumerate(zip(self._picture.cells, mended.cells, strict=True))
        for cell in [cell for cell, (old, new) in pairs if old != new]:
            fewer = self._with(mended, cell, self._picture.cells[cell])
            if fewer != mended and not self._doubts(fewer):
                mended = fewer
        return mended

    def _choices(self, grid: Grid, cell: int) -> Iterator[tuple[float, int, Grid]]:
        """Room that is left, cell, picture: for each other value of a cell."""
        if cell in self._kept:
            return
        before = _room_at(grid, cell)
        for value in self._values:
            if value != grid.cells[cell]:
                other = self._with(grid, cell, value)
                yield _room_at(other, cell) - before, cell, other

    def _with(self, grid: Grid, cell: int, value: int) -> Grid:
        """The picture with another value of a cell and of its orbit."""
        cells = bytearray(grid.cells)
        for each in self._orbit(cell):
            cells[each] = value
        return Grid(grid.height, grid.width, bytes(cells))


def _room_at(grid: Grid, cell: int) -> float:
    """Room of the row and of the column of a cell."""
    row, column = divmod(cell, grid.width)
    in_row = _room(clue_of(grid.row(row)), grid.width)
    return in_row + _room(clue_of(grid.column(column)), grid.height)
