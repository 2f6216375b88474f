"""The lines of a board of which some cells are known, as constraints over the cells that are open.

An encoding with a native builder takes all of them
at once, without any of them being made: for a tournament puzzle that is most of what it would take.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from nonosat import _core
from nonosat.core.model import Clue, Line, MadeLines, RowsAndColumns


@dataclass(frozen=True, slots=True)
class OpenLines(MadeLines):
    """Lines of a board; they stay as they are whatever becomes of it.

    Args:
        whole: All lines of the board.
        numbers: Which of them these are, rows first.
        lits: Of each colour, for each cell (row-major) its literal or constant; one after another.
        filled: For each cell whether it is open and must have some colour; b"" where none must.
        board: What knows the clues natively.
    """

    whole: RowsAndColumns
    numbers: Sequence[int]
    lits: array[int]
    filled: bytes
    board: _core.Board

    def __len__(self) -> int:
        return len(self.numbers)

    def line(self, index: int) -> Line:
        number, size = self.numbers[index], len(self.lits) // self.whole.num_colours
        height, width = len(self.whole.rows), len(self.whole.columns)
        if number < height:
            span = slice(number * width, (number + 1) * width)
        else:
            span = slice(number - height, size, width)
        planes = (self.lits[at : at + size] for at in range(0, len(self.lits), size))
        cells = tuple(plane[span].tolist() for plane in planes)
        filled = (place for place, must in enumerate(self.filled[span]) if must)
        return Line(cells, self.clue(index), frozenset(filled))

    def clue(self, index: int) -> Clue:
        """The blocks of a line."""
        number, height = self.numbers[index], len(self.whole.rows)
        return self.whole.rows[number] if number < height else self.whole.columns[number - height]
