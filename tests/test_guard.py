"""When a guard may raise, and a shield that nobody gives back.

From Python 3.14 on an exception may come while a shield is taken.
"""

from __future__ import annotations

import _frozen_importlib
import sys
import threading
import weakref
from time import monotonic
from types import FunctionType
from typing import Any

import pytest

from helpers.processes import spin
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits, Watch
from nonosat.processes import guard
from nonosat.processes.guard import Guard
from nonosat.processes.threads import Threads


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


def test_a_guard_waits_for_finalizers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would print what is raised in one and go on."""
    lost: list[object] = []
    done: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)

    class Slow:
        def __del__(self) -> None:
            spin(0.2)
            done.append("finalized")

    def work() -> None:
        Slow()
        spin(20)
        done.append("all")

    with pytest.raises(LimitReached), Guard(Watch(Limits(time_s=0.01))):
        work()
    assert (done, lost) == (["finalized"], [])


def test_a_guard_waits_for_the_callbacks_of_weak_references() -> None:
    """`WeakSet` has Python code that runs when an object goes; it is lost there, too."""
    waits = compile("def removed():\n    spin(0.2)\n", weakref.__file__, "exec")
    names = {"spin": spin}
    exec(waits, names)  # code that says that it stands in that module
    done: list[str] = []

    def work() -> None:
        names["removed"]()
        done.append("removed")
        spin(20)

    with pytest.raises(LimitReached), Guard(Watch(Limits(time_s=0.01))):
        work()
    assert done == ["removed"]


def test_a_guard_waits_for_what_ends_an_import() -> None:
    """Python calls it when the lock of a module goes; what is raised in it is lost."""
    lock = _frozen_importlib._get_module_lock("a module of this test")
    ends = _frozen_importlib._module_locks["a module of this test"].__callback__
    name = ends.__code__.co_qualname
    slowly = FunctionType(spin.__code__.replace(co_qualname=name), spin.__globals__)
    done: list[str] = []

    def work() -> None:
        slowly(0.2)
        done.append("imported")
        spin(20)

    with pytest.raises(LimitReached), Guard(Watch(Limits(time_s=0.01))):
        work()
    assert done == ["imported"]
    assert lock


def start_slowly(monkeypatch: pytest.MonkeyPatch, done: list[str]) -> None:
    """From now on it takes some time to start a thread, before and after it begins."""
    start = threading._start_new_thread  # type: ignore[attr-defined]  # Python's own

    def slowly(*how: Any) -> Any:
        spin(0.1)
        started = start(*how)
        spin(0.1)
        done.append("started")
        return started

    monkeypatch.setattr(threading, "_start_new_thread", slowly)


def test_a_guard_waits_for_a_thread_to_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised in the middle could end the new thread, for which the old one would wait."""
    done: list[str] = []

    def work() -> None:
        start_slowly(monkeypatch, done)
        threading.Thread(target=int).start()
        done.append("all")
        spin(20)

    with pytest.raises(LimitReached), Guard(Watch(Limits(time_s=0.01))):
        work()
    assert done == ["started", "all"]


@pytest.mark.parametrize("starts", ["run", "submit", "guard"])
def test_our_threads_begin_behind_the_shield(monkeypatch: pytest.MonkeyPatch, starts: str) -> None:
    """A guard may have looked just before one is started: it must not raise then."""
    monkeypatch.setattr(guard, "_is_halfway", lambda _: False)
    watch, done = Watch(Limits(time_s=0.01)), list[str]()
    threads = Threads[int](1, watch)

    def work() -> None:
        start_slowly(monkeypatch, done)
        if starts == "run":
            Watch(Limits()).run(int, int)
        elif starts == "submit":
            threads.submit(1, int)
        else:
            with Guard(Watch(Limits(time_s=60))):
                pass
        done.append("all")
        spin(20)

    with pytest.raises(LimitReached), Guard(watch):
        work()
    threads.close()
    assert done[0] == "started"


def test_a_limit_that_somebody_catches_is_raised_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a plug-in may that catches everything."""
    monkeypatch.setattr(Guard, "_DROPPED_S", 0.05)
    caught: list[type[Exception]] = []

    def work() -> None:
        for _ in range(2):
            try:
                spin(20)
            except Exception as error:
                caught.append(type(error))
        spin(20)

    started = monotonic()
    with pytest.raises(LimitReached), Guard(Watch(Limits(time_s=0.01))):
        work()
    assert caught == [LimitReached] * 2
    assert monotonic() - started < 15


def test_nothing_is_raised_behind_a_block_whose_end_was_interrupted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is raised may arrive at the first step of `__exit__`, which then does nothing."""
    monkeypatch.setattr(Guard, "_DROPPED_S", 0.05)

    class Interrupted(Guard):
        def __exit__(self, *_: object) -> None:
            raise LimitReached

    def work() -> None:
        with Interrupted(Watch(Limits(time_s=0.01))):
            spin(20)

    with pytest.raises(LimitReached):
        work()
    spin(0.3)
    assert "nonosat-guard" not in {each.name for each in threading.enumerate()}
