"""Helpers of the tests of cubes: a pool without processes, and puzzles that probing leaves open."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest

from nonosat.core.model import Block
from nonosat.processes import places
from nonosat.processes.pools import FinishedPiece
from nonosat.processes.tools import Call
from nonosat.puzzles.nonogram import Colour, Nonogram, mono
from nonosat.solving import auto

# Command of nonosat that splits puzzles at once, without an engine that searches first.
SPLITTING = (
    "from nonosat.__main__ import main; from nonosat.solving import auto; "
    "auto.WHOLE_CONFLICTS = 0; main()"
)
COMMAND = [sys.executable, "-c", SPLITTING]


class Here:
    """Pool that runs every task in this process, the last submitted one first.

    Args:
        num_workers, work: See `nonosat.processes.pools.LocalPool`.
    """

    NEXT = -1

    def __init__(self, num_workers: int, work: Any) -> None:
        self.num_workers = num_workers
        self._tasks: list[tuple[int, Call]] = []

    def submit(self, number: int, pieces: Sequence[Call]) -> None:
        (call,) = pieces
        self._tasks.append((number, call))

    def no_more(self) -> None:
        pass

    def done(self, patience_s: float) -> list[FinishedPiece]:
        number, call = self._tasks.pop(self.NEXT)
        return [FinishedPiece(number, 0, call.function(*call.arguments))]

    def cancel(self) -> None:
        self._tasks.clear()

    def close(self) -> None:
        self.cancel()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decide cubes in this process, and split small puzzles, too."""
    monkeypatch.setattr(places, "LocalPool", Here)
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 0)


def rooks(height: int, width: int) -> Nonogram:
    """Return a puzzle with a filled cell in each row and column; unsolvable with more rows than
    columns.

    The rows' blocks are of unknown length, so that no sum of clues reveals that.
    """
    row = (Block(None),)
    return Nonogram(rows=(row,) * height, columns=mono([[1]] * width, [[1]] * width).columns)


def coloured_rooks(size: int) -> Nonogram:
    """Rooks of one colour above rooks of another: size! ** 2 solutions."""
    inks = (Colour("a", "#000000"), Colour("b", "#ff0000"))
    above, below = Block(1, 1), Block(1, 2)
    rows = ((above,),) * size + ((below,),) * size
    return Nonogram(rows=rows, columns=((above, below),) * size, colours=inks)
