"""Python interface of native dives: find a solution by filling open cells greedily.

In each of twelve orders of reading, the open cells are filled and the lines propagated, without
backtracking, so that every block starts as early as it can (native/board/dive.hpp has the method
and its source). Dives solve structured puzzles in microseconds; a failure proves nothing.
Deterministic: the budget is in units of native work. A 30x30 takes 0.2 ms if no order leads to a
solution, the staircase of 100 dominoes 8 ms; memory is a copy of the board.
"""

from __future__ import annotations

from typing import NamedTuple

from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.core.limits import Watch


class Dived(NamedTuple):
    """Result of dives.

    Args:
        cells: A solution, one byte a cell, row-major; None if none was found.
        num_decisions: Number of cells decided, in all dives.
    """

    cells: bytes | None
    num_decisions: int


def dive(task: PresolvedModel, watch: Watch) -> Dived:
    """Dive in each order, until one leads to a solution.

    Args:
        task: Has a board, at its line fixpoint; it is not changed.
        watch: Polled continuously.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    assert task.board is not None
    task.reserve(watch)
    native = _core.Dives(task.board)
    found = native.run(_core.BUDGETS.dive * task.num_open(), watch.remaining_s(), watch.poll)
    if found is None:
        raise watch.limit()
    return Dived(native.cells() if found else None, native.num_decisions)
