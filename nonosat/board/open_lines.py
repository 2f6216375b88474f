"""Lines of a partly decided board, as constraints over its open cells.

An encoding with a native builder takes all of them at once, without making a `Line` object for
each, which would take most of the time for a tournament puzzle.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from nonosat import _core
from nonosat.core.model import Clue, LaneLines, Line, MadeLines, RowsAndColumns


@dataclass(frozen=True, slots=True)
class OpenLines(MadeLines):
    """Lines of a board; later changes of the board do not affect them.

    Args:
        whole: All lines of the board.
        numbers: Numbers of these lines in `whole`, rows first.
        lits: Colour by colour, for each cell in its order on the board its literal or constant.
        filled: For each cell 1 if it is open and must have some colour; b"" if there is none.
        board: Native board, which has the clues.
    """

    whole: RowsAndColumns | LaneLines
    numbers: Sequence[int]
    lits: array[int]
    filled: bytes
    board: _core.Board | _core.LaneBoard

    def __len__(self) -> int:
        return len(self.numbers)

    def line(self, index: int) -> Line:
        inside, size = self._cells(self.numbers[index]), len(self.lits) // self.whole.num_colours
        planes = range(0, len(self.lits), size)
        cells = tuple(tuple(self.lits[at + cell] for cell in inside) for at in planes)
        filled = (at for at, cell in enumerate(inside) if self.filled and self.filled[cell])
        return Line(cells, self.clue(index), frozenset(filled))

    def _cells(self, number: int) -> Sequence[int]:
        """Return the cells of a line, by its number in `whole`."""
        if isinstance(self.whole, LaneLines):
            return self.whole.lanes[number]
        height, width = len(self.whole.rows), len(self.whole.columns)
        if number < height:
            return range(number * width, (number + 1) * width)
        return range(number - height, height * width, width)

    def clue(self, index: int) -> Clue:
        """Return the blocks of a line."""
        number = self.numbers[index]
        if isinstance(self.whole, LaneLines):
            return self.whole.clues[number]
        height = len(self.whole.rows)
        return self.whole.rows[number] if number < height else self.whole.columns[number - height]
