"""Processes that do one piece of work after the other, whatever becomes of them.

A `Work` says what is done with pieces, and by what kind of process. A `Tool` does tasks, each a
sequence of pieces, in one such process, which it holds to limits from outside: a process that
overruns is killed, its piece has that end for an outcome, and a new process does the rest. A piece
whose process died is tried again; the processes that it may cost are counted. A process that cannot
even be started is nobody's fault but the machine's: after three tries it is an error.

Invariant: every piece of a task has one outcome, in the order of the pieces, unless the tool is
closed. Looking at a process costs 20 microseconds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from nonosat.core.errors import BackendError, LimitReached, NonosatError, counted
from nonosat.core.limits import MEMORY, TIME, Limits, Watch, as_asked
from nonosat.processes.child import Child
from nonosat.processes.memory import resident_mib
from nonosat.processes.waiting import readable

MOST_STARTS = 3  # that fail, one after the other
START_S = 120.0  # for a process to become ready
TALK_S = 30.0  # for a process at rest to take what it is to do, or to finish a sentence


class Step:
    """In the place of an outcome: a step of a large piece begins."""


class Process(Protocol):
    """A process that does pieces, and can be killed at any moment."""

    pid: int

    def fileno(self) -> int:
        """What to poll: readable when it has something to say, or is dead."""

    def doom(self) -> None:
        """Begin to end it, so that several die side by side; `kill` is to follow."""

    def kill(self) -> None:
        """End it at once."""


_Piece = TypeVar("_Piece")
_Process = TypeVar("_Process", bound=Process)


class Work(ABC, Generic[_Piece, _Process]):
    """What is done with pieces; equal to all that do the same, and can be pickled.

    Attributes:
        name: Of its processes, in messages.
        most_deaths: Of processes at one piece.
        takes_all: Whether a process is given all that is left of a task, or piece after piece.
        has_steps: Whether pieces are large ones; limits hold from the first `Step` on.
        grace_s: For a process to notice a limit by itself.
    """

    name: ClassVar[str] = "workers"
    most_deaths: ClassVar[int] = 2
    takes_all: ClassVar[bool] = False
    has_steps: ClassVar[bool] = False
    grace_s: ClassVar[float] = 0.0

    def limits(self, piece: _Piece) -> Limits:
        """What a piece may use."""
        del piece
        return Limits()

    def rest(self, piece: _Piece, error: NonosatError, seconds: float) -> _Piece | None:
        """What is left of a large piece when its process has ended; None for others.

        Args:
            piece: What it was.
            error: LimitReached where a process was killed for that, else how it died.
            seconds: Since the step was begun.
        """
        del piece, error, seconds
        return None

    def share(self, process: _Process, num_cores: int) -> None:
        """Let a process at work use so many cores, as others have nothing to do any more."""
        del process, num_cores

    def advice(self) -> str:
        """To whom to tell that its processes do not start; "" where that may be our fault."""
        return ""

    @abstractmethod
    def start(self) -> _Process:
        """A new process, which will say when it is ready: `take` is called for that."""

    @abstractmethod
    def give(self, process: _Process, pieces: Sequence[_Piece]) -> None:
        """Let a process do pieces. Raises NonosatError where it is dead."""

    @abstractmethod
    def take(self, process: _Process) -> tuple[Any, bool]:
        """The next outcome, or a `Step`, and whether the process has to be replaced after it.

        Raises:
            NonosatError: It is dead, or of no use any more.
        """

    @abstractmethod
    def ended(self, error: NonosatError, seconds: float) -> Any:
        """The outcome of a piece that has not come to one.

        Args:
            error: LimitReached where a process was killed for that, else how processes died.
            seconds: Since the piece was begun.
        """


class Tool(Generic[_Piece]):
    """Does one task at a time.

    Args:
        work: What is done; the process is started when it is first needed.
    """

    def __init__(self, work: Work[_Piece, Any]) -> None:
        self._work = work
        self._process: Process | None = None
        self._is_ready = False
        self._left: deque[tuple[int, _Piece]] = deque()  # with their places in the task
        self._num_given = 0  # of these, to the process
        self._num_cores = 1  # that it may use
        self._num_deaths = 0  # of processes at the first of these
        self._num_failed_starts = 0
        self._since = 0.0  # when the first was begun, at the earliest, or the process started
        self._is_begun = False  # the first, so that its limits hold
        self._over_since: float | None = None  # when too much memory was first seen to be used

    @property
    def is_done(self) -> bool:
        """Whether every piece of the task has had its outcome."""
        return not self._left

    def begin(self, pieces: Sequence[_Piece]) -> None:
        """Begin a task; the one before is done."""
        assert pieces, "a task has something to do"
        self._left.extend(enumerate(pieces))
        self._num_deaths, self._num_cores = 0, 1
        if self._process is None:
            self._start()
        else:
            self._give(self._process)

    def fileno(self) -> int:
        """What to poll; negative where there is nothing to wait for."""
        return -1 if self._process is None else self._process.fileno()

    def wait(self, patience_s: float) -> list[tuple[int, Any]]:
        """What `look` finds after waiting for it at most so long."""
        return self.look(bool(readable([self], patience_s)))

    def look(self, is_readable: bool) -> list[tuple[int, Any]]:
        """Outcomes that have come, by the place of the piece; most often one or none.

        Args:
            is_readable: Whether `fileno` is.

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
        if isinstance(outcome, Step):
            self._is_begun, self._num_deaths = True, 0
            self._since, self._over_since = monotonic(), None
            return []
        place, _ = self._left.popleft()
        self._num_deaths, self._num_given = 0, self._num_given - 1
        self._since, self._over_since = monotonic(), None
        if is_last:
            self._replace()
        elif self._left and not self._num_given:
            self._give(process)
        return [(place, outcome)]

    def share(self, num_cores: int) -> None:
        """Let the task that is at work use so many cores, until it is done."""
        self._num_cores = num_cores
        if self._process is not None and self._is_ready:
            self._work.share(self._process, num_cores)

    def doom(self) -> None:
        """Begin to end the process; `close` is to follow."""
        if self._process is not None:
            self._process.doom()

    def close(self) -> None:
        """End the process at once; a tool that is closed in the middle of a task is done with."""
        process, self._process, self._is_ready = self._process, None, False
        if process is not None:
            process.kill()

    def _start(self) -> None:
        self._since = monotonic()
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
        """Let a process that is at rest do what is left."""
        self._num_given = len(self._left) if self._work.takes_all else 1
        self._is_begun = not self._work.has_steps
        self._since, self._over_since = monotonic(), None
        self._work.share(process, self._num_cores)
        pieces = tuple(piece for _, piece in islice(self._left, self._num_given))
        try:
            self._work.give(process, pieces)
        except NonosatError:  # it died while it was at rest, which is no piece's fault
            self._replace()

    def _replace(self) -> None:
        self.close()
        if self._left:
            self._start()

    def _buried(self, error: NonosatError) -> list[tuple[int, Any]]:
        """The process has died: its piece is tried again, or given up."""
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
        """End a process whose piece has overrun its limits and does not notice."""
        now = monotonic()
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
                LimitReached(f"time limit of {as_asked(limits.time_s):g} s", kind=TIME)
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
        """The first piece left, or a step of it, ends with its process."""
        if self._keeps_rest(error):
            self._replace()
            return []
        place, _ = self._left.popleft()
        outcome = self._work.ended(error, monotonic() - self._since)
        self._num_deaths = 0
        self._replace()
        return [(place, outcome)]

    def _keeps_rest(self, error: NonosatError) -> bool:
        """Whether something is left of the first piece, a large one, which is done next."""
        if not self._is_begun:
            return False
        place, piece = self._left[0]
        rest = self._work.rest(piece, error, monotonic() - self._since)
        if rest is not None:
            self._left[0] = (place, rest)
        return rest is not None


@dataclass(frozen=True, slots=True)
class Call:
    """A piece: a function of a module, called in another interpreter.

    Args:
        function: Found there by its name; what it returns is no generator.
        arguments: Can be pickled, as what it returns.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def start_child(label: str, first: Call) -> Child:
    """A child process with a call to do, after which it is ready.

    Args:
        label: What the process is, for messages.
        first: The call.
    """
    child = Child()
    child.label = label
    give_call(child, first)
    return child


def give_call(child: Child, call: Call) -> None:
    """Let a child at rest do a call; an iterator has an outcome for each of its items."""
    child.begin(("call", call.function, call.arguments), Watch(Limits(TALK_S)))


@dataclass(frozen=True, slots=True)
class Calls(Work[Call, Child]):
    """Work whose pieces are calls; the outcome of one that raises a NonosatError is that error.

    Args:
        memory_limit_mib: Resident memory of the process that does a call; one that uses more is
            killed, and the outcome is LimitReached.
    """

    memory_limit_mib: int | None = None

    def limits(self, piece: Call) -> Limits:
        del piece
        return Limits(memory_mib=self.memory_limit_mib)

    def start(self) -> Child:
        return start_child("the process that works on a part", Call(int, ()))

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
