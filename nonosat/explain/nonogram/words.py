"""English of explanations: names of cells and lines, and descriptions of their changes.

Arguments count from 0, as everywhere in Python; the words count rows, columns and the cells of
a line from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nonosat.core.errors import counted
from nonosat.core.wording import lines_listed, listed, ranged, sentence
from nonosat.render.nonogram.text import clue_text

if TYPE_CHECKING:
    from nonosat.core.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram

SHOWN_LINES = 6  # lines of a chain that are listed one by one
SHOWN_MARKS = 12  # marks and cells that are listed one by one


def are(number: int) -> str:
    return "is" if number == 1 else "are"


def positions(numbers: Iterable[int]) -> str:
    """Return positions in a line in words: "cell 4", "cells 4-6 and 9"."""
    every = list(numbers)
    return f"{'cell' if len(every) == 1 else 'cells'} {ranged(every)}"


class Words:
    """Names of a puzzle's lines, cells and values.

    Attributes:
        inks: Name of each value of a cell: "empty", then "filled" or the colours' keys.
    """

    def __init__(self, puzzle: Nonogram) -> None:
        self._puzzle = puzzle
        self._clues = (*puzzle.rows, *puzzle.columns)
        keys = [ink.key for ink in puzzle.colours]
        self.inks = ["empty", *(["filled"] if len(keys) == 1 else keys)]

    def value(self, value: int) -> str:
        """Return "empty", "filled", or a colour's key."""
        return self.inks[value]

    def place(self, place: int) -> str:
        """Return a cell by its row and column: "cell (4, 5)"."""
        return self._places([place])

    def line(self, line: int) -> str:
        """Return a line with its clue: "row 4 (clue 2 1)"."""
        return f"{self.short(line)} (clue {self.clue(line)})"

    def clue(self, line: int) -> str:
        """Return a line's clue: "2 1", "2r 1b", or "2 red, 1 blue" if colours' keys are words."""
        return self.of_clue(self._clues[line])

    def of_clue(self, clue: Clue) -> str:
        """Return any clue in words, in the form that `clue` has."""
        if not clue or len(self.inks) == 2 or self.inks[1:] == list(self._puzzle.symbols[1:]):
            return clue_text(self._puzzle, clue)
        blocks = ((block.length or "?", self.inks[block.colour]) for block in clue)
        return ", ".join(f"{length} {ink}" for length, ink in blocks)

    def short(self, line: int) -> str:
        """Return the name of a line: "row 4"."""
        return lines_listed([line], self._puzzle.height)

    def outcome(self, settled: dict[int, int], ruled_out: Iterable[tuple[int, int]] = ()) -> str:
        """Describe positions in a line: "cells 4-5 are filled and cell 8 is empty"."""
        parts = []
        for value in sorted(set(settled.values()), reverse=True):
            mine = [position for position, other in settled.items() if other == value]
            parts.append(f"{positions(mine)} {are(len(mine))} {self.value(value)}")
        gone: dict[int, list[int]] = {}
        for position, value in ruled_out:
            gone.setdefault(value, []).append(position)
        for value, mine in sorted(gone.items()):
            parts.append(f"{positions(mine)} {are(len(mine))} not {self.value(value)}")
        return listed(parts)

    def scattered(self, settled: dict[int, int], ruled_out: Iterable[tuple[int, int]] = ()) -> str:
        """Describe places anywhere on the board: "cells (1, 2) and (3, 4) are filled"."""
        parts = []
        for value in sorted(set(settled.values()), reverse=True):
            mine = [place for place, other in settled.items() if other == value]
            parts.append(f"{self._places(mine)} {are(len(mine))} {self.value(value)}")
        for place, value in ruled_out:
            parts.append(f"{self.place(place)} is not {self.value(value)}")
        return listed(parts)

    def counted(self, settled: dict[int, int], num_ruled_out: int) -> str:
        """Describe many changes by their number: "80 cells are settled, 30 filled and 50 empty"."""
        values = list(settled.values())
        kinds = [
            f"{values.count(value)} {self.value(value)}"
            for value in sorted(set(values), reverse=True)
        ]
        texts = []
        if len(kinds) == 1:
            texts.append(
                f"{counted(len(settled), 'cell')} {are(len(settled))} {self.value(values[0])}"
            )
        elif settled:
            texts.append(f"{len(settled)} cells are settled, {listed(kinds)}")
        if num_ruled_out:
            texts.append(
                f"{counted(num_ruled_out, 'value')} of other cells {are(num_ruled_out)} ruled out"
            )
        return "; ".join(texts)

    def wrong(self, marks: Sequence[tuple[int, int]]) -> str:
        """Return a sentence about wrong marks and their cells: "Two marks are wrong: ..."."""
        parts = []
        shown = marks[:SHOWN_MARKS]
        for value in sorted({value for _, value in shown}, reverse=True):
            mine = [place for place, other in shown if other == value]
            parts.append(f"{self._places(mine)} {are(len(mine))} not {self.value(value)}")
        if more := len(marks) - len(shown):
            parts.append(f"{more} more")
        count = "one mark" if len(marks) == 1 else f"{len(marks)} marks"
        return sentence(f"{count} {are(len(marks))} wrong: {listed(parts)}")

    def _places(self, places: list[int]) -> str:
        pairs = (divmod(place, self._puzzle.width) for place in places)
        named = [f"({row + 1}, {column + 1})" for row, column in pairs]
        return f"{'cell' if len(named) == 1 else 'cells'} {listed(named)}"
