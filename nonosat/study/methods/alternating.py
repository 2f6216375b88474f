"""The alternating row and column passes alone, without guesses.

The method ends with the only solution, with a contradiction, or undecided: the three answers of
document 000.

Source: document 000 (Viblo article), "Giải quyết toàn bộ khung".
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import asdict
from functools import partial

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._grid import (
    BEARABLE,
    PlainBoard,
    SolveCounters,
    alternate,
    by_index,
    too_many_steps,
    without_guesses,
)
from nonosat.study._lines import Meter
from nonosat.study._painting import by_memory, with_shortcuts
from nonosat.study._recursion import remembered_nodes


def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
    """Yield the solution, if the passes find it."""
    del seed
    board, tally, meter = PlainBoard(puzzle), SolveCounters(), Meter(watch)

    def holds() -> bool:
        lines = range(len(board.clues))
        return alternate(board, lines, with_shortcuts(by_memory), by_index, tally, meter)

    return (yield from without_guesses(holds, board, meter, lambda: asdict(tally)))


PLUGIN = Study(
    family="nonogram",
    summary="alternating row and column passes alone; undetermined if they stop early",
    source="document 000, the grid algorithm without guesses, corrected",
    largest=BEARABLE,
    limit=partial(too_many_steps, steps_of=remembered_nodes),
    solve=solve,
)
