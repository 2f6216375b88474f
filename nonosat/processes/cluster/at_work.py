"""Code that runs on a Dask worker.

Dask cannot stop a task, and its worker does not respond while an engine holds Python's lock. A task
therefore only supervises a `ToolProcess`, which works in a separate process and is ended when the
task is cancelled or the driver has gone. The `ToolProcess` is kept for the next task of its Dask
worker, and closed after a second of idleness; it ends with the worker, too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from distributed import get_worker
from distributed.comm import get_address_host

from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import POLL_EVERY_S
from nonosat.core.versions import versions
from nonosat.processes.tools import ToolProcess, Work

REST_S = 1.0  # idle time after which a tool is closed


class _Cancelled(Exception):  # noqa: N818  # internal
    """The task has been cancelled."""


def do(
    theirs: dict[str, str], work: Work[Any, Any], pieces: Sequence[Any]
) -> tuple[str, list[Any]]:
    """Run a task; return the host of the worker, and the outcome of each piece.

    Args:
        theirs: The driver's versions.
        work: The work.
        pieces: Pieces of the task.

    Raises:
        UnsupportedError: This worker, which has joined the cluster late, has other versions.
    """
    address = get_worker().address
    if theirs != versions():
        raise other_versions(address, versions(), theirs)
    is_running = _liveness()
    tool = _resting.take(work)
    outcomes: list[Any] = []
    try:
        tool.begin(pieces)
        while not tool.is_done:
            outcomes += [outcome for _, outcome in tool.wait(POLL_EVERY_S)]
            if not is_running():
                raise _Cancelled
    except BaseException:
        tool.close()
        raise
    _resting.put(work, tool)
    return host_of(address), outcomes


def host_of(address: str) -> str:
    """Return the host in the address of a worker."""
    return str(get_address_host(address))


def other_versions(worker: str, theirs: Any, ours: dict[str, str]) -> UnsupportedError:
    """Return the error for a worker whose versions might change answers; None if they agree.

    Args:
        worker: Address of the worker.
        theirs: Versions of the worker, or the exception that the query for them raised.
        ours: Versions of the driver.
    """
    return UnsupportedError(
        f"the cluster's worker {worker} has {_text(theirs)}, expected {_text(ours)} as here; "
        "install the same there"
    )


def _text(found: dict[str, str] | Exception) -> str:
    if isinstance(found, Exception):
        return f"no nonosat ({type(found).__name__}: {found})"
    return ", ".join(f"{name} {version}" for name, version in found.items())


def _liveness() -> Callable[[], bool]:
    """Return a function that returns True while the calling task is not cancelled.

    A worker marks a task as cancelled when the scheduler no longer needs it, after a cancellation
    or the end of the driver.
    """
    worker = get_worker()
    key = worker.get_current_task()

    def is_running() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return is_running


class _IdleTools:
    """Idle tools of this process, each kept for a short time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: list[tuple[Work[Any, Any], ToolProcess[Any]]] = []

    def take(self, work: Work[Any, Any]) -> ToolProcess[Any]:
        """Return an idle tool, or a new one."""
        with self._lock:
            for place, (same, _) in enumerate(self._found):
                if same == work:
                    return self._found.pop(place)[1]
        return ToolProcess(work)

    def put(self, work: Work[Any, Any], tool: ToolProcess[Any]) -> None:
        """Keep a tool for the next task; it is closed after REST_S without one."""
        entry = (work, tool)
        with self._lock:
            self._found.append(entry)
        timer = threading.Timer(REST_S, self._end, [entry])
        timer.daemon = True
        timer.start()

    def _end(self, entry: tuple[Work[Any, Any], ToolProcess[Any]]) -> None:
        with self._lock:
            is_resting = any(each is entry for each in self._found)
            self._found = [each for each in self._found if each is not entry]
        if is_resting:
            entry[1].close()


_resting = _IdleTools()
