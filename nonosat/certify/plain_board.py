"""Possible values of the cells of a nonogram, in plain Python integers, as `verify` needs them.

This module shares no code with the native core or with `nonosat.board`. Lines are propagated
completely (`price_line`), from any partial assignment to the fixpoint of all lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Self

from nonosat.certify.price_line import ClueLine
from nonosat.puzzles.nonogram.data import Nonogram


class PlainBoard:
    """Possible values of the cells, by rows and by columns.

    Args:
        puzzle: The clues and the given cells.
        pause: Called for every line; an exception raised by it ends the work.

    Attributes:
        may: For each line, rows first, and value, the cells that may have it, one bit per cell.
    """

    def __init__(self, puzzle: Nonogram, pause: Callable[[], None]) -> None:
        self.height, self.width = puzzle.height, puzzle.width
        self.num_values = 1 + len(puzzle.colours)
        self.pause = pause
        sides = ((puzzle.rows, self.width), (puzzle.columns, self.height))
        self.lines = [ClueLine(clue, length) for clues, length in sides for clue in clues]
        self.may = [[(1 << line.length) - 1] * self.num_values for line in self.lines]
        self._waiting = dict.fromkeys(range(len(self.lines)))
        for row, column, value in puzzle.given:
            self.keep(row, column, value)

    def keep(self, row: int, column: int, value: int) -> None:
        """Remove all other values from a cell."""
        for other in {*range(self.num_values)} - {value}:
            self.remove(row, column, other)

    def remove(self, row: int, column: int, value: int) -> None:
        """Remove a value from a cell and queue its lines for propagation."""
        for line, cell in ((row, column), (self.height + column, row)):
            self.may[line][value] &= ~(1 << cell)
            self._waiting[line] = None

    def propagate(self) -> bool:
        """Propagate all lines to their fixpoint; return False if a line has no filling."""
        while self._waiting:
            line = next(iter(self._waiting))
            del self._waiting[line]
            self.pause()
            found = self.lines[line].supported(self.may[line])
            if found is None:
                return False
            for value, (mine, kept) in enumerate(zip(self.may[line], found, strict=True)):
                for cell in members(mine & ~kept):
                    self._pass_on(line, cell, value)
            self.may[line] = found
        return True

    def _pass_on(self, line: int, cell: int, value: int) -> None:
        """Remove a value of a cell of a line from the crossing line, too, and queue that line."""
        across = self.height + cell if line < self.height else cell
        place = line if line < self.height else line - self.height
        if self.may[across][value] >> place & 1:
            self.may[across][value] &= ~(1 << place)
            self._waiting[across] = None

    def is_decided(self) -> bool:
        """Return True if each cell has one value left, at the fixpoint of the lines."""
        return all(
            sum(mask.bit_count() for mask in may) == self.width for may in self.may[: self.height]
        )

    def with_literal(self, row: int, column: int, value: int, *, holds: bool) -> Self | None:
        """Return a copy with one more literal, at its fixpoint; None if that is refuted."""
        copy = object.__new__(type(self))
        copy.__dict__ = {**self.__dict__, "may": [[*may] for may in self.may], "_waiting": {}}
        (copy.keep if holds else copy.remove)(row, column, value)
        return copy if copy.propagate() else None

    def probe(self, cells: Iterable[tuple[int, int]]) -> bool:
        """Probe cells: remove what propagation of every value of the cell removes.

        Return False if a cell has no value left.
        """
        for row, column in cells:
            values = [v for v in range(self.num_values) if self.may[row][v] >> column & 1]
            branches = [
                branch for v in values if (branch := self.with_literal(row, column, v, holds=True))
            ]
            if not branches:
                return False
            for line, may in enumerate(self.may):
                every = zip(*(branch.may[line] for branch in branches), strict=True)
                joined = [reduce(or_, masks) for masks in every]
                if joined != may:
                    self.may[line] = joined
                    self._waiting[line] = None
            if not self.propagate():
                return False
        return True


def members(cells: int) -> Iterator[int]:
    """Yield the indices of the bits of a set in ascending order."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low
