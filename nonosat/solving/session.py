"""One engine, or a team of them in threads, for the cells that presolve left open.

The first worker runs in the calling thread, and works turn by turn as it would without a team: it
imports no clause, so that a team is never slower than one engine. Its twins (copies of the engine)
search in other orders, without turns, and import the clauses that other workers learn. The search
ends when one worker answers UNSAT: there is no solution besides those found.

Verdicts do not depend on timing: a worker's refutation follows from the clauses, and blocked
solutions have been returned. Which solution comes first does depend on it, unless the search is
deterministic: then all solutions are those of the first worker, and the others only refute. A team
may grow: the first worker pauses and gets twins. Invariant: after `solutions` ends for any reason,
no worker is running.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat.board.presolve import PresolvedModel
from nonosat.clauses.translate import CountingSink, Size
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import LimitReached
from nonosat.core.limits import InterruptibleWatch, Watch
from nonosat.core.plugins import Answer, Engine, Exchange
from nonosat.core.result import MAX_JOBS, Options, Stage
from nonosat.processes.threads import Threads
from nonosat.solving.auto import SearchRound
from nonosat.solving.choices import NATIVE, Choices
from nonosat.solving.oracle import Oracle

if TYPE_CHECKING:
    from nonosat.board.decimation import Race
    from nonosat.board.phases import Phases

ALONE_CONFLICTS = 500  # of the engine before it has twins, which cost easy puzzles too much

_CALLED = None  # yielded by a worker that was called in the middle of a turn


class Worker:
    """An oracle that runs turns of a search.

    Args:
        oracle: An oracle with a model.
        phases: Source of the phases of its turns; None if there is none.
        watch: Limits of all work.

    Attributes:
        oracle, phases: The arguments.
        is_called: Function that returns True if the engine must pause in the middle of a turn;
            None if it never must.
        is_exhausted: True if there are no further solutions.
    """

    def __init__(self, oracle: Oracle, phases: Phases | None, watch: Watch) -> None:
        self.oracle, self.phases, self._watch = oracle, phases, watch
        self.is_called: Callable[[], bool] | None = None
        self.is_exhausted = False
        self._is_led = False

    def twin(self, engine: Engine, watch: Watch) -> Worker:
        """Return a worker with another engine for the same model."""
        made = Worker(self.oracle.twin(engine), None, watch)
        made._is_led = self._is_led  # the engine was copied with its phases
        return made

    def solutions(
        self, turns: Iterable[SearchRound], seen: Sequence[bytes]
    ) -> Iterator[bytes | None]:
        """Yield the values of each solution, until the turns are over or there are no more.

        It yields b"" in a pause between two turns, and `_CALLED` if `is_called` returned True.

        Args:
            turns: The turns.
            seen: Solutions found so far; the engine has blocking clauses for them.

        Raises:
            LimitReached: A limit ended it.
        """
        for turn in turns:
            if self.phases and turn.phases and (turn.is_near or not seen):
                self.phases.give(self.oracle.engine, turn.phases, self._watch)
                self._is_led = True
            elif self._is_led and not turn.phases:
                self.oracle.set_phases(())
                self._is_led = False
            while (answer := (yield from self._answer(turn.budget))) is Answer.SAT:
                values = self.oracle.values()
                yield values
                if turn.phases:  # a second solution is often close to the first
                    self.oracle.set_phases([v if values[v] else -v for v in range(1, len(values))])
                    turn = turn.near_solution()
            if answer is Answer.UNSAT:
                self.is_exhausted = True
                return
            if self._watch.reason():
                raise self._watch.limit()
            if turn.budget is None:
                raise LimitReached(self.oracle.engine.reason() or f"{self.oracle.name} gave up")
            if turn.pauses:
                yield b""

    def _answer(self, budget: int | None) -> Generator[None, None, Answer]:
        """Return the engine's answer within a budget of conflicts.

        The generator yields if the worker must pause; afterwards the engine gets the whole budget
        again.
        """
        if self.is_called is None:
            return self.oracle.solve((), budget, self._watch)
        watch = InterruptibleWatch(self._watch, self.is_called)
        while True:
            answer = self.oracle.solve((), budget, watch)
            if answer is not Answer.UNKNOWN or self._watch.reason() or not self.is_called():
                return answer
            yield _CALLED


class Team:
    """Twins of a worker in threads; each makes one search without limit.

    Args:
        watch: Limits of all work.
        only_refutes: True if solutions of the twins do not count.

    Attributes:
        members: The twins.
    """

    def __init__(self, watch: Watch, only_refutes: bool) -> None:
        self.members: list[Worker] = []
        self._only_refutes = only_refutes
        self._threads = Threads[int](0, watch)
        self._searches: list[Iterator[bytes | None]] = []
        self._idle: list[int] = []
        self._has_ended = False

    def add(self, of: Worker, engine: Engine, seen: Sequence[bytes]) -> None:
        """Add a twin of a worker with a copy of its engine."""
        self.members.append(of.twin(engine, self._threads.watch))
        self._searches.append(self.members[-1].solutions([SearchRound()], seen))
        self._threads.number += 1
        self._start(len(self.members) - 1)

    def is_calling(self) -> bool:
        """Return True if the first worker must pause.

        It must if a twin has ended, or has found a solution and solutions of twins count.
        """
        return self._has_ended or (not self._only_refutes and self._threads.has_outcome())

    def solutions(self) -> Iterator[bytes]:
        """Yield new solutions of twins, if these count; raise the error of a twin that failed."""
        while self._threads.has_outcome():
            number, values = self._threads.next()
            if values:
                self._idle.append(number)
                if not self._only_refutes:
                    yield values

    def resume(self) -> None:
        """Resume twins that have found a solution."""
        while self._idle:
            self._start(self._idle.pop())

    def close(self) -> None:
        """End all threads."""
        self._threads.close()

    def _start(self, number: int) -> None:
        self._threads.submit(number, partial(self._next, number))

    def _next(self, number: int) -> bytes:
        """Return the next solution of the twin with this number; b"" if there is none."""
        found: bytes | None = None
        try:
            found = next(self._searches[number], None)
        finally:
            self._has_ended |= not found  # exhausted, or an error
        return found or b""


class Session:
    """An engine, or a team of workers, that solves the model over the open cells.

    Attributes:
        encoding: The encodings or formulations in use; empty for an engine that takes the board.
        opening: The stage "encode", in a list; empty for an engine that takes the board.
        is_exhausted: True if there are no further solutions.
    """

    def __init__(
        self,
        name: str,
        task: PresolvedModel,
        options: Options,
        choices: Choices,
        watch: Watch,
        race: Race | None = None,
    ) -> None:
        """Open the engine `name`, while other threads of a race, if any, still decimate."""
        self.encoding: Mapping[str, str] = {}
        self.is_exhausted = False
        self._name = name
        self._task = task
        self._options = options
        self._choices = choices
        self._watch = watch
        self._race = race
        self._backend = plugins.find("backends", name)
        self.opening: list[Stage] = []
        self._num_open = self._num_narrowed = task.num_open()
        self._decided = 0
        self._oracle: Oracle
        self._exchange: Exchange | None = None  # of a team
        self._num_forbidden = 0
        self._team: Team | None = None  # from its first twin on
        self._may_grow = watch.cores is not None and self._backend.has_teams
        if self._backend.open_on_board is not None:
            task.reserve(watch)
            self._reduced = task.whole()
            engine = self._backend.open_on_board(task, {})
            self._oracle = Oracle(name, engine, self._reduced.model.num_vars, watch, choices)
            self._first = Worker(self._oracle, None, watch)
        else:
            self._open_encoded()

    def _open_encoded(self) -> None:
        """Open an engine with the model over the open cells, redundant clauses included."""
        from nonosat.board.phases import Phases

        started = perf_counter()
        watch, requested = self._watch, self._options.redundant
        propagated = self._options.presolve != "none"
        self._reduced = reduced = self._task.reduce(watch.check, propagated=propagated)
        num_vars, seed = reduced.model.num_vars, self._options.seed
        self._oracle = oracle = Oracle.open(self._name, num_vars, watch, self._choices, seed)
        try:
            size, added = (
                self._add_redundant() if requested else (oracle.add_model(reduced.model), {})
            )
        except BaseException:
            self.close()
            raise
        self.encoding = oracle.encoding
        detail: dict[str, Any] = {"variables": num_vars, **oracle.size.detail()}
        detail |= added
        self.opening.append(Stage("encode", perf_counter() - started, 0, detail))
        # Beliefs about blocks are beliefs about their feasible starts.
        encoding: str | None = self._choices.encodings["line"]
        if self._backend.formulates or "all-starts" in requested or encoding == NATIVE:
            encoding = None
        self._first = Worker(oracle, Phases(self._task, reduced, size, encoding), watch)

    def _add_redundant(self) -> tuple[Size, dict[str, Any]]:
        """Add the model with redundant constraints; return its size, and their numbers."""
        from nonosat.board import redundant

        names, oracle, reduced = self._options.redundant, self._oracle, self._reduced
        size = oracle.add_model(redundant.widened(reduced.model, names))
        more, pause = CountingSink(oracle.engine), self._watch.check
        added = redundant.add_clauses(names, self._task, reduced, more, pause)
        oracle.size.include(more.size)
        return size, {"redundant": names, **added}

    @property
    def suspects(self) -> AnswerSource:
        """Name and choices of the engine that produces the answers."""
        return self._oracle.suspects

    @property
    def reason(self) -> str:
        """Reason of the engine's refutation, if it has one; else ""."""
        return self._oracle.engine.reason() if self.is_exhausted else ""

    def solutions(self, turns: Iterable[SearchRound], seen: Sequence[bytes]) -> Iterator[bytes]:
        """Yield the values of the whole model for each solution, until the turns are over.

        An empty value, b"", is a pause between two turns.

        Args:
            turns: Turns of the first worker.
            seen: Solutions to exclude; read again after each solution.

        Raises:
            LimitReached: A limit ended it.
            BackendError: An engine failed.
        """
        first, is_deterministic = self._first, self._options.deterministic
        self._forbid(seen)
        try:
            if self._backend.has_teams and (self._may_grow or self._options.num_threads > 1):
                turns = turns if self._may_grow else self._beginning(iter(turns), seen)
                first.is_called = self._is_called
            for own in first.solutions(turns, seen):
                if own is not None and (not own or (own := self._new(own, seen))):
                    yield own
                if self._team or self._race:
                    yield from self._found_by_others(seen)
                if self.is_exhausted:
                    break
                if len(seen) > self._num_forbidden or not is_deterministic:
                    self._forbid(seen)
                    if self._team:
                        self._team.resume()
                if own is None:
                    self._grow(seen)
            self.is_exhausted |= first.is_exhausted
        finally:
            if self._team:
                self._team.close()
        # After the last turn another engine continues, on a board that this one may have changed.
        num_left = 0 if self.is_exhausted else self._task.num_open()
        self._decided = self._num_open - num_left

    def _new(self, own: bytes, seen: Sequence[bytes]) -> bytes:
        """Return the whole model's values for an engine's; b"" if a twin found them first."""
        values = self._reduced.lift(own)
        if self._team and values in seen:
            return b""
        self._decided = self._num_open
        return values

    def _found_by_others(self, seen: Sequence[bytes]) -> Iterator[bytes]:
        """Yield new solutions of twins and of the race; record it if one has refuted the rest."""
        if self._race and self._race.is_over():
            self._race.close()
            self.is_exhausted = self._race.is_refuted
            if self._race.reached:
                self._decided = self._num_open
                yield self._task.values(self._race.reached.cells)
        if self._team:
            for own in self._team.solutions():
                if values := self._new(own, seen):
                    yield values
            self.is_exhausted |= any(member.is_exhausted for member in self._team.members)

    def _is_called(self) -> bool:
        """Return True if the first worker must pause."""
        is_over = self._race is not None and self._race.is_over()
        is_due = self._may_grow and self._num_allowed() > len(self._workers())
        return is_over or is_due or (self._team is not None and self._team.is_calling())

    def _workers(self) -> list[Worker]:
        """Return the first worker and its twins."""
        return [self._first, *(self._team.members if self._team else ())]

    def _beginning(
        self, turns: Iterator[SearchRound], seen: Sequence[bytes]
    ) -> Iterator[SearchRound]:
        """Yield the turns, and let the team grow after the first one.

        A first turn of more than ALONE_CONFLICTS conflicts is split after that many.
        """
        turn = next(turns)
        if turn.budget is None or turn.budget > ALONE_CONFLICTS:
            yield replace(turn, budget=ALONE_CONFLICTS, pauses=False)
            turns = chain([turn], turns)
        else:
            yield turn
        self._may_grow = True
        self._grow(seen)
        yield from turns

    def _grow(self, seen: Sequence[bytes]) -> None:
        """Add twins of the first worker, which is idle, for the cores that are available."""
        num_now, allowed = len(self._workers()), self._num_allowed()
        if allowed <= num_now:
            return
        engine = self._oracle.engine
        if self._exchange is None:
            self._exchange = engine.lead(MAX_JOBS, is_prompt=True)
        self._team = self._team or Team(self._watch, self._options.deterministic)
        for number in range(num_now, allowed):
            self._team.add(self._first, engine.recruit(self._exchange, number), seen)
        self._num_forbidden = 0  # the copied engine may lack some blocking clauses
        self._forbid(seen)

    def _num_allowed(self) -> int:
        """Return the number of workers allowed now; each may grow to twice its memory."""
        num_now = len(self._workers())
        cores = self._watch.cores
        allowed = self._options.num_threads if cores is None else min(cores(), MAX_JOBS)
        allowed -= self._race.num_running if self._race else 0
        return self._watch.num_affordable(allowed, num_now) if allowed > num_now else allowed

    def _add(self, clause: Sequence[int]) -> None:
        """Add a clause to the engine, or to every engine of a team."""
        if self._exchange is None:
            self._oracle.add(clause)
        else:
            self._exchange.tell(clause)

    def _forbid(self, seen: Sequence[bytes]) -> None:
        """Add blocking clauses for the solutions that have none yet."""
        for values in seen[self._num_forbidden :]:
            self._exclude(values)
            self._num_forbidden += 1

    def _exclude(self, values: bytes) -> None:
        """Add the blocking clause of a solution."""
        model = self._reduced.model
        if model.blocked_on is None:
            self._add([-lit for lit in self._reduced.restrict(values)])
        elif model.blocked_by_true:
            self._add([-lit for lit in model.blocked_on if values[lit]])
        else:
            self._add([-v if values[v] else v for v in model.blocked_on])

    def prepare(self, seen: Sequence[bytes]) -> None:
        """Prepare for `continued`: exclude all solutions, reset the phases of the last turn.

        Args:
            seen: The solutions that were passed to `solutions`, with those that it has yielded.
        """
        self._forbid(seen)
        self._oracle.set_phases(())

    def continued(self, lits: Sequence[int], budget: int, seen: Sequence[bytes]) -> Answer | bytes:
        """Search a part of the model with the clauses that the engine has learnt so far.

        It is for sessions without a team, after `solutions` has ended and `prepare`.

        Args:
            lits: Literals of the whole model that restrict the search.
            budget: Limit of conflicts.
            seen: Further solutions to exclude, each of them in one call.

        Returns:
            Values of a solution, UNSAT, or UNKNOWN if the budget is used up.

        Raises:
            LimitReached: A limit ended it.
        """
        for values in seen:
            self._exclude(values)
        origin, known = self._reduced.origin, self._reduced.known
        number = {original: var for var, original in enumerate(origin) if var}
        assumed = []
        for lit in lits:
            if var := number.get(abs(lit)):
                assumed.append(var if lit > 0 else -var)
            elif bool(known[abs(lit)]) != (lit > 0):
                return Answer.UNSAT
        answer = self._oracle.solve(assumed, budget, self._watch)
        if answer is Answer.SAT:
            return self._reduced.lift(self._oracle.values())
        if answer is Answer.UNKNOWN and self._watch.reason():
            raise self._watch.limit()
        return answer

    @property
    def num_conflicts(self) -> int:
        """Number of conflicts of the first worker so far."""
        return int(self._oracle.statistics().get("conflicts", 0))

    def narrow(self) -> None:
        """Add new deductions of the board to an engine of clauses, as unit clauses."""
        board, shape, num_open = self._task.board, self._task.shape, self._task.num_open()
        is_on_board = self._backend.open_on_board is not None  # such an engine reads the board
        if is_on_board or board is None or shape is None or num_open == self._num_narrowed:
            return
        self._num_narrowed = num_open
        cells = board.cells()
        planes = [board.plane(value) for value in range(1 + shape.num_colours)]
        for var, original in enumerate(self._reduced.origin[1:], start=1):
            cell, colour = shape.place(original)
            if cells[cell] == colour:
                self._add([var])
            elif not planes[colour][cell]:
                self._add([-var])

    def end(self) -> None:
        """Count all cells as decided, in the stages, after another engine has ended the search."""
        self._decided = self._num_open

    def stages(self) -> list[Stage]:
        """Return the stages since the opening: beliefs, then search or solving."""
        members, phases, counts = self._workers(), self._first.phases, Counter[str]()
        for member in members:
            counts.update(member.oracle.statistics())
        beliefs = [phases.stage()] if phases and phases.num_given else []
        name = self._name if self._backend.on_board else "solve"
        threads = {"threads": len(members)} if len(members) > 1 else {}
        detail = {"engine": self._name, **threads, **counts}
        seconds = max(member.oracle.seconds for member in members)
        return [*beliefs, Stage(name, seconds, self._decided, detail)]

    def close(self) -> None:
        """Free the engine, or the team."""
        self._oracle.close()
        for twin in self._team.members if self._team else ():
            twin.oracle.close()
