"""Portfolio of engines in child processes: the first answer wins, the others are killed.

`portfolio:A,B,...` names the engines; with the suffix "+hints" a member receives phases, and if no
member has it all receive them. The winner stays alive and keeps its learnt clauses: in the next
solve it has a head start, after which the others are reopened with all clauses so far. Many
solutions that one engine finds fast therefore cost no process each.

Invariants: after `solve` ends for any reason, no child is running, and except after a budget at
most the winner's is alive. A member that fails loses; it is an error only if all fail. The memory
limit holds for the sum of the children. The clauses are also stored here, four bytes a literal.
Source: C. P. Gomes, B. Selman, Algorithm portfolios, Artificial Intelligence 126, 2001.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from nonosat.backends._remote import RemoteEngine
from nonosat.clauses.sinks import Batching
from nonosat.core import hooks, plugins
from nonosat.core.errors import BackendError, LimitReached, NonosatError, UnsupportedError, shown
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, Backend, Engine
from nonosat.processes.child import Child
from nonosat.processes.waiting import readable

DEFAULT = "minisat-gh+hints,glucose421"
HEAD_START_S = 0.1  # head start of the last winner; about the cost of a new child
_HINTS = "+hints"


def with_argument(argument: str) -> Backend:
    """Return the backend for the members in `argument`, which it names as `portfolio:A,B+hints`.

    Raises:
        UnsupportedError: There are fewer than two members, a member takes no clauses, or one is
            repeated.
    """
    labels = _labels(argument)
    racers = [name for name, one in sorted(plugins.names("backends").items()) if one.takes_clauses]
    for label in labels:
        if label.removesuffix(_HINTS) not in racers:
            raise UnsupportedError(
                f"portfolio has the member {shown(label)}, expected engines that take clauses, "
                f"with or without {_HINTS!r} after them: {', '.join(racers)}"
            )
        if labels.count(label) > 1:
            raise UnsupportedError(f"portfolio has the member {label!r} twice, expected it once")
    if len(labels) < 2:
        raise UnsupportedError(
            f"portfolio has the one member {argument!r}, expected at least two; "
            f"use just {argument!r}, or {argument},OTHER"
        )
    return _backend(labels)


def _backend(labels: Sequence[str]) -> Backend:
    is_led = any(label.endswith(_HINTS) for label in labels)
    return Backend(
        summary="engines race in child processes, as in portfolio:cadical195,glucose421+hints; "
        f"by default {DEFAULT}",
        with_argument=with_argument,
        needs="python-sat",
        open_engine=open_engine,
        in_process=True,  # it ends its children when it is interrupted
        hints="beliefs" if is_led else "none",
    )


def _labels(argument: str) -> list[str]:
    """Return the members as the user named them, without spaces around the commas."""
    return [label.strip() for label in argument.split(",")]


def _members_of(name: str) -> list[str]:
    """Return the members of a portfolio, given its whole name."""
    _, colon, argument = name.partition(":")
    return _labels(argument if colon else DEFAULT)


class _Racer:
    """One engine of the portfolio, and the clauses that it has received.

    Attributes:
        label: Name as the user wrote it.
        engine: None while it has no child.
    """

    def __init__(self, label: str, num_vars: int, seed: int, options: Mapping[str, str]) -> None:
        self.label = label
        self.engine: RemoteEngine | None = None
        self._name = label.removesuffix(_HINTS)
        self._num_model_vars = num_vars
        self._seed = seed
        self._options = options
        self._num_vars = self._num_batches = 0
        self._suggested: Sequence[int] = ()

    @property
    def is_named_for_hints(self) -> bool:
        return self.label.endswith(_HINTS)

    @property
    def child(self) -> Child | None:
        return self.engine.child if self.engine else None

    def open(self, watch: Watch) -> None:
        """Start the child if there is none; it has no clauses yet."""
        if self.engine is None:
            self._num_vars = self._num_model_vars
            self._num_batches = 0
            self._suggested = ()
            self.engine = RemoteEngine(self._name, self._num_vars, self._seed, self._options, watch)
        if self.engine.child:
            watch.together.add(self.engine.child.pid)

    def update(self, num_vars: int, batches: Sequence[array[int]], lits: Sequence[int]) -> None:
        """Send the variables, clauses and phases that it has not received yet."""
        assert self.engine is not None, "it has been opened"
        if num_vars > self._num_vars:
            self.engine.new_vars(num_vars - self._num_vars)
            self._num_vars = num_vars
        for batch in batches[self._num_batches :]:
            self.engine.add_batch(batch)
        self._num_batches = len(batches)
        if lits and lits is not self._suggested:
            is_able = self.engine.set_phases(lits)
            if not is_able and self.is_named_for_hints and self.child:
                raise UnsupportedError(f"{self._name} takes no hints; leave out {_HINTS!r}")
            self._suggested = lits

    def begin(self, assumptions: Sequence[int], watch: Watch, budget: int | None) -> None:
        assert self.engine is not None, "it has been opened"
        self.engine.begin(assumptions, watch, budget)

    def finish(self, watch: Watch) -> Answer:
        assert self.engine is not None, "it has begun"
        return self.engine.finish(watch)


class _Race:
    """One solve by all members.

    Args:
        members: The members; those with an engine get a head start.
        start: Function that sends a member its clauses and starts its solve.
        watch: Limits; that of memory holds for the sum of the children.
        is_stopped: Function that returns True after an interruption.

    Attributes:
        winner: The first member with an answer, if there was one.
        survivors: Members whose children stay alive: the winner, or all whose budget ended.
        failures: Why members lost, by label.
    """

    def __init__(
        self,
        members: Iterable[_Racer],
        start: Callable[[_Racer], None],
        watch: Watch,
        is_stopped: Callable[[], bool],
    ) -> None:
        self.winner: _Racer | None = None
        self.survivors: list[_Racer] = []
        self.failures: dict[str, NonosatError] = {}
        self._members = list(members)
        self._running: list[_Racer] = []
        self._start = start
        self._watch = watch
        self._is_stopped = is_stopped

    def run(self) -> Answer:
        """Return the first answer; UNKNOWN if there is none.

        Raises:
            BackendError: Every member failed.
        """
        early = [member for member in self._members if member.engine]
        late = [member for member in self._members if not member.engine]
        late_at = hooks.clock() + HEAD_START_S if early else 0.0
        self._admit(early)
        done: list[_Racer] = []
        while self._running or late:
            if late and (not self._running or hooks.clock() >= late_at):
                self._admit(late)
                late = []
            if self._is_over():
                return Answer.UNKNOWN
            for member in self._ready(late_at if late else None):
                self._running.remove(member)
                answer = self._finish(member)
                if answer in (Answer.SAT, Answer.UNSAT):
                    self.winner = member
                    self.survivors = [member]
                    return answer
                done += [member] if answer else []
        if not done and not self._is_over():
            raise self._lost()
        self.survivors = done
        return Answer.UNKNOWN

    def _lost(self) -> BackendError:
        """Return the error with all members' failures, and each advice once."""
        text, advices = [], []
        for label, error in self.failures.items():
            advice = error.advice if isinstance(error, BackendError) else ""
            text.append(f"{label}: {str(error).removesuffix(f'; {advice}')}")
            advices.append(advice)
        advice = "; ".join(filter(None, dict.fromkeys(advices))) if all(advices) else ""
        return BackendError(
            f"every member of the portfolio failed: {'; '.join(text)}", advice=advice
        )

    def _admit(self, members: Iterable[_Racer]) -> None:
        """Start the members: first the children of all of them, then the solve of each."""
        for step in (lambda member: member.open(self._watch), self._start):
            for member in members:
                if member.label in self.failures:
                    continue
                try:
                    step(member)
                except NonosatError as error:
                    self.failures[member.label] = error
        self._running += [member for member in members if member.label not in self.failures]

    def _is_over(self) -> bool:
        """Return True if an interruption or a limit ends the race without a winner."""
        pids = (member.child.pid for member in self._running if member.child)
        return self._is_stopped() or self._watch.reason(next(pids, None)) is not None

    def _ready(self, late_at: float | None) -> Iterator[_Racer]:
        """Wait briefly, and return the members that have answered or died.

        Args:
            late_at: Time of the clock after which members without a head start join the race; the
                wait ends then. None if all have joined.
        """
        at_work = {member.child: member for member in self._running if member.child is not None}
        wait_s = self._watch.step_s()
        if late_at is not None:
            wait_s = min(wait_s, max(0.0, late_at - hooks.clock()))
        ready = readable(at_work, wait_s)
        return (member for child, member in at_work.items() if child.fileno() in ready)

    def _finish(self, member: _Racer) -> Answer | None:
        """Return a member's answer; None if it failed."""
        try:
            return member.finish(self._watch)
        except NonosatError as error:
            self.failures[member.label] = error
            return None


class PortfolioEngine(Batching, Engine):
    """Several engines with the same clauses.

    Args:
        labels: The members, as in `portfolio:A,B+hints` after the colon.
        num_vars: Variables of the model.
        seed: Random seed, for engines that take one.
        options: Options of the members' modules.
    """

    label = "portfolio"

    def __init__(
        self, labels: Sequence[str], num_vars: int, seed: int, options: Mapping[str, str]
    ) -> None:
        super().__init__(num_vars)
        self._members = [_Racer(label, num_vars, seed, options) for label in labels]
        self._batches: list[array[int]] = []
        self._suggested: Sequence[int] = ()
        self._values = b""
        self._counters: dict[str, int] = {}
        self._events: Counter[str] = Counter()
        self._is_stopped = False

    def set_phases(self, lits: Sequence[int]) -> bool:
        """Set phases for the members that receive hints.

        Returns:
            True. The phases are sent with the next `solve`; a member that was named for hints and
            does not support phases fails then.
        """
        self._suggested = list(lits)
        return True

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Return the first answer; UNKNOWN if a limit, `interrupt` or all budgets ended it.

        Raises:
            BackendError: Every member failed; the message has all reasons.
        """
        self._values = b""
        self._flush()
        is_for_all = not any(member.is_named_for_hints for member in self._members)

        def start(member: _Racer) -> None:
            hints = self._suggested if is_for_all or member.is_named_for_hints else ()
            member.update(self.num_vars, self._batches, hints)
            member.begin(assumptions, watch, budget)

        race = _Race(self._members, start, watch, lambda: self._is_stopped)
        try:
            answer = race.run()
            self._record(race)
            return answer
        except LimitReached:
            return Answer.UNKNOWN
        finally:
            self._end(member for member in self._members if member not in race.survivors)
            watch.together.clear()
            self._is_stopped = False

    def values(self) -> bytes:
        return self._values

    def statistics(self) -> dict[str, int]:
        """Return each member's wins and failures, and the counters of the last winner."""
        return {**self._events, **self._counters}

    def interrupt(self) -> None:
        """End the running `solve`, or else the next one."""
        self._is_stopped = True

    def close(self) -> None:
        """End or release every child."""
        for member in self._members:
            if member.engine:
                member.engine.close()
                member.engine = None

    def _flush(self) -> None:
        """Append the pending clauses to the stored batches, which members receive later."""
        if self.num_clauses:
            self._batches.append(self.take())

    def _record(self, race: _Race) -> None:
        """Store the winner's values and statistics after a race."""
        for label in race.failures:
            self._events[f"failed_{label}"] += 1
        if race.winner and race.winner.engine:
            self._events[f"won_{race.winner.label}"] += 1
            self._values = race.winner.engine.values()
            self._counters = race.winner.engine.statistics()

    def _end(self, members: Iterable[_Racer]) -> None:
        ended = list(members)
        children = [member.child for member in ended if member.child]
        for child in children:
            child.doom()
        for child in children:
            child.kill()
        for member in ended:
            member.engine = None


def open_engine(name: str, num_vars: int, seed: int, options: Mapping[str, str]) -> PortfolioEngine:
    """Return a fresh portfolio; its children start with the first `solve`."""
    return PortfolioEngine(_members_of(name), num_vars, seed, options)


PLUGIN = _backend(_labels(DEFAULT))
