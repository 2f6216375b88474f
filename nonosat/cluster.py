"""Batches of puzzles on the machines of a Dask cluster, or on a cluster of this machine alone.

A batch is a task. Dask cannot stop a task, and its worker falls silent while an engine holds
Python's lock; hence a task only looks after a process that does the work and is killed when a
limit is hit or the task is no longer wanted: cancelled, or its driver gone. That process is kept
for the next task of its Dask worker, and ends with that worker or when it has rested for a second.

Invariant: an answer is given for what has arrived here alone, and once. A batch whose Dask worker
died is submitted again, for each death once; after the third its puzzles are recorded as `crash`.

Source: Matthew Rocklin, "Dask: Parallel Computation with Blocked algorithms and Task Scheduling"
(SciPy 2015), and the documentation of distributed for what it does with dead workers.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

from nonosat.deciding import Asked, Record, end_data
from nonosat.errors import BackendError, NonosatError, UnsupportedError
from nonosat.executors import Answer, Batch, LocalExecutor
from nonosat.limits import LOOK_EVERY_S
from nonosat.versions import versions

LOCAL = "local:"
CONNECT_S = 5.0  # to reach the scheduler
MOST_GREETING = 2**20  # bytes of a scheduler's first message; it has some hundred
FETCH_S = 1.0  # to fetch a result; one whose worker has just died is not there yet
CLOSE_S = 5.0
REST_S = 1.0  # after which a process without a task ends
MOST_DEATHS = 3  # of Dask workers at one batch


def num_local(address: str) -> int | None:
    """The N of `local:N`; None for the address of a scheduler.

    Raises:
        UnsupportedError: It is neither.
    """
    if not address.startswith(LOCAL):
        return None
    number = address.removeprefix(LOCAL)
    if not (number.isascii() and number.isdigit() and 0 < int(number) < 10**6):
        raise UnsupportedError(
            f"a cluster {address!r}, expected local:N with N processes, or the address of a "
            "Dask scheduler (HOST:PORT)"
        )
    return int(number)


class ClusterExecutor:
    """Workers of a Dask cluster, each with the processes that `LocalExecutor` has.

    Args:
        address: Of the scheduler, or `local:N`: N processes of this machine, ended by `close`.
        asked: What is wanted of every puzzle.

    Raises:
        UnsupportedError: Dask is not installed, there is no such cluster, it has no workers, or
            they have other versions than this process.
    """

    def __init__(self, address: str, asked: Asked) -> None:
        self._address = address
        self._asked = asked
        self._tasks: dict[int, _Task] = {}
        with ExitStack() as opened:
            self._client = _connect(address, opened)
            self.num_workers = _checked_workers(self._client, address)
            self._opened = opened.pop_all()

    def submit(self, batch: Batch) -> None:
        """See `Executor`."""
        self._tasks[batch.number] = _Task(batch, self._begin(batch))

    def answers(self, patience_s: float) -> list[Answer]:
        """See `Executor`; those of a batch come together."""
        end = monotonic() + patience_s
        while True:
            tasks = [task for task in self._tasks.values() if task.future.status != "pending"]
            found = [answer for task in tasks for answer in self._collect(task)]
            if self._client.status not in ("running", "newly-created"):
                raise self._gone()
            if found or monotonic() >= end:
                return found
            sleep(min(LOOK_EVERY_S, max(0.0, end - monotonic())))

    def cancel(self) -> None:
        """See `Executor`."""
        futures = [task.future for task in self._tasks.values()]
        self._tasks.clear()
        if futures and self._client.status == "running":
            self._client.cancel(futures, force=True, msg="no longer wanted")

    def close(self) -> None:
        """See `Executor`."""
        try:
            self.cancel()
        finally:
            self._opened.close()

    def _begin(self, batch: Batch) -> Any:
        return self._client.submit(_work, self._asked, batch, pure=False, retries=0)

    def _gone(self) -> BackendError:
        return BackendError(f"the cluster {self._address} has gone away")

    def _collect(self, task: _Task) -> list[Answer]:
        """The answers of a task that has ended in some way; none where it is to be done again."""
        from distributed import KilledWorker

        number, status = task.batch.number, task.future.status
        if status == "finished":
            try:
                records: list[tuple[int, Record]] = task.future.result(timeout=FETCH_S)
            except TimeoutError:
                return []
        elif status == "error":
            error = task.future.exception(timeout=FETCH_S)
            if isinstance(error, NonosatError):
                raise error
            if not isinstance(error, KilledWorker):
                raise BackendError(f"a task of the cluster failed: {type(error).__name__}: {error}")
            task.deaths += 1
            if task.deaths < MOST_DEATHS:
                task.future = self._begin(task.batch)
                return []
            reason = f"the cluster's worker died, {task.deaths} times"
            record = end_data("crash", reason, monotonic() - task.since)
            records = [(index, record) for index in range(len(task.batch.puzzles))]
        else:
            raise self._gone()
        del self._tasks[number]
        return [Answer(number, index, record) for index, record in records]


@dataclass(slots=True)
class _Task:
    """A batch that is at work somewhere, and how many workers have died of it."""

    batch: Batch
    future: Any
    deaths: int = 0
    since: float = 0.0

    def __post_init__(self) -> None:
        self.since = monotonic()


# Connecting


def _connect(address: str, opened: ExitStack) -> Any:
    """A client; `opened` closes it, and the cluster if it is ours."""
    try:
        from distributed import Client
    except ImportError:
        raise UnsupportedError(
            "--cluster needs the package distributed, which is not installed; "
            "pip install 'nonosat[cluster]' installs it"
        ) from None
    opened.enter_context(_quiet())
    number = num_local(address)
    if number is None:
        _greet(address)
    place = address if number is None else opened.enter_context(_own_cluster(number))
    try:
        client = Client(place, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise _nobody(address, str(error)) from None
    opened.callback(client.close, timeout=CLOSE_S)
    return client


def _greet(address: str) -> None:
    """Make sure that a scheduler listens there: it speaks first, a number of bytes in 64 bits.

    Dask's own client waits for ever for a server of something else, and lingers after a failure.
    """
    import socket

    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("", "tcp", "tls") or not host or not port.isdecimal():
        raise _nobody(address, "this is no address")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT_S) as connection:
            if scheme == "tls":
                return
            greeting = connection.makefile("rb").read(8)
    except (OSError, OverflowError) as error:
        raise _nobody(address, str(error)) from None
    if len(greeting) < 8 or int.from_bytes(greeting, "little") > MOST_GREETING:
        raise _nobody(address, "something else does")


def _nobody(address: str, what: str) -> UnsupportedError:
    return UnsupportedError(
        f"no Dask scheduler answers at {address!r} ({what.partition(chr(10))[0]}); expected "
        "HOST:PORT as `dask scheduler` prints it when it starts, or local:N"
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """What Dask logs of workers that come and go is not the user's business: answers tell it."""
    log = logging.getLogger("distributed")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        log.setLevel(before)


@contextmanager
def _own_cluster(number: int) -> Iterator[Any]:
    """So many processes with one thread each; a task whose worker died is left to us."""
    from tempfile import TemporaryDirectory

    import dask
    from distributed import LocalCluster

    with (
        TemporaryDirectory(prefix="nonosat-", ignore_cleanup_errors=True) as folder,
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
    ):
        with _deaf_to_ctrl_c():
            cluster = LocalCluster(
                n_workers=number,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # limits are those of the puzzles
                dashboard_address=None,
                # There is a server of pages nevertheless: any port, or two clusters want the same.
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                local_directory=folder,
                silence_logs=logging.CRITICAL + 1,
            )
        with cluster:
            yield cluster


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Threads started here, and all processes that these ever start, never get SIGINT.

    A terminal sends it to the workers too, but it is for the driver alone to decide what ends.
    """
    import signal
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would, later on, let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _checked_workers(client: Any, address: str) -> int:
    """How many tasks run at once, on workers that give the answers that this process would."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise UnsupportedError(
            f"the cluster {address} has no workers; start some with `dask worker {address}`"
        )
    ours = versions()
    for worker, theirs in client.run(versions, on_error="return").items():
        if theirs != ours:
            raise UnsupportedError(
                f"the cluster's worker {worker} has {_told(theirs)}, expected {_told(ours)} as "
                "here; install the same there"
            )
    return sum(worker["nthreads"] for worker in workers.values())


def _told(found: dict[str, str] | Exception) -> str:
    if isinstance(found, Exception):
        return f"no nonosat ({type(found).__name__}: {found})"
    return ", ".join(f"{name} {version}" for name, version in found.items())


# On a Dask worker


class _Unwanted(Exception):  # noqa: N818  # nobody sees it
    """The task that raises it has been cancelled."""


def _work(asked: Asked, batch: Batch) -> list[tuple[int, Record]]:
    """The task: index and record of every puzzle."""
    is_wanted = _wanted()
    found: list[Answer] = []
    executor = _resting.take(asked)
    try:
        executor.submit(batch)
        while len(found) < len(batch.puzzles):
            found += executor.answers(LOOK_EVERY_S)
            if not is_wanted():
                raise _Unwanted
    except BaseException:
        executor.close()
        raise
    _resting.put(asked, executor)
    return [(answer.index, answer.record) for answer in found]


def _wanted() -> Callable[[], bool]:
    """Tells whether the task that calls this is still wanted.

    A worker marks a task as cancelled when the scheduler has no use for it any more, whether its
    driver said so or is gone.
    """
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return is_wanted


class _Resting:
    """Executors that wait for the next task of this process, each for a short time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: list[tuple[Asked, LocalExecutor]] = []

    def take(self, asked: Asked) -> LocalExecutor:
        """One that was put here, or a new one."""
        with self._lock:
            for place, (question, _) in enumerate(self._found):
                if question == asked:
                    return self._found.pop(place)[1]
        return LocalExecutor(1, asked)

    def put(self, asked: Asked, executor: LocalExecutor) -> None:
        """Keep one for the next task; it is closed if there is none for REST_S."""
        entry = (asked, executor)
        with self._lock:
            self._found.append(entry)
        timer = threading.Timer(REST_S, self._end, [entry])
        timer.daemon = True
        timer.start()

    def _end(self, entry: tuple[Asked, LocalExecutor]) -> None:
        with self._lock:
            is_resting = any(each is entry for each in self._found)
            self._found = [each for each in self._found if each is not entry]
        if is_resting:
            entry[1].close()


_resting = _Resting()
