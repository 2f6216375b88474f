"""Other solutions of a picture's clues, each of which differs in other cells; one is known.

To find the first solution of a random picture's clues is the hard part of deciding it, and falls
away. An engine is told to prefer the picture, and that it is not the picture; after each rival it
is told to keep to the picture where that differed, so that the next one differs elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from nonosat.backends import open_backend
from nonosat.board.presolve import OPEN, Task, presolved
from nonosat.clauses.translate import translate
from nonosat.errors import NonosatError, RefutedError
from nonosat.grid import Grid
from nonosat.limits import Watch
from nonosat.plugins import Answer
from nonosat.puzzles.nonogram import build, decode, refutation
from nonosat.puzzles.nonogram.data import Nonogram

ENGINE = "learn"
SOON = 300  # conflicts that the search for a further rival may take


class Undecided(NonosatError):  # noqa: N818  # an outcome, not a mistake
    """Nobody knows yet whether there is another solution; what probing leaves open is `left`."""

    def __init__(self, left: Sequence[int]) -> None:
        super().__init__("too many conflicts")
        self.left = left


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
    task = Task.of(build(puzzle), watch.check)
    for _ in presolved(task, watch):
        pass
    if not task.num_open():
        return
    assert task.shape is not None
    reduced = task.reduce(watch.check)
    own = reduced.restrict(task.shape.values(mine.cells))
    with closing(open_backend(ENGINE, reduced.model.num_vars, 0, {}, watch)) as engine:
        translate(reduced.model, engine, pause=watch.check)
        engine.add([-lit for lit in own])
        engine.suggest(own)
        answer = engine.solve((), watch, budget)
        if answer is Answer.UNKNOWN:
            if watch.reason():
                raise watch.limit()
            assert task.board is not None
            raise Undecided([at for at, value in enumerate(task.board.cells()) if value == OPEN])
        while answer is Answer.SAT:
            values = engine.values()
            other = decode(puzzle, reduced.lift(values))
            if wrong := refutation(puzzle, other):
                raise RefutedError(f"{ENGINE} gave a solution that is none: {wrong}")
            yield other
            for lit in own:
                if values[abs(lit)] != (lit > 0):
                    engine.add([lit])
            answer = engine.solve((), watch, SOON)
            watch.check()
