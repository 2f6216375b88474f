"""Limits are named and stay exceeded; a call in a helper thread ends before its caller returns."""

from __future__ import annotations

import os
import signal
import threading

import pytest

import nonosat
from helpers.clocks import Clock
from helpers.processes import PATIENCE_S, interruptible
from nonosat import _core
from nonosat.core import hooks, limits
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Limits, Watch, checkpoint, left_of, watch_of
from nonosat.core.model import Block
from nonosat.core.scope import run_limited, within
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
    assert watch.step_s() == limits.POLL_EVERY_S


def test_a_time_limit_is_named_and_stays(clock):
    watch = Watch(Limits(time_s=0.05))
    assert 0 < watch.remaining_s() <= 0.05
    assert watch.reason() is None
    watch.check()
    clock.advance(0.06)
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
        (100, 1, 10, 3),  # one of the workers is in the 50 MiB that are used
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


def test_run_interrupts_at_the_limit(clock):
    clock.step_s = 0.2
    watch = Watch(Limits(time_s=1))
    stop = threading.Event()
    assert watch.run(lambda: stop.wait(PATIENCE_S), stop.set)
    assert watch.reason() == "time limit of 1 s"


def test_run_interrupts_when_memory_grows():
    watch = Watch(Limits(memory_mib=int(resident_mib(None)) + 100))
    stop = threading.Event()

    def eat():
        eaten = bytearray(b"x") * (200 * 2**20)
        return stop.wait(PATIENCE_S) and len(eaten)

    assert watch.run(eat, stop.set)
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
        stop.wait(PATIENCE_S)
        ended.append(len(requests) >= 3)

    def interrupt():
        requests.append(True)
        if len(requests) < 3:
            os.kill(os.getpid(), signal.SIGINT)
        else:
            stop.set()

    with pytest.raises(KeyboardInterrupt):
        Watch(UNLIMITED).run(call, interrupt)
    assert ended == [True]


# The work in progress


def looping(turns: int = 10**9) -> int:
    """Count in a loop without a watch."""
    for _ in range(turns):
        checkpoint()
    return turns


def test_a_checkpoint_ends_work_that_gets_no_watch(clock: Clock) -> None:
    started, clock.step_s = clock(), 0.001
    with pytest.raises(LimitReached, match=r"^time limit of 2 s$") as caught:
        within(Watch(Limits(time_s=2)), looping)
    assert caught.value.kind == limits.TIME
    assert 2 < clock() - started < 2.1


def test_a_checkpoint_checks_all_limits_of_the_work_in_progress() -> None:
    outer = Watch(Limits(time_s=1e9))
    outer.is_called_off = lambda: True
    inner = Watch(Limits(time_s=1e9))
    with pytest.raises(LimitReached, match=r"^called off$") as caught:
        within(outer, lambda: within(inner, looping))
    assert caught.value.kind == limits.CALLED_OFF
    assert inner.reason() is None


def test_a_checkpoint_outside_of_limited_work_does_nothing() -> None:
    small = Watch(Limits(memory_mib=1))
    assert run_limited(small, looping) == "memory limit of 1 MiB"
    with pytest.raises(ZeroDivisionError):
        within(small, lambda: 1 // 0)
    assert looping(3) == 3
    others: list[int] = []
    thread = threading.Thread(target=lambda: others.append(looping(3)))
    within(Watch(Limits(time_s=1e9)), thread.start)
    thread.join()
    assert others == [3]


def test_iteration_polls_if_there_are_limits() -> None:
    items = [1, 2, 3]
    assert limits.polled(items) is items
    assert within(Watch(Limits(time_s=1e9)), lambda: [*limits.polled(items)]) == items
    small = Watch(Limits(memory_mib=1))
    assert run_limited(small, lambda: [*limits.polled(items)]) == "memory limit of 1 MiB"
    assert run_limited(Watch(Limits(memory_mib=10**6)), lambda: limits.reserve(2**50)) != ""
    limits.reserve(2**50)


def test_native_code_without_a_poll_keeps_the_limits_of_the_work_in_progress() -> None:
    line = (Block(1),) * 3_000_000
    small = Watch(Limits(memory_mib=1))
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        within(small, lambda: _core.clue_sizes((line,) * 20, 1))


def test_work_within_limits_gives_its_result_and_its_errors() -> None:
    watch = Watch(Limits(time_s=100))
    assert within(watch, lambda: 7) == 7
    assert run_limited(watch, lambda: 7) == ""
    with pytest.raises(ZeroDivisionError):
        within(watch, lambda: 1 // 0)


@pytest.mark.parametrize("error", [MemoryError(), MemoryError("a line of 9 cells")])
def test_memory_that_runs_out_is_a_limit(error: MemoryError) -> None:
    def work() -> None:
        raise error

    told = f"out of memory: {error}".rstrip(": ")
    assert run_limited(Watch(Limits()), work) == told
    with pytest.raises(LimitReached, match=f"^{told}$"):
        within(Watch(Limits()), work)


def test_limits_are_checked_and_their_rest_is_passed_on() -> None:
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


def test_an_exception_while_an_engine_is_ended_does_not_leave_it_running(clock) -> None:
    clock.step_s = 0.2
    ended = threading.Event()
    interruptions: list[int] = []
    done: list[str] = []

    def call() -> None:
        assert ended.wait(PATIENCE_S)
        done.append("ended")

    def interrupt() -> None:
        interruptions.append(1)
        if len(interruptions) < 3:  # a limit may be raised here, as may Ctrl-C
            raise LimitReached
        ended.set()

    with pytest.raises(LimitReached):
        Watch(Limits(time_s=1)).run(call, interrupt)
    assert done == ["ended"]


def test_a_limit_holds_while_a_model_is_checked(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a million clauses that alone once took seconds."""

    def slowly(model: nonosat.Model) -> nonosat.Model:
        clock.step_s = 1
        looping()
        return model

    monkeypatch.setattr(models, "checked_model", slowly)
    result = nonosat.solve_model(nonosat.Model(2), time_limit_s=20)
    assert (result.answer, result.reason) == (nonosat.Answer.UNKNOWN, "time limit of 20 s")
    with pytest.raises(LimitReached, match=r"incomplete: time limit of 20 s"):
        list(nonosat.enumerate_model(nonosat.Model(2), time_limit_s=20))
