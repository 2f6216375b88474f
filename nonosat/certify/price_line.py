"""One line of a board in plain Python integers: propagation, and the filling with maximum payment.

`verify` relies on this module, which shares no code with the native core or `nonosat.board`.

Every block has slack + 1 placements; offset j is the placement j cells after the first one. Sets of
cells are integers, bit i for cell i; bit i of a set of joints is the boundary before cell i. The
payment of a filling is that of an empty line plus a gain for each block: the payment of its cells
minus that of the same cells when empty. Gains are differences of prefix sums, so a block takes one
pass over its offsets.

Cost: for a line of n cells and k blocks O(k log n) operations on integers of n bits to propagate,
O(k * slack) additions for the maximum payment, a factor of log n more for that with each value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from operator import add, sub
from typing import NamedTuple

from nonosat.core.model import Clue

Weights = Sequence[Sequence[int]]  # payment of a cell, by value and cell


class Place(NamedTuple):
    """A block on its line.

    Args:
        first: The first cell at which it can start.
        size: Number of cells; 0 if unknown.
        colour: Its colour.
        is_apart: True if an empty cell must precede it, because the previous block has the same
            colour.
    """

    first: int
    size: int
    colour: int
    is_apart: bool


class ClueLine:
    """A clue on a line of a given length.

    Args:
        clue: The blocks.
        length: Number of cells.

    Attributes:
        places: One `Place` per block.
        slack: Negative if the blocks do not fit.
    """

    def __init__(self, clue: Clue, length: int) -> None:
        self.length = length
        before: list[bool] = [False, *(one.colour == other.colour for one, other in pairwise(clue))]
        self.places: list[Place] = []
        first = 0
        for (size, colour), is_apart in zip(clue, before, strict=False):
            first += is_apart
            self.places.append(Place(first, size or 0, colour, is_apart))
            first += size or 1
        self.slack = length - first

    # Propagation

    def supported(self, may: Sequence[int]) -> list[int] | None:
        """Return the cells that have each value in some filling; None if there is no filling.

        Args:
            may: For each value, the cells that may have it.
        """
        if self.slack < 0:
            return None
        empty = may[0]
        begun, reached = self._begun(may)
        found = [0] * len(may)
        # joints from which the rest of the line can be filled
        free = _down(1 << self.length, empty)
        found[0] = reached[-1] & empty & free >> 1
        after = free
        for place, starts, joints in zip(
            reversed(self.places), reversed(begun), reversed(reached[:-1]), strict=True
        ):
            mine = may[place.colour]
            if place.size:
                starts &= after >> place.size
                found[place.colour] |= _widened(starts, place.size)
            else:
                back = _down(after >> 1 & mine, mine)
                found[place.colour] |= _up(starts, mine) & back
                starts &= back
            if not starts:
                return None
            free = _down(starts, empty)
            found[0] |= joints & empty & free >> 1
            after = empty & free >> 1 if place.is_apart else free
        return found if free & 1 else None

    def _begun(self, may: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the positions that the first blocks allow; the rest need not have a filling.

        Returns:
            For each block its possible starts; for each number of blocks, from 0, the joints up to
            which the line can be filled with so many blocks.
        """
        empty = may[0]
        joints = _up(1, empty)
        begun, reached = [], [joints]
        for _, size, colour, is_apart in self.places:
            ready = (joints & empty) << 1 if is_apart else joints
            if size:
                starts = ready & _narrowed(may[colour], size)
                ends = starts << size
            else:
                starts = ready & may[colour]
                ends = _up(starts << 1, may[colour])
            joints = _up(ends, empty)
            begun.append(starts)
            reached.append(joints)
        return begun, reached

    # Prices

    def dearest(self, weights: Weights) -> int:
        """Return the maximum payment of a filling; the blocks must fit."""
        gains = self._gains(weights)
        reach = [0] * (self.slack + 1)
        for place in self.places:
            reach = list(accumulate(self._ended(place, gains[place.colour], reach), max))
        return sum(weights[0]) + reach[-1]

    def dearest_with(self, weights: Weights, never: int) -> list[list[int]]:
        """Return, by value and cell, the maximum payment of a filling with this value in the cell.

        Args:
            weights: The payments.
            never: A number below all payments, returned if there is no such filling.
        """
        gains, slack = self._gains(weights), self.slack
        found = [[never] * self.length for _ in weights]
        reaches = [[0] * (slack + 1)]
        for place in self.places:
            ended = self._ended(place, gains[place.colour], reaches[-1])
            reaches.append(list(accumulate(ended, max)))
        whole = sum(weights[0])
        # by offset: payment of the blocks to come, at that offset or later
        rest = [whole] * (slack + 1)
        self._put(found[0], self.length - slack, map(add, reaches[-1], rest[1:]))
        for place, reach in zip(reversed(self.places), reversed(reaches[:-1]), strict=True):
            gain, (first, size, colour, is_apart) = gains[place.colour], place
            starts = gain[first : first + slack + 1]
            if size:
                ends = gain[first + size : first + size + slack + 1]
                placed = [r + e - s for r, e, s in zip(rest, ends, starts, strict=True)]
                self._put(found[colour], first, _spread(map(add, reach, placed), size, never))
            else:
                inside = list(map(add, rest, gain[first + 1 : first + slack + 2]))
                inside = list(accumulate(reversed(inside), max))[::-1]
                self._put(found[colour], first, map(add, _risen(reach, starts), inside))
                placed = list(map(sub, inside, starts))
            rest = list(accumulate(reversed(placed), max))[::-1]
            # The empty cell before a block that needs a gap is after the same joint.
            self._put(found[0], first - is_apart, map(add, reach, rest if is_apart else rest[1:]))
        return found

    def _gains(self, weights: Weights) -> list[list[int]]:
        """Return, by colour and joint, the payment for the preceding cells minus that when empty.

        The list of a colour that no block has is empty.
        """
        used = {place.colour for place in self.places}
        return [
            list(accumulate(map(sub, mine, weights[0]), initial=0)) if value in used else []
            for value, mine in enumerate(weights)
        ]

    def _ended(self, place: Place, gain: list[int], reach: list[int]) -> Iterator[int]:
        """Yield, for each offset of a block, the maximum gain up to the end of the block.

        Args:
            place: The block.
            gain: Gain of the cells before each joint, in the block's colour.
            reach: Maximum gain of the preceding blocks, by offset.
        """
        first, size = place.first, place.size
        starts = gain[first : first + self.slack + 1]
        ends = gain[first + (size or 1) : first + (size or 1) + self.slack + 1]
        if size:
            return map(add, map(sub, reach, starts), ends)
        return map(add, _risen(reach, starts), ends)

    def _put(self, found: list[int], at: int, totals: Iterator[int]) -> None:
        """Store totals for the cells from `at` on; keep the maximum of old and new totals.

        Two blocks, or two gaps, may reach the same cell.
        """
        for cell, total in enumerate(totals, start=at):
            if total > found[cell]:
                found[cell] = total


def _risen(reach: list[int], starts: list[int]) -> Iterator[int]:
    """Yield, by offset, the best value among the starts of a block up to this offset.

    The block has unknown length; the value of a start does not depend on the end of the block.
    """
    return accumulate(map(sub, reach, starts), max)


def _spread(totals: Iterator[int], size: int, never: int) -> Iterator[int]:
    """Yield for each cell the maximum of the totals of the starts whose block covers it."""
    found, done = list(totals), 1
    while done < size:
        step = min(done, size - done)
        done += step
        edge = [never] * step
        found = list(map(max, [*found, *edge], [*edge, *found]))
    return iter(found)


def _up(joints: int, cells: int) -> int:
    """Return the joints and all later ones that are reached over the cells alone."""
    return ((joints & cells) + cells ^ cells) | joints


def _down(joints: int, cells: int) -> int:
    """Return the joints and all earlier ones that are reached over the cells alone."""
    step = 1
    while more := joints >> step & cells & ~joints:
        joints |= more
        cells &= cells >> step
        step *= 2
    return joints


def _narrowed(cells: int, size: int) -> int:
    """Return the cells that begin a sequence of `size` consecutive cells of the set."""
    done = 1
    while done < size:
        step = min(done, size - done)
        cells &= cells >> step
        done += step
    return cells


def _widened(starts: int, size: int) -> int:
    """Return the cells of all blocks of `size` cells that begin at one of the starts."""
    done = 1
    while done < size:
        step = min(done, size - done)
        starts |= starts << step
        done += step
    return starts
