"""Measurements for the tables of this folder: CPU seconds of forked processes.

Every run is a separate process, including its children's time; it is ended after `LIMIT_S`.
"""

from __future__ import annotations

import atexit
import os
import resource
from collections.abc import Callable
from statistics import median
from typing import Any

import nonosat

RUNS = 3
LIMIT_S = 60


def seconds(work: Callable[[], bool]) -> float | None:
    """Return the CPU seconds of some work; None if it fails or does not end."""
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))
        is_done = work()
        atexit._run_exitfuncs()  # ends the children of engines, so that their time counts
        os._exit(0 if is_done else 1)
    _, status, usage = os.wait4(pid, 0)
    return usage.ru_utime + usage.ru_stime if status == 0 else None


def timed(work: Callable[[], bool], digits: int) -> str:
    """Return the median of some runs, or "-" if one did not end."""
    runs = [seconds(work) for _ in range(RUNS)]
    return "-" if None in runs else f"{median(runs):.{digits}f}"


def answered(digits: int, task: str, puzzle: Any, **options: object) -> str:
    """Return the median seconds of a task on a puzzle, "solve" or "check"."""

    def work() -> bool:
        result = getattr(nonosat, task)(puzzle, time_limit_s=10 * LIMIT_S, **options)
        return result.verdict is not nonosat.Verdict.UNKNOWN

    return timed(work, digits)


def row(*cells: object) -> None:
    """Print a line of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
