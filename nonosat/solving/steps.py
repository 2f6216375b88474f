"""Steps of the pipeline: each is a generator of solutions that returns its `Ending`.

The family's verifier has checked every solution that a step yields; a refuted answer raises
`BackendError`. All solutions are distinct.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from time import perf_counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from nonosat._core import BUDGETS
from nonosat.board import dives, presolve
from nonosat.core import hooks
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached, counted
from nonosat.core.plugins import Ending, Method
from nonosat.core.result import Stage
from nonosat.solving.auto import SearchRound
from nonosat.solving.choices import chosen_attempts
from nonosat.solving.problem import Problem
from nonosat.solving.session import Session

if TYPE_CHECKING:
    from nonosat.board import decimation
    from nonosat.board.decimation import Decimated

MOST_SEEN = 4096  # stored solutions, which engines must exclude
MOST_SEEN_BYTES = 2**27  # memory limit of stored solutions

Step = Generator[Any, None, Ending]  # solutions, and finally the end of the step


class Steps:
    """Factory of the steps for one puzzle.

    Args:
        problem: The puzzle; its watch ends every step, and steps write to its log.

    Attributes:
        reached: The last result of decimation.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._puzzle, self._family = problem.puzzle, problem.family
        self._options, self._choices = problem.options, problem.choices
        self._watch, self._log = problem.watch, problem.log
        self._num_pauses = 0
        self.reached: Decimated | None = None

    def by_sight(self) -> Step:
        """Refute clues that are obviously contradictory, without search."""
        started = perf_counter()
        if reason := self._problem.obstacle():
            self._log.backend = "sight"
            self._log.stage("sight", started)
        yield from ()  # it yields no solutions
        return Ending(bool(reason), reason)

    def by_method(self, name: str, method: Method, *, is_last: bool) -> Step:
        """Run a method of the family; the last step need not store its solutions."""
        started = perf_counter()
        self._problem.refuse_without_board()
        hooks.doing(name)
        self._log.backend = name
        ending: Ending = Ending(False)
        with closing(method(self._puzzle, self._watch, self._options.seed)) as run:
            try:
                while True:
                    solution = self._log.checked(AnswerSource(name), next(run))
                    if solution in self._log.solutions:
                        continue
                    if not is_last:
                        self._log.remember(solution)
                    yield solution
            except StopIteration as stop:
                ending = stop.value
            finally:
                self._log.stage(name, started, **ending.detail)
        if ending.reason and not ending.exhausted:
            self._log.tried.append(f"{name}: {ending.reason}")
        return ending

    def by_presolve(self) -> Step:
        """Propagate and probe, which may decide every cell."""
        for done in self._problem.presolve():
            name, task = done.stage.name, self._problem.task
            if done.is_consistent and task.num_open():
                continue
            if done.is_consistent:
                yield from self._accepted(AnswerSource(name), task.values())
            self._log.backend = name
            return Ending(True, done.reason)
        return Ending(False)

    def engine(
        self,
        name: str,
        task: presolve.PresolvedModel,
        turns: Iterable[SearchRound],
        *,
        is_bounded: bool = False,
        first: Callable[[presolve.PresolvedModel], Step] | None = None,
        between: Callable[[presolve.PresolvedModel], Step] | None = None,
        is_second: bool = False,
        own: Mapping[str, str] = MappingProxyType({}),
    ) -> Step:
        """Run one backend until there are no more solutions or its turns are over.

        Args:
            name: The backend.
            task: The model after presolve.
            turns: Turns of the backend.
            is_bounded: True to end the step when the memory for solutions is full.
            first: Step after the puzzle's first solution; it may complete the search.
            between: Step in each pause between turns; it may complete the search.
            is_second: True if another engine, still open, decides the same cells.
            own: Options specific to the engine.
        """
        hooks.doing(f"search by {name}")
        with self._session(name, task, is_second=is_second, own=own) as session:
            self._log.encoding = session.encoding or self._log.encoding
            for values in session.solutions(turns, self._log.values):
                step = between
                if values:
                    step = None if self._log.solutions else first
                    yield from self._accepted(session.suspects, values)
                if step:
                    try:
                        ending = yield from step(task)
                    except GeneratorExit:  # no caller needs more than the step's solution
                        session.end()
                        raise
                    if ending.exhausted:
                        session.end()
                        return ending
                    session.narrow()
                if is_bounded and self.is_full(task):
                    session.end()  # a search continues instead
                    break
            self._log.backend = name
            reason = session.reason
        return Ending(session.is_exhausted, self._refuted(task, f"a search by {name}", reason))

    def cubes(self, task: presolve.PresolvedModel) -> Step:
        """Decide the puzzle in parts, each in a separate process."""
        from nonosat.solving.cubes.conquest import Conquest

        log = self._log
        conquest = Conquest(self._problem)
        log.backend, log.encoding = conquest.engine, self._choices.encodings
        by = AnswerSource(conquest.engine, choices=dict(self._options.encoding))
        run = conquest.solutions(log.values, log.stages, task.num_open())
        with closing(run):
            for values in run:
                if values not in log.values:  # another cube may have yielded it first
                    is_first = not log.solutions
                    yield from self._accepted(by, values)
                    if is_first and task.board is not None:
                        yield from self.neighbours(task)
        log.tree = conquest.covered(log.values)
        log.backend = conquest.last_word()
        return Ending(True, self._refuted(task, "a search in cubes"))

    def rest(self, task: presolve.PresolvedModel) -> Step:
        """Yield the remaining solutions by a search that stores none and repeats none."""
        # The previous engine's stage already counts the cells as decided.
        with self._session("search", task, is_second=True) as session:
            for values in session.solutions([SearchRound()], ()):
                grid = self._log.decoded(session.suspects, values)
                if grid not in self._log.solutions:
                    yield grid
        return Ending(session.is_exhausted)

    def neighbours(self, task: presolve.PresolvedModel) -> Step:
        """Verify the family's cheap candidates for solutions close to the first one."""
        if not self._log.solutions:
            return Ending(False)
        seconds, num_found = 0.0, 0
        candidates = self._family.neighbours(self._puzzle, self._log.first())
        started = perf_counter()
        try:
            for candidate in candidates:
                self._watch.check()
                if candidate in self._log.solutions or self._family.refutation(
                    self._puzzle, candidate
                ):
                    continue
                num_found += 1
                seconds += perf_counter() - started
                yield from self._accepted(AnswerSource("neighbours"), task.values(candidate.cells))
                started = perf_counter()
            seconds += perf_counter() - started
        finally:
            self._log.stages.append(Stage("neighbours", seconds, 0, {"solutions": num_found}))
        return Ending(False)

    def dives(self, task: presolve.PresolvedModel) -> Step:
        """Search for a first solution in which every block starts as early as possible."""
        if self._log.solutions or self._options.presolve == "none":  # dives require a fixpoint
            return Ending(False)
        hooks.doing("dive")
        started = perf_counter()
        found = dives.dive(task, self._watch)
        seconds, decided = perf_counter() - started, 0
        try:
            if found.cells is not None:
                decided = task.num_open()
                yield from self._accepted(AnswerSource("dive"), task.values(found.cells))
                decided = 0  # another step continues
        finally:
            detail = {"decisions": found.num_decisions}
            self._log.stages.append(Stage("dive", seconds, decided, detail))
        return Ending(False)

    def decimate(self, task: presolve.PresolvedModel) -> Step:
        """Search for a first solution by decimation from several seeds, then for others."""
        if self._log.solutions:
            return Ending(False)
        hooks.doing("decimate")
        place, num_open = len(self._log.stages), task.num_open()
        attempts = chosen_attempts(self._options, num_open)
        started, decided = perf_counter(), 0
        seconds, counts = 0.0, Counter[str]()
        try:
            with closing(self._decimations(task, attempts, num_open)) as results:
                for reached in results:
                    if reached is None:
                        decided, self._log.backend = num_open, "decimate"
                        return Ending(True, self._refuted(task, "decimation"))
                    self.reached = reached
                    counts.update(reached.counts, complete=int(reached.is_complete), times=1)
                    if reached.is_complete:
                        break
            seconds = perf_counter() - started
            if self.reached is not None and self.reached.is_complete:
                decided = num_open  # unless nothing here completes the search
                cells = self.reached.cells
                yield from self._accepted(AnswerSource("decimate"), task.values(cells))
                ending = yield from self.others(task)
                # Prices may have decided some cells permanently.
                decided = num_open - (0 if ending.exhausted else task.num_open())
                return ending
        except LimitReached:
            decided = 0  # a solution may be known, but not whether it is unique
            raise
        finally:
            if attempts:
                seconds = seconds or perf_counter() - started
                settings = self.reached.settings if self.reached is not None else attempts[0]
                detail = {**asdict(settings), **counts}
                self._log.stages.insert(place, Stage("decimate", seconds, decided, detail))
        return Ending(False)

    def _decimations(
        self, task: presolve.PresolvedModel, attempts: Sequence[decimation.Settings], num_open: int
    ) -> Generator[Decimated | None, None, None]:
        """Yield the results of the attempts; large boards run several in threads.

        On other boards the attempts finish before threads would pay off. Timing determines which
        thread completes a board first, so that a deterministic search uses one thread.
        """
        from nonosat.board import decimation

        num_threads = self._options.num_threads
        if num_threads > 1 and num_open >= BUDGETS.large_open and not self._options.deterministic:
            yield from decimation.decimate_in_threads(task, attempts, num_threads, self._watch)
        else:
            for settings in attempts:
                yield decimation.decimate(task, settings, self._watch)

    def others(self, task: presolve.PresolvedModel) -> Step:
        """Search for solutions close to the first one, then for the proof that there is none."""
        yield from self.neighbours(task)
        if len(self._log.solutions) > 1:
            return Ending(False)
        # The marginals of this board have led to no solution so far.
        return (yield from self._priced(task, BUDGETS.prices, marginals="no"))

    def prices(self, task: presolve.PresolvedModel) -> Step:
        """Run `prices` for a solution, and for the proof that there is no other."""
        turns = [SearchRound(BUDGETS.prices)]
        return (yield from self.engine("prices", task, turns, first=self.neighbours))

    def patient_prices(self, task: presolve.PresolvedModel) -> Step:
        """Run `prices` between turns of an engine, if earlier runs of `prices` were promising.

        The budget doubles with each run.
        """
        tried = [
            stage.detail.get("sweeps", 0) for stage in self._log.stages if stage.name == "prices"
        ]
        if len(self._log.solutions) > 1 or max(tried, default=0) < BUDGETS.promising_sweeps:
            return Ending(False)
        conflicts = BUDGETS.pause << self._num_pauses
        self._num_pauses += 1
        return (yield from self._priced(task, BUDGETS.patient_prices * conflicts, patient="yes"))

    # Parts of steps

    def _priced(self, task: presolve.PresolvedModel, work: int, **own: str) -> Step:
        """Run `prices` with specific options while another engine is open."""
        run = self.engine(
            "prices", task, [SearchRound(work)], first=self.neighbours, is_second=True, own=own
        )
        return (yield from run)

    def _accepted(self, by: AnswerSource, values: bytes) -> Iterator[Any]:
        """Yield the solution for the values, if it is new."""
        if (solution := self._log.accept(by, values)) is not None:
            yield solution

    @contextmanager
    def _session(
        self,
        name: str,
        task: presolve.PresolvedModel,
        *,
        is_second: bool = False,
        own: Mapping[str, str] = MappingProxyType({}),
    ) -> Iterator[Session]:
        """Open a backend, and log its stages after any kind of end.

        Args:
            name: The backend.
            task: The model after presolve.
            is_second: True if another engine decides the same cells.
            own: Options specific to the engine.
        """
        session = Session(name, task, self._options, self._choices, self._watch, own)
        self._log.stages += session.opening
        with closing(session):
            try:
                yield session
            finally:
                stages = session.stages()
                self._log.stages += [
                    replace(stage, decided=0) if is_second else stage for stage in stages
                ]

    def _refuted(self, task: presolve.PresolvedModel, how: str, reason: str = "") -> str:
        """Return the reason of unsolvability that an engine has shown on a board; else ""."""
        if self._log.solutions or task.board is None:
            return ""
        # Without presolve no step has propagated single lines.
        proviso = "" if self._options.presolve == "none" else "no line breaks by itself, but "
        if reason:
            return f"{proviso}{reason}"
        cells = counted(task.num_open(), "cell")
        return f"{proviso}{how} of the {cells} left open finds no solution"

    def is_solved(self) -> bool:
        return bool(self._log.solutions)

    def is_full(self, task: presolve.PresolvedModel) -> bool:
        """Return True if the memory for solutions is full."""
        assert task.shape is not None
        num_bytes = len(self._log.solutions) * task.shape.size * (1 + task.shape.num_colours)
        return len(self._log.solutions) >= MOST_SEEN or num_bytes > MOST_SEEN_BYTES
