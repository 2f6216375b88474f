"""Lines of puzzles, and a painter of lines that gives the documents' cells in less time.

Counts of cells and of line solves do not depend on how a line is painted, as all complete painters
agree (a test holds that this one does).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._automata import automaton_of, values_left
from nonosat.study._grid import PlainBoard
from nonosat.study._lines import UNKNOWN, Lengths, Tick

SQUARES, BUNDLED = "random squares", "bundled puzzles"

_automaton = cache(automaton_of)


def lines_of(puzzles: Iterable[Nonogram]) -> list[tuple[Lengths, int]]:
    """The clue and the length of every line."""
    boards = map(PlainBoard, puzzles)
    return [(clue, len(board.line(i))) for board in boards for i, clue in enumerate(board.clues)]


def painted(cells: bytes, lengths: Lengths, tick: Tick) -> bytes | None:
    """The line with every cell that all its placements share; None where there is none."""
    tick()
    left = values_left(_automaton(lengths), cells)
    if left is None:
        return None
    return bytes(min(values) if len(values) == 1 else UNKNOWN for values in left)
