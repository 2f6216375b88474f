"""A pool whose tools are on the workers of a Dask cluster.

Invariant: an outcome is given for what has arrived here alone, and once. A task whose Dask worker
died is submitted again, for each death once; after the fourth its outcome is WorkerDiedError. One
that the scheduler knows no more is submitted again as well.

Source: Matthew Rocklin, "Dask: Parallel Computation with Blocked algorithms and Task Scheduling"
(SciPy 2015), and the documentation of distributed for what it does with dead workers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

from nonosat.errors import BackendError, NonosatError, counted
from nonosat.limits import LOOK_EVERY_S
from nonosat.processes.cluster import at_work
from nonosat.processes.cluster.connecting import num_local
from nonosat.processes.cluster.opened import OpenCluster
from nonosat.processes.pools import Done, Work, WorkerDiedError
from nonosat.versions import versions

FETCH_S = 1.0  # to fetch a result; one whose worker has just died is not there yet
ATTEND_EVERY_S = 5.0  # to the number of workers
ABANDONED_S = 120.0  # without any worker
MOST_DEATHS = 4  # of Dask workers at one task; two killed at random can well hit the same twice
_T = TypeVar("_T")


class ClusterPool(Generic[_T]):
    """Workers of a Dask cluster, each with a tool for each of its threads.

    Args:
        address: Of a cluster that is opened for this pool and closed with it, or an `OpenCluster`.
        work: What is done with the tasks.

    Raises:
        UnsupportedError: There is no such cluster, or it is of no use: see `OpenCluster`.
    """

    def __init__(self, address: str, work: Work[_T]) -> None:
        self._is_shared = isinstance(address, OpenCluster)
        self._cluster = address if isinstance(address, OpenCluster) else OpenCluster(address)
        self._client = self._cluster.client
        self.num_workers = self._cluster.num_workers
        self._work = work
        self._tasks: dict[int, _Task] = {}
        self._manned = monotonic()  # when there was a worker
        self._next_attendance = self._manned + ATTEND_EVERY_S

    def submit(self, number: int, task: _T) -> None:
        """See `Pool`."""
        if not self._tasks:
            self._manned = monotonic()
        self._tasks[number] = _Task(task, self._begin(task))

    def done(self, patience_s: float) -> list[Done]:
        """See `Pool`."""
        end = monotonic() + patience_s
        while True:
            self._cluster.interrupts.check()
            ended = [pair for pair in self._tasks.items() if pair[1].future.status != "pending"]
            found = [done for number, task in ended for done in self._collect(number, task)]
            if self._client.status not in ("running", "newly-created"):
                raise self._gone()
            if found or monotonic() >= end:
                return found
            if monotonic() >= self._next_attendance:
                self._attend()
            sleep(min(LOOK_EVERY_S, max(0.0, end - monotonic())))

    def on_hosts(self, function: Callable[[], Any]) -> dict[str, Any]:
        """See `Pool`; of a host that does not answer there is nothing."""
        found = self._client.run(function, on_error="return")
        return {
            at_work.host_of(address): value
            for address, value in found.items()
            if not isinstance(value, Exception)
        }

    def cancel(self) -> None:
        """See `Pool`."""
        self._cluster.interrupts.forget()
        futures = [task.future for task in self._tasks.values()]
        self._tasks.clear()
        if futures and self._client.status == "running":
            self._client.cancel(futures, force=True, msg="no longer wanted")

    def close(self) -> None:
        """See `Pool`."""
        try:
            self.cancel()
        finally:
            if not self._is_shared:
                self._cluster.close()

    def _begin(self, task: _T) -> Any:
        return self._client.submit(at_work.do, versions(), self._work, task, pure=False, retries=0)

    def _attend(self) -> None:
        """See to it that there are workers: Dask gives one up that dies while it starts."""
        if (number := num_local(self._cluster)) is not None:
            self._client.cluster.scale(number)
        try:
            workers = self._client.scheduler_info()["workers"]
        except (OSError, TimeoutError):
            raise self._gone() from None
        now = monotonic()
        if workers:
            self._manned = now
        if now - self._manned > ABANDONED_S:
            raise BackendError(
                f"the cluster {self._cluster} has had no workers for {ABANDONED_S:g} s; start some"
            )
        self._next_attendance = now + ATTEND_EVERY_S

    def _gone(self) -> BackendError:
        return BackendError(f"the cluster {self._cluster} has gone away")

    def _collect(self, number: int, task: _Task) -> list[Done]:
        """The end of a task that is no longer pending; nothing where it is to be done again."""
        from distributed import KilledWorker

        status = task.future.status
        if status == "finished":
            try:
                host, outcome = task.future.result(timeout=FETCH_S)
            except TimeoutError:
                return []
        elif status == "error":
            host, outcome = "", task.future.exception(timeout=FETCH_S)
            if isinstance(outcome, KilledWorker):
                task.deaths += 1
                if task.deaths < MOST_DEATHS:
                    task.future = self._begin(task.task)
                    return []
                outcome = WorkerDiedError(
                    f"the cluster's worker died, {counted(task.deaths, 'time')}"
                )
            elif not isinstance(outcome, NonosatError):
                what = f"{type(outcome).__name__}: {outcome}"
                raise BackendError(f"a task of the cluster failed: {what}")
        elif status == "lost":
            return []  # its worker died before the outcome was fetched: Dask does it again
        elif self._client.status == "running":  # forgotten there, or cancelled by others
            task.future = self._begin(task.task)
            return []
        else:
            raise self._gone()
        del self._tasks[number]
        return [Done(number, outcome, host)]


@dataclass(slots=True)
class _Task:
    """A task that is at work somewhere, and how many workers have died of it."""

    task: Any
    future: Any
    deaths: int = 0
