"""Threads that call the library concurrently, and a process that ends, or is forked, meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.processes import PATIENCE_S, interruptible
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.puzzles.nonogram import from_grid

PICTURES = f"{Path(__file__).parent.parent}/instances/pictures.jsonl"
NUM_THREADS, NUM_PUZZLES = 8, 9


def puzzle(number: int) -> nonosat.Nonogram:
    """Small puzzle; some have one solution, some have several."""
    cells = bytes((i * (number + 3) + i * i * 5 // (number + 1)) % 3 == 0 for i in range(8 * 8))
    return from_grid(nonosat.Grid(8, 8, cells))


PUZZLES = [puzzle(number) for number in range(NUM_PUZZLES)]


def decided(backend: str) -> Callable[[nonosat.Nonogram, Path], Any]:
    def ask(one: nonosat.Nonogram, _: Path) -> Any:
        result = nonosat.check(one, backend=backend, presolve="none", time_limit_s=100)
        if result.verdict is nonosat.Verdict.UNIQUE:
            return result.verdict, result.solution
        return result.verdict, len(result.solutions)

    return ask


def proven(one: nonosat.Nonogram, folder: Path) -> Any:
    prove(one).write(folder)
    return verify(folder).claim


QUESTIONS: dict[str, Callable[[nonosat.Nonogram, Path], Any]] = {
    "auto": decided("auto"),
    "learn": decided("learn-lines"),
    "minisat22": decided("minisat22"),
    "glucose421": decided("glucose421"),
    "count": lambda one, _: nonosat.count(one).count,
    "backbone": lambda one, _: sorted(nonosat.backbone(one).settled.cells),
    "explain": lambda one, _: len(nonosat.explain(one).steps),
    "load": lambda one, _: nonosat.load(f"{PICTURES}#cat"),
    "prove": proven,
}


def answers(of: list[tuple[int, str]], folder: Path) -> list[Any]:
    return [QUESTIONS[name](PUZZLES[number], folder / f"{number}-{name}") for number, name in of]


@pytest.mark.thorough
def test_threads_get_the_answers_that_one_gets_alone(tmp_path: Path) -> None:
    names = sorted(QUESTIONS)
    everything = [(number, name) for number in range(NUM_PUZZLES) for name in names]
    # Each thread has its own order, so that any two queries meet.
    shares = [everything[at::NUM_THREADS] for at in range(NUM_THREADS)]
    shares = [share if at % 2 else share[::-1] for at, share in enumerate(shares)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(NUM_THREADS) as pool:
            found = list(pool.map(lambda share: answers(share, tmp_path / "many"), shares))
    finally:
        sys.setswitchinterval(before)
    together = {
        asked: one
        for share, ones in zip(shares, found, strict=True)
        for asked, one in zip(share, ones, strict=True)
    }
    alone = dict(zip(everything, answers(everything, tmp_path / "alone"), strict=True))
    assert [asked for asked in everything if together[asked] != alone[asked]] == []
    for thread in [thread for thread in threading.enumerate() if "nonosat" in thread.name]:
        thread.join(PATIENCE_S)  # a guard ends just after the process that it guards
        assert not thread.is_alive()


@pytest.mark.thorough
def test_cp_sat_in_threads() -> None:
    ask = decided("cpsat")
    few = PUZZLES[:6]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda one: ask(one, Path())[0], few))
    assert found == [nonosat.check(one).verdict for one in few]


BUSY = """
import sys, threading
sys.path[:0] = {paths!r}
import nonosat
from test_cli_process import hard
from nonosat.puzzles.nonogram.data import mono

clues = hard()
one, small = mono(clues["rows"], clues["columns"]), mono([[2], [1]], [[2], [1]])
for backend in {backends!r}:  # all is imported: a thread that runs text, as dataclasses do, while
    nonosat.check(small, backend=backend, presolve="none")  # Python ends makes it forget Ctrl-C
threads = [
    threading.Thread(target=nonosat.check, args=[one], kwargs=dict(backend=backend), daemon=True)
    for backend in {backends!r}
]
for thread in threads:
    thread.start()
print("at work", flush=True)
{then}
"""
FORK = """
import os

pid = os.fork()
said = [nonosat.check(small, backend=name, presolve="none").verdict.value
        for name in ("learn", "minisat22", "glucose421")]
if not pid:
    print(said, flush=True)
    os._exit(0)
_, status = os.waitpid(pid, 0)
print(said, status, flush=True)
os._exit(0)
"""


def busy(backends: list[str], then: str) -> list[str]:
    code = BUSY.format(paths=[str(Path(__file__).parent)], backends=backends, then=then)
    return [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", code]


@pytest.mark.slow
def test_ctrl_c_ends_a_process_whose_threads_are_at_work() -> None:
    with interruptible():
        process = subprocess.Popen(
            busy(["learn", "minisat22", "glucose421", "search"], "one and nonosat.check(one)"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"at work\n"
        threading.Event().wait(0.5)
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode == -signal.SIGINT, told
    assert b"KeyboardInterrupt" in told
    assert b"leaked" not in told
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.thorough
def test_a_copy_made_while_threads_are_at_work_works() -> None:
    """Modules are imported before the forks, as Python requires of programs that fork."""
    command = busy(["learn", "minisat22", "glucose421", "search"], FORK)
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    verdicts = ["unique"] * 3
    assert done.stdout.splitlines() == ["at work", f"{verdicts}", f"{verdicts} 0"]
    assert (done.returncode, done.stderr) == (0, "")
