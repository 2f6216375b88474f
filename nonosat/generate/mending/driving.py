"""Change a picture quickly until it has no flaws, without minimising the changes.

A flaw is a set of cells that contradicts the requested property, for example uniqueness
(`flaws.py`). Each round changes one cell of each flaw, and then computes the flaws of the changed
picture. The cell whose change leaves the least room is chosen. The room of a line is the logarithm
of the number of placements of all its blocks; that of a cell counts its row and its column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb, log
from random import Random

from nonosat.core.grid import Grid, with_cells
from nonosat.core.limits import polled
from nonosat.core.model import Clue
from nonosat.puzzles.nonogram.data import clue_of

_AGAIN = 1.0  # room that a cell must additionally save for each earlier change of it
_MOST = 400  # cells of a flaw that are examined, drawn at random
_NOISE = 0.3  # random share of the room saved: otherwise pictures would repeat


@lru_cache(1 << 16)
def _room(clue: Clue, length: int) -> float:
    """Return the logarithm of the number of placements of all blocks of a clue of known lengths."""
    needed = sum(block.length or 0 for block in clue)
    needed += sum(one.colour == other.colour for one, other in pairwise(clue))
    return log(comb(length - needed + len(clue), len(clue)))


Doubts = Callable[[Grid], Sequence[Sequence[int]]]  # cells, grouped by flaw
Orbit = Callable[[int], Sequence[int]]


def alone(cell: int) -> Sequence[int]:
    """Return the orbit of a cell on a board without symmetry: the cell alone."""
    return (cell,)


class LocalSearch:
    """Local search that changes a picture until it has no flaws.

    Args:
        picture: The original picture.
        num_colours: Number of colours of the puzzle.
        doubts: Function that returns the cells of each flaw of a picture; none if it is repaired.
        kept: Cells that stay unchanged.
        orbit: Function that returns the cells that change together with a cell, itself included.
        pause: Called at least once per evaluated cell; an exception that it raises ends the search.
    """

    def __init__(
        self,
        picture: Grid,
        num_colours: int,
        doubts: Doubts,
        kept: Collection[int] = (),
        orbit: Orbit = alone,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._picture, self._values = picture, range(num_colours + 1)
        self._doubts, self._kept, self._orbit, self._pause = doubts, kept, orbit, pause

    def drive(self, start: Grid, most: int) -> Grid | None:
        """Change cells until no flaw is left; None after `most` changes, or if no cell is free.

        Args:
            start: Picture to start from.
            most: Maximum number of differences from the original picture.
        """
        mine, random, times = start, Random(0), Counter[int]()
        for _ in range(2 * most):
            doubts = self._doubts(mine)
            if not doubts:
                return mine
            for cells in polled(doubts):
                free = [cell for cell in cells if cell not in self._kept]
                if not free:
                    return None
                sample = random.sample(free, _MOST) if len(free) > _MOST else free
                rated = (
                    (room + _AGAIN * times[cell] + _NOISE * random.random(), cell, value)
                    for cell in sample
                    for room, value in self._choices(mine, cell)
                )
                _, cell, value = min(rated)
                mine = self._with(mine, cell, value)
                times[cell] += 1
            if len(self._picture.differences(mine)) >= most:
                return None
        return None

    def eased(self, mended: Grid) -> Iterator[Grid]:
        """Revert unneeded changes of a repaired picture one by one; yield each picture."""
        pairs = enumerate(zip(self._picture.cells, mended.cells, strict=True))
        for cell in [cell for cell, (old, new) in pairs if old != new]:
            fewer = self._with(mended, cell, self._picture.cells[cell])
            if fewer != mended and not self._doubts(fewer):
                mended = fewer
                yield mended

    def _choices(self, grid: Grid, cell: int) -> Iterator[tuple[float, int]]:
        """Yield (increase in room (`_room_of`), value) for each other value of a cell."""
        self._pause()
        row, column = divmod(cell, grid.width)
        across, down = grid.row(row), grid.column(column)
        before = _room_of(across) + _room_of(down)
        for value in self._values:
            if value != grid.cells[cell]:
                new_across, new_down = bytearray(across), bytearray(down)
                for each in self._orbit(cell):
                    other_row, other_column = divmod(each, grid.width)
                    if other_row == row:
                        new_across[other_column] = value
                    if other_column == column:
                        new_down[other_row] = value
                yield _room_of(new_across) + _room_of(new_down) - before, value

    def _with(self, grid: Grid, cell: int, value: int) -> Grid:
        """Return the picture with another value of a cell and of its orbit."""
        return with_cells(grid, dict.fromkeys(self._orbit(cell), value))


def _room_of(line: bytes | bytearray) -> float:
    """Return the room of a filled-in line: the logarithm of its clue's number of placements."""
    return _room(clue_of(line), len(line))


def room_between(before: Grid, after: Grid) -> float:
    """Return the increase in room (`_room_of`), over all lines, from a picture to another."""
    places = before.differences(after)
    rows = {row for row, _ in places}
    columns = {column for _, column in places}
    across = sum(_room_of(after.row(row)) - _room_of(before.row(row)) for row in rows)
    down = (_room_of(after.column(column)) - _room_of(before.column(column)) for column in columns)
    return across + sum(down)
