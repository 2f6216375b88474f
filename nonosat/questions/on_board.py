"""The certainty of a board's cells: presolve, solutions of the pipeline, prices, then an engine.

Source: chunks of candidates: Janota, Lynce, Marques-Silva, "Algorithms for computing backbones of
propositional formulae" (2015).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from time import perf_counter

from nonosat.board import presolve, prices
from nonosat.core import families
from nonosat.core.blame import Suspects
from nonosat.core.errors import LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Watch
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Stage, Verdict
from nonosat.core.wording import cell_text
from nonosat.processes.guard import Guard, left_of
from nonosat.questions.asker import Asker, Budget, Questioned, Subject
from nonosat.questions.certainty import Certainty
from nonosat.solving import pipeline
from nonosat.solving.findings import Findings

NEIGHBOURS = 256  # candidates close to the first solution that are looked at


class OnBoard:
    """What is known of the cells of a board, and the way to more.

    Attributes:
        known: What is certain of them.
    """

    def __init__(
        self, puzzle: Puzzle, task: presolve.Task, log: Findings, subject: BoardSubject
    ) -> None:
        size = puzzle.height * puzzle.width
        self.known = Certainty(log, size, lambda at: cell_text(*divmod(at, puzzle.width)))
        self._puzzle = puzzle
        self._family = families.family_of(puzzle)
        self._log = log
        self._task = task
        self._subject = subject
        self._watch, self._budget = subject.watch, subject.budget

    def work(self, jobs: int) -> None:
        """Find out; LimitReached where a limit is hit."""
        with Guard(self._watch):
            if self._presolve():
                return
        self._take_first_solutions(jobs)  # the pipeline has a guard of its own
        with Guard(self._watch):
            if self.known.first is not None:
                self._take_neighbours()
                if self.known.num_candidates():
                    self._ask_rest(jobs)

    def extend(self, solutions: Iterable[Grid]) -> None:
        """Find out what differs beside two solutions; LimitReached where a limit is hit."""
        for grid in solutions:
            self._take(grid, "check")
        with Guard(self._watch):
            self._take_neighbours()
            is_over = self._presolve()
            self.known.refuse_settled("check", self.known.differing)
            if not is_over and self._task.num_open() <= self._budget.open_cells:
                self._ask_rest(1)

    def _presolve(self) -> bool:
        """Propagate and probe; whether that settles everything."""
        task, known = self._task, self.known
        assert task.board is not None
        work, signs = self._budget.probing, families.signs(self._puzzle)
        for done in presolve.presolved(task, self._watch, work=work, signs=signs):
            self._log.stages.append(done.stage)
            if not done.is_consistent:
                known.refute(done.reason)
                return True
            known.settled[:] = task.board.cells()
            if not task.num_open():
                self._take(self._family.decode(self._puzzle, task.values()), done.stage.name)
                return True
        return False

    def _take_first_solutions(self, jobs: int) -> None:
        """Two solutions of the pipeline, or its word that there are not so many."""
        more = {"jobs": jobs} if jobs > 1 else {}
        result = pipeline.check(self._puzzle, **left_of(self._watch), **more)
        self._log.stages.append(Stage("check", result.seconds, 0, {"backend": result.backend}))
        for grid in result.solutions:
            self._take(grid, result.backend)
        if result.verdict is Verdict.UNSOLVABLE:
            self.known.refute(result.reason)
        elif result.verdict is Verdict.UNIQUE:
            self.known.settled[:] = result.solutions[0].cells
        elif result.verdict is Verdict.UNKNOWN:
            raise LimitReached(result.reason)  # memory that it has freed is no reason any more

    def _take_neighbours(self) -> None:
        """Look for solutions close to the first one."""
        started, before = perf_counter(), self.known.num_solutions
        first = next(iter(self.known.solutions))
        if not self.known.num_candidates():
            return
        most = int(min(NEIGHBOURS, self._budget.neighbours // len(first.cells)))
        for grid in islice(self._family.neighbours(self._puzzle, first), most):
            self._watch.check()
            if not self._family.refutation(self._puzzle, grid):
                self._take(grid, "neighbours")
        self._log.stage("neighbours", started, solutions=self.known.num_solutions - before)

    def _take(self, grid: Grid, name: str) -> None:
        """Look at a solution, which is verified first."""
        self._log.checked(Suspects(name), grid)
        self.known.take(name, grid, grid.cells)

    def _ask_rest(self, jobs: int) -> None:
        """Prove what is left: by prices, then by an engine."""
        with suppress(MemoryError):  # the engine may need less
            self._settle()
        if self.known.num_candidates():
            self.known.ask(self._subject, self._take_values, jobs)

    def _take_values(self, values: bytes) -> None:
        self._take(self._family.decode(self._puzzle, values), self._budget.engine)

    def _settle(self) -> None:
        """Take over what prices settle."""
        known, board = self.known, self._task.board
        assert board is not None
        assert known.first is not None
        started, before = perf_counter(), known.num_candidates()
        prices.settle_beside(self._task, known.first, self._watch, self._budget.probing)
        known.settled[:] = board.cells()
        known.refuse_settled("prices", known.differing)
        self._log.stage("prices", started, settled=before - known.num_candidates())


class BoardSubject(Subject):
    """A board that engines are told.

    Args:
        task: The board, which stays as it is while they are asked.
        watch: Ends questions.
        budget: What it may take.
    """

    def __init__(self, task: presolve.Task, watch: Watch, budget: Budget) -> None:
        self.watch, self.budget = watch, budget
        self._task = task

    def open(self, watch: Watch) -> Questioned:
        return Asker(self._task, watch, self.budget)

    def copy(self) -> Subject:
        return BoardSubject(self._task.copy(), self.watch, self.budget)
