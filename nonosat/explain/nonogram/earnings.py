"""What one line earns for its cells: its dearest filling, and what every other value would cost.

A cell has points for each value. A dynamic program over blocks and cells finds the filling with
the most points, from both ends where the most with each value in each cell is asked for. All
numbers are integers, so what they say is exact. Time and memory are blocks times cells; losses take
the cells of all places of all blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nonosat.core.model import Block, Clue

Points = Sequence[Sequence[int]]  # by value, then by cell

NEVER = -(1 << 62)  # for a value that a cell cannot have; a few thousand of them add up safely


class Earnings:
    """What a line with at least one filling earns.

    Args:
        clue: Its blocks.
        points: What it earns for the values of its cells.
        sums: Its sums from the first cell on.

    Attributes:
        most: The points of the dearest filling.
    """

    def __init__(self, clue: Clue, points: Points, sums: _Sums) -> None:
        self._clue, self._points, self._sums = clue, points, sums
        self.most = sums.after[-1][-1]

    @cached_property
    def filling(self) -> bytes:
        """The dearest filling, a value a cell; of several the one with its last blocks first."""
        return _dearest(self._clue, self._points, self._sums)

    @cached_property
    def losses(self) -> list[list[int]]:
        """By value, then by cell: how much less the dearest filling with that value earns.

        Far more than any price where there is none.
        """
        back = _sums(self._clue[::-1], [values[::-1] for values in self._points])
        best = _best(self._clue, self._points, self._sums, back)
        return [[self.most - with_value for with_value in cells] for cells in best]


class _Sums(NamedTuple):
    """The most points of the first cells of a line; first indices count blocks, second ones cells.

    Args:
        after: All of the first blocks are in the first cells, and nothing else.
        starts: The same, and the next block may start behind them.
        ends: Block b ends there; one of unknown length may go on.
    """

    after: list[list[int]]
    starts: list[list[int]]
    ends: list[list[int]]


def earnings(clue: Clue, points: Points) -> Earnings | None:
    """The earnings of a line; None where it has no filling.

    Args:
        clue: Its blocks.
        points: By value (0 is empty), then by cell; NEVER for a value that a cell cannot have.
    """
    sums = _sums(clue, points)
    return None if sums.after[-1][-1] < NEVER // 2 else Earnings(clue, points, sums)


def _sums(clue: Clue, points: Points) -> _Sums:
    empty, length = points[0], len(points[0])
    after, starts, all_ends = [list(accumulate(empty, initial=0))], [], []
    for index, block in enumerate(clue):
        ink = points[block.colour]
        start = after[-1]
        if _is_apart(clue, index):
            start = [NEVER, *map(add, start, empty)]
        ends = [NEVER] * (length + 1)
        if block.length is None:
            for cell in range(length):
                ends[cell + 1] = max(ends[cell], start[cell]) + ink[cell]
        else:
            sums = list(accumulate(ink, initial=0))
            for first in range(length - block.length + 1):
                end = first + block.length
                ends[end] = start[first] + sums[end] - sums[first]
        now = [NEVER]
        for cell in range(length):
            now.append(max(now[cell] + empty[cell], ends[cell + 1]))
        after.append(now)
        starts.append(start)
        all_ends.append(ends)
    return _Sums(after, starts, all_ends)


def _is_apart(clue: Clue, index: int) -> bool:
    """Whether a block has an empty cell before it, as the block before has its colour."""
    return index > 0 and clue[index - 1].colour == clue[index].colour


def _best(clue: Clue, points: Points, there: _Sums, back: _Sums) -> list[list[int]]:
    """By value, then by cell, the points of the dearest filling with that value."""
    length, last = len(points[0]), len(clue)
    best = [[NEVER] * length for _ in points]
    for num_before, before in enumerate(there.after):
        behind = back.after[last - num_before]
        for cell, own in enumerate(points[0]):
            best[0][cell] = max(best[0][cell], before[cell] + own + behind[length - 1 - cell])
    for index, block in enumerate(clue):
        mine, ink = best[block.colour], points[block.colour]
        opposite = last - 1 - index
        if block.length is None:
            for cell in range(length):
                both = there.ends[index][cell + 1] + back.ends[opposite][length - cell]
                mine[cell] = max(mine[cell], both - ink[cell])
            continue
        for end in range(block.length, length + 1):
            total = there.ends[index][end] + back.starts[opposite][length - end]
            for cell in range(end - block.length, end):
                mine[cell] = max(mine[cell], total)
    return best


def _dearest(clue: Clue, points: Points, sums: _Sums) -> bytes:
    """The dearest filling, put together from its last cell to its first."""
    empty = points[0]
    filling = bytearray(len(empty))
    left, end = len(clue), len(empty)
    while end and left:
        if sums.after[left][end] == sums.after[left][end - 1] + empty[end - 1]:
            end -= 1
            continue
        left -= 1
        block = clue[left]
        first = end - (block.length or _length(block, points, sums, left, end))
        filling[first:end] = bytes([block.colour]) * (end - first)
        end = first - _is_apart(clue, left)
    return bytes(filling)


def _length(block: Block, points: Points, sums: _Sums, index: int, end: int) -> int:
    """The length of a block of unknown length that ends there in the dearest filling."""
    ink, starts, ends = points[block.colour], sums.starts[index], sums.ends[index]
    first = end - 1
    while ends[first + 1] != starts[first] + ink[first]:
        first -= 1
    return end - first
