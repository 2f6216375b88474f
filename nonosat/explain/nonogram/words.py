"""English names of a puzzle's lines, cells and values, by the native core.

Arguments count from 0, as everywhere in Python; the words count rows, columns and the cells of
a line from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nonosat import _core

if TYPE_CHECKING:
    from nonosat.core.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram


class Words:
    """Names of a puzzle's lines, cells and values.

    Attributes:
        inks: Name of each value of a cell: "empty", then "filled" or the colours' keys.
        native: The names in the native core.
    """

    def __init__(self, puzzle: Nonogram) -> None:
        self._clues = (*puzzle.rows, *puzzle.columns)
        keys = [ink.key for ink in puzzle.colours]
        self.inks = ["empty", *(["filled"] if len(keys) == 1 else keys)]
        are_signs = keys == list(puzzle.symbols[1:])
        self.native = _core.Words(puzzle.height, puzzle.width, self.inks, are_signs, self._clues)

    def value(self, value: int) -> str:
        """Return "empty", "filled", or a colour's key."""
        return self.inks[value]

    def place(self, place: int) -> str:
        """Return a cell by its row and column: "cell (4, 5)"."""
        return self.native.place(place)

    def line(self, line: int) -> str:
        """Return a line with its clue: "row 4 (clue 2 1)"."""
        return self.native.line(line)

    def clue(self, line: int) -> str:
        """Return a line's clue: "2 1", "2r 1b", or "2 red, 1 blue" if colours' keys are words."""
        return self.native.clue(self._clues[line])

    def of_clue(self, clue: Clue) -> str:
        """Return any clue in words, in the form that `clue` has."""
        return self.native.clue(clue)

    def outcome(
        self, settled: Sequence[tuple[int, int]], ruled_out: Sequence[tuple[int, int]] = ()
    ) -> str:
        """Describe changes of places anywhere on the board; only their number if they are many."""
        return self.native.summary(settled, ruled_out)

    def scattered(
        self, settled: Iterable[tuple[int, int]], ruled_out: Iterable[tuple[int, int]] = ()
    ) -> str:
        """Describe places anywhere on the board: "cells (1, 2) and (3, 4) are filled"."""
        return self.native.scattered([*settled], [*ruled_out])

    def wrong(self, marks: Sequence[tuple[int, int]]) -> str:
        """Return a sentence about wrong marks and their cells: "2 marks are wrong: ..."."""
        return self.native.wrong(marks)
