"""A clock that tests move themselves."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread
from typing import Any

import pytest

from helpers.processes import PATIENCE_S
from nonosat.core.limits import progress
from nonosat.questions import counting


class Clock:
    """Replaces the clock of limits and pauses, `core.hooks.clock`; the fixture `clock` installs it.

    Attributes:
        step_s: Seconds by which each reading moves it. With a step of a third of a limit, that
            limit is hit at the third reading after the work has begun, on any machine.
    """

    def __init__(self) -> None:
        self.step_s = 0.0
        self._now_s = 1000.0
        self._num_readings = 0
        self._read = Condition()

    def __call__(self) -> float:
        with self._read:
            self._now_s += self.step_s
            self._num_readings += 1
            self._read.notify_all()
            return self._now_s

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        with self._read:
            self._now_s += seconds

    def read_again(self, times: int = 2) -> None:
        """Wait until another thread has read the clock so often; the first may be under way."""
        with self._read:
            until = self._num_readings + times
            assert self._read.wait_for(lambda: self._num_readings >= until, PATIENCE_S)

    @contextmanager
    def then(self, act: Callable[[], object]) -> Iterator[None]:
        """Act in another thread as soon as work in this block has read the clock a few times."""

        def later() -> None:
            self.read_again(4)
            act()

        thread = Thread(target=later)
        thread.start()
        yield
        thread.join()

    @contextmanager
    def pass_at(self, activity: str, seconds: float) -> Iterator[None]:
        """Let time pass when work in this block reports an activity."""

        def report(what: str, done: int, total: int) -> None:
            if activity in what:
                self.advance(seconds)

        token = progress.set(report)
        try:
            yield
        finally:
            progress.reset(token)


def interrupt() -> None:
    """Send SIGINT to this process, as Ctrl-C does."""
    os.kill(os.getpid(), signal.SIGINT)


def end_at_a_lower_bound(clock: Clock, monkeypatch: pytest.MonkeyPatch, limit_s: float) -> None:
    """Let a count reach its time limit when it has found two solutions.

    Native code reads the clock every few milliseconds: a long limit leaves slow machines a minute.
    """
    clock.step_s = 0.05
    common = counting.CountComputation._common

    def bounded(run: Any, slice_s: float, jobs: int) -> Any:
        found = common(run, slice_s, jobs)
        if run.known()[0] >= 2:
            clock.advance(limit_s)
        return found

    monkeypatch.setattr(counting.CountComputation, "_common", bounded)
