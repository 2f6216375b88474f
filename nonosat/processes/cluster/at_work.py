"""What runs on a Dask worker.

Dask cannot stop a task, and its worker falls silent while an engine holds Python's lock; hence a
task only looks after a `Tool` that does the work in a process of its own, and ends it when it is no
longer wanted: cancelled, or its driver gone. The tool is kept for the next task of its Dask worker,
and closed when it has rested for a second; with the worker its process ends as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import LOOK_EVERY_S
from nonosat.core.versions import versions
from nonosat.processes.tools import Tool, Work

REST_S = 1.0  # after which a tool without a task is closed


class _Unwanted(Exception):  # noqa: N818  # nobody sees it
    """The task that raises it has been cancelled."""


def do(
    theirs: dict[str, str], work: Work[Any, Any], pieces: Sequence[Any]
) -> tuple[str, list[Any]]:
    """Do a task: the host of the worker, and the outcome of each piece.

    Args:
        theirs: The driver's versions.
        work: What is done with the pieces.
        pieces: Those of the task.

    Raises:
        UnsupportedError: This worker, which has joined the cluster late, has other versions.
    """
    from distributed import get_worker

    address = get_worker().address
    if theirs != versions():
        raise other_versions(address, versions(), theirs)
    is_wanted = _wanted()
    tool = _resting.take(work)
    outcomes: list[Any] = []
    try:
        tool.begin(pieces)
        while not tool.is_done:
            outcomes += [outcome for _, outcome in tool.wait(LOOK_EVERY_S)]
            if not is_wanted():
                raise _Unwanted
    except BaseException:
        tool.close()
        raise
    _resting.put(work, tool)
    return host_of(address), outcomes


def host_of(address: str) -> str:
    """The host in the address of a worker."""
    from distributed.comm import get_address_host

    return str(get_address_host(address))


def other_versions(worker: str, theirs: Any, ours: dict[str, str]) -> UnsupportedError:
    """The error for a worker that might give other answers.

    Args:
        worker: Its address.
        theirs: Its versions, or the exception that asking for them raised.
        ours: Those of the driver.
    """
    return UnsupportedError(
        f"the cluster's worker {worker} has {_told(theirs)}, expected {_told(ours)} as here; "
        "install the same there"
    )


def _told(found: dict[str, str] | Exception) -> str:
    if isinstance(found, Exception):
        return f"no nonosat ({type(found).__name__}: {found})"
    return ", ".join(f"{name} {version}" for name, version in found.items())


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
    """Tools that wait for the next task of this process, each for a short time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: list[tuple[Work[Any, Any], Tool[Any]]] = []

    def take(self, work: Work[Any, Any]) -> Tool[Any]:
        """One that was put here, or a new one."""
        with self._lock:
            for place, (same, _) in enumerate(self._found):
                if same == work:
                    return self._found.pop(place)[1]
        return Tool(work)

    def put(self, work: Work[Any, Any], tool: Tool[Any]) -> None:
        """Keep one for the next task; it is closed if there is none for REST_S."""
        entry = (work, tool)
        with self._lock:
            self._found.append(entry)
        timer = threading.Timer(REST_S, self._end, [entry])
        timer.daemon = True
        timer.start()

    def _end(self, entry: tuple[Work[Any, Any], Tool[Any]]) -> None:
        with self._lock:
            is_resting = any(each is entry for each in self._found)
            self._found = [each for each in self._found if each is not entry]
        if is_resting:
            entry[1].close()


_resting = _Resting()
