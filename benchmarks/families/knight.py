"""Knight's tours: methods, engines and given numbers in CPU seconds.

    python benchmarks/families/knight.py methods|engines|numbers

Every run is a process of its own (children included in its time), from the board to the verified
tour, medians of three; a run is ended after 60 s. KNIGHT.md has the results.
"""

from __future__ import annotations

import atexit
import os
import random
import resource
import sys
from itertools import product
from statistics import median

import nonosat
from nonosat.puzzles.knight import Knight

RUNS = 3
LIMIT_S = 60


def seconds(puzzle: Knight, options: dict[str, object]) -> float | None:
    """CPU seconds that a puzzle takes in a forked process; None where it comes to no verdict."""
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
        result = nonosat.solve(puzzle, time_limit_s=10 * LIMIT_S, **options)
        atexit._run_exitfuncs()  # ends the children of engines, so that their time counts
        os._exit(result.verdict is nonosat.Verdict.UNKNOWN)
    _, status, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime if status == 0 else None


def show(name: str, puzzle: Knight, **options: object) -> None:
    """A row of a table."""
    runs = [seconds(puzzle, options) for _ in range(RUNS)]
    text = "-" if None in runs else f"{median(runs):.3f}"
    kind = "closed" if puzzle.closed else "open"
    print(f"| {kind} {puzzle.rows} x {puzzle.columns} | {name} | {text} |", flush=True)


def methods() -> None:
    """What needs no engine."""
    for size in (8, 30, 100, 300, 1000):
        for closed in (False, True):
            show("construction", Knight(size, size, closed=closed), backend="construction")
    for size in (8, 30, 100, 300):
        show("warnsdorff", Knight(size, size), backend="warnsdorff")
    show("refused", Knight(7, 7, closed=True))


def engines() -> None:
    """The model, without a look at methods."""
    for closed, size in product((False, True), (8, 20, 30, 50)):
        for name in ("learn", "cadical195", "cpsat"):
            if name != "cpsat" or size <= 30:
                show(name, Knight(size, size, closed=closed), backend=name)
    for size in (6, 8):
        show(
            "learn, positions", Knight(size, size), backend="learn", encoding={"loop": "positions"}
        )


def numbers() -> None:
    """A share of a tour's numbers is given."""
    for size, share in product((8, 12), (0.02, 0.1, 0.3)):
        tour = nonosat.solve(Knight(size, size), backend="warnsdorff").solution
        draw = random.Random(size)
        given = tuple(
            (row, column, tour[row, column])
            for row, column in product(range(size), repeat=2)
            if draw.random() < share
        )
        for name in ("auto", "cadical195", "learn", "cpsat"):
            show(f"{len(given)} given, {name}", Knight(size, size, given=given), backend=name)


if __name__ == "__main__":
    {"methods": methods, "engines": engines, "numbers": numbers}[sys.argv[1]]()
