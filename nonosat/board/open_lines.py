"""Lines of a partly decided board, as constraints over its open cells.

An encoding with a native builder takes all of them at once, without making a `Line` object for
each, which would take most of the time for a tournament puzzle.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from nonosat import _core
from nonosat.core.model import Clue, Line, MadeLines, RowsAndColumns


@dataclass(frozen=True, slots=True)
class OpenLines(MadeLines):
    """Lines of a board; later changes of the board do not affect them.

    Args:
        whole: All lines of the board.
        numbers: Numbers of these lines in `whole`, rows first.
        lits: Colour by colour, for each cell (row-major) its literal or constant.
        filled: For each cell 1 if it is open and must have some colour; b"" if there is none.
        board: Native board, which has the clues.
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
        """Return the blocks of a line."""
        number, height = self.numbers[index], len(self.whole.rows)
        return self.whole.rows[number] if number < height else self.whole.columns[number - height]
