"""A line as the documents see it: one colour, block lengths as plain numbers, a byte a cell.

The documents' cell codes are 0 unknown, 1 white, 2 black (000) and 0 white, 1 black, `?` unknown
(003); here a cell is `EMPTY`, `FILLED` or `UNKNOWN`, and a partly known line is `bytes` of them.
Document 003 writes the clue of an empty line as 0, document 000 as (): `normalised` makes () of
both, without which 0 would be a block.

Sources: document 000 (Viblo article on nonograms) and document 003 (slides of T. Lemoine).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nonosat.grid import UNKNOWN
from nonosat.limits import Watch
from nonosat.model import Clue
from nonosat.puzzles.nonogram import Nonogram

__all__ = ["EMPTY", "FILLED", "UNKNOWN", "Lengths", "Meter", "Tick", "lengths_of", "normalised"]

EMPTY, FILLED = 0, 1

Lengths = tuple[int, ...]  # s = (s_1, ..., s_k)
Tick = Callable[[], None]  # called at every step of a method


class Meter:
    """Counts the steps of a method, and lets the puzzle's watch end it.

    Attributes:
        steps: How often it was called.
    """

    def __init__(self, watch: Watch | None = None) -> None:
        self.steps = 0
        self._watch = watch

    def __call__(self) -> None:
        self.steps += 1
        if self._watch is not None and not self.steps & 63:
            self._watch.check()


def normalised(numbers: Iterable[int]) -> Lengths:
    """A clue as the documents print it: the 0 of an empty line becomes no block at all."""
    return tuple(number for number in numbers if number)


def lengths_of(clue: Clue) -> Lengths:
    """The block lengths of a clue in one colour, all of them known (see `refusal`)."""
    lengths = [block.length for block in clue]
    return tuple(length for length in lengths if length is not None)


def refusal(puzzle: Nonogram) -> str | None:
    """Why the documents' methods have no words for the puzzle, or None."""
    if len(puzzle.colours) > 1:
        return f"{len(puzzle.colours)} colours, the documents know only one"
    blocks = (block for clue in (*puzzle.rows, *puzzle.columns) for block in clue)
    if any(block.length is None for block in blocks):
        return "a block of unknown length, the documents know only numbers"
    return None
