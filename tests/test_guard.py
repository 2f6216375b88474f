"""A shield that nobody gives back: from Python 3.14 on an exception may come while it is taken."""

from __future__ import annotations

import threading
from time import monotonic

import pytest

from nonosat.errors import LimitReached
from nonosat.limits import Limits, Watch
from nonosat.processes.guard import Guard


def is_free(watch: Watch) -> bool:
    """Whether a guard, in a thread of its own, could take the shield."""
    taken: list[bool] = []

    def take() -> None:
        taken.append(watch.shield.acquire(blocking=False))
        if taken[0]:
            watch.shield.release()

    thread = threading.Thread(target=take)
    thread.start()
    thread.join()
    return taken == [True]


def test_a_shield_that_an_exception_has_left_behind_is_given_back() -> None:
    watch = Watch(Limits(time_s=60))

    def work() -> None:
        watch.shield.acquire()
        watch.shield.acquire()
        raise LimitReached

    with pytest.raises(LimitReached), Guard(watch):
        work()
    assert is_free(watch)


def test_a_shield_that_ctrl_c_has_left_behind_stops_no_guard() -> None:
    watch = Watch(Limits(time_s=0.01))
    watch.shield.acquire()

    def work() -> None:
        until = monotonic() + 20
        while monotonic() < until:
            pass

    with pytest.raises(LimitReached), Guard(watch):
        work()
    assert is_free(watch)
