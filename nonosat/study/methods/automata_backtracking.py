"""Backtracking cell by cell with the partial automata of the lines (`_backtracking`).

Source: document 003 (T. Lemoine), "Algorithme de backtracking".
"""

from __future__ import annotations

from collections.abc import Generator

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._backtracking import BEARABLE, backtracked, too_large
from nonosat.study._grid import PlainBoard
from nonosat.study._lines import Meter, metered


def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
    """Yield all solutions."""
    del seed
    meter = Meter(watch)
    return (yield from metered(backtracked(PlainBoard(puzzle), meter), meter))


PLUGIN = Study(
    family="nonogram",
    summary="cell by cell, empty then filled, as long as row and column can be completed",
    source="document 003, backtrack, corrected",
    largest=BEARABLE,
    limit=too_large,
    solve=solve,
)
