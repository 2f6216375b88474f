"""Other solutions of the clues of a known picture, each different in other cells.

The hard part of deciding a random picture, to find a first solution of its clues, is not needed.
The picture sets the phases of an engine and is blocked as a solution; after each rival found, the
cells in which it differed are fixed to the picture, so that the next one differs in other cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from nonosat.board.presolve import OPEN, PresolvedModel, presolved
from nonosat.core.errors import NonosatError, RefutedError
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer
from nonosat.puzzles.nonogram import build, decode, refutation
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.solving.oracle import Oracle

ENGINE = "learn"
SOON = 300  # conflicts allowed in the search for a further rival


class Undecided(NonosatError):  # noqa: N818  # an outcome, not a mistake
    """Undecided if there is another solution; `left` are the cells that probing leaves open."""

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__("too many conflicts")
        self.left = left


def rivals(puzzle: Nonogram, mine: Grid, watch: Watch, budget: int | None = None) -> Iterator[Grid]:
    """Yield other solutions that are found soon; none if the clues have one solution.

    Args:
        puzzle: Of any colours; its given cells hold for rivals, too.
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
