"""Threads that call the library all at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nonosat
from nonosat.certify.prove import prove
from nonosat.certify.verify import verify
from nonosat.puzzles.nonogram import from_grid

PICTURES = f"{Path(__file__).parent.parent}/instances/pictures.jsonl"
NUM_THREADS, NUM_PUZZLES = 8, 20


def puzzle(number: int) -> nonosat.Nonogram:
    """A small one; some have one solution, some have several."""
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


def test_threads_get_the_answers_that_one_gets_alone(tmp_path: Path) -> None:
    names = sorted(QUESTIONS)
    everything = [(number, name) for number in range(NUM_PUZZLES) for name in names]
    # Each thread has its own order, so that any two questions meet.
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
    assert not [thread for thread in threading.enumerate() if "nonosat" in thread.name]


def test_cp_sat_in_threads() -> None:
    ask = decided("cpsat")
    few = PUZZLES[:6]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda one: ask(one, Path())[0], few))
    assert found == [nonosat.check(one).verdict for one in few]
