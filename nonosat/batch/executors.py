"""Where batches of puzzles are worked on: the interface, and the processes of this machine.

A batch goes to one worker, a separate interpreter, which answers puzzle by puzzle. Limits hold
whatever the worker is doing: one that overruns is killed, its puzzle recorded, and the rest of the
batch done by a new worker. A puzzle whose worker died is tried once more; if that dies as well, the
record says `crash`. Invariant: every puzzle of every batch gets exactly one answer, unless the
work is cancelled. The driver has one thread; looking at a worker costs 20 microseconds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, Protocol

from nonosat.batch.deciding import Asked, decide_here, end_data
from nonosat.errors import BackendError, NonosatError, counted
from nonosat.limits import LOOK_EVERY_S, Limits, Watch
from nonosat.processes.child import Child
from nonosat.processes.memory import resident_mib
from nonosat.processes.pools import MOST_DEATHS, TALK_S
from nonosat.processes.waiting import readable

GRACE_S = 1.0  # for the worker to notice a limit by itself
MOST_STARTS = 3  # of workers that die before they are ready, one after the other


@dataclass(frozen=True, slots=True)
class Batch:
    """Puzzles that go to a worker together; can be pickled.

    Args:
        number: Different for every batch of an executor.
        puzzles: At least one.
    """

    number: int
    puzzles: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one puzzle.

    Args:
        batch: Number of its batch.
        index: Its place there.
        record: JSON data, as `nonosat.batch.deciding.decide` makes them.
    """

    batch: int
    index: int
    record: dict[str, Any]


class Executor(Protocol):
    """Works on batches, several at a time.

    Attributes:
        num_workers: Batches that are worked on at once; twice as many should be submitted.
    """

    num_workers: int

    def submit(self, batch: Batch) -> None:
        """Take a batch; never waits."""

    def answers(self, patience_s: float) -> list[Answer]:
        """Answers that have arrived since the last call, after waiting for one at most so long.

        Those of a batch may come one by one or all at once, in any order, each once.

        Raises:
            BackendError: No worker can be started.
        """

    def cancel(self) -> None:
        """Forget all batches and end what is at work on them, within a second."""

    def close(self) -> None:
        """Cancel, and free everything; the executor cannot be used any more."""


@dataclass(slots=True)
class _Load:
    """What is left of a batch, and how many workers have died of its first puzzle."""

    batch: Batch
    left: deque[int]
    deaths: int = 0


@dataclass(slots=True)
class _Worker:
    """A worker; without a load it is at rest, or not yet ready."""

    child: Child
    is_ready: bool = False
    load: _Load | None = None
    since: float = field(default_factory=monotonic)  # when its puzzle was begun, at the earliest
    over_since: float | None = None  # when it was first seen to use too much memory


class LocalExecutor:
    """Worker processes of this machine.

    Args:
        num_workers: How many.
        asked: What is wanted of every puzzle.

    Raises:
        UnsupportedError: Memory is limited, and nothing here can read how much is used.
    """

    def __init__(self, num_workers: int, asked: Asked) -> None:
        self.num_workers = num_workers
        self._asked = asked
        options = asked.options
        self._limits = Limits(options.time_limit_s, options.memory_limit_mib)
        self._workers: list[_Worker] = []
        self._queue: deque[_Load] = deque()
        self._failed_starts = 0

    def submit(self, batch: Batch) -> None:
        """See `Executor`."""
        self._queue.append(_Load(batch, deque(range(len(batch.puzzles)))))
        self._hand_out()

    def answers(self, patience_s: float) -> list[Answer]:
        """See `Executor`."""
        end = monotonic() + patience_s
        found: list[Answer] = []
        while True:
            self._hand_out()
            wait = min(LOOK_EVERY_S, max(0.0, end - monotonic()))
            ready = readable((worker.child for worker in self._workers), wait)
            for worker in list(self._workers):
                if worker.child.fileno() in ready:
                    found += self._hear(worker)
                elif worker.load is not None:
                    found += self._judge(worker, worker.load)
            if found or monotonic() >= end:
                return found

    def cancel(self) -> None:
        """See `Executor`."""
        self._queue.clear()
        for worker in self._workers:
            worker.child.doom()
        for worker in self._workers:
            worker.child.kill()
        self._workers.clear()

    def close(self) -> None:
        """See `Executor`."""
        self.cancel()

    # Workers

    def _hand_out(self) -> None:
        """Give every worker at rest a batch, and start workers while there is more to do."""
        for worker in list(self._workers):
            if self._queue and worker.is_ready and worker.load is None:
                self._give(worker, self._queue.popleft())
        num_idle = sum(worker.load is None for worker in self._workers)
        missing = min(self.num_workers - len(self._workers), len(self._queue) - num_idle)
        for _ in range(missing):
            self._start()

    def _start(self) -> None:
        """A worker that solves a small puzzle first: what it imports is not charged to another."""
        child = Child()
        child.label = "a worker process"
        warm_up = Asked(self._asked.question, replace(self._asked.options, presolve="none"))
        try:
            child.begin(("call", decide_here, (warm_up, (_small_puzzle(),))), Watch(Limits(TALK_S)))
        except NonosatError as error:
            self._failed_start(str(error))
        else:
            self._workers.append(_Worker(child))

    def _failed_start(self, reason: str) -> None:
        self._failed_starts += 1
        if self._failed_starts >= MOST_STARTS:
            raise BackendError(f"workers cannot be started: {reason}")

    def _give(self, worker: _Worker, load: _Load) -> None:
        worker.load, worker.since, worker.over_since = load, monotonic(), None
        puzzles = tuple(load.batch.puzzles[index] for index in load.left)
        try:
            worker.child.begin(("call", decide_here, (self._asked, puzzles)), Watch(Limits(TALK_S)))
        except NonosatError:  # it died while it was at rest, which is no puzzle's fault
            self._dismiss(worker)

    def _dismiss(self, worker: _Worker) -> None:
        """End a worker; what it has left to do goes to the next that is free."""
        worker.child.kill()
        self._workers.remove(worker)
        load, worker.load = worker.load, None
        if load is not None and load.left:
            self._queue.appendleft(load)

    # Answers

    def _hear(self, worker: _Worker) -> list[Answer]:
        """One answer of a worker, or what its death means."""
        load = worker.load
        try:
            record, is_last = worker.child.finish(Watch(Limits(TALK_S)))
        except NonosatError as error:
            return self._bury(worker, str(error))
        self._failed_starts = 0
        if load is None:
            worker.is_ready = True
            return []
        answer = Answer(load.batch.number, load.left.popleft(), record)
        load.deaths, worker.since, worker.over_since = 0, monotonic(), None
        if is_last:
            self._dismiss(worker)
        elif not load.left:
            worker.load = None
            self._hand_out()
        return [answer]

    def _bury(self, worker: _Worker, reason: str) -> list[Answer]:
        """A worker has died: its puzzle is tried again, or given up as a crash."""
        load = worker.load
        if load is None:
            self._dismiss(worker)
            if not worker.is_ready:
                self._failed_start(reason)
            return []
        load.deaths += 1
        if load.deaths < MOST_DEATHS:
            self._dismiss(worker)
            return []
        return self._give_up(worker, load, "crash", f"{reason}, {counted(load.deaths, 'time')}")

    def _judge(self, worker: _Worker, load: _Load) -> list[Answer]:
        """End a worker whose puzzle has overrun its limits and does not notice."""
        now = monotonic()
        seconds, most = self._limits.time_s, self._limits.memory_mib
        if seconds is not None and now - worker.since > seconds + GRACE_S:
            return self._give_up(worker, load, "timeout", f"time limit of {seconds:g} s")
        if most is None or resident_mib(worker.child.pid) <= most:
            worker.over_since = None
            return []
        worker.over_since = worker.over_since or now
        if now - worker.over_since > GRACE_S or resident_mib(worker.child.pid) > 2 * most:
            return self._give_up(worker, load, "memout", f"memory limit of {most} MiB")
        return []

    def _give_up(self, worker: _Worker, load: _Load, status: str, reason: str) -> list[Answer]:
        """The first puzzle left has the worker's end for an answer."""
        index = load.left.popleft()
        seconds = monotonic() - worker.since
        record = end_data(status, reason, seconds)
        load.deaths = 0
        self._dismiss(worker)
        return [Answer(load.batch.number, index, record)]


def _small_puzzle() -> Any:
    from nonosat.model import Block
    from nonosat.puzzles.nonogram.data import Nonogram

    return Nonogram(rows=((Block(1),),), columns=((Block(1),),))
