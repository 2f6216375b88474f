"""Parallel tasks: the interface, and the pool of this machine.

A task is a sequence of pieces that go to one tool together (`nonosat.processes.tools`). A `Pool`
distributes tasks: `LocalPool` to tools of this process, `cluster.ClusterPool` to the workers of a
Dask cluster. Invariant: every piece has one outcome, unless it is cancelled; cancelled work ends
within a second.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from nonosat.core import hooks
from nonosat.core.limits import POLL_EVERY_S
from nonosat.processes.tools import ToolProcess, Work
from nonosat.processes.waiting import readable

_Piece = TypeVar("_Piece")
_Taken = TypeVar("_Taken", contravariant=True)


@dataclass(frozen=True, slots=True)
class FinishedPiece:
    """A finished piece.

    Args:
        number: Number of its task.
        place: Index of the piece in the task.
        outcome: Outcome, as defined by its work.
        host: Host of the cluster's worker; "" without a cluster.
    """

    number: int
    place: int
    outcome: Any
    host: str = ""


class Pool(Protocol[_Taken]):
    """Interface of pools, which run tasks.

    Attributes:
        num_workers: Number of parallel tasks; further submitted tasks wait.
    """

    num_workers: int

    def submit(self, number: int, pieces: Sequence[_Taken]) -> None:
        """Submit a task; its number differs from those of all unfinished ones. Never blocks.

        Args:
            number: Number of the task.
            pieces: Pieces of the task, at least one.
        """

    def no_more(self) -> None:
        """Declare that no task will follow: running ones may use the cores of idle workers."""

    def done(self, patience_s: float) -> list[FinishedPiece]:
        """Return the pieces finished since the last call; wait up to `patience_s` for at least one.

        The pieces of a task may be returned one by one or all at once, in any order.

        Raises:
            NonosatError: There are no workers left.
        """

    def on_hosts(self, function: Callable[[], Any]) -> dict[str, Any]:
        """Return the values of a quick function on the hosts of a cluster, by address."""

    def cancel(self) -> None:
        """Discard all tasks and end the work on them, within a second."""

    def close(self) -> None:
        """Cancel, and free all resources; the pool cannot be used any more."""


class LocalPool(Generic[_Piece]):
    """Pool of this machine: tool processes that this process starts.

    Args:
        num_workers: Number of tools; each is started at its first use.
        work: Work on the pieces of tasks.
    """

    def __init__(self, num_workers: int, work: Work[_Piece, Any]) -> None:
        self.num_workers = num_workers
        self._work = work
        self._queue: deque[tuple[int, Sequence[_Piece]]] = deque()
        self._at_work: dict[int, ToolProcess[_Piece]] = {}  # by the number of the task
        self._at_rest: list[ToolProcess[_Piece]] = []
        self._is_ending = False

    def submit(self, number: int, pieces: Sequence[_Piece]) -> None:
        """Submit a task without blocking; see `Pool`."""
        self._is_ending = False
        self._queue.append((number, pieces))
        self._hand_out()

    def no_more(self) -> None:
        """Declare that no task will follow; see `Pool`."""
        self._is_ending = True
        self._share_out()

    def done(self, patience_s: float) -> list[FinishedPiece]:
        """Return the pieces finished since the last call; see `Pool`."""
        end = hooks.clock() + patience_s
        while True:
            wait = min(POLL_EVERY_S, max(0.0, end - hooks.clock()))
            ready = readable(self._at_work.values(), wait)
            found: list[FinishedPiece] = []
            for number, tool in list(self._at_work.items()):
                outcomes = tool.outcomes(tool.fileno() in ready)
                found += [FinishedPiece(number, place, outcome) for place, outcome in outcomes]
                if tool.is_done:
                    self._at_rest.append(self._at_work.pop(number))
            self._hand_out()
            if found or hooks.clock() >= end:
                return found

    def on_hosts(self, function: Callable[[], Any]) -> dict[str, Any]:
        """Return the values of a quick function by host; see `Pool`."""
        del function
        return {}

    def cancel(self) -> None:
        """Discard all tasks and end the work on them; see `Pool`."""
        self._queue.clear()
        for tool in self._at_work.values():
            tool.doom()
        while self._at_work:
            self._at_work.popitem()[1].close()

    def close(self) -> None:
        """Cancel, and free all resources; see `Pool`."""
        for tool in self._at_rest:
            tool.doom()
        self.cancel()
        while self._at_rest:
            self._at_rest.pop().close()

    def _hand_out(self) -> None:
        while self._queue and len(self._at_work) < self.num_workers:
            number, pieces = self._queue.popleft()
            tool = self._at_rest.pop() if self._at_rest else ToolProcess(self._work)
            self._at_work[number] = tool
            tool.begin(pieces)
        self._share_out()

    def _share_out(self) -> None:
        """Distribute the cores of idle tools among the busy ones."""
        if not self._is_ending or self._queue or not self._at_work:
            return
        each, more = divmod(self.num_workers, len(self._at_work))
        for place, tool in enumerate(self._at_work.values()):
            tool.share(each + (place < more))
