"""Contradictions that prices show: where to begin the search for a small one, and how it is told.

What probing refutes, an engine refutes at once, and the sets that it finds are as small. What
probing does not refute may be too hard for an engine to leave clues out: of n-dominoes of 14 to 20
with two clues swapped it kept 58 to 82 clues, of which prices leave 38 to 53.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.board import clashing
from nonosat.board.presolve import Task
from nonosat.explain.nonogram.tracing import Trace
from nonosat.puzzles import nonogram

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram


def start(puzzle: Nonogram, watch: Watch) -> Trace | None:
    """Members that contradict each other by prices; None where prices show none,
    or probing does.

    Raises:
        LimitReached: The watch ended it.
    """
    task = _task(puzzle, watch)
    if not task.propagate(watch) or not task.probe(watch)[0]:
        return None
    clash = clashing.fewest(_task(puzzle, watch), watch)
    if clash is None:
        return None
    places = frozenset(row * puzzle.width + column for row, column, _ in puzzle.given)
    return Trace(frozenset(clash.lines), places)


def told(puzzle: Nonogram, lines: Iterable[int], watch: Watch) -> str:
    """How the clues of these lines contradict each other, in a clause; "" if prices do not show it.

    Raises:
        LimitReached: The watch ended it.
    """
    clash = clashing.among(_task(puzzle, watch), lines, watch)
    return "" if clash is None else clash.told()


def _task(puzzle: Nonogram, watch: Watch) -> Task:
    return Task.of(nonogram.build(puzzle), watch.check)
