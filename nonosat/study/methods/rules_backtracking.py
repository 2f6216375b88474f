"""Backtracking helped by the logic rules: automata and search handle the cells that rules leave.

"Logic rules are a means for backtracking to have fewer grids to go through": they are applied to
all lines, again and again, until none of them settles anything more; then `_backtracking` searches
the remaining cells.

Source: document 003 (T. Lemoine), "Règles logiques".
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._backtracking import BEARABLE, backtracked, too_large
from nonosat.study._grid import PlainBoard
from nonosat.study._lines import Meter, metered
from nonosat.study._rules import RULES, apply_rules


def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
    """Yield all solutions."""
    del seed
    board, meter, counts = PlainBoard(puzzle), Meter(watch), dict[str, int]()

    def found() -> Iterator[Grid]:
        settled = apply_rules(board, RULES, meter)
        if settled is not None:
            counts.update(settled)
            yield from backtracked(board, meter)

    return (yield from metered(found(), meter, lambda: counts))


PLUGIN = Study(
    family="nonogram",
    summary="the four logic rules first, then cell by cell with automata",
    source="document 003, règles logiques and backtrack, corrected",
    largest=BEARABLE,
    limit=too_large,
    solve=solve,
)
