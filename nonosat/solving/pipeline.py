"""From a puzzle to a verdict: presolve, encode, solve, decode, verify.

Every solution that leaves this module has been checked against the clues by the family's verifier;
an answer that it refutes is a `BackendError`. Solutions are found one at a time and never twice;
the backends `auto` and `search` do that in bounded memory, however many there are.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count, islice
from time import perf_counter
from typing import Any

from nonosat import families, plugins
from nonosat.board import presolve
from nonosat.errors import LimitReached, UnsupportedError
from nonosat.limits import Limits, Watch
from nonosat.plugins import Ending, Method
from nonosat.processes.guard import Guard
from nonosat.result import Options, Result, Stage, Verdict
from nonosat.solving import auto
from nonosat.solving.auto import Turn
from nonosat.solving.choices import chosen_hints, chosen_methods, refuse_without_board, steps_of
from nonosat.solving.findings import Findings
from nonosat.solving.session import Session

MOST_SEEN = 4096  # solutions that are remembered, so that no engine gives them again
MOST_SEEN_BYTES = 2**27  # of memory for them


class Pipeline:
    """One puzzle on its way; `run` yields its solutions and leaves behind how it went.

    Attributes:
        exhausted: After `run` has ended: there are no further solutions.
        reason: Why the puzzle is unsolvable at sight, or the limit that was hit.
        stages, backend, encoding, tree: As in `Result`.
    """

    def __init__(self, puzzle: Any, options: Options) -> None:
        self.puzzle = puzzle
        self.options = options
        self.family = families.family_of(puzzle)
        self.watch = Watch(Limits(options.time_limit_s, options.memory_limit_mib))
        self.exhausted = False
        self.reason = ""
        self.found = Findings(puzzle)
        self.backend = ""
        self.encoding: Mapping[str, str] = {}
        self.tree: list[dict[str, Any]] = []
        self._methods = chosen_methods(options, puzzle.family)
        self._task: presolve.Task | None = None
        if options.hints != "auto":
            chosen_hints(options)  # refused now, not when they are first needed

    def run(self) -> Generator[Any, None, None]:
        """Solutions, each verified and none twice."""
        try:
            yield from self._solutions()
        except LimitReached as limit:
            self.cut_short(limit)
        except MemoryError as error:  # native code refuses lines and boards beyond its own limits
            self.exhausted = False
            self.reason = f"out of memory: {error}" if str(error) else "out of memory"

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Hold the block to the limits, also where its code does not look at the watch."""
        try:
            with Guard(self.watch):
                yield
        except LimitReached as limit:
            self.cut_short(limit)

    def cut_short(self, error: LimitReached) -> None:
        """Remember that a limit ended the run, and which."""
        self.exhausted = False
        self.reason = str(error) or str(self.watch.limit())

    def _solutions(self) -> Iterator[Any]:
        started = perf_counter()
        if reason := self.family.obstacle(self.puzzle):
            self.reason = reason
            self._settle("sight", started)
            return
        steps = steps_of(self.puzzle, self.options)
        for index, name in enumerate(steps, start=1):
            self.reason = ""  # why the step before gave up explains nothing of this one
            if method := families.method(self.puzzle, name):
                yield from self._own(name, method, is_last=index == len(steps))
            else:
                yield from self._modelled(name)
            if self.exhausted:
                return

    def _own(self, name: str, method: Method, is_last: bool) -> Iterator[Any]:
        """Solutions by a method that needs no model; those of the last step need no memory."""
        started = perf_counter()
        ending = Ending(False)
        refuse_without_board(self.options, self.puzzle.family)
        self.backend = name
        run = method(self.puzzle, self.watch, self.options.seed)
        with closing(run):
            try:
                while True:
                    solution = self.found.checked(name, next(run))
                    if solution in self.found.solutions:
                        continue
                    if not is_last:
                        self.found.remember(solution)
                    yield solution
            except StopIteration as stop:
                ending = stop.value
                self.exhausted, self.reason = ending.exhausted, ending.reason
            finally:
                self.found.stage(name, started, **ending.detail)

    def _modelled(self, name: str) -> Iterator[Any]:
        """Solutions by an engine that is given the model."""
        if self._task is None:
            started = perf_counter()
            self._task = presolve.Task.of(self.family.build(self.puzzle), self.watch.check)
            if self.options.presolve != "none":
                yield from self._presolve(self._task, started)
            if self.exhausted:
                return
        if self._task.board is None:
            refuse_without_board(self.options, self.puzzle.family)
            engine = auto.ENGINE if name == "auto" else name
            yield from self._engine(engine, self._task, [Turn()])
        elif self.options.cubes is not None:
            yield from self._cubes(self._task)
        elif name == "auto":
            yield from self._auto(self._task)
        else:
            yield from self._named(name, self._task)

    def _named(self, name: str, task: presolve.Task) -> Iterator[Any]:
        """The backend that was asked for, by turns of its own where it has them."""
        hints = chosen_hints(self.options)
        if not plugins.find("backends", name).in_turns:
            grids = self._engine(name, task, [Turn(None, hints)])
            yield from self._bounded(grids, task) if name == "search" else grids
            return
        for grid in self._engine(name, task, auto.turns(hints, self._is_solved)):
            is_first = len(self.found.solutions) == 1
            yield grid
            if is_first:
                yield from self._neighbours(task)

    def _auto(self, task: presolve.Task) -> Iterator[Any]:
        """A short native search, candidates close to its first solution, the learning search."""
        short = self._engine("search", task, [Turn(auto.SEARCH_WORK)])
        yield from self._bounded(short, task)
        if self.exhausted:
            return
        compared = bool(self.found.solutions)
        yield from self._neighbours(task)
        hints = chosen_hints(self.options, task.num_open())
        turns = auto.turns(hints, self._is_solved)
        with closing(self._bounded(self._engine(auto.ENGINE, task, turns), task)) as grids:
            for grid in grids:
                yield grid
                if not compared:
                    compared = True
                    yield from self._neighbours(task)

    def _is_solved(self) -> bool:
        return bool(self.found.solutions)

    def _cubes(self, task: presolve.Task) -> Iterator[Any]:
        """The puzzle in parts, in processes of their own."""
        from nonosat.solving.cubes.conquest import Conquest

        conquest, known = Conquest(self.puzzle, self.options, self.watch), self.found.values
        self.backend, self.encoding = conquest.engine, self._methods.encodings
        with closing(conquest.solutions(known, self.found.stages, task.num_open())) as solutions:
            for values in solutions:
                if values not in known:  # a neighbour may have been faster
                    yield self.found.accept(conquest.engine, values)
                    if len(self.found.solutions) == 1:
                        yield from self._neighbours(task)
        self.tree = conquest.covered([grid.cells for grid in self.found.solutions])
        self.backend, self.exhausted = conquest.last_word(), True

    def _bounded(
        self, grids: Generator[Any, None, None], task: presolve.Task
    ) -> Generator[Any, None, None]:
        """An engine's solutions, until a search that remembers none has to go on."""
        with closing(grids):
            for grid in grids:
                yield grid
                if self._is_full(task):
                    break
            else:
                return
        yield from self._rest(task)

    def _is_full(self, task: presolve.Task) -> bool:
        """Whether no more solutions can be remembered."""
        assert task.shape is not None
        num_bytes = len(self.found.solutions) * task.shape.size * (1 + task.shape.num_colours)
        return len(self.found.solutions) >= MOST_SEEN or num_bytes > MOST_SEEN_BYTES

    def _rest(self, task: presolve.Task) -> Iterator[Any]:
        """The solutions that were not seen, by a search that remembers none and repeats none."""
        session = Session("search", task, self.options, self._methods, self.watch)
        with closing(session):
            try:
                for values in session.solutions([Turn()], ()):
                    self.backend = "search"
                    grid = self.found.decoded("search", values)
                    if grid not in self.found.solutions:
                        yield grid
                self.exhausted = session.is_exhausted
            finally:
                # The engine before it has decided the cells already.
                self.found.stages += [replace(stage, decided=0) for stage in session.stages()]

    # Presolve

    def _presolve(self, task: presolve.Task, started: float) -> Iterator[Any]:
        """Propagation and probing; settles the puzzle where they suffice."""
        if task.board is None:
            return
        yield from self._after("propagate", task.propagate(self.watch), task, started)
        if self.exhausted or self.options.presolve == "propagate":
            return
        started = perf_counter()
        consistent, num_probes = task.probe(self.watch)
        yield from self._after("probe", consistent, task, started, probes=num_probes)

    def _after(
        self, name: str, consistent: bool, task: presolve.Task, started: float, **detail: int
    ) -> Iterator[Any]:
        """What a presolve step leaves: a contradiction, the one solution, or open cells."""
        decided = task.num_decided() - sum(stage.decided for stage in self.found.stages)
        if not consistent:
            self._settle(name, started, 0, **detail)
        elif not task.num_open():
            grid = self.found.accept(name, task.values())
            self._settle(name, started, decided, **detail)
            yield grid
        else:
            self.found.stage(name, started, decided, **detail)

    def _engine(
        self, name: str, task: presolve.Task, turns: Iterable[Turn]
    ) -> Generator[Any, None, None]:
        """Solutions by one backend, until there are none left or its turns are over."""
        session = Session(name, task, self.options, self._methods, self.watch)
        self.encoding = session.encoding or self.encoding
        self.found.stages += session.opening
        with closing(session):
            try:
                for values in session.solutions(turns, self.found.values):
                    self.backend = name
                    if (solution := self.found.accept(name, values)) is not None:
                        yield solution
                self.backend = name
                self.exhausted = session.is_exhausted
            finally:
                self.found.stages += session.stages()

    def _neighbours(self, task: presolve.Task) -> Iterator[Any]:
        """Solutions among the cheap candidates that the family makes of the first one."""
        if not self.found.solutions:
            return
        seconds, found = 0.0, 0
        candidates = families.neighbours(self.puzzle, self.found.first())
        started = perf_counter()
        try:
            for candidate in candidates:
                self.watch.check()
                if candidate in self.found.solutions or self.family.refutation(
                    self.puzzle, candidate
                ):
                    continue
                found += 1
                self.backend = "neighbours"
                seconds += perf_counter() - started
                yield self.found.accept("neighbours", task.values(candidate.cells))
                started = perf_counter()
            seconds += perf_counter() - started
        finally:
            self.found.stages.append(Stage("neighbours", seconds, 0, {"solutions": found}))

    # Bookkeeping

    def _settle(self, name: str, started: float, decided: int = 0, **detail: Any) -> None:
        """Nothing is left to do: `name` had the last word."""
        self.found.stage(name, started, decided, **detail)
        self.backend = name
        self.exhausted = True


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
    with closing(pipeline.run()) as run:
        for _ in range(limit) if limit is not None else count():
            grid = None
            with pipeline.guarded():
                grid = next(run, None)
            if grid is None:
                break
            yield grid
    if pipeline.reason and not pipeline.exhausted:
        raise LimitReached(f"the enumeration is incomplete: {pipeline.reason}")


def _decide(puzzle: Any, options: Options) -> Result:
    started = perf_counter()
    pipeline = Pipeline(puzzle, options)
    found: list[Any] = []
    with pipeline.guarded(), closing(pipeline.run()) as run:
        found.extend(islice(run, options.max_solutions))
    if found and options.max_solutions == 1:
        verdict = Verdict.SOLVED
    elif pipeline.exhausted:
        verdict = (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(len(found), 2)]
    else:
        verdict = Verdict.MULTIPLE if len(found) > 1 else Verdict.UNKNOWN
    return Result(
        puzzle=puzzle,
        verdict=verdict,
        solutions=tuple(found),
        reason=pipeline.reason,
        seconds=perf_counter() - started,
        stages=tuple(pipeline.found.stages),
        backend=pipeline.backend,
        encoding=pipeline.encoding,
        options=options,
        warnings=_warnings(pipeline),
        tree=tuple(pipeline.tree),
    )


def _warnings(pipeline: Pipeline) -> tuple[str, ...]:
    """Claims of the puzzle's file that do not hold; none when the time to look has run out."""
    goal = pipeline.family.goal(pipeline.puzzle)
    try:
        with Guard(pipeline.watch):
            mistake = goal and pipeline.family.refutation(pipeline.puzzle, goal)
    except LimitReached:
        return ()
    return (f"the goal is not a solution: {mistake}",) if mistake else ()
