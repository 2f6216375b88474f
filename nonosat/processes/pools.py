"""Independent tasks, several at a time: the interface, and tasks that are calls of functions here.

A `Work` says what kind of process does tasks; it opens `Tool`s, each of which does one task at a
time in processes that can be killed at any moment. A `Pool` hands tasks out: `LocalPool` to tools
of this process, `cluster.ClusterPool` to the workers of a Dask cluster. Invariant: every task has
one outcome, unless it is cancelled; what is cancelled has ended within a second.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

from nonosat.errors import BackendError, LimitReached, NonosatError
from nonosat.limits import LOOK_EVERY_S, Limits, Watch
from nonosat.processes.child import Child
from nonosat.processes.memory import resident_mib
from nonosat.processes.waiting import readable

MOST_DEATHS = 2  # of processes at one call, or at one puzzle of a batch
TALK_S = 30.0  # for a process at rest to take what it is to do, or to finish a sentence
_T = TypeVar("_T", contravariant=True)


class WorkerDiedError(BackendError):
    """The worker of a cluster that did a task has died, again and again."""


@dataclass(frozen=True, slots=True)
class Done:
    """A task that has come to an end.

    Args:
        number: The task's.
        outcome: Of its tool; the error in its place: LimitReached, WorkerDiedError, BackendError
            where a process below the tool died, or the NonosatError that the task itself raised.
        host: Address of that of the cluster's worker; "" without a cluster.
    """

    number: int
    outcome: Any
    host: str = ""


class Tool(Protocol[_T]):
    """Does one task at a time, in processes of its own."""

    def begin(self, task: _T) -> None:
        """Begin a task; the one before has come to its end."""

    def wait(self, patience_s: float) -> Any | None:
        """The task's outcome, once it is there, after waiting for it at most so long."""

    def close(self) -> None:
        """End all processes at once; a tool that is closed is not used again."""


class LocalTool(Tool[_T], Protocol[_T]):
    """One that can be waited for beside others."""

    def fileno(self) -> int:
        """What to poll: readable when `wait` has something to do; -1 when it has already."""


class Work(Protocol[_T]):
    """What is done with tasks; equal to all that do the same, and can be pickled."""

    def open(self) -> Tool[_T]:
        """Something that does it."""


class LocalWork(Work[_T], Protocol[_T]):
    """Work for `LocalPool`."""

    def open(self) -> LocalTool[_T]:
        """Something that does it."""


class Pool(Protocol[_T]):
    """Where tasks are done.

    Attributes:
        num_workers: Tasks that are done at once; more may be submitted, and wait.
    """

    num_workers: int

    def submit(self, number: int, task: _T) -> None:
        """Take a task; its number differs from those of all others under way. Never waits."""

    def done(self, patience_s: float) -> list[Done]:
        """Tasks that have come to an end since the last call, after waiting for one so long.

        Raises:
            BackendError: There is nobody left to do tasks.
        """

    def on_hosts(self, function: Callable[[], Any]) -> dict[str, Any]:
        """What a quick function returns on each host of a cluster, by address; else nothing."""

    def cancel(self) -> None:
        """Forget all tasks and end what is at work on them, within a second."""

    def close(self) -> None:
        """Cancel, and free everything; the pool cannot be used any more."""


class LocalPool(Generic[_T]):
    """Tools of this process.

    Args:
        num_workers: How many, opened when they are first needed.
        work: What they do.
    """

    def __init__(self, num_workers: int, work: LocalWork[_T]) -> None:
        self.num_workers = num_workers
        self._work = work
        self._queue: deque[tuple[int, _T]] = deque()
        self._at_work: list[tuple[int, LocalTool[_T]]] = []
        self._at_rest: list[LocalTool[_T]] = []

    def submit(self, number: int, task: _T) -> None:
        """See `Pool`."""
        self._queue.append((number, task))
        self._hand_out()

    def done(self, patience_s: float) -> list[Done]:
        """See `Pool`."""
        end = monotonic() + patience_s
        while True:
            wait = min(LOOK_EVERY_S, max(0.0, end - monotonic()))
            readable((tool for _, tool in self._at_work), wait)
            found = [done for each in list(self._at_work) for done in self._look(*each)]
            self._hand_out()
            if found or monotonic() >= end:
                return found

    def on_hosts(self, function: Callable[[], Any]) -> dict[str, Any]:
        """See `Pool`."""
        del function
        return {}

    def cancel(self) -> None:
        """See `Pool`."""
        self._queue.clear()
        while self._at_work:
            self._at_work.pop()[1].close()

    def close(self) -> None:
        """See `Pool`."""
        self.cancel()
        while self._at_rest:
            self._at_rest.pop().close()

    def _hand_out(self) -> None:
        while self._queue and len(self._at_work) < self.num_workers:
            number, task = self._queue.popleft()
            tool = self._at_rest.pop() if self._at_rest else self._work.open()
            self._at_work.append((number, tool))
            tool.begin(task)

    def _look(self, number: int, tool: LocalTool[_T]) -> list[Done]:
        outcome = tool.wait(0.0)
        if outcome is None:
            return []
        self._at_work.remove((number, tool))
        self._at_rest.append(tool)
        return [Done(number, outcome)]


@dataclass(frozen=True, slots=True)
class Call:
    """A task: a function of a module, called in another interpreter.

    Args:
        function: Found there by its name; neither a generator nor None is what it returns.
        arguments: Can be pickled, as what it returns.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Calls:
    """Work whose tasks are calls.

    Args:
        memory_limit_mib: Resident memory of the process that does a call; one that uses more is
            killed, and the outcome is LimitReached.
    """

    memory_limit_mib: int | None = None

    def open(self) -> Caller:
        """A process that does calls."""
        return Caller(self.memory_limit_mib)


class Caller:
    """A process that does one call after another; a call with which it dies is done again once.

    Args:
        memory_limit_mib: See `Calls`.
    """

    def __init__(self, memory_limit_mib: int | None) -> None:
        self._most_mib = memory_limit_mib
        self._call: Call | None = None
        self._child: Child | None = None
        self._deaths = 0
        self._failure: NonosatError | None = None

    def begin(self, task: Call) -> None:
        """See `Tool`."""
        self._call, self._deaths, self._failure = task, 0, None
        self._start()

    def fileno(self) -> int:
        """See `LocalTool`."""
        return -1 if self._child is None else self._child.fileno()

    def wait(self, patience_s: float) -> Any | None:
        """See `Tool`."""
        if self._failure is not None or self._child is None:
            return self._failure
        if not readable([self._child], patience_s):
            return self._judged(self._child)
        try:
            return self._child.finish(Watch(Limits(TALK_S)))
        except NonosatError as error:
            if self._child.is_alive:
                return error
            self._bury(error)
            return self._failure

    def close(self) -> None:
        """See `Tool`."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()

    def _start(self) -> None:
        assert self._call is not None
        if self._child is None or not self._child.is_fit():
            self.close()
            self._child = Child()
            self._child.label = "the process that works on a part"
        message = ("call", self._call.function, self._call.arguments)
        try:
            self._child.begin(message, Watch(Limits(TALK_S)))
        except NonosatError as error:
            self._bury(error)

    def _bury(self, error: NonosatError) -> None:
        """The process has died: the call is done again, or given up."""
        self.close()
        self._deaths += 1
        if self._deaths < MOST_DEATHS:
            self._start()
        else:
            self._failure = error

    def _judged(self, child: Child) -> LimitReached | None:
        """End a process that uses too much memory."""
        if self._most_mib is None or resident_mib(child.pid) <= self._most_mib:
            return None
        self.close()
        return LimitReached(f"memory limit of {self._most_mib} MiB")
