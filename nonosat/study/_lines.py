"""Representation of a line in the documents: one colour, block lengths as numbers, a byte per cell.

The documents' cell codes are 0 unknown, 1 white, 2 black (000) and 0 white, 1 black, `?` unknown
(003); here a cell is `EMPTY`, `FILLED` or `UNKNOWN`, and a partly known line is `bytes` of them.
Document 003 writes the clue of an empty line as 0, document 000 as (): `normalised` makes () of
both; otherwise 0 would be a block.

Sources: document 000 (Viblo article on nonograms) and document 003 (slides of T. Lemoine).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any

from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Watch
from nonosat.core.model import Clue
from nonosat.core.plugins import Ending
from nonosat.puzzles.nonogram import Nonogram

__all__ = [
    "EMPTY",
    "FILLED",
    "UNKNOWN",
    "Lengths",
    "Meter",
    "Tick",
    "lengths_of",
    "metered",
    "normalised",
    "refusal",
]

EMPTY, FILLED = 0, 1

Lengths = tuple[int, ...]  # s = (s_1, ..., s_k)
Tick = Callable[[], None]  # called at every step of a method


MOST_STEPS = 2**25  # steps of about a microsecond after which a method gives up


class StepsExceeded(Exception):  # noqa: N818  # an outcome, not a mistake
    """Raised by a `Meter` when a method has used up its allowed steps."""


class Meter:
    """Counter of a method's steps; raises at a maximum of steps or a limit of the watch.

    Attributes:
        steps: Number of calls.
    """

    def __init__(self, watch: Watch | None = None, most: int = MOST_STEPS) -> None:
        self.steps = 0
        self._watch = watch
        self._most = most

    def __call__(self) -> None:
        self.steps += 1
        if self._watch is not None and self.steps % 64 == 1:
            self._watch.check()
        if self.steps > self._most:
            raise StepsExceeded(f"gave up after {self._most} steps")


def metered(
    found: Iterator[Grid], meter: Meter, detail: Callable[[], Mapping[str, Any]] = dict
) -> Generator[Grid, None, Ending]:
    """Yield all solutions of an exhaustive search, and return how it ended.

    Args:
        found: The search, which calls `meter` at every step.
        meter: Its meter.
        detail: Returns further fields of the ending.
    """
    try:
        yield from found
    except StepsExceeded as error:
        return Ending(False, str(error), {"steps": meter.steps, **detail()})
    return Ending(True, detail={"steps": meter.steps, **detail()})


def normalised(numbers: Iterable[int]) -> Lengths:
    """Return a clue as the documents print it: the 0 of an empty line becomes no block at all."""
    return tuple(number for number in numbers if number)


def lengths_of(clue: Clue) -> Lengths:
    """Return the block lengths of a clue in one colour, all of them known (see `refusal`)."""
    return normalised(block.length or 0 for block in clue)


def refusal(puzzle: Nonogram) -> str | None:
    """Return a message if the documents' methods cannot take the puzzle, or None."""
    if len(puzzle.colours) > 1:
        return f"{len(puzzle.colours)} colours, the documents know only one"
    blocks = (block for clue in (*puzzle.rows, *puzzle.columns) for block in clue)
    if any(block.length is None for block in blocks):
        return "a block of unknown length, the documents know only numbers"
    return None
