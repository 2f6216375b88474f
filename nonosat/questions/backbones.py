"""Which cells are equal in all solutions of a puzzle, and which differ in some two of them.

Cells that propagation and probing decide are settled. The other cells are candidates until two
solutions differ in them: first the solutions that the pipeline finds, and switches close to them.
Then prices settle what they can, and an engine is asked, for a chunk of candidates at a time, for a
solution that differs in one of them, until there is none.

Invariant: a settled cell is equal in all solutions, a differing one has two verified solutions as
witnesses, whatever limit was hit.
Source: chunks of candidates: Janota, Lynce, Marques-Silva, "Algorithms for computing backbones of
propositional formulae" (2015).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple

from nonosat import families, seams
from nonosat.blame import Suspects
from nonosat.board import presolve, prices
from nonosat.errors import BackendError, LimitReached, UnsupportedError
from nonosat.grid import UNKNOWN, Grid
from nonosat.limits import Limits, Watch
from nonosat.plugins import Puzzle
from nonosat.processes.guard import Guard, cut_by, left_of, watch_of
from nonosat.questions.asker import WITHOUT_END, Budget
from nonosat.questions.backbone_result import BackboneResult, Places
from nonosat.questions.inquiry import Inquiry
from nonosat.result import Options, Result, Stage, Verdict
from nonosat.solving import pipeline
from nonosat.solving.findings import Findings
from nonosat.wording import cell_text

CHUNK = 64  # candidates that the engine is asked about at once
NEIGHBOURS = 256  # candidates close to the first solution that are looked at
KEPT = 64  # solutions in a result


class Differing(NamedTuple):
    """The cells in which some two solutions of a puzzle differ.

    Args:
        cells: Cells (row, column), row-major; of each there are two verified solutions.
        is_complete: Whether there are no others.
    """

    cells: Places
    is_complete: bool


def backbone(
    puzzle: Puzzle,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
    jobs: int = 1,
) -> BackboneResult:
    """Find the cells that are equal in all solutions, and those that differ in some two.

        >>> found = nonosat.backbone(nonosat.nonogram([[1], [3], [1]], [[1], [3], [1]]))
        >>> print(found.settled)
        .#.
        ###
        .#.
        >>> found.is_complete, found.differing
        (True, ())

    Args:
        puzzle: A nonogram, or a puzzle of another family whose model is a board.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.
        jobs: Threads of a search that takes long.

    Returns:
        All cells proven one way or the other, or, where a limit was hit, as many as it allowed.
        Of an unsolvable puzzle no cell is settled.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        UnsupportedError: Limits out of range, or a model that is not a board.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    watch, started = watch_of(time_limit_s, memory_limit_mib), perf_counter()
    run = _Backbone(puzzle, watch, jobs=Options(jobs=jobs).num_threads)
    limit = cut_by(watch, run.work, guarded=False)
    return run.result(limit, perf_counter() - started)


def differing(result: Result, budget: Budget | None = None) -> Differing:
    """The cells in which some two solutions differ, as far as a small budget leads.

    Args:
        result: With two solutions or more; what they differ in is the least that is found.
        budget: What it may take, on boards; for other families there is none.

    Returns:
        Those cells; complete where the budget sufficed, or where the result has every solution.
    """
    first, others = result.solutions[0], result.solutions[1:]
    most = result.options.max_solutions
    if most is None or len(result.solutions) < most:
        return Differing(_spread(first, others), True)
    watch = _rest_of(result)
    run = _Backbone(result.puzzle, watch, budget or Budget())
    if not isinstance(first, Grid) or len(first.cells) > run.budget.cells:
        return Differing(_spread(first, others), False)
    cut_by(watch, partial(run.extend, result.solutions), guarded=False)
    found = run.result("", 0.0)
    return Differing(found.differing, not found.num_undecided)


def _spread(first: Any, others: Iterable[Any]) -> Places:
    """Where any of the others differs from the first."""
    return tuple(sorted({place for other in others for place in first.differences(other)}))


def _rest_of(result: Result) -> Watch:
    """A watch over what the limits of a result have left."""
    options = result.options
    limits = Limits(options.time_limit_s, options.memory_limit_mib)
    return Watch(limits.after(result.seconds))


class _Backbone:
    """What is known so far.

    Attributes:
        settled: A byte a cell, UNKNOWN where it may differ.
        differing: Cells in which two solutions differ.
    """

    def __init__(
        self, puzzle: Puzzle, watch: Watch, budget: Budget = WITHOUT_END, jobs: int = 1
    ) -> None:
        self._jobs = jobs
        self._family = families.family_of(puzzle)
        self.puzzle = puzzle
        self.watch = watch
        self.budget = budget
        self.no_solution = ""  # why there is none
        self.settled = bytearray([UNKNOWN]) * (puzzle.height * puzzle.width)
        self.differing: set[int] = set()
        self._is_unsolvable = False
        self._kept: dict[Grid, None] = {}  # the first solutions, in order
        self._num_solutions = 0
        self._log = Findings(puzzle)

    # The result

    def result(self, limit: str, seconds: float) -> BackboneResult:
        cells = bytes(self.settled)
        height, width = self.puzzle.height, self.puzzle.width
        return BackboneResult(
            puzzle=self.puzzle,
            verdict=self._verdict(),
            settled=Grid(height, width, cells),
            differing=tuple(divmod(cell, width) for cell in sorted(self.differing)),
            solutions=tuple(self._kept),
            reason=limit or self.no_solution,
            seconds=seconds,
            stages=tuple(self._log.stages),
            limits=self.watch.limits,
        )

    def _verdict(self) -> Verdict:
        if self._is_unsolvable:
            return Verdict.UNSOLVABLE
        if self.differing:
            return Verdict.MULTIPLE
        known = bool(self._kept) and not self._num_candidates()
        return Verdict.UNIQUE if known else Verdict.UNKNOWN

    def _candidates(self) -> Iterator[int]:
        """Cells that are proven neither way."""
        cells = enumerate(self.settled)
        return (cell for cell, value in cells if value == UNKNOWN and cell not in self.differing)

    def _num_candidates(self) -> int:
        return self.settled.count(UNKNOWN) - len(self.differing)  # all of which are unknown

    # The way there

    def work(self) -> None:
        """Find out; LimitReached where a limit is hit."""
        with Guard(self.watch):
            task = self._begin()
        if task is None:
            return
        self._take_first_solutions()  # the pipeline has a guard of its own
        with Guard(self.watch):
            if self._kept:
                self._take_neighbours()
                if self._num_candidates():
                    self._ask_rest(task)

    def extend(self, solutions: Iterable[Grid]) -> None:
        """Find out what differs beside two solutions; LimitReached where a limit is hit."""
        for grid in solutions:
            self._take(grid, "check")
        with Guard(self.watch):
            self._take_neighbours()
            task = self._begin()
            self._refuse_settled("check", self.differing)
            if task is not None and task.num_open() <= self.budget.open_cells:
                self._ask_rest(task)

    def _begin(self) -> presolve.Task | None:
        """Propagate and probe; None where that settles everything."""
        if reason := self._family.obstacle(self.puzzle):
            self._refute(reason)
            return None
        task = presolve.Task.of(self._family.build(self.puzzle), self.watch.check)
        if task.board is None:
            raise UnsupportedError(
                "what all solutions have in common can be asked of nonograms, and of other puzzles "
                "with clues for rows and columns; this one is of the family "
                f"{families.name_of(self.puzzle)}; `solve --max-solutions 100` shows solutions of "
                "it"
            )
        work, signs = self.budget.probing, families.signs(self.puzzle)
        for done in presolve.presolved(task, self.watch, work=work, signs=signs):
            self._log.stages.append(done.stage)
            if not done.is_consistent:
                self._refute(done.reason)
                return None
            self.settled[:] = task.board.cells()
            if not task.num_open():
                self._take(self._family.decode(self.puzzle, task.values()), done.stage.name)
                return None
        return task

    def _refute(self, reason: str) -> None:
        self._is_unsolvable, self.no_solution = True, reason
        self.settled[:] = bytes([UNKNOWN]) * len(self.settled)

    def _take_first_solutions(self) -> None:
        """Two solutions of the pipeline, or its word that there are not so many."""
        jobs = {"jobs": self._jobs} if self._jobs > 1 else {}
        result = pipeline.check(self.puzzle, **left_of(self.watch), **jobs)
        self._log.stages.append(Stage("check", result.seconds, 0, {"backend": result.backend}))
        for grid in result.solutions:
            self._take(grid, result.backend)
        if result.verdict is Verdict.UNSOLVABLE:
            self._refute(result.reason)
        elif result.verdict is Verdict.UNIQUE:
            self.settled[:] = result.solutions[0].cells
        elif result.verdict is Verdict.UNKNOWN:
            raise LimitReached(result.reason)  # memory that it has freed is no reason any more

    def _take_neighbours(self) -> None:
        """Look for solutions close to the first one."""
        started, before = perf_counter(), self._num_solutions
        first = next(iter(self._kept))
        if not self._num_candidates():
            return
        most = int(min(NEIGHBOURS, self.budget.neighbours // len(first.cells)))
        for grid in islice(self._family.neighbours(self.puzzle, first), most):
            self.watch.check()
            if not self._family.refutation(self.puzzle, grid):
                self._take(grid, "neighbours")
        self._log.stage("neighbours", started, solutions=self._num_solutions - before)

    def _take(self, grid: Grid, name: str) -> None:
        """Look at a solution: the cells in which it is unlike the first one differ."""
        self._log.checked(Suspects(name), grid)
        self._num_solutions += 1
        if len(self._kept) < KEPT:
            self._kept[grid] = None
        first = next(iter(self._kept))
        pairs = enumerate(zip(first.cells, grid.cells, strict=True))
        different = {cell for cell, (mine, yours) in pairs if mine != yours}
        self._refuse_settled(name, different)
        self.differing |= different

    def _refuse_settled(self, name: str, different: Iterable[int]) -> None:
        """Raise BackendError where solutions differ in a cell that is settled."""
        if wrong := [cell for cell in different if self.settled[cell] != UNKNOWN]:
            where = cell_text(*divmod(wrong[0], self.puzzle.width))
            raise BackendError(
                f"{name} gave a solution that differs from another one in {where}, but that cell "
                "is equal in all solutions by propagation, or by what was asked before"
            )

    def _ask_rest(self, task: presolve.Task) -> None:
        """Prove what is left: by prices, then by an engine."""
        with suppress(MemoryError):  # the engine may need less
            self._settle(task)
        if self._num_candidates():
            self._ask(task)

    def _settle(self, task: presolve.Task) -> None:
        """Take over what prices settle."""
        assert task.board is not None
        started, before = perf_counter(), self._num_candidates()
        prices.settle_beside(task, next(iter(self._kept)).cells, self.watch, self.budget.probing)
        self.settled[:] = task.board.cells()
        self._refuse_settled("prices", self.differing)
        self._log.stage("prices", started, settled=before - self._num_candidates())

    def _ask(self, task: presolve.Task) -> None:
        """Ask an engine for solutions that differ, until every cell is proven."""
        started, before = perf_counter(), self._num_solutions
        first = next(iter(self._kept)).cells
        inquiry = Inquiry(task, first, self.watch, self.budget)
        try:
            with closing(inquiry.answers(self._next_chunk, self._jobs)) as answers:
                for chunk, values in answers:
                    if values is not None:
                        self._take(self._family.decode(self.puzzle, values), self.budget.engine)
                        continue
                    for cell in chunk:
                        self.settled[cell] = first[cell]
        finally:
            solutions = self._num_solutions - before
            engine, asked = self.budget.engine, inquiry.num_asked
            self._log.stage("solve", started, engine=engine, asked=asked, solutions=solutions)

    def _next_chunk(self, asked: Container[int]) -> list[int]:
        """Candidates to be asked about, without those that somebody is being asked about."""
        proven = len(self.settled) - self._num_candidates()
        seams.doing("cells proven", proven, len(self.settled))
        return list(islice((cell for cell in self._candidates() if cell not in asked), CHUNK))
