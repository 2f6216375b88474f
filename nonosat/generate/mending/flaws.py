"""Flaws of a picture: parts of it that have to be changed before it is as it should be.

A flaw is a set of cells and the windows around it: any picture that agrees with ours in all of the
windows has the same flaw. So a mended picture has another value in at least one cell of them.

* A picture should be the one solution of its clues: its flaws are the switches to other solutions
  (`questions.switches`).
* It should be solved by line logic alone: its flaws are the cells that line propagation leaves
  open, in parts that share no line. In each line a window reaches from the cell before the first
  open one to the cell behind the last one. A picture that is the same there gets no further:
  suppose that everything outside of the part's cells were known. What the window leaves open is
  then a matter of its own runs, which are the same ones, between two cells that are known.
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

BUDGET = 3000  # conflicts; where they are spent in vain more is changed, so that it gets easier
SPREAD = 40  # open cells, of which one is changed then


class Flaw(NamedTuple):
    """What is wrong somewhere; cells are row-major.

    Args:
        cells: What differs, or is left open.
        windows: One of these cells must be another one, whatever else is changed.
    """

    cells: Sequence[int]
    windows: Sequence[int]


Finder = Callable[[Nonogram, Grid, Watch, int | None], list[Flaw]]


def doubts(find: Callable[[int], list[Flaw]]) -> list[Sequence[int]]:
    """The cells of each flaw; where it is not known whether there is any, parts of what is open.

    Args:
        find: Takes a budget.
    """
    try:
        return [flaw.cells for flaw in find(BUDGET)]
    except Undecided as undecided:
        left = undecided.left
        return [left[start : start + SPREAD] for start in range(0, len(left), SPREAD)]


def in_uniqueness(puzzle: Nonogram, mine: Grid, watch: Watch, budget: int | None) -> list[Flaw]:
    """Switches to other solutions, at least one where there is any.

    Args:
        puzzle: Its clues and given cells count.
        mine: A solution of it.
        watch: Ends the search with LimitReached.
        budget: Conflicts that the search for the first other solution may take.

    Raises:
        Undecided: The budget was spent in vain.
    """
    return [
        Flaw(switch, surroundings(mine, switch, other))
        for other in rivals(puzzle, mine, watch, budget)
        for switch in switches(mine, other)
    ]


def in_line_logic(puzzle: Nonogram, mine: Grid, watch: Watch, _: int | None = None) -> list[Flaw]:
    """Parts of the board that line propagation leaves open; the arguments are the same."""
    task = PresolvedModel.of(build(puzzle), watch.check)
    task.propagate(watch)
    assert task.board is not None
    left = [cell for cell, value in enumerate(task.board.cells()) if value == OPEN]
    return [Flaw(part, _spans(mine, part)) for part in parts(mine, left)]


def _spans(grid: Grid, part: Collection[int]) -> list[int]:
    """The cells of a part's lines from the one before its first to the one behind its last."""
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
