"""Steps of the pipeline: each is a generator of solutions that returns its `Ending`.

The family's verifier has checked every solution that a step yields; a refuted answer raises
`BackendError`. All solutions are distinct.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, fields, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat import _core
from nonosat._core import BUDGETS
from nonosat.board import clashing, decimation, presolve, prices
from nonosat.board.decimation import Decimated
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import counted
from nonosat.core.plugins import Ending, Method
from nonosat.core.result import Stage
from nonosat.solving.auto import ENGINE, SearchRound, before_cubes, taken
from nonosat.solving.choices import chosen_attempts, chosen_phases
from nonosat.solving.problem import Problem
from nonosat.solving.session import Session

if TYPE_CHECKING:
    from types import ModuleType

    from nonosat.board.phases import How
    from nonosat.solving.cubes.conquest import CubeJournal

MOST_KNOWN = 4096  # stored solutions, which engines must exclude
MOST_OF_WHOLE = 2  # solutions before an enumeration is divided into cubes; a check ends with these
MOST_KNOWN_BYTES = 2**27  # memory limit of stored solutions

_OPEN = _core.Strategy.Verdict.OPEN
_NUM_BYTES: dict[str, Callable[[presolve.PresolvedModel], int]] = {  # memory of a stage
    "prices": prices.num_bytes,
    "decimate": decimation.num_bytes,
}

Step = Generator[Any, None, Ending]  # solutions, and finally the end of the step


class Steps:
    """Factory of the steps for one puzzle.

    Args:
        problem: The puzzle; its watch ends every step, and steps write to its log.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._puzzle, self._family = problem.puzzle, problem.family
        self._options, self._choices = problem.options, problem.choices
        self._watch, self._log = problem.watch, problem.log
        self._num_taken = 0  # solutions of the native sequence
        self._reached: Decimated | None = None
        self._race: decimation.Race | None = None

    def by_sight(self) -> Step:
        """Complete the search if the clues contradict each other obviously; else do nothing."""
        started = perf_counter()
        if reason := self._problem.obstacle():
            self._log.backend = "sight"
            self._log.stage("sight", started)
        yield from ()  # it yields no solutions
        return Ending(bool(reason), reason)

    def by_method(self, name: str, method: Method, *, is_last: bool) -> Step:
        """Run a method of the family; solutions are not stored if `is_last`, as no step follows."""
        started = perf_counter()
        self._problem.refuse_without_board()
        self._watch.doing(name)
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
        between: Callable[[bytes | None], Step | None] = lambda _values: None,
        rest: Callable[[Session], Step] | None = None,
    ) -> Step:
        """Run one backend until there are no more solutions or its turns are over.

        Args:
            name: The backend.
            task: The model after presolve.
            turns: Turns of the backend.
            is_bounded: True to end the step when the memory for solutions is full.
            between: Returns a step to run after a solution, given its values, or in a pause between
                turns, given no values; the step may end the search.
            rest: Returns the step to run after the last turn, while the engine is still open.
        """
        self._watch.doing(f"search by {name}")
        with self._session(name, task) as session:
            self._log.encoding = session.encoding or self._log.encoding
            for values in session.solutions(turns, self._log.values):
                if values:
                    yield from self._accepted(session.suspects, values)
                if step := between(values):
                    try:
                        ending = yield from step
                    except GeneratorExit:  # no caller needs more than the step's solution
                        session.end()
                        raise
                    if ending.exhausted:
                        session.end()
                        return ending
                    session.narrow()
                if is_bounded and self.is_full(task):
                    session.end()  # the caller continues with a search
                    rest = None
                    break
                if rest and len(self._log.solutions) > MOST_OF_WHOLE:
                    break
            if rest and not session.is_exhausted:
                return (yield from rest(session))
            self._log.backend = name
            reason = session.reason
        return Ending(session.is_exhausted, self._refuted(task, f"a search by {name}", reason))

    @staticmethod
    def conquest() -> ModuleType:
        """Return the module of searches in cubes, which is imported when it is used."""
        from nonosat.solving.cubes import conquest

        return conquest

    def cubes(
        self,
        task: presolve.PresolvedModel,
        kept: CubeJournal | None,
        session: Session | None = None,
    ) -> Step:
        """Decide the puzzle in parts, in several processes.

        Args:
            task: The model after presolve.
            kept: The open journal, if there is one.
            session: An engine that has searched the whole puzzle, with which they continue.
        """
        log = self._log
        conquest = self.conquest().CubeSearch(self._problem, kept, session)
        log.backend, log.encoding = conquest.engine, self._choices.encodings
        by = AnswerSource(conquest.engine, choices=dict(self._options.encoding))
        run = conquest.solutions(log.values, log.stages, task.num_open())
        with closing(run):
            for values in run:
                if values not in log.values:  # another cube may have yielded it first
                    yield from self._accepted(by, values)
                    if task.board is not None:
                        yield from self.neighbours(task)
        log.tree = conquest.covered(log.values)
        log.backend = conquest.last_word()
        return Ending(True, self._refuted(task, "a search in cubes"))

    def rest(self, task: presolve.PresolvedModel) -> Step:
        """Yield the remaining solutions by the engine `search`, which stores none of them."""
        # The previous engine's stage already counts the cells as decided.
        with self._session("search", task, is_second=True) as session:
            for values in session.solutions([SearchRound()], ()):
                grid = self._log.decoded(session.suspects, values)
                if grid not in self._log.solutions:
                    yield grid
        return Ending(session.is_exhausted)

    def neighbours(self, task: presolve.PresolvedModel) -> Step:
        """Verify the family's cheap candidates for solutions close to the first one."""
        if len(self._log.solutions) != 1:
            return Ending(False)
        started = perf_counter()
        try:
            for candidate in self._family.neighbours(self._puzzle, self._log.first()):
                self._watch.check()
                if candidate in self._log.solutions:
                    continue
                if not self._family.refutation(self._puzzle, candidate):
                    values = task.values(candidate.cells)
                    yield from self._accepted(AnswerSource("neighbours"), values)
        finally:
            self._log.stage("neighbours", started, solutions=len(self._log.solutions) - 1)
        return Ending(False)

    def attempts(
        self,
        task: presolve.PresolvedModel,
        rest: Callable[[Session], Step] | None = None,
    ) -> Step:
        """Run the native sequence of attempts, then an engine that a team of threads can share.

        Args:
            task: The model after presolve.
            rest: See `engine`; it begins as soon as it pays to split the puzzle into cubes.
        """
        strategy = self._strategy(task)

        def between(values: bytes | None) -> Step:
            assert task.shape is not None
            if values:
                strategy.take(task.shape.cells(values))
                self._num_taken += 1
            else:
                strategy.pause()
            return self._before_engine(strategy, task, is_second=True)

        try:
            ending = yield from self._before_engine(strategy, task)
            if not ending.exhausted and strategy.stage == "solve":
                turns = taken(strategy.next_turn, lambda: self._phases(strategy, task))
                ending = yield from self.engine(
                    ENGINE,
                    task,
                    before_cubes(turns, lambda: bool(self._log.solutions)) if rest else turns,
                    is_bounded=True,
                    between=between,
                    rest=rest,
                )
            if ending.exhausted or not self.is_full(task):
                return ending
            return (yield from self.rest(task))
        finally:
            self._end_race()  # which a decimation may have begun

    def on_lanes(self, task: presolve.PresolvedModel) -> Step:
        """Search a board of lanes natively for a while, then by an engine of clauses."""
        for name, budget in (("search", BUDGETS.lane_search), (ENGINE, None)):
            ending = yield from self.engine(name, task, [SearchRound(budget)], is_bounded=True)
            if ending.exhausted:
                return ending
            if self.is_full(task):
                return (yield from self.rest(task))
        return ending

    # Parts of steps

    def _strategy(self, task: presolve.PresolvedModel) -> _core.Strategy:
        """Return the native sequence of attempts on the presolved board."""
        assert task.board is not None
        most = self._options.max_solutions
        prober = task.probers[-1] if task.probers else None
        assert not isinstance(prober, _core.LaneProber)
        return _core.Strategy.of_presolved(
            task.board.copy(),
            prober,
            MOST_KNOWN if most is None else min(most, MOST_KNOWN) + len(self._log.solutions),
            chosen_attempts(self._options),
            chosen_phases(self._options) is not None,
            BUDGETS,
        )

    def _before_engine(
        self, strategy: _core.Strategy, task: presolve.PresolvedModel, *, is_second: bool = False
    ) -> Step:
        """Run the attempts up to the next turn of the engine.

        Args:
            strategy: The native sequence.
            task: Task with the board; values that the sequence excludes are ruled out on it.
            is_second: True if another engine, still open, decides the same cells.
        """
        reason = ""
        while strategy.verdict == _OPEN and strategy.stage != "solve":
            if strategy.stage == "search" and self.is_full(task):
                break
            reason = yield from self._attempt(strategy, task, is_second)
        return Ending(strategy.is_exhausted, reason)

    def _attempt(
        self, strategy: _core.Strategy, task: presolve.PresolvedModel, is_second: bool
    ) -> Generator[Any, None, str]:
        """Run and log one stage; return the reason if it has shown unsolvability, else ""."""
        name, num_open = strategy.stage, task.num_open()
        is_engine = name in ("search", "prices")
        self._watch.doing(f"search by {name}" if is_engine else name)
        task.reserve(self._watch)
        if num_bytes := _NUM_BYTES.get(name):
            self._watch.reserve(num_bytes(task))
        seconds, decided, reason = 0.0, 0, ""
        try:
            while strategy.verdict == _OPEN and strategy.stage == name:
                if name == "search" and self.is_full(task):
                    break
                started = perf_counter()
                try:
                    self._work(strategy, task)
                finally:
                    seconds += perf_counter() - started
                while (cells := strategy.solution(self._num_taken)) is not None:
                    self._num_taken += 1
                    decided = num_open
                    yield from self._accepted(AnswerSource(name), task.values(cells))
                if name == "prices" and strategy.stage == "neighbours":
                    yield from self._attempt(strategy, task, is_second)  # in between
            if name == "prices" and not strategy.is_exhausted:
                assert task.board is not None
                strategy.narrow(task.board)
            is_decided = strategy.is_exhausted or (name == "search" and self.is_full(task))
            decided = num_open - (0 if is_decided else task.num_open())  # `rest` counts no cells
            if is_engine or strategy.is_exhausted:
                self._log.backend = name
            reason = self._why_refuted(strategy, name, task)
        finally:
            detail: dict[str, Any] = {"engine": name} if is_engine else {}
            if name == "decimate" and self._race and (reached := self._race.reached):
                detail |= asdict(reached.settings) | reached.counts | {"complete": 1, "times": 1}
            own = not is_second and name != "neighbours"
            stage = Stage(name, seconds, decided if own else 0, strategy.counts(name) | detail)
            self._log.stages.append(stage)
        return reason

    def _work(self, strategy: _core.Strategy, task: presolve.PresolvedModel) -> None:
        """Run one native step; on a large board other threads may race with decimations.

        On other boards the attempts finish before threads would pay off. Timing determines which
        thread completes a board first, so that a deterministic search has no race.
        """
        is_alone = self._options.num_threads == 1 or self._options.deterministic
        is_due = strategy.stage == "decimate" and task.num_open() >= BUDGETS.large_open
        if is_due and not is_alone and self._race is None:
            attempts = [decimation.Settings(**one) for one in strategy.decimations()]
            self._race = decimation.Race(task, attempts, self._options.num_threads, self._watch)
        race, poll = self._race if is_due else None, self._watch.poll
        is_over = race.is_over if race else lambda: False
        if strategy.step(self._watch.remaining_s(), lambda: poll() or is_over()):
            return
        if race is None or not race.is_over():
            raise self._watch.limit()
        race.close()
        strategy.take_decimated(race.reached.cells if race.reached else None)

    def _phases(self, strategy: _core.Strategy, task: presolve.PresolvedModel) -> How | None:
        """Return the phases of the engine after the attempts."""
        counts = strategy.counts("decimate")
        if self._race and self._race.reached:
            self._reached = self._race.reached
        elif self._reached is None and counts:
            names = {field.name for field in fields(decimation.Settings)}
            settings = decimation.Settings(**{name: counts[name] for name in names})
            found = decimation.reached_beliefs(task, settings, self._watch, strategy.transfer_to)
            is_complete = bool(counts["complete"])
            self._reached = decimation.Decimated(settings, b"", is_complete, found, {})
        return chosen_phases(self._options, task.num_open(), self._reached)

    def _why_refuted(
        self, strategy: _core.Strategy, name: str, task: presolve.PresolvedModel
    ) -> str:
        """Return the reason if the stage `name` has shown that there is no solution, else ""."""
        if not strategy.is_exhausted or self._log.solutions:
            return ""
        assert task.shape is not None
        reason = clashing.reason_of(strategy, task.shape, self._watch)
        how = {"decimate": "decimation"}.get(name, f"a search by {name}")
        return self._refuted(task, how, reason)

    def _accepted(self, by: AnswerSource, values: bytes) -> Iterator[Any]:
        """Yield the verified solution for an engine's values, if it is new."""
        if (solution := self._log.accept(by, values)) is not None:
            self._end_race()
            yield solution

    def _end_race(self) -> None:
        if self._race:
            self._race.close()

    @contextmanager
    def _session(
        self,
        name: str,
        task: presolve.PresolvedModel,
        *,
        is_second: bool = False,
    ) -> Iterator[Session]:
        """Open a backend, and log its stages after any kind of end.

        Args:
            name: The backend.
            task: The model after presolve.
            is_second: True if another engine decides the same cells.
        """
        session = Session(name, task, self._options, self._choices, self._watch, self._race)
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
        """Return `reason`, or a general one, for an unsolvable board; "" if a solution is known."""
        if self._log.solutions or task.any_board is None:
            return ""
        # Without presolve no step has propagated single lines.
        proviso = "" if self._options.presolve == "none" else "no line breaks by itself, but "
        if reason:
            return f"{proviso}{reason}"
        cells = counted(task.num_open(), "cell")
        return f"{proviso}{how} of the {cells} left open finds no solution"

    def is_full(self, task: presolve.PresolvedModel) -> bool:
        """Return True if the memory for solutions is full."""
        shape = task.shape
        size = task.model.num_vars if shape is None else shape.size * (1 + shape.num_colours)
        num_bytes = len(self._log.solutions) * size
        return len(self._log.solutions) >= MOST_KNOWN or num_bytes > MOST_KNOWN_BYTES
