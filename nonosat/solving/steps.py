"""The steps of the pipeline: each is a generator of solutions that returns its `Ending`.

Every solution that leaves this module has been checked against the clues by the family's verifier;
an answer that it refutes is a `BackendError`. No solution is given twice.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Any

from nonosat import families, seams
from nonosat.blame import Suspects
from nonosat.board import presolve, prices
from nonosat.errors import counted
from nonosat.limits import Watch
from nonosat.plugins import Ending, Method, Puzzle
from nonosat.result import Options, Stage
from nonosat.solving.auto import Turn
from nonosat.solving.choices import choices_of, refuse_without_board
from nonosat.solving.findings import Findings
from nonosat.solving.session import Session

MOST_SEEN = 4096  # solutions that are remembered, so that no engine gives them again
MOST_SEEN_BYTES = 2**27  # of memory for them

Step = Generator[Any, None, Ending]  # solutions, and at last how it ended


class Steps:
    """Makes the steps for one puzzle.

    Args:
        puzzle: The puzzle.
        options: How to solve it.
        watch: Ends every step.
        log: Where steps write down what they do.
    """

    def __init__(self, puzzle: Puzzle, options: Options, watch: Watch, log: Findings) -> None:
        self._puzzle = puzzle
        self._options = options
        self._family = families.family_of(puzzle)
        self._watch = watch
        self._log = log
        self._choices = choices_of(options, puzzle.family)

    def by_sight(self) -> Step:
        """Refute clues that cannot hold, as anybody can see."""
        started = perf_counter()
        reason = self._family.obstacle(self._puzzle)
        if reason:
            self._log.backend = "sight"
            self._log.stage("sight", started)
        yield from ()  # it gives no solutions
        return Ending(bool(reason), reason or "")

    def by_method(self, name: str, method: Method, *, is_last: bool) -> Step:
        """Ask a method of the family's own; the last step need not remember its solutions."""
        started = perf_counter()
        refuse_without_board(self._options, self._puzzle.family)
        seams.doing(name)
        self._log.backend = name
        ending: Ending = Ending(False)
        with closing(method(self._puzzle, self._watch, self._options.seed)) as run:
            try:
                while True:
                    solution = self._log.checked(Suspects(name), next(run))
                    if solution in self._log.solutions:
                        continue
                    if not is_last:
                        self._log.remember(solution)
                    yield solution
            except StopIteration as stop:
                ending = stop.value
            finally:
                self._log.stage(name, started, **ending.detail)
        return ending

    def by_presolve(self, task: presolve.Task, started: float) -> Step:
        """Propagate and probe; that may decide every cell."""
        level = self._options.presolve
        seams.doing("propagate and probe")
        signs = families.signs(self._puzzle)
        run = presolve.presolved(task, self._watch, level=level, started=started, signs=signs)
        for done in run:
            name = done.stage.name
            self._log.stages.append(done.stage)
            if done.is_consistent and task.num_open():
                continue
            if done.is_consistent:
                yield from self._accepted(Suspects(name), task.values())
            self._log.backend = name
            return Ending(True, done.reason)
        return Ending(False)

    def engine(
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
        seams.doing(f"search by {name}")
        with self._session(name, task) as session:
            self._log.encoding = session.encoding or self._log.encoding
            for values in session.solutions(turns, self._log.values):
                is_first = not self._log.solutions
                yield from self._accepted(session.suspects, values)
                if is_first and is_compared:
                    yield from self.neighbours(task)
                if is_bounded and self.is_full(task):
                    break
            self._log.backend = name
        return Ending(session.is_exhausted, self._refuted(task, f"a search by {name}"))

    def cubes(self, task: presolve.Task) -> Step:
        """Decide the puzzle in parts, in processes of their own."""
        from nonosat.solving.cubes.conquest import Conquest

        log = self._log
        conquest = Conquest(self._puzzle, self._options, self._watch)
        log.backend, log.encoding = conquest.engine, self._choices.encodings
        by = Suspects(conquest.engine, choices=dict(self._options.encoding))
        run = conquest.solutions(log.values, log.stages, task.num_open())
        with closing(run):
            for values in run:
                if values not in log.values:  # a neighbour may have been faster
                    is_first = not log.solutions
                    yield from self._accepted(by, values)
                    if is_first:
                        yield from self.neighbours(task)
        log.tree = conquest.covered([grid.cells for grid in log.solutions])
        log.backend = conquest.last_word()
        return Ending(True, self._refuted(task, "a search in cubes"))

    def rest(self, task: presolve.Task) -> Step:
        """Find the solutions not yet given, by a search that remembers none and repeats none."""
        # The engine before it has decided the cells already.
        with self._session("search", task, is_second=True) as session:
            for values in session.solutions([Turn()], ()):
                grid = self._log.decoded(session.suspects, values)
                if grid not in self._log.solutions:
                    yield grid
        return Ending(session.is_exhausted)

    def neighbours(self, task: presolve.Task) -> Step:
        """Look for solutions among the cheap candidates that the family makes of the first one."""
        if not self._log.solutions:
            return Ending(False)
        seconds, num_found = 0.0, 0
        candidates = families.neighbours(self._puzzle, self._log.first())
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
                yield from self._accepted(Suspects("neighbours"), task.values(candidate.cells))
                started = perf_counter()
            seconds += perf_counter() - started
        finally:
            self._log.stages.append(Stage("neighbours", seconds, 0, {"solutions": num_found}))
        return Ending(False)

    def by_prices(self, task: presolve.Task) -> Step:
        """Find a solution, or prove that there is no other, by the prices of cells.

        Both rest on the same relaxation: where its marginals tell nothing, it hardly ever proves a
        solution to be the only one, so one that an engine finds later is not tried.
        """
        if len(self._log.solutions) > 1:
            return Ending(False)
        try:
            return (yield from self._all_by_prices(task))
        except MemoryError:  # an engine that comes later may need less
            return Ending(False)

    # Parts of steps

    def _all_by_prices(self, task: presolve.Task) -> Step:
        """The same; MemoryError where prices take too much."""
        solutions = self._log.solutions
        solution = self._log.first().cells if solutions else None
        found = yield from self._priced(task, solution)
        if found.outcome is prices.Outcome.SOLUTION:
            yield from self.neighbours(task)
            if len(solutions) > 1:
                return Ending(False)
            # Where the marginals were a solution, the proof is most likely within reach.
            found = yield from self._priced(task, found.cells, stubborn=True)
        if found.outcome is prices.Outcome.REFUTED:
            return Ending(True)
        return (yield from self._settled(task, found))

    def _settled(self, task: presolve.Task, found: prices.Priced) -> Step:
        """Rule out what no further solution has, by prices that have left it open."""
        started, before = perf_counter(), task.num_open()
        is_consistent = prices.settle(task, found, self._watch)
        decided = before - task.num_open() if is_consistent else 0
        if decided:
            self._log.stage("settle", started, decided)
        if is_consistent and task.num_open():
            return Ending(False)
        self._log.backend = "prices"
        if is_consistent:
            yield from self._accepted(Suspects("prices"), task.values())
        return Ending(True)

    def _priced(
        self, task: presolve.Task, solution: bytes | None, *, stubborn: bool = False
    ) -> Generator[Any, None, prices.Priced]:
        """Look for a solution, or for the proof that the only one is known."""
        seams.doing("prices")
        started = perf_counter()
        if solution is None:
            found = prices.find(task, self._watch)
        else:
            found = prices.refute_others(task, solution, self._watch, stubborn=stubborn)
        is_solved = found.outcome is prices.Outcome.SOLUTION
        detail = {"sweeps": found.num_sweeps, "bound": found.bound}
        self._log.stage("prices", started, task.num_open() if is_solved else 0, **detail)
        if found.outcome is not prices.Outcome.OPEN:
            self._log.backend = "prices"
        if is_solved:
            yield from self._accepted(Suspects("prices"), task.values(found.cells))
        return found

    def _accepted(self, by: Suspects, values: bytes) -> Iterator[Any]:
        """The solution that values stand for, if it is new."""
        if (solution := self._log.accept(by, values)) is not None:
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
        session = Session(name, task, self._options, self._choices, self._watch)
        self._log.stages += session.opening
        with closing(session):
            try:
                yield session
            finally:
                stages = session.stages()
                self._log.stages += [
                    replace(stage, decided=0) if is_second else stage for stage in stages
                ]

    def _refuted(self, task: presolve.Task, how: str) -> str:
        """Why there is no solution, where an engine has shown that on a board and is done."""
        if self._log.solutions or task.board is None:
            return ""
        cells = counted(task.num_open(), "cell")
        return f"no line breaks by itself, but {how} of the {cells} left open finds no solution"

    def is_solved(self) -> bool:
        return bool(self._log.solutions)

    def is_full(self, task: presolve.Task) -> bool:
        """Whether no more solutions can be remembered."""
        assert task.shape is not None
        num_bytes = len(self._log.solutions) * task.shape.size * (1 + task.shape.num_colours)
        return len(self._log.solutions) >= MOST_SEEN or num_bytes > MOST_SEEN_BYTES
