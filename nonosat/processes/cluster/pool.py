"""A pool whose tools are on the workers of a Dask cluster.

Invariant: only outcomes that have arrived here are returned, each once. A task whose Dask worker
died is submitted again, once for each death; after the fourth its pieces become separate tasks. A
piece that still kills workers has the error as its outcome, unless it is a large one: then the rest
of it is done. A task that the scheduler has lost is submitted again as well.

Source: Matthew Rocklin, "Dask: Parallel Computation with Blocked algorithms and Task Scheduling"
(SciPy 2015), and the documentation of distributed on dead workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from time import sleep
from typing import Any, Generic, TypeVar

from distributed import KilledWorker

from nonosat.core import hooks
from nonosat.core.errors import BackendError, NonosatError, counted
from nonosat.core.limits import POLL_EVERY_S
from nonosat.core.versions import versions
from nonosat.processes.cluster import at_work, num_local
from nonosat.processes.cluster.connecting import OpenCluster
from nonosat.processes.pools import FinishedPiece
from nonosat.processes.tools import Work

FETCH_S = 1.0  # to fetch a result at first; that of a dead worker is lost
MOST_FETCH_S = 30.0
ATTEND_EVERY_S = 5.0  # between updates of the number of workers
ABANDONED_S = 120.0  # without any worker
MOST_DEATHS = 4  # deaths at one task; two workers killed at random can easily have the same one
# Raised while a result is fetched that is late, or that its worker loses meanwhile. The last one is
# Dask's if its own task is cancelled: `distributed.utils.sync` does not catch asyncio's error.
_NOT_FETCHED = (TimeoutError, CancelledError, UnboundLocalError)
_Piece = TypeVar("_Piece")


class ClusterPool(Generic[_Piece]):
    """Workers of a Dask cluster, with a tool for each of their threads.

    Args:
        address: Address of a cluster that is opened and closed with this pool, or an `OpenCluster`.
        work: Work on the pieces of tasks.

    Raises:
        UnsupportedError: The cluster cannot be used: see `OpenCluster`.
    """

    def __init__(self, address: str, work: Work[_Piece, Any]) -> None:
        self._is_shared = isinstance(address, OpenCluster)
        self._cluster = address if isinstance(address, OpenCluster) else OpenCluster(address)
        self._client = self._cluster.client
        self.num_workers = self._cluster.num_workers
        self._work = work
        self._tasks: list[_Task] = []
        self._manned = hooks.clock()  # time when there was a worker
        self._next_attendance = self._manned + ATTEND_EVERY_S

    def submit(self, number: int, pieces: Sequence[_Piece]) -> None:
        """See `Pool`."""
        if not self._tasks:
            self._manned = hooks.clock()
        self._tasks.append(_Task(number, 0, pieces, self._begin(pieces)))

    def no_more(self) -> None:
        """See `Pool`; without effect, because a puzzle cannot use the cores of another machine."""

    def done(self, patience_s: float) -> list[FinishedPiece]:
        """See `Pool`."""
        end = hooks.clock() + patience_s
        while True:
            self._cluster.interrupts.check()
            ended = [task for task in self._tasks if task.future.status != "pending"]
            found = [done for task in ended for done in self._collect(task)]
            if self._client.status not in ("running", "newly-created"):
                raise self._gone()
            if found or hooks.clock() >= end:
                return found
            if hooks.clock() >= self._next_attendance:
                self._attend()
            sleep(min(POLL_EVERY_S, max(0.0, end - hooks.clock())))

    def on_hosts(self, function: Callable[[], Any]) -> dict[str, Any]:
        """See `Pool`; hosts that do not answer are left out."""
        found = self._client.run(function, on_error="return")
        return {
            at_work.host_of(address): value
            for address, value in found.items()
            if not isinstance(value, Exception)
        }

    def cancel(self) -> None:
        """See `Pool`."""
        self._cluster.interrupts.forget()
        futures = [task.future for task in self._tasks]
        self._tasks.clear()
        if futures and self._client.status == "running":
            self._client.cancel(futures, force=True, msg="no longer needed")

    def close(self) -> None:
        """See `Pool`."""
        try:
            self.cancel()
        finally:
            if not self._is_shared:
                self._cluster.close()

    def _begin(self, pieces: Sequence[_Piece]) -> Any:
        requested = (versions(), self._work, pieces)
        return self._client.submit(at_work.do, *requested, pure=False, retries=0)

    def _attend(self) -> None:
        """Replace workers that died during their start; raise if there are none for long.

        Dask itself does not replace these.
        """
        if (number := num_local(self._cluster)) is not None:
            self._client.cluster.scale(number)
        try:
            workers = self._client.scheduler_info()["workers"]
        except (OSError, TimeoutError):
            raise self._gone() from None
        now = hooks.clock()
        if workers:
            self._manned = now
        if now - self._manned > ABANDONED_S:
            raise BackendError(
                f"the cluster {self._cluster} has had no workers for {ABANDONED_S:g} s; start some"
            )
        self._next_attendance = now + ATTEND_EVERY_S

    def _gone(self) -> BackendError:
        return BackendError(f"the cluster {self._cluster} has gone away")

    def _collect(self, task: _Task) -> list[FinishedPiece]:
        """Return the pieces of a finished task; none if it must be repeated."""
        status = task.future.status
        if status == "finished":
            try:
                host, outcomes = task.future.result(timeout=task.fetch_s)
            except TimeoutError:  # a busy machine may take longer to connect to the worker
                task.fetch_s = min(2 * task.fetch_s, MOST_FETCH_S)
                return []
            except _NOT_FETCHED:
                return []
            return self._ended(task, outcomes, host)
        if status == "error":
            error = task.future.exception(timeout=FETCH_S)
            if isinstance(error, KilledWorker):
                return self._bury(task)
            if isinstance(error, NonosatError):
                raise error
            raise BackendError(f"a task of the cluster failed: {type(error).__name__}: {error}")
        if status == "lost":
            return []  # its worker died before the outcomes were fetched: Dask repeats it
        if self._client.status != "running":
            raise self._gone()
        task.future = self._begin(task.pieces)  # lost there, or cancelled by another client
        return []

    def _ended(self, task: _Task, outcomes: Sequence[Any], host: str) -> list[FinishedPiece]:
        self._tasks.remove(task)
        places = range(task.first, task.first + len(task.pieces))
        return [
            FinishedPiece(task.number, *each, host) for each in zip(places, outcomes, strict=True)
        ]

    def _bury(self, task: _Task) -> list[FinishedPiece]:
        """Submit a task whose worker has died again; after the fourth death each piece by itself.

        Returns:
            A piece that is given up, with the error as its outcome; usually none.
        """
        task.deaths += 1
        if task.deaths < MOST_DEATHS:
            task.future = self._begin(task.pieces)
            return []
        if len(task.pieces) == 1:
            error = BackendError(f"the cluster's worker died, {counted(task.deaths, 'time')}")
            seconds = hooks.clock() - task.since
            if (rest := self._work.rest(task.pieces[0], error, seconds)) is None:
                return self._ended(task, [self._work.ended(error, seconds)], "")
            task.pieces, task.deaths = [rest], 0
            task.future = self._begin(task.pieces)
            return []
        self._tasks.remove(task)
        for place, piece in enumerate(task.pieces, task.first):
            self._tasks.append(_Task(task.number, place, [piece], self._begin([piece])))
        return []


@dataclass(slots=True, eq=False)
class _Task:
    """Pieces that were submitted together.

    Args:
        number: Number of the task in which the pieces were submitted.
        first: Index of the first piece in that task; the others follow.
        pieces: The pieces.
        future: Dask's future.
        deaths: Number of workers that died.
        fetch_s: Time limit of the next attempt to fetch the result.
        since: Time of the submission.
    """

    number: int
    first: int
    pieces: Sequence[Any]
    future: Any
    deaths: int = 0
    fetch_s: float = FETCH_S
    since: float = field(default_factory=lambda: hooks.clock())
