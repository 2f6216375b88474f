"""Other solutions of a picture's clues, each of which differs in other cells; one is known.

To find the first solution of a random picture's clues is the hard part of deciding it, and falls
away. An engine is told to prefer the picture, and that it is not the picture; after each rival it
is told to keep to the picture where that differed, so that the next one differs elsewhere.
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
SOON = 300  # conflicts that the search for a further rival may take


class PatienceError(Exception):
    """An engine has had its conflicts."""


class Undecided(NonosatError):  # noqa: N818  # an outcome, not a mistake
    """Nobody knows yet whether there is another solution; what probing leaves open is `left`."""

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__("too many conflicts")
        self.left = left


class AlternativeSearch:
    """An engine that looks for other solutions near one that is known.

    Args:
        task: Of the puzzle, propagated or more; some cells are open.
        puzzle: Of any colours; its given cells hold for other solutions, too.
        mine: The solution that is known.
        watch: Ends the preparations.
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
        """From now on solutions differ from the known one."""
        self._oracle.block(self._own)

    def leave(self) -> None:
        """From now on they are like the known one where the last one was not."""
        for lit in self._own:
            if self._values[abs(lit)] != (lit > 0):
                self._oracle.fix([lit])

    def seek(self, budget: int | None, watch: Watch) -> Grid | None:
        """Another solution, verified; None where there is none.

        Args:
            budget: Conflicts that it may take; None is without end.
            watch: Ends the search; the next one goes on with what was learnt.

        Raises:
            PatienceError: The budget is spent.
            LimitReached: The watch ended it.
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
    """Other solutions, those that are found soon; none where the clues have one solution.

    Args:
        puzzle: Of any colours; its given cells hold for rivals, too.
        mine: A solution.
        watch: Ends the search.
        budget: Conflicts that the search for the first one may take; None is without end.

    Raises:
        Undecided: The budget is spent.
        LimitReached: The watch ended it.
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
