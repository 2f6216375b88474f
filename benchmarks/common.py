"""Common parts of the benchmark programs: puzzles, clocks, and the environment.

Seconds are CPU seconds, never wall seconds, unless a name contains wall.
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import nonosat
from nonosat import _core
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid

ROOT = Path(__file__).parent.parent
BUNDLED = ROOT / "instances"
COMMAND = [sys.executable, "-m", "nonosat"]
Figures = dict[str, Any]
_LOOK_EVERY_S = 0.05


def instances() -> Path:
    """Return the folder of benchmark puzzles."""
    folder = os.environ.get("NONOSAT_INSTANCES")
    if not folder:
        sys.exit("set NONOSAT_INSTANCES to a folder with survey.jsonl, taai2011.jsonl and the like")
    return Path(folder)


def noise(side: int, seed: int, num_colours: int = 1) -> Nonogram:
    """Return the clues of a random picture, half of whose cells are empty."""
    rng = random.Random(seed)
    if num_colours == 1:
        cells = bytes(rng.random() < 0.5 for _ in range(side**2))
        return from_grid(nonosat.Grid(side, side, cells))
    inks = tuple(Colour(f"ink{k}", f"#{40 * k:02x}00ff") for k in range(num_colours))
    filled = range(1, num_colours + 1)
    cells = bytes(rng.choice(filled) if rng.random() < 0.5 else 0 for _ in range(side**2))
    return from_grid(nonosat.Grid(side, side, cells), inks)


def cpu_of(command: list[str]) -> tuple[float, float, str]:
    """Return CPU seconds, wall seconds and output of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall = perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3, 4, 5):
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall, done.stdout


# A process inherits the peak of its parent, so a small process is started in between.
_PEAK = """
import os, subprocess, sys
_, status, used = os.wait4(subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL).pid, 0)
print(status, used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


def peak_of(command: list[str]) -> tuple[float, float]:
    """Return CPU seconds and peak resident memory in MiB of a command without children."""
    small = [sys.executable, "-I", "-S", "-c", _PEAK, *command]
    told = subprocess.run(small, capture_output=True, text=True, check=True)
    status, cpu_s, kib = told.stdout.split()
    if status != "0":
        sys.exit(f"{' '.join(command)} failed:\n{told.stderr}")
    return float(cpu_s), int(kib) / 1024


def checked(files: list[Path], runs: int, *options: str) -> Figures:
    """Run `nonosat check` on all files in one process; return CPU, verdicts, the slowest puzzle."""
    command = [*COMMAND, "check", "--json", *options, *map(str, files)]
    cpus, walls, records = [], [], []
    for _ in range(runs):
        cpu, wall, output = cpu_of(command)
        cpus.append(cpu)
        walls.append(wall)
        records = [json.loads(line) for line in output.splitlines()]
    slowest = max(records, key=lambda record: record["seconds"])
    return {
        "puzzles": len(records),
        "cpu_s": round(statistics.median(cpus), 3),
        "wall_s": round(statistics.median(walls), 3),
        "runs": [round(cpu, 3) for cpu in cpus],
        "verdicts": dict(Counter(record["verdict"] for record in records)),
        "decided by": dict(Counter(record["backend"] for record in records)),
        "slowest": {slowest["id"]: slowest["seconds"]},
    }


def children_s() -> float:
    """Return CPU seconds of this process's children, both living and ended.

    An engine that cannot be stopped runs in a child process, which is kept for the next puzzle; the
    system reports only the usage of ended children.
    """
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = ended.ru_utime + ended.ru_stime
    for path in Path("/proc/self/task").glob("*/children"):
        pids: list[str] = []
        with suppress(OSError):  # the thread has ended meanwhile
            pids = path.read_text().split()
        for pid in pids:
            with suppress(OSError):  # it has ended meanwhile
                total += time.clock_gettime((~int(pid) << 3) | 2)  # its clock_getcpuclockid
    return total


class OutOfTime(KeyboardInterrupt):
    """A CPU limit was reached; engines end as at Ctrl-C."""


@contextmanager
def cpu_limit(limit_s: float) -> Iterator[None]:
    """Raise OutOfTime in the block after `limit_s` CPU seconds of this process and its children.

    In contrast to a puzzle's own time limit in wall seconds, it is independent of other load.
    """

    def cpu_s() -> float:
        return process_time() + children_s()

    def look(*_: object) -> None:
        if cpu_s() >= end:
            raise OutOfTime(f"CPU limit of {limit_s:g} s")

    end = cpu_s() + limit_s
    before = signal.signal(signal.SIGALRM, look)
    pause = min(_LOOK_EVERY_S, limit_s)
    signal.setitimer(signal.ITIMER_REAL, pause, pause)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def check_once(puzzle: Nonogram, limit_s: float, **options: str) -> tuple[float, str]:
    """Return the CPU seconds of `check`, child processes included, and its verdict.

    Args:
        puzzle: The puzzle.
        limit_s: CPU seconds; a puzzle that reaches them is `unknown` and counts with them.
        **options: As for `nonosat.check`.
    """
    with suppress(OutOfTime), cpu_limit(limit_s):
        of_children, started = children_s(), process_time()
        verdict = nonosat.check(puzzle, **options).verdict.value
        seconds = process_time() - started
        return seconds + children_s() - of_children, verdict
    return limit_s, nonosat.Verdict.UNKNOWN.value


def board_of(puzzle: Nonogram) -> _core.Board:
    """Return a native board of the clues alone, not yet propagated."""
    return _core.Board(len(puzzle.colours), puzzle.rows, puzzle.columns)


def propagated(puzzles: list[Nonogram], rounds: int) -> Figures:
    """Time propagation to the first fixpoint in process: the median over rounds of the mean."""
    means = []
    for _ in range(rounds):
        boards = [board_of(puzzle) for puzzle in puzzles]
        started = process_time()
        for board in boards:
            board.propagate()
        means.append((process_time() - started) / len(boards))
    return {"ms": round(1e3 * statistics.median(means), 4), "least_ms": round(1e3 * min(means), 4)}


def yardstick() -> Figures:
    """Time `s=0; for i in range(2_000_000): s+=i*i%7`, to compare machines."""
    times = []
    for _ in range(5):
        started = process_time()
        total = 0
        for i in range(2_000_000):
            total += i * i % 7
        times.append(process_time() - started)
    return {"s": round(statistics.median(times), 3)}


def surroundings() -> Figures:
    """Return the environment of the measurement."""
    from nonosat.core.versions import versions

    model = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    load = [round(value, 2) for value in os.getloadavg()]
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return {
        "cpu": model[0] if model else platform.processor(),
        "cores": os.cpu_count(),
        "load": load,
        "commit": commit,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": versions(),
    }
