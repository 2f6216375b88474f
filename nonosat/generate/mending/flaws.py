"""Flaws of a picture: parts of it that must change before it has the required property.

A flaw is a set of cells and the windows around it: every picture that agrees with this one in all
of the windows has the same flaw. A repaired picture therefore differs in at least one cell of them.

* A picture should be the only solution of its clues: its flaws are the switches to other solutions
  (`questions.switches`).
* It should be solved by line logic alone: its flaws are the cells that line propagation leaves
  open, in components that share no line. In each line a window reaches from the cell before the
  first open cell to the cell after the last one. Propagation stops there in every picture that
  agrees with it: suppose that all cells outside of the component were known. The open cells of the
  window then depend only on its own runs, which are equal, between two known cells.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from nonosat.board.presolve import OPEN, PresolvedModel
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch, polled
from nonosat.puzzles.nonogram import build
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.alternatives import Undecided, rivals
from nonosat.questions.switches import by_lines, parts, surroundings, switches

__all__ = ["BUDGET", "Flaw", "Undecided", "doubts", "in_line_logic", "in_uniqueness"]

BUDGET = 3000  # conflicts; beyond that, more is changed, which makes the puzzle easier
SPREAD = 40  # open cells, of which one is changed in that case


class Flaw(NamedTuple):
    """Flaw of a picture; cells are row-major.

    Args:
        cells: Cells that differ, or are left open.
        windows: Cells of which at least one must change in every repair.
    """

    cells: Sequence[int]
    windows: Sequence[int]


Finder = Callable[[Nonogram, Grid, Watch, int | None], list[Flaw]]


def doubts(find: Callable[[int], list[Flaw]]) -> list[Sequence[int]]:
    """Return the cells of each flaw; groups of open cells if the budget does not decide.

    Args:
        find: Function that returns the flaws within a budget.
    """
    try:
        return [flaw.cells for flaw in find(BUDGET)]
    except Undecided as undecided:
        left = undecided.left
        return [left[start : start + SPREAD] for start in range(0, len(left), SPREAD)]


def in_uniqueness(puzzle: Nonogram, mine: Grid, watch: Watch, budget: int | None) -> list[Flaw]:
    """Return switches to other solutions, at least one if another solution exists.

    Args:
        puzzle: Puzzle with its clues and given cells.
        mine: A solution of it.
        watch: Ends the search with LimitReached.
        budget: Maximum number of conflicts of the search for the first other solution.

    Raises:
        Undecided: The budget did not suffice.
    """
    return [
        Flaw(switch, surroundings(mine, switch, other))
        for other in rivals(puzzle, mine, watch, budget)
        for switch in switches(mine, other)
    ]


def in_line_logic(puzzle: Nonogram, mine: Grid, watch: Watch, _: int | None = None) -> list[Flaw]:
    """Return the components that line propagation leaves open; arguments as in `in_uniqueness`."""
    task = PresolvedModel.of(build(puzzle), watch.check)
    task.propagate(watch)
    assert task.board is not None
    left = [cell for cell, value in enumerate(task.board.cells()) if value == OPEN]
    return [Flaw(part, _spans(mine, part)) for part in parts(mine, left)]


def _spans(grid: Grid, part: Collection[int]) -> list[int]:
    """Yield the cells of a component's lines from the one before its first to the one after its
    last.
    """
    rows, columns = by_lines(part, grid.width)
    found = set[int]()
    for row, places in polled(rows.items()):
        found.update(row * grid.width + column for column in _span(places, grid.width))
    for column, places in polled(columns.items()):
        found.update(row * grid.width + column for row in _span(places, grid.height))
    return sorted(found)


def _span(places: Iterable[int], length: int) -> range:
    every = list(places)
    return range(max(0, min(every) - 1), min(length, max(every) + 2))
