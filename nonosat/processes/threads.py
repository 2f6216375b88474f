"""Parallel calls in threads of this process, for work that releases Python's lock.

Invariant: after `close` no call is running. A cancelled call ends soon because it receives a watch
that reports the cancellation; exceptions that it raises after that are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from nonosat.core.limits import InterruptibleWatch, Job, Watch
from nonosat.core.scope import within

K = TypeVar("K")


class Threads(Generic[K]):
    """A set of threads; the owner closes it.

    Args:
        number: Maximum number of threads; they start with the first calls.
        watch: Limits of all calls.

    Attributes:
        number: Maximum number of threads; it may be increased.
        watch: Watch for the calls, with the same limits, cancelled by `close`.
    """

    def __init__(self, number: int, watch: Watch) -> None:
        self.watch = InterruptibleWatch(watch)
        self.number = number
        self._outer = watch
        self._jobs: list[Job] = []
        self._calls: SimpleQueue[tuple[K, Callable[[], Any]] | None] = SimpleQueue()
        self._ended: SimpleQueue[tuple[K, Any, BaseException | None]] = SimpleQueue()

    def submit(self, key: K, call: Callable[[], Any]) -> None:
        """Run a call in the next free thread.

        If the system starts no further thread, the existing threads run all calls; if there is
        none, `next` runs them in the calling thread.
        """
        self._calls.put((key, call))
        if len(self._jobs) >= self.number:
            return
        self._jobs.append(Job(self._work, "nonosat-thread"))
        try:
            self._jobs[-1].start()
        except RuntimeError:  # there is no memory for it, or the user has too many threads
            self._jobs.pop()

    def next(self) -> tuple[K, Any]:
        """Return the key and the outcome of the next call that ends; raise its exception, if any.

        Raises:
            LimitReached: A limit came first.
        """
        while True:
            if not self._jobs and self._ended.empty() and not self._calls.empty():
                order = self._calls.get()
                assert order is not None  # only `close` sends None
                self._carry_out(order)
            try:
                key, outcome, error = self._ended.get(timeout=self._outer.step_s())
            except Empty:
                self._outer.check()
                continue
            if error is not None:
                raise error
            return key, outcome

    def has_outcome(self) -> bool:
        """Return True if a call has ended that `next` has not returned."""
        return not self._ended.empty()

    def has_ended(self) -> bool:
        """Return True if `next` would return without waiting."""
        return self.has_outcome() or not self._jobs

    def close(self) -> None:
        """Cancel all running calls, and wait for their end."""
        for job in self._jobs:
            job.abandon(self._call_off)

    def _work(self) -> None:
        while not self.watch.is_revoked:
            order = self._calls.get()
            if order is None or self.watch.is_revoked:
                return
            self._carry_out(order)

    def _carry_out(self, order: tuple[K, Callable[[], Any]]) -> None:
        key, call = order
        try:
            self._ended.put((key, within(self.watch, call), None))
        except BaseException as error:
            self._ended.put((key, None, error))

    def _call_off(self) -> None:
        self.watch.revoke()
        for _job in self._jobs:  # each may be waiting for a call
            self._calls.put(None)
