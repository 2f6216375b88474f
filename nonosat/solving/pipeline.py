"""From a puzzle to a verdict: presolve, encode, solve, decode, verify.

A step is a generator of solutions that returns its `Ending`; `Pipeline.run` takes one step after
another until one ends the matter. Every solution that leaves this module has been checked against
the clues by the family's verifier; an answer that it refutes is a `BackendError`. Solutions are
found one at a time and never twice; the backends `auto` and `search` do that in bounded memory,
however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import repeat
from time import perf_counter
from typing import Any

from nonosat import families, plugins
from nonosat.board import presolve
from nonosat.errors import LimitReached, UnsupportedError
from nonosat.limits import Limits, Watch
from nonosat.plugins import Ending, Method
from nonosat.processes.guard import within
from nonosat.result import Options, Result, Stage, Verdict
from nonosat.solving import auto
from nonosat.solving.auto import Turn
from nonosat.solving.choices import choices_of, chosen_phases, refuse_without_board, steps_of
from nonosat.solving.findings import Findings
from nonosat.solving.session import Session

MOST_SEEN = 4096  # solutions that are remembered, so that no engine gives them again
MOST_SEEN_BYTES = 2**27  # of memory for them

Step = Generator[Any, None, Ending]  # solutions, and at last how it ended


class Pipeline:
    """One puzzle on its way.

    Attributes:
        log: What its steps write down.
    """

    def __init__(self, puzzle: Any, options: Options) -> None:
        self.puzzle = puzzle
        self.options = options
        self.family = families.family_of(puzzle)
        self.watch = Watch(Limits(options.time_limit_s, options.memory_limit_mib))
        self.log = Findings(puzzle)
        self._choices = choices_of(options, puzzle.family)
        if options.hints != "auto":
            chosen_phases(options)  # refused now, not when they are first needed

    def take(self, most: int | None, keep: Callable[[Any], object]) -> Ending:
        """Hand at most so many solutions to `keep`, within the limits.

        Args:
            most: How many; None is all.
            keep: Called with every solution.

        Returns:
            How that ended: exhausted where there are certainly no further solutions; its reason
            tells why a puzzle is unsolvable at sight, or which limit was hit.
        """
        try:
            return within(self.watch, partial(self._take, most, keep))
        except LimitReached as limit:
            return Ending(False, str(limit))

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
        """All solutions, each verified and none twice; LimitReached where a limit is hit."""
        ending = Ending(False)
        for step in self._steps():
            ending = yield from step
            if ending.exhausted:
                break
        return ending

    def _steps(self) -> Iterator[Step]:
        """The steps in order; each is made when the steps before it have left something to do."""
        yield self._by_sight()
        task: presolve.Task | None = None
        names = steps_of(self.puzzle, self.options)
        for index, name in enumerate(names, start=1):
            if method := families.method(self.puzzle, name):
                yield self._by_method(name, method, is_last=index == len(names))
                continue
            if task is None:
                started = perf_counter()
                task = presolve.Task.of(self.family.build(self.puzzle), self.watch.check)
                yield self._by_presolve(task, started)
            yield from self._by_engines(name, task)

    def _by_engines(self, name: str, task: presolve.Task) -> Iterator[Step]:
        """The steps of the backend that was asked for, after presolve."""
        if task.board is None:
            refuse_without_board(self.options, self.puzzle.family)
            yield self._engine(auto.ENGINE if name == "auto" else name, task, [Turn()])
        elif self.options.cubes is not None:
            yield self._cubes(task)
        elif name == "auto":
            yield from self._bounded("search", task, [Turn(auto.SEARCH_WORK)])
            yield self._neighbours(task)
            phases = chosen_phases(self.options, task.num_open())
            turns = auto.turns(phases, self._is_solved)
            yield from self._bounded(auto.ENGINE, task, turns, is_compared=True)
        elif getattr(plugins.find("backends", name), "IN_TURNS", False):
            phases = chosen_phases(self.options)
            yield self._engine(name, task, auto.turns(phases, self._is_solved), is_compared=True)
        elif name == "search":
            yield from self._bounded(name, task, [Turn()])
        else:
            yield self._engine(name, task, [Turn(None, chosen_phases(self.options))])

    def _bounded(
        self, name: str, task: presolve.Task, turns: Iterable[Turn], *, is_compared: bool = False
    ) -> Iterator[Step]:
        """An engine, until no more solutions can be remembered, then a search that repeats none."""
        yield self._engine(name, task, turns, is_bounded=True, is_compared=is_compared)
        if self._is_full(task):
            yield self._rest(task)

    # Steps

    def _by_sight(self) -> Step:
        """Refute clues that cannot hold, as anybody can see."""
        started = perf_counter()
        reason = self.family.obstacle(self.puzzle)
        if reason:
            self.log.backend = "sight"
            self.log.stage("sight", started)
        yield from ()  # it gives no solutions
        return Ending(bool(reason), reason or "")

    def _by_method(self, name: str, method: Method, *, is_last: bool) -> Step:
        """Ask a method of the family's own; the last step need not remember its solutions."""
        started = perf_counter()
        refuse_without_board(self.options, self.puzzle.family)
        self.log.backend = name
        ending: Ending = Ending(False)
        with closing(method(self.puzzle, self.watch, self.options.seed)) as run:
            try:
                while True:
                    solution = self.log.checked(name, next(run))
                    if solution in self.log.solutions:
                        continue
                    if not is_last:
                        self.log.remember(solution)
                    yield solution
            except StopIteration as stop:
                ending = stop.value
            finally:
                self.log.stage(name, started, **ending.detail)
        return ending

    def _by_presolve(self, task: presolve.Task, started: float) -> Step:
        """Propagate and probe; that may decide every cell."""
        level = self.options.presolve
        for done in presolve.presolved(task, self.watch, level=level, started=started):
            name = done.stage.name
            self.log.stages.append(done.stage)
            if done.is_consistent and task.num_open():
                continue
            if done.is_consistent:
                yield from self._accepted(name, task.values())
            self.log.backend = name
            return Ending(True)
        return Ending(False)

    def _engine(
        self,
        name: str,
        task: presolve.Task,
        turns: Iterable[Turn],
        *,
        is_bounded: bool = False,
        is_compared: bool = False,
    ) -> Step:
        """Ask one backend, until there are no more solutions or its turns are over.

        Args:
            name: The backend.
            task: The model after presolve.
            turns: What the backend may do.
            is_bounded: Whether it ends when no more solutions can be remembered.
            is_compared: Whether candidates close to the puzzle's first solution are looked at.
        """
        with self._session(name, task) as session:
            self.log.encoding = session.encoding or self.log.encoding
            for values in session.solutions(turns, self.log.values):
                is_first = not self.log.solutions
                yield from self._accepted(name, values)
                if is_first and is_compared:
                    yield from self._neighbours(task)
                if is_bounded and self._is_full(task):
                    break
            self.log.backend = name
        return Ending(session.is_exhausted)

    def _cubes(self, task: presolve.Task) -> Step:
        """Decide the puzzle in parts, in processes of their own."""
        from nonosat.solving.cubes.conquest import Conquest

        log = self.log
        conquest = Conquest(self.puzzle, self.options, self.watch)
        log.backend, log.encoding = conquest.engine, self._choices.encodings
        run = conquest.solutions(log.values, log.stages, task.num_open())
        with closing(run):
            for values in run:
                if values not in log.values:  # a neighbour may have been faster
                    is_first = not log.solutions
                    yield from self._accepted(conquest.engine, values)
                    if is_first:
                        yield from self._neighbours(task)
        log.tree = conquest.covered([grid.cells for grid in log.solutions])
        log.backend = conquest.last_word()
        return Ending(True)

    def _rest(self, task: presolve.Task) -> Step:
        """Find the solutions not yet given, by a search that remembers none and repeats none."""
        # The engine before it has decided the cells already.
        with self._session("search", task, is_second=True) as session:
            for values in session.solutions([Turn()], ()):
                grid = self.log.decoded("search", values)
                if grid not in self.log.solutions:
                    yield grid
        return Ending(session.is_exhausted)

    def _neighbours(self, task: presolve.Task) -> Step:
        """Look for solutions among the cheap candidates that the family makes of the first one."""
        if not self.log.solutions:
            return Ending(False)
        seconds, num_found = 0.0, 0
        candidates = families.neighbours(self.puzzle, self.log.first())
        started = perf_counter()
        try:
            for candidate in candidates:
                self.watch.check()
                if candidate in self.log.solutions or self.family.refutation(
                    self.puzzle, candidate
                ):
                    continue
                num_found += 1
                seconds += perf_counter() - started
                yield from self._accepted("neighbours", task.values(candidate.cells))
                started = perf_counter()
            seconds += perf_counter() - started
        finally:
            self.log.stages.append(Stage("neighbours", seconds, 0, {"solutions": num_found}))
        return Ending(False)

    # Parts of steps

    def _accepted(self, name: str, values: bytes) -> Iterator[Any]:
        """The solution that values stand for, if it is new."""
        if (solution := self.log.accept(name, values)) is not None:
            yield solution

    @contextmanager
    def _session(
        self, name: str, task: presolve.Task, *, is_second: bool = False
    ) -> Iterator[Session]:
        """A backend at work, whose stages are written down whatever ends it.

        Args:
            name: The backend.
            task: The model after presolve.
            is_second: Whether another engine before it has decided the same cells.
        """
        session = Session(name, task, self.options, self._choices, self.watch)
        self.log.stages += session.opening
        with closing(session):
            try:
                yield session
            finally:
                stages = session.stages()
                self.log.stages += [
                    replace(stage, decided=0) if is_second else stage for stage in stages
                ]

    def _is_solved(self) -> bool:
        return bool(self.log.solutions)

    def _is_full(self, task: presolve.Task) -> bool:
        """Whether no more solutions can be remembered."""
        assert task.shape is not None
        num_bytes = len(self.log.solutions) * task.shape.size * (1 + task.shape.num_colours)
        return len(self.log.solutions) >= MOST_SEEN or num_bytes > MOST_SEEN_BYTES


def solve(puzzle: Any, **options: Any) -> Result:
    """Solve a puzzle: the first solution, or as many as `max_solutions` asks for.

    Args:
        puzzle: A puzzle of any family.
        **options: Fields of `Options`.

    Returns:
        Verdict `solved` after the first solution; with `max_solutions` above 1 (or None: all)
        `unique` or `multiple`; `unsolvable`; `unknown` when a limit was hit.

    Raises:
        UnsupportedError: Options that do not go together; the message lists what would work.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    return _decide(puzzle, Options(**options))


def check(puzzle: Any, **options: Any) -> Result:
    """Decide whether a puzzle has exactly one solution; arguments as for `solve`.

    Returns:
        Verdict `unique`, `multiple` (with two solutions), `unsolvable` or `unknown`.
    """
    wanted = Options(**{"max_solutions": 2, **options})
    if wanted.max_solutions == 1:
        raise UnsupportedError("check looks for a second solution; ask for at least 2, or solve")
    return _decide(puzzle, wanted)


def solutions(puzzle: Any, limit: int | None = None, **options: Any) -> Iterator[Any]:
    """All solutions, one at a time and none twice; arguments as for `solve`.

    Args:
        puzzle: A puzzle of any family.
        limit: Stop after so many; None is all.
        **options: Fields of `Options`; a time limit covers all that the iterator does.

    Raises:
        LimitReached: A limit was hit before the last solution; the message names it.
    """
    pipeline = Pipeline(puzzle, Options(**{**options, "max_solutions": limit}))
    reason = ""
    with closing(pipeline.run()) as run:
        for _ in repeat(None) if limit is None else range(limit):
            try:
                yield within(pipeline.watch, partial(next, run))
            except StopIteration as stop:
                reason = "" if stop.value.exhausted else stop.value.reason
                break
            except LimitReached as reached:
                reason = str(reached)
                break
    if reason:
        raise LimitReached(f"the enumeration is incomplete: {reason}")


def _decide(puzzle: Any, options: Options) -> Result:
    started = perf_counter()
    pipeline = Pipeline(puzzle, options)
    taken: list[Any] = []
    ending, log = pipeline.take(options.max_solutions, taken.append), pipeline.log
    if taken and options.max_solutions == 1:
        verdict = Verdict.SOLVED
    elif ending.exhausted:
        verdict = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(taken), 2)]
    else:
        verdict = Verdict.MULTIPLE if len(taken) > 1 else Verdict.UNKNOWN
    return Result(
        puzzle=puzzle,
        verdict=verdict,
        solutions=tuple(taken),
        reason=ending.reason,
        seconds=perf_counter() - started,
        stages=tuple(log.stages),
        backend=log.backend,
        encoding=log.encoding,
        options=options,
        warnings=_warnings(pipeline),
        tree=tuple(log.tree),
    )


def _warnings(pipeline: Pipeline) -> tuple[str, ...]:
    """Claims of the puzzle's file that do not hold; none when the time to look has run out."""
    goal = getattr(pipeline.puzzle, "goal", None)
    if not goal:
        return ()
    refutation = partial(pipeline.family.refutation, pipeline.puzzle, goal)
    try:
        mistake = within(pipeline.watch, refutation)
    except LimitReached:
        return ()
    return (f"the goal is not a solution: {mistake}",) if mistake else ()
