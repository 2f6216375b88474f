"""Processes that do a sequence of pieces of work, and are replaced after any failure.

A `Work` defines the treatment of pieces, and the kind of process. A `ToolProcess` does tasks, each
a sequence of pieces, in one such process, on which it enforces limits from outside: a process that
exceeds them is killed, the outcome of its piece is the error, and a new process does the rest. A
piece whose process died is tried again, up to a number of deaths. A process that cannot even be
started is the fault of the machine, not of a piece: after three tries it is an error.

Invariant: every piece of a task has one outcome, in the order of the pieces, unless the tool is
closed. Polling a process costs 20 microseconds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from nonosat.core import hooks
from nonosat.core.errors import BackendError, LimitReached, NonosatError, counted
from nonosat.core.limits import MEMORY, TIME, Limits, Watch, original_limit
from nonosat.processes.child import Child
from nonosat.processes.copies import can_copy
from nonosat.processes.memory import resident_mib
from nonosat.processes.waiting import readable

MOST_STARTS = 3  # consecutive failed starts
START_S = 120.0  # for a process to become ready
TALK_S = 30.0  # for an idle process to accept work, or to finish a message


class StepStarted:
    """Message that a process sends instead of an outcome: it begins a step of a large piece."""


class Process(Protocol):
    """A process that does pieces, and can be killed at any moment."""

    pid: int

    def fileno(self) -> int:
        """Return the descriptor to poll: readable if there is an outcome or the process died."""

    def doom(self) -> None:
        """Begin to end the process, so that several die in parallel; `kill` must follow."""

    def kill(self) -> None:
        """Kill the process and wait for its end."""


_Piece = TypeVar("_Piece")
_Process = TypeVar("_Process", bound=Process)


class Work(ABC, Generic[_Piece, _Process]):
    """Definition of work on pieces; can be pickled, and two instances for the same work are equal.

    Attributes:
        name: Name of its processes, in messages.
        most_deaths: Number of deaths after which a piece is given up.
        takes_all: True to send a process all unfinished pieces of a task, False for one at a time.
        has_steps: True if pieces consist of steps; limits then hold from the first `StepStarted`
            on.
        grace_s: Seconds that a process has to notice a limit by itself before it is killed.
    """

    name: ClassVar[str] = "workers"
    most_deaths: ClassVar[int] = 2
    takes_all: ClassVar[bool] = False
    has_steps: ClassVar[bool] = False
    grace_s: ClassVar[float] = 0.0

    def limits(self, piece: _Piece) -> Limits:
        """Return the limits of a piece."""
        del piece
        return Limits()

    def rest(self, piece: _Piece, error: NonosatError, seconds: float) -> _Piece | None:
        """Return the undone part of a piece with steps whose process has ended.

        None if the piece must not be continued.

        Args:
            piece: The piece.
            error: LimitReached if the process was killed for a limit, else the reason for its
                death.
            seconds: Seconds since the step was begun.
        """
        del piece, error, seconds
        return None

    def share(self, process: _Process, num_cores: int) -> None:
        """Set the number of cores that a running process may use, with its share of idle ones."""
        del process, num_cores

    def advice(self) -> str:
        """Return advice for an error: where to report that a process of this work does not start.

        "" if its code belongs to nonosat.
        """
        return ""

    @abstractmethod
    def start(self) -> _Process:
        """Start a process; `take` receives its message that it is ready."""

    @abstractmethod
    def give(self, process: _Process, pieces: Sequence[_Piece]) -> None:
        """Send pieces to a process; raise NonosatError if it is dead."""

    @abstractmethod
    def take(self, process: _Process) -> tuple[Any, bool]:
        """Return the next outcome, or a `StepStarted`, and True if the process must be replaced.

        Raises:
            NonosatError: The process is dead, or cannot be used any more.
        """

    @abstractmethod
    def ended(self, error: NonosatError, seconds: float) -> Any:
        """Return the outcome of a piece whose process was killed or died.

        Args:
            error: LimitReached if the process was killed for a limit, else the reason for its
                death.
            seconds: Seconds since the piece was begun.
        """


class ToolProcess(Generic[_Piece]):
    """A process that does one task at a time, and is replaced when it dies or must be killed.

    Args:
        work: The work; the process is started at the first use.
    """

    def __init__(self, work: Work[_Piece, Any]) -> None:
        self._work = work
        self._process: Process | None = None
        self._is_ready = False
        self._left: deque[tuple[int, _Piece]] = deque()  # with their indices in the task
        self._num_given = 0  # number of these sent to the process
        self._num_cores = 1  # cores that it may use
        self._num_deaths = 0  # deaths of processes at the first piece
        self._num_failed_starts = 0
        self._since = 0.0  # start of the first piece, at the earliest, or of the process
        self._is_begun = False  # True if the limits of the first piece hold
        self._over_since: float | None = None  # time of the first excess of memory

    @property
    def is_done(self) -> bool:
        """True if every piece of the task has had its outcome."""
        return not self._left

    def begin(self, pieces: Sequence[_Piece]) -> None:
        """Begin a task; the previous one must be done."""
        assert pieces, "a task has something to do"
        self._left.extend(enumerate(pieces))
        self._num_deaths, self._num_cores = 0, 1
        if self._process is None:
            self._start()
        else:
            self._give(self._process)

    def fileno(self) -> int:
        """Return the descriptor to poll; negative if there is none."""
        return -1 if self._process is None else self._process.fileno()

    def wait(self, patience_s: float) -> list[tuple[int, Any]]:
        """Wait for outcomes, up to `patience_s`, and return them as `outcomes` does."""
        return self.outcomes(bool(readable([self], patience_s)))

    def outcomes(self, is_readable: bool) -> list[tuple[int, Any]]:
        """Return the outcomes that have arrived as (index of the piece, outcome); usually 0 or 1.

        Args:
            is_readable: True if `fileno` is readable.

        Raises:
            BackendError: Processes cannot be started.
        """
        process = self._process
        if process is None:  # it could not be started
            self._start()
            return []
        if not is_readable:
            return self._judged(process)
        try:
            outcome, is_last = self._work.take(process)
        except NonosatError as error:
            return self._buried(error)
        if not self._is_ready:
            self._is_ready, self._num_failed_starts = True, 0
            self._give(process)
            return []
        if isinstance(outcome, StepStarted):
            self._is_begun, self._num_deaths = True, 0
            self._since, self._over_since = hooks.clock(), None
            return []
        place, _ = self._left.popleft()
        self._num_deaths, self._num_given = 0, self._num_given - 1
        self._since, self._over_since = hooks.clock(), None
        if is_last:
            self._replace()
        elif self._left and not self._num_given:
            self._give(process)
        return [(place, outcome)]

    def share(self, num_cores: int) -> None:
        """Set the number of cores of the running task, until it is done."""
        self._num_cores = num_cores
        if self._process is not None and self._is_ready:
            self._work.share(self._process, num_cores)

    def doom(self) -> None:
        """Begin to end the process; `close` must follow."""
        if self._process is not None:
            self._process.doom()

    def close(self) -> None:
        """Kill the process; a tool closed in the middle of a task cannot be used again."""
        process, self._process, self._is_ready = self._process, None, False
        if process is not None:
            process.kill()

    def _start(self) -> None:
        self._since = hooks.clock()
        try:
            self._process = self._work.start()
        except NonosatError as error:
            self._failed_start(error)

    def _failed_start(self, error: NonosatError) -> None:
        self._num_failed_starts += 1
        if self._num_failed_starts >= MOST_STARTS:
            if isinstance(error, BackendError):
                raise self._useless(str(error.args[0]), error.advice)
            raise self._useless(str(error))

    def _useless(self, why: str, advice: str = "") -> BackendError:
        what = f"{self._work.name} cannot be started: {why}"
        return BackendError(what, advice=advice or self._work.advice())

    def _give(self, process: Process) -> None:
        """Send unfinished pieces to an idle process."""
        self._num_given = len(self._left) if self._work.takes_all else 1
        self._is_begun = not self._work.has_steps
        self._since, self._over_since = hooks.clock(), None
        self._work.share(process, self._num_cores)
        pieces = tuple(piece for _, piece in islice(self._left, self._num_given))
        try:
            self._work.give(process, pieces)
        except NonosatError:  # it died while idle, which is not a piece's fault
            self._replace()

    def _replace(self) -> None:
        self.close()
        if self._left:
            self._start()

    def _buried(self, error: NonosatError) -> list[tuple[int, Any]]:
        """Replace a dead process, and repeat its piece, or give the piece up after too many deaths.

        Returns:
            The piece that is given up as (index, outcome); usually none.
        """
        if not self._is_ready:
            self._failed_start(error)
        elif not self._keeps_rest(error):
            self._num_deaths += 1
            if self._num_deaths == self._work.most_deaths:
                times = counted(self._num_deaths, "time")
                return self._given_up(BackendError(f"{error}, {times}"))
        self._replace()
        return []

    def _judged(self, process: Process) -> list[tuple[int, Any]]:
        """End the process if its current piece has exceeded its limits.

        Returns:
            The piece as (index, outcome); none if it is within its limits, or its rest is tried.
        """
        now = hooks.clock()
        if not self._is_ready:
            if now - self._since > START_S:
                raise self._useless(f"one was not ready after {START_S:g} s")
            return []
        if not self._left:
            return []
        if not self._is_begun:
            late = now - self._since > START_S
            return self._buried(BackendError(f"nothing begun after {START_S:g} s")) if late else []
        _, piece = self._left[0]
        limits, grace_s = self._work.limits(piece), self._work.grace_s
        if limits.time_s is not None and now - self._since > limits.time_s + grace_s:
            return self._given_up(
                LimitReached(f"time limit of {original_limit(limits.time_s):g} s", kind=TIME)
            )
        most = limits.memory_mib
        if most is None or (used := resident_mib(process.pid)) <= most:
            self._over_since = None
            return []
        self._over_since = self._over_since or now
        if now - self._over_since >= grace_s or used > 2 * most:
            return self._given_up(LimitReached(f"memory limit of {most} MiB", kind=MEMORY))
        return []

    def _given_up(self, error: NonosatError) -> list[tuple[int, Any]]:
        """Replace the process, and give up the current piece, or only its current step.

        Returns:
            The piece as (index, outcome); none if its rest goes on.
        """
        if self._keeps_rest(error):
            self._replace()
            return []
        place, _ = self._left.popleft()
        outcome = self._work.ended(error, hooks.clock() - self._since)
        self._num_deaths = 0
        self._replace()
        return [(place, outcome)]

    def _keeps_rest(self, error: NonosatError) -> bool:
        """Replace the current piece by its undone part, if it has one; return True if it has."""
        if not self._is_begun:
            return False
        place, piece = self._left[0]
        rest = self._work.rest(piece, error, hooks.clock() - self._since)
        if rest is not None:
            self._left[0] = (place, rest)
        return rest is not None


@dataclass(frozen=True, slots=True)
class Call:
    """A piece: a function of a module, called in another interpreter.

    Args:
        function: Importable by its name; its value is not a generator.
        arguments: Arguments, which can be pickled, as can the value.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def start_child(label: str, first: Call, serve: Callable[[Any], None] | None = None) -> Child:
    """Start a child process with a call, after which it is ready.

    Args:
        label: Name of the process in messages.
        first: The call.
        serve: `worker.serve`, or a function that calls it: the child is a copy of this process that
            runs it, if this process can be copied; None for a fresh interpreter.
    """
    child = Child(serve if can_copy() else None)
    child.label = label
    give_call(child, first)
    return child


def give_call(child: Child, call: Call) -> None:
    """Send a call to an idle child; an iterator has an outcome for each of its items."""
    child.begin(("call", call.function, call.arguments), Watch(Limits(TALK_S)))


@dataclass(frozen=True, slots=True)
class Calls(Work[Call, Child]):
    """Work whose pieces are calls; a NonosatError that one raises is its outcome.

    Args:
        memory_limit_mib: Limit of resident memory for the process of a call; one that exceeds it is
            killed, and the outcome is LimitReached.
        serve: See `start_child`; None for work that is sent to a cluster.
    """

    memory_limit_mib: int | None = None
    serve: Callable[[Any], None] | None = None

    def limits(self, piece: Call) -> Limits:
        del piece
        return Limits(memory_mib=self.memory_limit_mib)

    def start(self) -> Child:
        return start_child("the process that works on a part", Call(int, ()), self.serve)

    def give(self, process: Child, pieces: Sequence[Call]) -> None:
        (call,) = pieces
        give_call(process, call)

    def take(self, process: Child) -> tuple[Any, bool]:
        try:
            return process.finish(Watch(Limits(TALK_S))), False
        except NonosatError as error:
            if process.is_alive:
                return error, False
            raise

    def ended(self, error: NonosatError, seconds: float) -> NonosatError:
        del seconds
        return error
