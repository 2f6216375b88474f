"""Passes over dirty rows and columns, then guesses: five methods that paint a line differently.

`method-1`, `method-2` and `optimum` are the document's three ways to paint a line; `completion`
adds its shortcuts and is its whole algorithm; `greedy` solves the easiest dirty lines first.

Source: document 000 (Viblo article), "Phương pháp 1", "Phương pháp 2", "Phương pháp tối ưu", "Giải
quyết toàn bộ khung", "Vét cạn" and "Áp dụng giải thuật tham lam".
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.nonogram import Nonogram
from nonosat.study._grid import BEARABLE, Order, by_index, by_score, solve_by, too_many_steps
from nonosat.study._lines import Lengths
from nonosat.study._painting import Paint, by_branches, by_memory, by_trials, with_shortcuts
from nonosat.study._recursion import branch_nodes, remembered_nodes, trial_nodes


def _study(
    summary: str, source: str, paint: Paint, order: Order, steps_of: Callable[[Lengths, int], int]
) -> Study:
    """Return a method, given its painter, its order of lines, and an upper bound of its steps."""

    def solve(puzzle: Nonogram, watch: Watch, seed: int = 0) -> Generator[Grid, None, Ending]:
        """Yield all solutions."""
        del seed
        return (yield from solve_by(paint, order, puzzle, watch))

    return Study(
        family="nonogram",
        summary=summary,
        source=f"document 000, {source}, corrected",
        largest=BEARABLE,
        limit=lambda puzzle: too_many_steps(puzzle, steps_of),
        solve=solve,
    )


PLUGINS = {
    "method-1": _study(
        "passes and guesses; a line is painted while recursing, its branches intersected",
        "method 1",
        by_branches,
        by_index,
        branch_nodes,
    ),
    "method-2": _study(
        "passes and guesses; every cell of a line is tried both ways by the plain recursion",
        "method 2",
        by_trials,
        by_index,
        trial_nodes,
    ),
    "optimum": _study(
        "passes and guesses; every cell of a line is tried both ways with a memory of failures",
        "the optimum",
        by_memory,
        by_index,
        remembered_nodes,
    ),
    "completion": _study(
        "alternating row and column passes with shortcuts, then a cell guessed both ways",
        "the whole algorithm",
        with_shortcuts(by_memory),
        by_index,
        remembered_nodes,
    ),
    "greedy": _study(
        "as completion, the dirty lines of a pass by min(unknown cells, free empty cells)",
        "the greedy order",
        with_shortcuts(by_memory),
        by_score,
        remembered_nodes,
    ),
}
