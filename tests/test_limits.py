"""Budgets are named and stay spent; a call in a helper thread never outlives its caller's wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import nonosat
from helpers.processes import interruptible, spin
from nonosat.core import hooks, limits
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.processes.guard import Guard, left_of, run_limited, watch_of, within
from nonosat.processes.memory import resident_mib
from nonosat.solving import models

UNLIMITED = Limits()


@pytest.fixture(autouse=True)
def _interruptible():
    with interruptible():
        yield


def test_without_limits_nothing_is_hit():
    watch = Watch(UNLIMITED)
    assert watch.remaining_s() is None
    assert watch.reason() is None
    assert not watch.poll()
    watch.check()
    assert watch.step_s() == limits.LOOK_EVERY_S


def test_a_time_limit_is_named_and_stays():
    watch = Watch(Limits(time_s=0.05))
    assert 0 < watch.remaining_s() <= 0.05
    assert watch.reason() is None
    watch.check()
    time.sleep(0.06)
    assert watch.remaining_s() == 0
    with pytest.raises(LimitReached, match=r"^time limit of 0\.05 s$"):
        watch.check()
    assert watch.reason() == "time limit of 0.05 s"
    assert watch.poll()


@pytest.mark.parametrize(
    ("most", "num_now", "num_mib", "expected"),
    [
        (None, 1, None, 9),
        (100, 1, None, 1),  # it uses 50 MiB, and may grow to all of the limit
        (199, 1, None, 1),
        (200, 1, None, 2),
        (200, 2, None, 4),  # 25 MiB each
        (40, 2, None, 1),
        (100, 0, 10, 2),  # 50 MiB are left
        (100, 0, 25, 1),
        (100, 1, 10, 3),  # one of the members is in the 50 MiB that are used
        (10_000, 0, 1, 9),
    ],
)
def test_memory_suffices_for_so_many_members(monkeypatch, most, num_now, num_mib, expected):
    monkeypatch.setattr(hooks, "resident_mib", lambda pid: 50)
    num_bytes = None if num_mib is None else num_mib * 2**20
    found = Watch(Limits(memory_mib=most)).num_affordable(9, num_now, num_bytes)
    assert found == expected


def test_a_memory_limit_is_named_and_stays():
    watch = Watch(Limits(memory_mib=1))
    with pytest.raises(LimitReached, match=r"^memory limit of 1 MiB$"):
        watch.check()
    with pytest.raises(LimitReached):
        watch.check()
    assert watch.reason() == "memory limit of 1 MiB"


def test_memory_is_this_processes_resident_memory():
    before = resident_mib(None)
    block = bytearray(b"x") * (200 * 2**20)
    grown = resident_mib(None) - before
    assert len(block) == 200 * 2**20
    assert 190 < grown < 220
    assert Watch(Limits(memory_mib=int(before) + 100)).reason() is not None
    assert Watch(Limits(memory_mib=int(before) + 300)).reason() is None


# Calls in a helper thread


def test_run_returns_the_value_and_raises_the_error():
    watch = Watch(UNLIMITED)
    assert watch.run(lambda: 6 * 7, pytest.fail) == 42
    with pytest.raises(ZeroDivisionError):
        watch.run(lambda: 1 // 0, pytest.fail)


def test_run_interrupts_at_the_limit():
    watch = Watch(Limits(time_s=0.05))
    stop = threading.Event()
    assert watch.run(lambda: stop.wait(10), stop.set)
    assert watch.reason() == "time limit of 0.05 s"


def test_run_interrupts_when_memory_grows():
    watch = Watch(Limits(memory_mib=int(resident_mib(None)) + 100))
    stop = threading.Event()

    def eat():
        eaten = []
        while not stop.is_set() and len(eaten) < 1000:
            eaten.append(bytearray(b"x") * 2**20)
            time.sleep(0.001)
        return len(eaten)

    assert 50 < watch.run(eat, stop.set) < 1000
    assert "memory limit" in watch.reason()


def test_keyboard_interrupt_ends_the_call_first():
    stop = threading.Event()
    ended = []

    def call():
        os.kill(os.getpid(), signal.SIGINT)
        stop.wait(10)
        ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        Watch(UNLIMITED).run(call, stop.set)
    assert ended == [True]


def test_a_second_keyboard_interrupt_does_not_leave_the_call_behind():
    stop = threading.Event()
    ended = []
    requests = []

    def call():
        os.kill(os.getpid(), signal.SIGINT)
        stop.wait(10)
        time.sleep(0.05)
        ended.append(True)

    def interrupt():
        requests.append(True)
        if len(requests) < 3:
            os.kill(os.getpid(), signal.SIGINT)
        stop.set()

    with pytest.raises(KeyboardInterrupt):
        Watch(UNLIMITED).run(call, interrupt)
    assert ended == [True]


# Guards


def test_a_guard_ends_code_that_does_not_look() -> None:
    watch = Watch(Limits(time_s=0.1))
    started = time.monotonic()
    with pytest.raises(LimitReached), Guard(watch):
        spin(20)
    assert time.monotonic() - started < 5
    assert watch.reason() == "time limit of 0.1 s"


def test_a_guard_watches_memory() -> None:
    watch = Watch(Limits(memory_mib=1))
    with pytest.raises(LimitReached), Guard(watch):
        spin(20)
    assert watch.reason() == "memory limit of 1 MiB"


@pytest.mark.slow
def test_a_guard_that_was_left_raises_nothing_any_more() -> None:
    for _ in range(40):
        try:
            with Guard(Watch(Limits(time_s=0.001))):
                spin(0.031)  # about when it would raise
        except LimitReached:
            pass
        spin(0.005)  # raises here if anything were still on its way


def test_a_guard_without_limits_has_no_thread() -> None:
    before = threading.active_count()
    with Guard(Watch(Limits())):
        assert threading.active_count() == before


def test_work_within_limits_gives_its_result_and_its_errors() -> None:
    watch = Watch(Limits(time_s=100))
    assert within(watch, lambda: 7) == 7
    assert run_limited(watch, lambda: 7) == ""
    with pytest.raises(ZeroDivisionError):
        within(watch, lambda: 1 // 0)


@pytest.mark.parametrize("guarded", [True, False])
def test_the_limit_that_ends_work_is_named(guarded: bool) -> None:
    def work() -> None:
        spin(0.03)
        while not guarded:
            watch.check()
        spin(20)

    watch = Watch(Limits(time_s=0.02))
    with pytest.raises(LimitReached, match=r"^time limit of 0\.02 s$"):
        within(watch, work, guarded=guarded)
    assert run_limited(watch, work, guarded=guarded) == "time limit of 0.02 s"


@pytest.mark.parametrize("error", [MemoryError(), MemoryError("a line of 9 cells")])
def test_memory_that_runs_out_is_a_limit(error: MemoryError) -> None:
    def work() -> None:
        raise error

    told = f"out of memory: {error}".rstrip(": ")
    assert run_limited(Watch(Limits()), work) == told
    with pytest.raises(LimitReached, match=f"^{told}$"):
        within(Watch(Limits()), work)


def test_limits_are_checked_and_what_is_left_of_them_is_handed_on() -> None:
    assert watch_of(float("inf"), 9).limits == Limits(memory_mib=9)
    with pytest.raises(UnsupportedError, match="time limit is -1"):
        watch_of(-1, None)
    left = left_of(watch_of(100, 9))
    assert 99 < left["time_limit_s"] <= 100
    assert left["memory_limit_mib"] == 9
    with pytest.raises(LimitReached, match=r"^time limit of 1e-09 s$"):
        left_of(watch_of(1e-9, None))


def test_memory_that_would_break_the_limit_is_not_taken() -> None:
    Watch(Limits()).reserve(2**50)
    Watch(Limits(memory_mib=100_000)).reserve(2**20)
    watch = Watch(Limits(memory_mib=100_000))
    with pytest.raises(LimitReached, match=r"^memory limit of 100000 MiB$"):
        watch.reserve(2**50)
    assert watch.reason() == "memory limit of 100000 MiB"


def test_a_guard_waits_for_what_must_not_be_left_half_done() -> None:
    watch = Watch(Limits(time_s=0.01))
    done: list[str] = []

    def work() -> None:
        with watch.shield:
            spin(0.2)
            done.append("shielded")
        spin(20)
        done.append("all")

    with pytest.raises(LimitReached), Guard(watch):
        work()
    assert done == ["shielded"]


def test_guards_in_each_other_wait_for_each_others_shields() -> None:
    done: list[str] = []

    def work() -> None:
        inner = Watch(Limits(time_s=60))
        with Guard(inner):
            with inner.shield:
                spin(0.2)
                done.append("shielded")
            spin(20)
            done.append("all")

    with pytest.raises(LimitReached), Guard(Watch(Limits(time_s=0.01))):
        work()
    assert done == ["shielded"]


def test_threads_do_not_wait_for_each_others_shields() -> None:
    taken: list[bool] = []
    with Watch(UNLIMITED).shield:
        other = threading.Thread(
            target=lambda: taken.append(Watch(UNLIMITED).shield.acquire(blocking=False))
        )
        other.start()
        other.join()
    assert taken == [True]


def test_a_fork_does_not_wait_for_a_guard_of_its_parent() -> None:
    script = """
import os, threading, warnings
from nonosat.core.limits import Limits, Watch

warnings.simplefilter("ignore")  # newer Pythons warn of forks beside threads
watch, held, done = Watch(Limits()), threading.Event(), threading.Event()

def guard():
    with watch.shield:
        held.set()
        done.wait()

threading.Thread(target=guard).start()
held.wait()
pid = os.fork()
if not pid:
    os._exit(0 if Watch(Limits()).shield.acquire(blocking=False) else 1)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
done.set()
"""
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_what_comes_while_an_engine_is_ended_does_not_leave_it_at_work() -> None:
    ended = threading.Event()
    interruptions: list[int] = []
    done: list[str] = []

    def call() -> None:
        assert ended.wait(10)
        done.append("ended")

    def interrupt() -> None:
        interruptions.append(1)
        if len(interruptions) < 3:  # what a guard raises may arrive here, as may Ctrl-C
            raise LimitReached
        ended.set()

    with pytest.raises(LimitReached):
        Watch(Limits(time_s=0.01)).run(call, interrupt)
    assert done == ["ended"]


def test_a_limit_holds_while_a_model_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """That alone took seconds for a million clauses, whatever the limit."""

    def slowly(model: nonosat.Model) -> nonosat.Model:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pass
        return model

    monkeypatch.setattr(models, "checked_model", slowly)
    started = time.monotonic()
    result = nonosat.solve_model(nonosat.Model(2), time_limit_s=0.05)
    assert (result.answer, result.reason) == (nonosat.Answer.UNKNOWN, "time limit of 0.05 s")
    with pytest.raises(LimitReached, match=r"incomplete: time limit of 0\.05 s"):
        list(nonosat.enumerate_model(nonosat.Model(2), time_limit_s=0.05))
    assert time.monotonic() - started < 20


TRACED = """
import sys, time
from nonosat.core.limits import Limits, Watch
from nonosat.processes.guard import run_limited

def spin():
    while True:
        time.sleep(0.001)

assert "time limit" in run_limited(Watch(Limits(0.05)), spin)
sys.settrace(lambda *_: None)
(lambda: None)()
"""


def test_a_tracer_works_after_a_limit():
    """In Python 3.11 the next call hung for ever, under a debugger as well."""
    subprocess.run([sys.executable, "-c", TRACED], timeout=60, check=True)
