"""One engine, or a team of them in threads, for the cells that presolve left open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from time import perf_counter
from typing import Any

from nonosat.board.beliefs import MAX_SEED
from nonosat.board.presolve import PresolvedModel
from nonosat.clauses.translate import CountingSink
from nonosat.core import plugins
from nonosat.core.answer_source import AnswerSource
from nonosat.core.limits import Watch
from nonosat.core.plugins import Exchange
from nonosat.core.result import MAX_JOBS, Options, Stage
from nonosat.processes.threads import Threads
from nonosat.solving.auto import SearchRound
from nonosat.solving.choices import Choices
from nonosat.solving.oracle import Oracle
from nonosat.solving.portfolio_worker import Course, PauseReason, PortfolioWorker

# Teams: workers that solve one model in parallel, and their scheduler.
#
# Each worker has phases from another seed, and decides in another order; they exchange learnt
# clauses. The first worker that answers UNSAT, apart from the solutions found, ends the search.
#
# Verdicts do not depend on timing: a worker's refutation follows from the clauses, and blocked
# solutions have been returned. Which solution comes first does depend on it, unless the team works
# in rounds: then each worker makes a fixed number of conflicts, or finishes, before clauses are
# delivered and solutions are collected in the order of the workers. A team may grow: a paused
# worker gets twins, which run its current turn with other seeds. Invariant: after `solutions` ends
# for any reason, no worker is running.


ROUND_CONFLICTS = 1000  # between two deliveries, for a team that works in rounds
APART = 1000  # difference between the phase seeds of two workers

_Stop = bytes | PauseReason | None  # value at which a course paused: None is its end


class Team:
    """Workers with a common schedule; a single one runs in this thread.

    Args:
        members: Workers whose engines have the same model.
        watch: Limits of all work.
        forbid: Add blocking clauses for those of the given values that are new, to all engines.
        by_rounds: True if the order of solutions must not depend on timing.
        deliver: Called after each round.
        recruit: Called with a worker that paused for growth; returns the new workers.
    """

    def __init__(
        self,
        members: Sequence[PortfolioWorker],
        watch: Watch,
        forbid: Callable[[Sequence[bytes]], None],
        by_rounds: bool = False,
        deliver: Callable[[], None] = lambda: None,
        recruit: Callable[[PortfolioWorker], Sequence[PortfolioWorker]] = lambda _: (),
    ) -> None:
        self.members = list(members)
        self._watch = watch
        self._forbid = forbid
        self._by_rounds = by_rounds
        self._deliver = deliver
        self._recruit = recruit
        self._runs: list[_WorkerState] = []

    @property
    def is_exhausted(self) -> bool:
        return any(member.is_exhausted for member in self.members)

    def solutions(
        self, turns: Iterable[SearchRound], seen: Sequence[bytes]
    ) -> Generator[bytes, None, None]:
        """Yield the values of each solution, until the turns are over or there are no more.

        An empty value, b"", is a pause. Two workers may return the same solution.

        Args:
            turns: Turns of the first worker, as for a single engine. The others run them with other
                seeds.
            seen: Solutions to exclude; read again after each solution.

        Raises:
            LimitReached: A limit ended it.
            BackendError: An engine failed.
        """
        list_, self._runs = _Turns(turns), []
        self._forbid(seen)
        with closing(Threads[int](len(self.members), self._watch)) as threads:
            orders: dict[int, SearchRound | None] = dict.fromkeys(
                self._enter(list_, 0, seen, threads)
            )
            num_at_work = 0
            while orders or num_at_work:
                num_at_work += len(orders)
                stops = self._stops(orders, num_at_work, threads)
                num_at_work -= len(stops)
                orders = {}
                for number, stop in stops.items():
                    if stop is None:
                        if self.is_exhausted:
                            return
                        continue
                    run = self._runs[number]
                    if stop is PauseReason.PAUSE:
                        yield b""
                    elif stop is PauseReason.CALLED:
                        self.members += self._recruit(self.members[number])
                        orders |= dict.fromkeys(self._enter(list_, run.place - 1, seen, threads))
                    elif isinstance(stop, bytes):
                        yield stop
                    is_alone = len(self._runs) == 1
                    orders[number] = run.next(seen, is_alone) if stop is PauseReason.TURN else None
                self._forbid(seen)
                self._deliver()

    def _enter(
        self, turns: _Turns, place: int, seen: Sequence[bytes], threads: Threads[int]
    ) -> range:
        """Start the workers without a course at a place in the list; return their numbers."""
        if len(self.members) > 1:
            threads.number = len(self.members)
            for member in self.members:
                member.watch = threads.watch
        budget = ROUND_CONFLICTS if self._by_rounds else None
        new = range(len(self._runs), len(self.members))
        for number in new:
            course = self.members[number].course(seen, budget)
            self._runs.append(_WorkerState(number, course, turns, place))
        return new

    def _stops(
        self, orders: Mapping[int, SearchRound | None], num_at_work: int, threads: Threads[int]
    ) -> dict[int, _Stop]:
        """Resume workers; return the values at which workers have paused, in their order."""
        if len(self._runs) == 1:
            return {number: self._runs[number].step(turn) for number, turn in orders.items()}
        for number, turn in orders.items():
            threads.submit(number, partial(self._runs[number].step, turn))
        num_awaited = num_at_work if self._by_rounds else 1
        return dict(sorted(threads.next() for _ in range(num_awaited)))


class _Turns:
    """A list of turns, generated on demand."""

    def __init__(self, turns: Iterable[SearchRound]) -> None:
        self._rest = iter(turns)
        self._made: list[SearchRound] = []

    def at(self, place: int) -> SearchRound | None:
        while len(self._made) <= place:
            if (turn := next(self._rest, None)) is None:
                return None
            self._made.append(turn)
        return self._made[place]


class _WorkerState:
    """A worker's progress through the turns.

    Attributes:
        place: Index of its next turn in the list.
    """

    def __init__(self, number: int, course: Course, turns: _Turns, place: int) -> None:
        self.place = place
        self._number = number
        self._course = course
        self._turns = turns

    def step(self, turn: SearchRound | None) -> _Stop:
        """Resume the course and return the value at which it pauses next."""
        try:
            return self._course.send(turn)
        except StopIteration:
            return None

    def next(self, seen: Sequence[bytes], is_alone: bool) -> SearchRound | None:
        """Return the next turn: unchanged for the first worker, with other seeds for the others.

        After the first solution, phases are of no further use. A team then skips turns with phases,
        because they may have been made before for a worker that is further ahead. Only the first
        worker searches close to that solution.
        """
        while (turn := self._turns.at(self.place)) is not None:
            self.place += 1
            is_first = self._number == 0
            if turn.is_near and not is_first:
                continue
            if turn.phases and not turn.is_near and seen and not is_alone:
                continue
            if is_first:
                return turn
            if turn.phases:
                phases = turn.phases.restarted(self._number)
                phases = replace(phases, seed=(phases.seed + self._number * APART) % (MAX_SEED + 1))
                turn = replace(turn, phases=phases)
            return replace(turn, pauses=False)
        return None


ALONE_CONFLICTS = 500  # limit of an engine before it has twins


class Session:
    """An engine, or a team of them, with the model over the open cells.

    Attributes:
        encoding: The encodings or formulations that it uses; none on the board.
        opening: The stage "encode" of opening it; none on the board.
        is_exhausted: There are no further solutions.
    """

    def __init__(
        self,
        name: str,
        task: PresolvedModel,
        options: Options,
        choices: Choices,
        watch: Watch,
    ) -> None:
        """Open the engine `name`."""
        self.encoding: Mapping[str, str] = {}
        self.is_exhausted = False
        self._name = name
        self._task = task
        self._options = options
        self._choices = choices
        self._watch = watch
        self._backend = plugins.find("backends", name)
        self.opening: list[Stage] = []
        self._num_open = self._num_narrowed = task.num_open()
        self._decided = 0
        self._oracle: Oracle
        self._exchange: Exchange | None = None  # of a team
        self._num_forbidden = 0
        self._members: list[PortfolioWorker] = []
        if self._backend.open_on_board is not None:
            task.reserve(watch)
            self._reduced = task.whole()
            engine = self._backend.open_on_board(task, {})
            self._oracle = Oracle(name, engine, self._reduced.model.num_vars, watch, choices)
            self._members = [PortfolioWorker(self._oracle, None)]
        else:
            self._open_encoded()

    def _open_encoded(self) -> None:
        """Open an engine with the model over the open cells, redundant clauses included."""
        from nonosat.board import redundant
        from nonosat.board.phases import Phases

        started = perf_counter()
        watch, requested = self._watch, self._options.redundant
        propagated = self._options.presolve != "none"
        self._reduced = reduced = self._task.reduce(watch.check, propagated=propagated)
        num_vars, seed = reduced.model.num_vars, self._options.seed
        self._oracle = oracle = Oracle.open(self._name, num_vars, watch, self._choices, seed)
        try:
            size = oracle.tell(redundant.widened(reduced.model, requested))
            more = CountingSink(oracle.engine)
            added = redundant.add_clauses(requested, self._task, reduced, more, watch.check)
        except BaseException:
            self.close()
            raise
        self.encoding = oracle.encoding
        oracle.size.include(more.size)
        detail: dict[str, Any] = {"variables": num_vars, **oracle.size.detail()}
        detail |= {"redundant": requested, **added} if requested else {}
        self.opening.append(Stage("encode", perf_counter() - started, 0, detail))
        # Beliefs about blocks are beliefs about their feasible starts.
        knows_blocks = not self._backend.formulates and "all-starts" not in requested
        encoding = self._choices.encodings["line"] if knows_blocks else None
        self._members = [PortfolioWorker(oracle, Phases(self._task, reduced, size, encoding))]

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
            turns: Turns of the engine.
            seen: Solutions to exclude; read again after each solution.

        Raises:
            LimitReached: A limit ended it.
        """
        lone = Team(self._members, self._watch, self._forbid, recruit=self._recruited)
        if self._watch.cores is not None and self._backend.has_teams:
            self._members[0].is_called = lambda: self._num_wanted() > len(self._members)
        if self._options.num_threads == 1 or not self._backend.has_teams:
            yield from self._led(lone, turns, seen)
            return
        alone, turns = _begun(iter(turns))
        if alone:
            yield from self._led(lone, alone, seen)
        if not self.is_exhausted:
            yield from self._led(self._team(self._options.num_threads), turns, seen)

    def _led(
        self, team: Team, turns: Iterable[SearchRound], seen: Sequence[bytes]
    ) -> Iterator[bytes]:
        """Yield the solutions of a team, which may have a single worker."""
        with closing(team.solutions(turns, seen)) as run:
            for own in run:
                values = own and self._reduced.lift(own)
                if values and self._exchange and values in seen:  # another worker found it first
                    continue
                if values:
                    self._decided = self._num_open
                yield values
        self.is_exhausted = team.is_exhausted
        # After the last turn another engine continues, on a board that this one may have changed.
        num_left = 0 if self.is_exhausted else self._task.num_open()
        self._decided = self._num_open - num_left

    def _team(self, size: int) -> Team:
        """Return a team of twins of the engine, each with phases of its own."""
        by_rounds = self._options.deterministic
        exchange = self._begin_team(size, is_prompt=not by_rounds)
        self._grow(self._members[0], size)
        return Team(self._members, self._watch, self._forbid, by_rounds, exchange.deliver)

    def _begin_team(self, most: int, *, is_prompt: bool) -> Exchange:
        """Make the engine the first of a team of at most `most` workers."""
        (first,) = self._members
        self._exchange = self._oracle.engine.lead(most, is_prompt=is_prompt)
        if first.phases:
            first.phases.detach()
        return self._exchange

    def _grow(self, of: PortfolioWorker, size: int) -> Sequence[PortfolioWorker]:
        """Add twins of an idle worker until the team has the size."""
        new: list[PortfolioWorker] = []
        while len(self._members) < size:
            engine = of.oracle.engine.recruit(self._exchange, len(self._members))
            new.append(of.twin(engine))
            self._members.append(new[-1])
        return new

    def _recruited(self, called: PortfolioWorker) -> Sequence[PortfolioWorker]:
        """Return the new workers for cores that have become available."""
        if self._exchange is None:
            self._begin_team(MAX_JOBS, is_prompt=True)
        new = self._grow(called, self._num_wanted())
        self._num_forbidden = 0  # the copied worker may lack some blocking clauses
        return new

    def _num_wanted(self) -> int:
        """Return the number of workers allowed now; each may grow to twice its memory."""
        num_now = len(self._members)
        wanted = 1 if self._watch.cores is None else min(self._watch.cores(), MAX_JOBS)
        return self._watch.num_affordable(wanted, num_now) if wanted > num_now else wanted

    def _add(self, clause: Sequence[int]) -> None:
        """Add a clause to the engine, or to every engine of a team."""
        if self._exchange is None:
            self._oracle.add(clause)
        else:
            self._exchange.tell(clause)

    def _forbid(self, seen: Sequence[bytes]) -> None:
        """Add blocking clauses for the solutions that have none yet."""
        model = self._reduced.model
        for values in seen[self._num_forbidden :]:
            if model.blocked_on is None:
                self._add([-lit for lit in self._reduced.restrict(values)])
            elif model.blocked_by_true:
                self._add([-lit for lit in model.blocked_on if values[lit]])
            else:
                self._add([-v if values[v] else v for v in model.blocked_on])
            self._num_forbidden += 1

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
        """Mark the cells as decided: another engine has finished the search."""
        self._decided = self._num_open

    def stages(self) -> list[Stage]:
        """Return the stages since the opening: beliefs, then search or solving."""
        first, *others = self._members
        phases, counts = first.phases, Counter(first.oracle.statistics())
        for twin in others:
            counts.update(twin.oracle.statistics())
            if phases and twin.phases:
                phases.add(twin.phases)
        beliefs = [phases.stage()] if phases and phases.num_given else []
        name = self._name if self._backend.on_board else "solve"
        threads = {"threads": len(self._members)} if others else {}
        detail = {"engine": self._name, **threads, **counts}
        seconds = max(member.oracle.seconds for member in self._members)
        return [*beliefs, Stage(name, seconds, self._decided, detail)]

    def close(self) -> None:
        """Free the engine, or the team."""
        self._oracle.close()
        for twin in self._members[1:]:
            twin.oracle.close()


def _begun(turns: Iterator[SearchRound]) -> tuple[Sequence[SearchRound], Iterator[SearchRound]]:
    """Return the turn of an engine alone, before it has twins, and the turns of the team.

    Easy puzzles are decided in that turn; a thread and a twin would cost them more than they save.
    It is left out if the first turn decimates longer than on small boards, which takes long by
    itself.
    """
    from nonosat.board import decimation

    first = next(turns)
    how = first.phases
    if isinstance(how, decimation.Settings) and how.effort > decimation.FURTHER.effort:
        return (), chain([first], turns)
    if first.budget is not None and first.budget <= ALONE_CONFLICTS:
        return (first,), turns
    return (replace(first, budget=ALONE_CONFLICTS, pauses=False),), chain([first], turns)
