"""Lines of puzzles, and a painter of lines that is faster than the documents' and equivalent.

Counts of cells and of line solves do not depend on the painter, as all complete painters
agree (a test checks it for this one).
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
    """Return the clue and the length of every line."""
    boards = map(PlainBoard, puzzles)
    return [(clue, len(board.line(i))) for board in boards for i, clue in enumerate(board.clues)]


def painted(cells: bytes, lengths: Lengths, tick: Tick) -> bytes | None:
    """Return the line with those cells painted that are equal in all placements.

    None if there is no placement.
    """
    tick()
    left = values_left(_automaton(lengths), cells)
    if left is None:
        return None
    return bytes(min(values) if len(values) == 1 else UNKNOWN for values in left)
