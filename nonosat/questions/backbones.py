"""Backbone of a puzzle: places equal in all solutions, and places in which some two differ.

The places of a board are its cells. A cell is settled once it is proved equal in all solutions, and
differing once two solutions differ in it; until then it is a candidate. Propagation and probing
settle cells. The first solutions of the pipeline, and switches (small local changes) of them, show
differing cells. Then the price bound (`board/prices.py`) settles cells, and an engine takes the
other candidates in chunks: it searches for a solution that differs in one of the chunk's cells,
until there is none. For any other model the places are those that its family names, and an engine
decides all of them. A board of lanes has such places, too, of which presolve settles some.

Invariant: settled places are equal in all solutions, differing ones have two verified solutions as
witnesses, whichever limit was hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple

from nonosat import _core
from nonosat.board import presolve, prices
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits
from nonosat.core.plugins import Puzzle
from nonosat.core.result import Options, Result, Stage, Verdict
from nonosat.core.scope import run_limited
from nonosat.core.wording import cell_text
from nonosat.questions.backbone_result import BackboneResult, Places
from nonosat.questions.backbone_state import BackboneState
from nonosat.questions.on_model import ModelOracleFactory, OnModel
from nonosat.questions.place_assignment import PlaceAssignment
from nonosat.questions.solution_oracle import WITHOUT_END, Budget, board_factory
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem

# Backbone of a board's cells: presolve, solutions of the pipeline, prices, then an engine.
#
# Source: chunks of candidates: Janota, Lynce, Marques-Silva, "Algorithms for computing backbones of
# propositional formulae" (2015).


NEIGHBOURS = 256  # candidates close to the first solution that are tested


class OnBoard:
    """Computation of the backbone of a puzzle with a board; its places are the cells.

    Attributes:
        known: The backbone so far.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        puzzle = problem.puzzle
        size = puzzle.height * puzzle.width
        self.known = BackboneState(
            problem.log, size, lambda at: cell_text(*divmod(at, puzzle.width))
        )
        self._problem, self._budget = problem, budget
        self._puzzle, self._family = puzzle, problem.family
        self._watch, self._log = problem.watch, problem.log

    def work(self, jobs: int) -> None:
        """Compute the backbone; raise LimitReached at a limit."""
        if self._presolve():
            return
        self._take_first_solutions()
        if self.known.first is not None:
            self._take_neighbours()
            if self.known.num_candidates():
                self._query_rest(jobs)

    def extend(self, solutions: Iterable[Grid]) -> None:
        """Find more places that differ, given some solutions; raise LimitReached at a limit."""
        for grid in solutions:
            self._take(grid, "check")
        self._take_neighbours()
        is_over = self._presolve()
        self.known.refuse_settled("check", self.known.differing)
        if not is_over and self._problem.task.num_open() <= self._budget.open_cells:
            self._query_rest(1)

    def _presolve(self) -> bool:
        """Propagate and probe; return True if that settles every cell."""
        task, known = self._problem.task, self.known
        assert task.board is not None
        for done in self._problem.presolve(self._budget.probing):
            if not done.is_consistent:
                known.refute(done.reason)
                return True
            known.settled[:] = task.board.cells()
            if not task.num_open():
                self._take(self._family.decode(self._puzzle, task.values()), done.stage.name)
                return True
        known.settled[:] = task.board.cells()  # an earlier question may have presolved it
        return False

    def _take_first_solutions(self) -> None:
        """Add two solutions that the pipeline finds, or its verdict that there are fewer."""
        result = pipeline.check_problem(self._problem.part(max_solutions=2))
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
        """Test cheap candidates close to the first solution, and add those that are solutions."""
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
        """Verify a solution, and add it to the known ones."""
        self._log.checked(AnswerSource(name), grid)
        self.known.take(name, grid, grid.cells)

    def _query_rest(self, jobs: int) -> None:
        """Decide the cells that are still undecided: by the price bound, then by an engine."""
        task = self._problem.task.copy()
        with suppress(MemoryError):  # the engine may need less
            self._settle(task)
        if self.known.num_candidates():
            factory = board_factory(task, self._watch, self._budget)
            self.known.query(factory, self._take_values, jobs)

    def _take_values(self, values: bytes) -> None:
        self._take(self._family.decode(self._puzzle, values), self._budget.engine)

    def _settle(self, task: presolve.PresolvedModel) -> None:
        """Decide cells by the price bound (`native/prices/priced_board.hpp`)."""
        known = self.known
        assert task.board is not None
        assert known.first is not None
        started, before = perf_counter(), known.num_candidates()
        search = prices.pricing(task, self._watch, known.first, work=self._budget.probing)
        while (outcome := prices.run(search, self._watch)) == _core.Pricing.Outcome.SOLUTION:
            self._take_values(task.values(search.solution))
        is_alone = outcome == _core.Pricing.Outcome.REFUTED
        known.settled[:] = known.first if is_alone else task.board.cells()
        known.refuse_settled("prices", known.differing)
        self._log.stage("prices", started, settled=before - known.num_candidates())


class OnLanes(OnModel):
    """Computation of the backbone of a board of lanes: presolve and the pipeline before the engine.

    Args:
        problem: The puzzle.
        budget: Budget of presolve and of the queries.
        against: A solution to compare all others with, for which the pipeline is not needed.
    """

    def __init__(self, problem: Problem, budget: Budget, against: Any) -> None:
        factory = ModelOracleFactory(problem.puzzle, problem.task, problem.watch, budget)
        super().__init__(problem.log, factory, against)
        self._problem, self._budget = problem, budget
        self._variables = tuple(factory.places.values())

    def work(self, jobs: int = 1) -> None:
        """Compute the backbone; raise LimitReached at a limit."""
        for done in self._problem.presolve(self._budget.probing):
            if not done.is_consistent:
                self.known.refute(done.reason)
                return
        self._settle()
        if self._against is None and not self._take_first_solutions():
            return
        super().work(jobs)

    def _settle(self) -> None:
        """Settle the places that presolve has decided."""
        task = self._problem.task
        shape, board = task.shape, task.any_board
        assert shape is not None
        assert board is not None
        cells = board.cells()
        planes = [board.plane(value) for value in range(shape.num_colours + 1)]
        for at, var in enumerate(self._variables):
            cell, colour = shape.place(var)
            if cells[cell] == colour or not planes[colour][cell]:
                self.known.settled[at] = cells[cell] == colour

    def _take_first_solutions(self) -> bool:
        """Add two solutions that the pipeline finds; return False if it finds fewer, with proof."""
        part = self._problem.part(max_solutions=2)
        result = pipeline.check_problem(part)
        self._log.stages.append(Stage("check", result.seconds, 0, {"backend": result.backend}))
        for values in part.log.values:
            self.take(values, AnswerSource(result.backend))
        if result.verdict is Verdict.UNSOLVABLE:
            self.known.refute(result.reason)
        elif result.verdict is Verdict.UNIQUE:
            assert self.known.first is not None
            self.known.settled[:] = self.known.first
        elif result.verdict is Verdict.UNKNOWN:
            raise LimitReached(result.reason)
        return result.verdict is Verdict.MULTIPLE


class Differing(NamedTuple):
    """Places in which some two solutions of a puzzle differ.

    Args:
        cells: Places (row, column), row-major, as in `Result.disputed`; for each there are two
            verified solutions that differ in it.
        is_complete: True if no two solutions differ in any other place.
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
    """Compute the backbone: places equal in all solutions, and places in which some two differ.

        >>> found = nonosat.backbone(nonosat.nonogram([[1], [3], [1]], [[1], [3], [1]]))
        >>> print(found.settled)
        .#.
        ###
        .#.
        >>> found.is_complete, found.differing
        (True, ())
        >>> found = nonosat.backbone(nonosat.Queens(5, given=[(0, 0)]))
        >>> found.settled.chosen(), found.differing[:2]
        ([(0, 0)], ((1, 2), (1, 3)))

    Args:
        puzzle: A puzzle of any family. Its places are the cells of a nonogram, the squares of
            queens, the edges and cells of a Slitherlink, the moves of a knight's tour.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.
        jobs: Threads of a long search.

    Returns:
        The decided places: all of them unless a limit is hit; none for an unsolvable puzzle.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message names valid inputs.
        UnsupportedError: Limits out of range, or the puzzle is too large for a model.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    options = Options(jobs=jobs, time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    return backbone_of(Problem(puzzle, options))


def backbone_of(problem: Problem) -> BackboneResult:
    """Compute the backbone of a problem, as `backbone` does."""
    started, run = perf_counter(), _Backbone(problem)
    limit = run_limited(problem.watch, run.work)
    return run.result(limit, perf_counter() - started)


def differing(
    result: Result, budget: Budget | None = None, problem: Problem | None = None
) -> Differing:
    """Return the places in which some two solutions differ, as far as a small budget allows.

    Args:
        result: Result with two solutions or more; the places in which these differ are included.
        budget: Budget of the search.
        problem: Problem of the result, whose presolved board is reused; None to make a new one.

    Returns:
        The differing places; complete if the budget sufficed, or if the result has every solution.
    """
    first = result.solutions[0]
    most = result.options.max_solutions
    if most is None or len(result.solutions) < most:
        return Differing(_spread(result.solutions), True)
    is_presolved = problem is not None and problem.options.presolve == "probe"
    problem = Problem(result.puzzle, _rest_of(result), problem if is_presolved else None)
    run = _Backbone(problem, budget or Budget())
    if isinstance(first, Grid) and len(first.cells) > run.budget.cells:
        return Differing(_spread(result.solutions), False)
    run_limited(problem.watch, partial(run.extend, result.solutions))
    return run.differing(result.solutions)


def _spread(solutions: Sequence[Any]) -> Places:
    """Return the places in which any solution differs from the first one."""
    first, *others = solutions
    return tuple(sorted({place for other in others for place in first.differences(other)}))


def _rest_of(result: Result) -> Options:
    """Return the options of a result, with the limits that its computation has left."""
    options = result.options
    limits = Limits(options.time_limit_s, options.memory_limit_mib).after(result.seconds)
    return Options(time_limit_s=limits.time_s, memory_limit_mib=limits.memory_mib)


class _Backbone:
    """Computation of a backbone; it gives a result after any interruption."""

    def __init__(self, problem: Problem, budget: Budget = WITHOUT_END) -> None:
        self.budget = budget
        self._against: Any = None  # the solution with which others are compared
        self._problem = problem
        self._puzzle, self._family = problem.puzzle, problem.family
        self._watch, self._log = problem.watch, problem.log
        self._jobs = problem.options.num_threads
        self._no_solution = ""
        self._way: OnBoard | OnModel | None = None  # set once there is a model

    # The result

    def result(self, limit: str, seconds: float) -> BackboneResult:
        known = self._known()
        settled = self._settled(bytes(known.settled))
        return BackboneResult(
            puzzle=self._puzzle,
            verdict=known.verdict(),
            settled=settled,
            differing=tuple(settled.place(at) for at in sorted(known.differing)),
            solutions=tuple(known.solutions),
            cells=tuple(known.solutions.values()),
            reason=limit or known.no_solution,
            seconds=seconds,
            stages=tuple(self._log.stages),
            limits=self._watch.limits,
        )

    def _known(self) -> BackboneState:
        if self._way is not None:
            return self._way.known
        size = 0 if self._family.places else self._puzzle.height * self._puzzle.width
        known = BackboneState(self._log, size, str)
        if self._no_solution:
            known.refute(self._no_solution)
        return known

    def _settled(self, cells: bytes) -> Grid | PlaceAssignment:
        if isinstance(self._way, OnModel):
            if self._way.known.verdict() is Verdict.UNSOLVABLE:
                return PlaceAssignment()
            return PlaceAssignment(tuple(self._way.places), cells)
        height, width = self._puzzle.height, self._puzzle.width
        return Grid(height, width, cells) if cells else PlaceAssignment()

    # Computation

    def work(self) -> None:
        """Compute the backbone; raise LimitReached at a limit."""
        self._begin()
        if self._way is not None:
            self._way.work(self._jobs)

    def _begin(self) -> None:
        """Build the model, and choose the computation for boards or for other models.

        If the puzzle is obviously unsolvable, neither is chosen.
        """
        problem = self._problem
        self._no_solution = problem.obstacle()
        if self._no_solution:
            return
        if problem.task.any_board is None:
            factory = ModelOracleFactory(self._puzzle, problem.task, self._watch, self.budget)
            self._way = OnModel(self._log, factory, self._against)
        elif problem.task.board is None:
            self._way = OnLanes(problem, self.budget, self._against)
        else:
            self._way = OnBoard(problem, self.budget)

    def extend(self, solutions: Sequence[Any]) -> None:
        """Find more places that differ, given some solutions; raise LimitReached at a limit."""
        self._against = solutions[0]
        self._begin()
        if isinstance(self._way, OnBoard):
            self._way.extend(solutions)
        elif self._way is not None and len(self._way.places) <= self.budget.cells:
            self._way.work()

    def differing(self, solutions: Sequence[Any]) -> Differing:
        """Return the places known to differ, those of the given solutions included."""
        way, known = self._way, self._known()
        found = _spread(solutions)
        if isinstance(way, OnBoard) and known.first is not None:
            found = self.result("", 0.0).differing  # cells
        elif isinstance(way, OnModel):
            found = tuple(sorted(way.spread.union(found)))
        if way is None or known.num_candidates():
            return Differing(found, False)
        # Solutions may differ in places that no variable decides alone, such as the numbers of a
        # tour.
        is_decisive = isinstance(way, OnBoard) or {*way.places}.issuperset(found)
        is_all = len(found) == self._puzzle.height * self._puzzle.width
        return Differing(found, is_decisive or is_all)
