"""One thread at a time uses a native object: calls of another thread are refused."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from helpers.native_inputs import beliefs, board, decimation, learner, settled, threshold
from helpers.native_objects import KINDS
from helpers.processes import PATIENCE_S
from nonosat import _core


class EnoughError(Exception):
    """Ends a call."""


@contextmanager
def at_work(name: str, found: Any) -> Iterator[None]:
    """Run while another thread is inside a call."""
    is_begun, may_end = threading.Event(), threading.Event()
    ends: list[BaseException] = []

    def poll() -> bool:
        is_begun.set()
        may_end.wait()
        raise EnoughError

    def work() -> None:
        try:
            KINDS[name].work(found, poll)
        except BaseException as error:
            ends.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert is_begun.wait(PATIENCE_S)
        yield
    finally:
        may_end.set()
        thread.join()
    assert [type(end) for end in ends] == [EnoughError]


def ask(found: Any, attribute: str, arguments: tuple[Any, ...] | None) -> Any:
    if arguments is None:
        return getattr(found, attribute)
    return getattr(found, attribute)(*(each() if callable(each) else each for each in arguments))


@pytest.mark.parametrize("name", KINDS)
def test_a_second_thread_is_refused(name: str) -> None:
    kind = KINDS[name]
    found = kind.make()
    others = {each for each in dir(found) if not each.startswith("_")} - {
        "Outcome",
        "Verdict",
        "of_presolved",
    }
    assert others == set(kind.others)
    with at_work(name, found):
        for attribute, arguments in kind.others.items():
            with pytest.raises(RuntimeError, match=f"this {name}.* is in use.*a {name} of its own"):
                ask(found, attribute, arguments)
    for attribute, arguments in kind.others.items():
        if arguments is None:  # further calls are possible
            ask(found, attribute, arguments)


def test_all_classes_that_change_are_tried() -> None:
    frozen = {
        "Answer",
        "Outcome",
        "Outlook",
        "Progress",
        "Ties",
        "TourOutcome",
        "KnightBoard",
        "Budgets",
        "Turn",
        "Turns",  # a call keeps Python's lock
    }
    frozen |= {"Words", "Completed", "Exchange"}  # the last one changes, for several threads
    classes = {name for name, each in vars(_core).items() if isinstance(each, type)}
    assert classes - frozen == set(KINDS)


def test_objects_that_work_on_a_board_lock_the_board() -> None:
    found = board(200)
    prober, twin = _core.Prober(found), _core.Prober(found)
    with at_work("Prober", prober):
        for call in (found.cells, found.propagate, found.copy):
            with pytest.raises(RuntimeError, match="this Board"):
                call()
        for make in (_core.Prober, _core.Search, _core.Deduction, beliefs, decimation):
            with pytest.raises(RuntimeError, match="this Board"):
                make(found)
        with pytest.raises(RuntimeError, match="this Prober, or what it works on"):
            twin.run(1)
    assert found.propagate() is not None
    assert twin.num_probes == 0


def test_a_board_at_work_refuses_its_prober() -> None:
    found = settled(200)
    prober = _core.Prober(found)
    with at_work("Board", found), pytest.raises(RuntimeError, match="this Prober"):
        prober.run(1)
    assert prober.run(1) == _core.Progress.BUDGET


def test_a_poll_that_uses_the_object_again_is_refused() -> None:
    found = learner(300, threshold(300))

    def poll() -> bool:
        found.add_clauses(threshold(4))
        return False

    with pytest.raises(RuntimeError, match="this Learner"):
        found.solve([], None, None, poll)
    assert found.statistics["conflicts"] > 0


STORM = """
import random, sys, threading, time
from array import array
from nonosat import _core

learner = _core.Learner()
learner.new_vars(200)
end = time.monotonic() + 1.5
counts = {"done": 0, "refused": 0}

def work(seed):
    draw = random.Random(seed)
    while time.monotonic() < end:
        clauses = array("i")
        for _ in range(20):
            clauses.extend([draw.choice((1, -1)) * draw.randint(1, 200) for _ in range(4)] + [0])
        try:
            draw.choice([
                lambda: learner.add_clauses(clauses),
                lambda: learner.solve([draw.randint(1, 200)], 50),
                lambda: learner.values(),
                lambda: learner.new_vars(10),
            ])()
            counts["done"] += 1
        except RuntimeError:
            counts["refused"] += 1

sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=work, args=[seed]) for seed in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(counts["done"], counts["refused"])
"""


@pytest.mark.slow
def test_a_storm_of_threads_does_not_end_the_process() -> None:
    """Four threads at one Learner crashed the process before they refused each other."""
    run = subprocess.run([sys.executable, "-c", STORM], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    done, refused = map(int, run.stdout.split())
    assert done > 10
    assert refused > 10
