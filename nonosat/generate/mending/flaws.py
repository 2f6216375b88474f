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

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from nonosat.board.presolve import OPEN, PresolvedModel, presolved
from nonosat.core.errors import NonosatError, RefutedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch, polled
from nonosat.core.plugins import Answer
from nonosat.puzzles.nonogram import build, decode, refutation
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.switches import by_lines, parts, surroundings, switches
from nonosat.solving.oracle import Oracle

ENGINE = "learn"
SOON = 300  # conflicts allowed in the search for a further rival
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
    """Return the cells of each flaw; if the budget is spent, groups of the cells left open.

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
    """Return the cells around a component, ascending.

    In each row and column that has cells of the component, these are the cells from the one before
    the component's first cell to the one after its last cell.
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


# Other solutions of the clues of a known picture, each different in other cells.
#
# The hard part of deciding a random picture, to find a first solution of its clues, is not needed.
# The picture sets the phases of an engine and is blocked as a solution; after each rival found, the
# cells in which it differed are fixed to the picture, so that the next one differs in other cells.


class Undecided(NonosatError):  # noqa: N818  # an outcome, not a mistake
    """The budget was spent before another solution was found or excluded.

    Attributes:
        left: Cells that probing leaves open, row-major.
    """

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__("too many conflicts")
        self.left = left


def rivals(puzzle: Nonogram, mine: Grid, watch: Watch, budget: int | None = None) -> Iterator[Grid]:
    """Yield other solutions that are found soon; none if the clues have one solution.

    Args:
        puzzle: Puzzle of any number of colours; its given cells hold for rivals, too.
        mine: A solution.
        watch: Limits of the search.
        budget: Number of conflicts in the search for the first one; None for no limit.

    Raises:
        Undecided: The budget is spent.
        LimitReached: A limit of the watch is reached.
    """
    assert all(mine[row, column] == value for row, column, value in puzzle.given)
    task = PresolvedModel.of(build(puzzle), watch.check)
    for _ in presolved(task, watch):
        pass
    if not task.num_open():
        return
    reduced = task.reduce(watch.check)
    assert task.shape is not None
    own = reduced.restrict(task.shape.values(mine.cells))
    is_first = True
    with closing(Oracle.of(reduced.model, ENGINE, watch)) as oracle:
        oracle.set_phases(own)
        oracle.block(own)
        while (answer := oracle.solve((), budget, watch)) is Answer.SAT:
            values = oracle.values()[: reduced.model.num_vars + 1]
            other = decode(puzzle, reduced.lift(values))
            if wrong := refutation(puzzle, other):
                raise RefutedError(f"{ENGINE} gave a solution that is none: {wrong}")
            yield other
            for lit in own:
                if values[abs(lit)] != (lit > 0):
                    oracle.fix([lit])
            watch.check()
            is_first, budget = False, SOON
    if answer is Answer.UNKNOWN and watch.reason():
        raise watch.limit()
    if answer is Answer.UNKNOWN and is_first:
        assert task.board is not None
        left = [at for at, value in enumerate(task.board.cells()) if value == OPEN]
        raise Undecided(left)
