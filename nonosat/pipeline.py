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

from nonosat import auto, plugins, presolve
from nonosat.auto import Turn
from nonosat.errors import LimitReached, RefutedError, UnsupportedError
from nonosat.grid import Grid
from nonosat.guard import Guard
from nonosat.limits import Limits, Watch
from nonosat.methods import chosen_hints, chosen_methods
from nonosat.result import Options, Result, Stage, Verdict
from nonosat.session import Session

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
        self.family = plugins.find("puzzles", puzzle.family)
        self.watch = Watch(Limits(options.time_limit_s, options.memory_limit_mib))
        self.exhausted = False
        self.reason = ""
        self.stages: list[Stage] = []
        self.backend = ""
        self.encoding: Mapping[str, str] = {}
        self.tree: list[dict[str, Any]] = []
        self._seen: dict[Grid, bytes] = {}
        self._methods = chosen_methods(options)
        if options.hints != "auto":
            chosen_hints(options)  # refused now, not when they are first needed

    def run(self) -> Generator[Grid, None, None]:
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

    def _solutions(self) -> Iterator[Grid]:
        started = perf_counter()
        if reason := self.family.obstacle(self.puzzle):
            self.reason = reason
            self._settle("sight", started)
            return
        task = presolve.Task.of(self.family.build(self.puzzle), self.watch.check)
        if self.options.presolve != "none":
            yield from self._presolve(task, started)
        if self.exhausted:
            return
        if self.options.cubes is not None:
            yield from self._cubes(task)
        elif self.options.backend == "auto":
            yield from self._auto(task)
        else:
            yield from self._named(self.options.backend, task)

    def _named(self, name: str, task: presolve.Task) -> Iterator[Grid]:
        """The backend that was asked for, by turns of its own where it has them."""
        hints = chosen_hints(self.options)
        own_turns = getattr(plugins.find("backends", name), "turns", None)
        if own_turns is None:
            grids = self._engine(name, task, [Turn(None, hints)])
            yield from self._bounded(grids, task) if name == "search" else grids
            return
        for grid in self._engine(name, task, own_turns(hints, lambda: bool(self._seen))):
            is_first = len(self._seen) == 1
            yield grid
            if is_first:
                yield from self._neighbours(task)

    def _auto(self, task: presolve.Task) -> Iterator[Grid]:
        """A short native search, candidates close to its first solution, the learning search."""
        if task.board is not None:
            short = self._engine("search", task, [Turn(auto.SEARCH_WORK)])
            yield from self._bounded(short, task)
            if self.exhausted:
                return
        compared = bool(self._seen)
        yield from self._neighbours(task)
        hints = chosen_hints(self.options, task.num_open()) if task.board is not None else None
        turns = auto.turns(hints, lambda: bool(self._seen))
        with closing(self._bounded(self._engine(auto.ENGINE, task, turns), task)) as grids:
            for grid in grids:
                yield grid
                if not compared:
                    compared = True
                    yield from self._neighbours(task)

    def _cubes(self, task: presolve.Task) -> Iterator[Grid]:
        """The puzzle in parts, in processes of their own."""
        from nonosat.cover import claimed
        from nonosat.cubes.conquest import Conquest
        from nonosat.cubes.part import engine_of

        engine, num_open = engine_of(self.options), task.num_open()
        conquest = Conquest(self.puzzle, self.options, self.watch)
        self.encoding = self._methods.encodings
        try:
            with closing(conquest.solutions(self._seen.values)) as solutions:
                for values in solutions:
                    self.backend = engine
                    is_first = not self._seen
                    if values in self._seen.values():  # a neighbour of another
                        continue
                    yield self._accept(engine, values)
                    if is_first:
                        yield from self._neighbours(task)
            cells = [grid.cells for grid in self._seen]
            nodes = conquest.tree.data(self.puzzle.width, cells)
            claimed(self.puzzle, cells, nodes)  # before anything is said of the puzzle
            self.backend, self.exhausted, self.tree = conquest.last_word(), True, nodes
        finally:
            self.stages += conquest.stages(num_open if self.exhausted or self._seen else 0)

    def _bounded(
        self, grids: Generator[Grid, None, None], task: presolve.Task
    ) -> Generator[Grid, None, None]:
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
        """Whether no more solutions can be remembered, where there is a search that need not."""
        if task.shape is None:
            return False
        num_bytes = len(self._seen) * task.shape.size * (1 + task.shape.num_colours)
        return len(self._seen) >= MOST_SEEN or num_bytes > MOST_SEEN_BYTES

    def _rest(self, task: presolve.Task) -> Iterator[Grid]:
        """The solutions that were not seen, by a search that remembers none and repeats none."""
        session = Session("search", task, self.options, self._methods, self.watch)
        with closing(session):
            try:
                for values in session.solutions([Turn()], {}):
                    self.backend = "search"
                    grid = self._verified("search", values)
                    if grid not in self._seen:
                        yield grid
                self.exhausted = session.is_exhausted
            finally:
                # The engine before it has decided the cells already.
                self.stages += [replace(stage, decided=0) for stage in session.stages()]

    # Presolve

    def _presolve(self, task: presolve.Task, started: float) -> Iterator[Grid]:
        """Propagation and probing; settles the puzzle where they suffice."""
        if task.board is None:
            return
        yield from self._after("propagate", task.propagate(self.watch), task, started)
        if self.exhausted or self.options.presolve == "propagate":
            return
        started = perf_counter()
        consistent, num_probes = task.probe(self.watch, auto.PROBE_WORK)
        yield from self._after("probe", consistent, task, started, probes=num_probes)

    def _after(
        self, name: str, consistent: bool, task: presolve.Task, started: float, **detail: int
    ) -> Iterator[Grid]:
        """What a presolve step leaves: a contradiction, the one solution, or open cells."""
        decided = task.num_decided() - sum(stage.decided for stage in self.stages)
        if not consistent:
            self._settle(name, started, 0, **detail)
        elif not task.num_open():
            grid = self._accept(name, task.values())
            self._settle(name, started, decided, **detail)
            yield grid
        else:
            self._stage(name, started, decided, **detail)

    # Engines

    def _engine(
        self, name: str, task: presolve.Task, turns: Iterable[Turn]
    ) -> Generator[Grid, None, None]:
        """Solutions by one backend, until there are none left or its turns are over."""
        session = Session(name, task, self.options, self._methods, self.watch)
        self.encoding = session.encoding or self.encoding
        self.stages += session.opening
        with closing(session):
            try:
                for values in session.solutions(turns, self._seen):
                    self.backend = name
                    yield self._accept(name, values)
                self.backend = name
                self.exhausted = session.is_exhausted
            finally:
                self.stages += session.stages()

    def _neighbours(self, task: presolve.Task) -> Iterator[Grid]:
        """Solutions among the cheap candidates that the family makes of the first one."""
        if not self._seen:
            return
        seconds, found = 0.0, 0
        candidates = self.family.neighbours(self.puzzle, next(iter(self._seen)))
        started = perf_counter()
        try:
            for candidate in candidates:
                self.watch.check()
                if candidate in self._seen or self.family.refutation(self.puzzle, candidate):
                    continue
                found += 1
                self.backend = "neighbours"
                seconds += perf_counter() - started
                yield self._accept("neighbours", task.values(candidate.cells))
                started = perf_counter()
            seconds += perf_counter() - started
        finally:
            self.stages.append(Stage("neighbours", seconds, 0, {"solutions": found}))

    # Bookkeeping

    def _settle(self, name: str, started: float, decided: int = 0, **detail: Any) -> None:
        """Nothing is left to do: `name` had the last word."""
        self._stage(name, started, decided, **detail)
        self.backend = name
        self.exhausted = True

    def _stage(self, name: str, started: float, decided: int = 0, **detail: Any) -> None:
        self.stages.append(Stage(name, perf_counter() - started, decided, detail))

    def _accept(self, name: str, values: bytes) -> Grid:
        """The verified solution that a backend's values stand for, and a new one."""
        grid = self._verified(name, values)
        if grid in self._seen:
            raise RefutedError(f"{name} gave the same solution twice")
        self._seen[grid] = values
        return grid

    def _verified(self, name: str, values: bytes) -> Grid:
        grid: Grid = self.family.decode(self.puzzle, values)
        if mistake := self.family.refutation(self.puzzle, grid):
            raise RefutedError(f"{name} gave a picture that the clues refute: {mistake}")
        return grid


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


def solutions(puzzle: Any, limit: int | None = None, **options: Any) -> Iterator[Grid]:
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
    found: list[Grid] = []
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
        stages=tuple(pipeline.stages),
        backend=pipeline.backend,
        encoding=pipeline.encoding,
        options=options,
        warnings=_warnings(pipeline),
        tree=tuple(pipeline.tree),
    )


def _warnings(pipeline: Pipeline) -> tuple[str, ...]:
    """Claims of the puzzle's file that do not hold; none when the time to look has run out."""
    goal = getattr(pipeline.puzzle, "goal", None)
    try:
        with Guard(pipeline.watch):
            mistake = goal and pipeline.family.refutation(pipeline.puzzle, goal)
    except LimitReached:
        return ()
    return (f"the goal is not a solution: {mistake}",) if mistake else ()
