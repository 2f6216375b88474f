"""Pipeline from a puzzle to a verdict: presolve, encode, solve, decode, verify.

The pipeline takes one step after another (`solving.steps`) until one completes the search.
Solutions are found one at a time and are distinct; the backends `auto` and `search` enumerate them
in bounded memory, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import repeat
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat.core import families, plugins
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.plugins import Ending, Puzzle
from nonosat.core.result import Options, Result, Stage, Verdict
from nonosat.core.scope import within
from nonosat.solving import auto
from nonosat.solving.auto import SearchRound
from nonosat.solving.choices import chosen_phases
from nonosat.solving.ignored_options import unused
from nonosat.solving.problem import Problem

if TYPE_CHECKING:
    from nonosat.board import presolve
    from nonosat.solving.steps import Step

# Small puzzles that some microseconds of propagation decide, without a pipeline.
#
# The pipeline's cost for such a puzzle is nearly all bookkeeping: 60 microseconds for a 5x5 that
# propagation decides in 3. Invariant: the result equals that of the pipeline, with the solution
# verified in the same way; unusual options and longer work are left to the pipeline.


LEAST_S = 0.01  # least time limit within which such a puzzle is decided in any case


def decided(problem: Problem, started: float) -> Result | None:
    """Return the result for a puzzle with usual options that propagation decides; None for others.

    Args:
        problem: The puzzle.
        started: Start of the call, a time of `perf_counter`.
    """
    puzzle, family, options = problem.puzzle, problem.family, problem.options
    if family.fast_path is None or not _is_usual(options):
        return None
    solution = family.fast_path(puzzle)
    if solution is None or family.refutation(puzzle, solution):
        return None  # the pipeline names the source of a wrong answer
    if (goal := family.goal(puzzle)) is not None and goal != solution:
        return None
    seconds = perf_counter() - started
    size = puzzle.height * puzzle.width
    return Result(
        puzzle,
        Verdict.SOLVED if options.max_solutions == 1 else Verdict.UNIQUE,
        (solution,),
        "",
        seconds,
        (Stage("propagate", seconds, size),),
        "propagate",
        options=options,
    )


def _is_usual(options: Options) -> bool:
    """Return True if no option differs from its default in a way that the fast path must handle."""
    return (
        options.backend == "auto"
        and options.presolve != "none"
        and options.hints == "auto"
        and options.cubes is None
        and options.memory_limit_mib is None
        and not (options.encoding or options.formulation or options.redundant)
        and (options.time_limit_s is None or options.time_limit_s >= LEAST_S)
    )


class Pipeline:
    """Search for the solutions of one puzzle.

    Args:
        problem: The puzzle; the steps write to its log.
    """

    def __init__(self, problem: Problem) -> None:
        # Engines and teams, half of a start of Python; `decided` needs none of them.
        from nonosat.solving.steps import Steps

        self.problem = problem
        self._steps = Steps(problem)
        if problem.options.hints != "auto":
            chosen_phases(problem.options)  # raises now, not at the first use

    def take(self, most: int | None, keep: Callable[[Any], object]) -> Ending:
        """Pass up to `most` solutions to `keep`, within the limits.

        Args:
            most: Maximum number; None means all.
            keep: Called with every solution.

        Returns:
            The end of the search: `exhausted` if there are certainly no further solutions; `reason`
                names an obvious contradiction or the limit that was hit.
        """
        try:
            return within(self.problem.watch, partial(self._take, most, keep))
        except LimitReached as limit:
            return Ending(False, self.problem.log.limited(str(limit)))

    def _take(self, most: int | None, keep: Callable[[Any], object]) -> Ending:
        with closing(self.run()) as run:
            for _ in repeat(None) if most is None else range(most):
                try:
                    solution = next(run)
                except StopIteration as stop:
                    ending: Ending = stop.value
                    return ending
                keep(solution)
        return Ending(False)

    def run(self) -> Step:
        """Yield all solutions, each verified and distinct; raise LimitReached if a limit is hit."""
        ending = Ending(False)
        for step in self._plan():
            ending = yield from step
            if ending.exhausted:
                break
        return ending

    def _plan(self) -> Iterator[Step]:
        """Yield the steps in order; each is created after the one before has ended undecided."""
        yield self._steps.by_sight()
        problem, names = self.problem, self.problem.steps()
        task: presolve.PresolvedModel | None = None
        for index, name in enumerate(names, start=1):
            if method := families.method(problem.family, problem.puzzle, name):
                yield self._steps.by_method(name, method, is_last=index == len(names))
                continue
            if task is None:
                yield self._steps.by_presolve()
                task = problem.own_task()
            yield from self._by_engines(name, task)

    def _by_engines(self, name: str, task: presolve.PresolvedModel) -> Iterator[Step]:
        """Yield the steps of the selected backend, after presolve."""
        options = self.problem.options
        if task.board is None:
            self.problem.refuse_without_board()
        if options.cubes is not None:
            yield self._by_cubes(name, task)
        elif name == "auto" and task.board is not None:
            yield self._steps.attempts(task)
        elif name == "auto" and task.any_board is not None:
            yield self._steps.on_lanes(task)
        elif task.board is None and name != "search":
            yield self._steps.engine(auto.ENGINE if name == "auto" else name, task, [SearchRound()])
        elif plugins.find("backends", name).in_turns:
            phases = chosen_phases(options)
            yield self._steps.engine(
                name,
                task,
                auto.turns(phases, lambda: bool(self.problem.log.solutions)),
                between=lambda values: self._steps.neighbours(task) if values else None,
            )
        else:
            rounds = [SearchRound(None, chosen_phases(options))]
            is_bounded = name == "search"
            yield self._steps.engine(name, task, rounds, is_bounded=is_bounded)
            if is_bounded and self._steps.is_full(task):
                yield self._steps.rest(task)

    def _by_cubes(self, name: str, task: presolve.PresolvedModel) -> Step:
        """Search by one engine, and split the part of the search that it leaves open into cubes."""
        log = self.problem.log
        with self._steps.conquest().journal_of(self.problem) as kept:
            rest = partial(self._steps.cubes, task, kept)
            if not auto.WHOLE_CONFLICTS:
                return (yield from rest())
            if name == "auto" and task.board is not None:
                ending = yield from self._steps.attempts(task, rest)
            else:
                engine = auto.ENGINE if name == "auto" else name
                phases = None if task.board is None else chosen_phases(self.problem.options)
                turns = iter([SearchRound(None, phases)])
                ending = yield from self._steps.engine(
                    engine, task, auto.before_cubes(turns, lambda: bool(log.solutions)), rest=rest
                )
        if ending.exhausted and not log.tree and not self._steps.is_full(task):
            numbers = [*range(len(log.values))]
            log.tree = [{"cube": [], "ended by": log.backend, "solutions": numbers}]
        return ending


def solve(puzzle: Puzzle, **options: Any) -> Result:
    """Solve a puzzle: find the first solution, or up to `max_solutions`.

        >>> result = nonosat.solve(nonosat.nonogram([[2], [1]], [[1], [2]]), time_limit_s=60)
        >>> print(result.solution)
        ##
        .#

    Args:
        puzzle: A puzzle of any family.
        **options: Fields of `Options`.

    Returns:
        Verdict `solved` after the first solution; with `max_solutions` above 1 (or None: all)
        `unique` or `multiple`; `unsolvable`; `unknown` if a limit was hit.

    Raises:
        NotAPuzzleError: `puzzle` is not a puzzle; the message shows the call to write instead.
        UnsupportedError: Options that cannot be combined; the message lists what would work.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    return decide(Problem(puzzle, Options(**options)))


def check(puzzle: Puzzle, **options: Any) -> Result:
    """Decide whether a puzzle has exactly one solution; `is_unique` returns only True or False.

        >>> result = nonosat.check(nonosat.nonogram([[1], [1]], [[1], [1]]))
        >>> result.verdict.value, result.disputed
        ('multiple', ((0, 0), (0, 1), (1, 0), (1, 1)))

    Args:
        puzzle: A puzzle of any family.
        **options: Fields of `Options`.

    Returns:
        Verdict `unique`, `multiple` (with two solutions), `unsolvable` or `unknown`. If the goal of
        the puzzle's file is one of several solutions, it comes first.

    Raises:
        NotAPuzzleError, UnsupportedError, BackendError: As for `solve`.
    """
    return check_problem(Problem(puzzle, Options(**{"max_solutions": 2, **options})))


def check_problem(problem: Problem) -> Result:
    """Decide whether a puzzle has exactly one solution, as `check` does."""
    if problem.options.max_solutions == 1:
        raise UnsupportedError("check needs a second solution; allow at least 2, or use solve")
    return _goal_first(problem, decide(problem))


def is_unique(puzzle: Puzzle, **options: Any) -> bool:
    """Return True if a puzzle has exactly one solution, False if it has none or several.

        >>> nonosat.is_unique(nonosat.nonogram([[2], [1]], [[1], [2]]))
        True
        >>> nonosat.is_unique(nonosat.nonogram([[1], [1]], [[1], [1]]))
        False

    Args:
        puzzle: A puzzle of any family.
        **options: Fields of `Options`.

    Raises:
        LimitReached: A limit was hit before the decision.
        NotAPuzzleError, UnsupportedError, BackendError: As for `solve`.
    """
    result = check(puzzle, **options)
    if result.verdict is Verdict.UNKNOWN:
        raise LimitReached(f"whether the puzzle is unique is not decided: {result.reason}")
    return result.verdict is Verdict.UNIQUE


def solutions(puzzle: Puzzle, limit: int | None = None, **options: Any) -> Iterator[Any]:
    """Yield all solutions, each once.

        >>> for grid in nonosat.solutions(nonosat.nonogram([[1], [1]], [[1], [1]])):
        ...     print(grid, end="\\n\\n")
        .#
        #.
        <BLANKLINE>
        #.
        .#
        <BLANKLINE>

    Args:
        puzzle: A puzzle of any family.
        limit: Stop after this number of solutions; None means all.
        **options: Fields of `Options`; a time limit covers the whole enumeration.

    Raises:
        LimitReached: A limit was hit before the last solution; the message names it.
        NotAPuzzleError, UnsupportedError, BackendError: As for `solve`.
    """
    return enumerated(Problem(puzzle, Options(**{**options, "max_solutions": limit})))


def enumerated(problem: Problem) -> Iterator[Any]:
    """Yield all solutions, at most `max_solutions`; raises as `solutions` does."""
    pipeline, most = Pipeline(problem), problem.options.max_solutions
    limit: LimitReached | None = None
    with closing(pipeline.run()) as run:
        for _ in repeat(None) if most is None else range(most):
            try:
                yield within(problem.watch, partial(next, run))
            except StopIteration as stop:
                if stop.value.reason and not stop.value.exhausted:
                    limit = LimitReached(stop.value.reason)
                break
            except LimitReached as reached:
                limit = reached
                break
    if limit is not None:
        raise LimitReached(f"the enumeration is incomplete: {limit}", kind=limit.kind)


def decide(problem: Problem) -> Result:
    """Find up to `max_solutions` solutions, as `solve` does."""
    started = perf_counter()
    seen = decided(problem, started)
    if seen is not None:
        return seen
    options, log, taken = problem.options, problem.log, list[Any]()
    ending = Pipeline(problem).take(options.max_solutions, taken.append)
    if taken and options.max_solutions == 1:
        verdict = Verdict.SOLVED
    elif ending.exhausted:
        verdict = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(taken), 2)]
    else:
        verdict = Verdict.MULTIPLE if len(taken) > 1 else Verdict.UNKNOWN
    reason = ending.reason
    if verdict is Verdict.UNSOLVABLE:
        reason = reason or _where_it_breaks(problem)
    return Result(
        puzzle=problem.puzzle,
        verdict=verdict,
        solutions=tuple(taken),
        reason=reason,
        seconds=perf_counter() - started,
        stages=(*log.stages, *unused(problem)),
        backend=log.backend,
        encoding=log.encoding,
        options=options,
        warnings=_warnings(problem),
        tree=tuple(log.tree),
    )


def _goal_first(problem: Problem, result: Result) -> Result:
    """Return the result with the goal as the first of several solutions, if it is one.

    The solutions of cubes keep their order: the tree refers to their numbers.
    """
    puzzle, family = problem.puzzle, problem.family
    goal = family.goal(puzzle)
    if not goal or result.verdict is not Verdict.MULTIPLE or result.warnings or result.tree:
        return result
    if result.solutions[0] == goal:
        return result
    if goal not in result.solutions and family.refutation(puzzle, goal):
        return result  # no time was left to verify the goal
    others = [solution for solution in result.solutions if solution != goal]
    return replace(result, solutions=(goal, *others)[: len(result.solutions)])


def _where_it_breaks(problem: Problem) -> str:
    """Return a reason of unsolvability: a contradiction of lines, or a complete search."""
    watch = problem.watch
    try:
        where = within(watch, partial(problem.family.breaks, problem.puzzle, watch))
    except LimitReached:
        where = ""
    return where or f"a complete search by {problem.log.backend} finds no solution"


def _warnings(problem: Problem) -> tuple[str, ...]:
    """Return claims of the puzzle's file that are wrong; none if no time is left to check them."""
    goal = problem.family.goal(problem.puzzle)
    if not goal or goal in problem.log.solutions:
        return ()
    try:
        refutation = partial(problem.family.refutation, problem.puzzle, goal)
        mistake = within(problem.watch, refutation)
    except LimitReached:
        return ()
    return (f"the goal is not a solution: {mistake}",) if mistake else ()
