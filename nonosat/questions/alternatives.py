"""Other solutions of the clues of a known picture, each different in other cells.

The hard part of deciding a random picture, to find a first solution of its clues, is not needed.
The picture sets the phases of an engine and is blocked as a solution; after each rival found, the
cells in which it differed are fixed to the picture, so that the next one differs in other cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress

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


class PatienceError(Exception):
    """The conflict budget of an engine is spent."""


class Undecided(NonosatError):  # noqa: N818  # an outcome, not a mistake
    """Undecided if there is another solution; `left` are the cells that probing leaves open."""

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__("too many conflicts")
        self.left = left


class AlternativeSearch:
    """Engine that searches for other solutions near a known one.

    Args:
        task: Task of the puzzle, at least propagated; some cells are open.
        puzzle: Of any colours; its given cells hold for other solutions, too.
        mine: The known solution.
        watch: Limits of the preparation.
    """

    def __init__(self, task: PresolvedModel, puzzle: Nonogram, mine: Grid, watch: Watch) -> None:
        assert task.shape is not None
        self._puzzle, self._shape = puzzle, task.shape
        self._reduced = task.reduce(watch.check)
        model = self._reduced.model
        self._own = self._reduced.restrict(task.shape.values(mine.cells))
        self._values = b""
        self._oracle = Oracle.of(model, ENGINE, watch)
        self._oracle.set_phases(self._own)

    def differ(self) -> None:
        """Block the known solution from now on."""
        self._oracle.block(self._own)

    def leave(self) -> None:
        """Fix the cells in which the last solution differs to the known one, from now on."""
        for lit in self._own:
            if self._values[abs(lit)] != (lit > 0):
                self._oracle.fix([lit])

    def seek(self, budget: int | None, watch: Watch) -> Grid | None:
        """Return another solution, verified; None if there is none.

        Args:
            budget: Number of conflicts; None for no limit.
            watch: Limits of the search; the next one continues with the learnt clauses.

        Raises:
            PatienceError: The budget is spent.
            LimitReached: A limit of the watch is reached.
        """
        answer = self._oracle.solve((), budget, watch)
        if answer is Answer.UNKNOWN:
            if watch.reason():
                raise watch.limit()
            raise PatienceError
        if answer is Answer.UNSAT:
            return None
        self._values = self._oracle.values()[: self._reduced.model.num_vars + 1]
        other = decode(self._puzzle, self._reduced.lift(self._values))
        if wrong := refutation(self._puzzle, other):
            raise RefutedError(f"{ENGINE} gave a solution that is none: {wrong}")
        return other

    def close(self) -> None:
        """Free the engine."""
        self._oracle.close()


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
    with closing(AlternativeSearch(task, puzzle, mine, watch)) as seeker:
        seeker.differ()
        try:
            other = seeker.seek(budget, watch)
        except PatienceError:
            assert task.board is not None
            left = [at for at, value in enumerate(task.board.cells()) if value == OPEN]
            raise Undecided(left) from None
        with suppress(PatienceError):
            while other is not None:
                yield other
                seeker.leave()
                other = seeker.seek(SOON, watch)
                watch.check()
