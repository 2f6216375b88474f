"""Native code releases Python's lock: other threads, signals, guards and limits can act.

Durations are counted in CPU seconds of this process: those pass while native code runs, and not
while other processes have the cores.
"""

from __future__ import annotations

import gc
import threading
from time import process_time

import pytest

from helpers.clocks import Clock, interrupt
from helpers.native_calls import ENDLESS, LONG
from helpers.native_inputs import learner, ring
from helpers.processes import interruptible
from nonosat import _core
from nonosat.backends.learn import open_engine
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.core.scope import within

ASKED_S = 0.05  # another thread is delayed by no more than this


class Ticking:
    """Thread that wakes up every millisecond; `longest_s` is its longest delay."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._is_over = False
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=self._tick)

    def _tick(self) -> None:
        last = process_time()
        while not self._is_over:
            self._is_ready.set()
            threading.Event().wait(0.001)
            now = process_time()
            self.longest_s = max(self.longest_s, now - last)
            last = now

    def __enter__(self) -> Ticking:
        self._thread.start()
        self._is_ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        self._thread.join()


@pytest.mark.real_time
@pytest.mark.thorough
@pytest.mark.parametrize("name", LONG)
def test_another_thread_goes_on(name: str) -> None:
    call = LONG[name]()
    gc.collect()
    gc.disable()  # Python's own collector is delayed as long, too
    started = process_time()
    try:
        with Ticking() as ticking:
            found = call()
    finally:
        gc.enable()
    spent_s = process_time() - started
    assert ticking.longest_s < max(ASKED_S, spent_s / 2)  # half: a busy machine makes it wait, too
    del found


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENDLESS)
def test_a_limit_of_the_work_in_progress_ends_it(clock: Clock, name: str) -> None:
    call = ENDLESS[name]()
    clock.step_s = 20
    with pytest.raises(LimitReached, match=r"^time limit of 60 s$"):
        within(Watch(Limits(time_s=60)), call)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENDLESS)
def test_a_signal_ends_it(clock: Clock, name: str) -> None:
    call = ENDLESS[name]()
    with interruptible(), clock.then(interrupt), pytest.raises(KeyboardInterrupt):
        within(Watch(Limits(time_s=60)), call)


def test_a_limit_of_the_work_in_progress_ends_a_batch_of_clauses(clock: Clock) -> None:
    engine = open_engine("learn", 7, 0, {})
    clauses = ring(1_000_000)  # long enough for polls
    clock.step_s = 20
    with pytest.raises(LimitReached):
        within(Watch(Limits(time_s=60)), lambda: engine.add_batch(clauses))


def test_clauses_that_were_added_in_part_can_be_added_again() -> None:
    found, clauses = learner(7), ring(1_000_000)

    def poll() -> bool:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        found.add_clauses(clauses, poll)
    found.add_clauses(clauses)
    found.add_clauses(ring(3)[4:6] + ring(3)[3:4])  # -1 2 0
    assert found.solve([1, -2]) == _core.Answer.UNSAT
    assert found.solve([1]) == _core.Answer.SAT


def test_a_poll_that_returns_true_must_raise() -> None:
    """This applies to calls without a result for "stopped"."""
    with pytest.raises(InterruptedError, match="expected it to raise"):
        _core.dimacs_text(ring(1_000_000), lambda: True)
