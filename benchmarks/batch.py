"""Measures `nonosat batch`: `python benchmarks/batch.py [--number N] [--side S] [--jobs N...]`.

Generates a file of random pictures' clues, checks it with each number of jobs, and prints a line
for each: puzzles per wall minute, CPU seconds of the driver and of its workers, cost per puzzle in
addition to `nonosat.check` (in CPU seconds, independent of other load), and the resident memory of
the driver and of the largest worker, after a tenth of the results and at the peak. `--keep FILE`
generates only the collection.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, process_time, sleep

from common import COMMAND, Figures

import nonosat
from nonosat import formats
from nonosat.processes.memory import resident_mib
from nonosat.puzzles.nonogram import from_grid

LOOK_EVERY_S = 0.1
SAMPLE = 2000  # puzzles checked in process, for the cost of a check alone
_TICKS = os.sysconf("SC_CLK_TCK")


def make(path: Path, number: int, side: int, density: float) -> None:
    """Write the clues of random pictures, one puzzle per line."""
    rng = random.Random(side)
    with path.open("wb") as file:
        for _ in range(number):
            cells = bytes(rng.random() < density for _ in range(side * side))
            file.write(formats.write([from_grid(nonosat.Grid(side, side, cells))], "jsonl"))


def children_of(pid: int) -> list[int]:
    """Return the child processes of `pid`."""
    try:
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except FileNotFoundError:
        return []


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process without its children; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return sum(map(int, fields[11:13])) / _TICKS


def alone(path: Path) -> float:
    """Return the CPU seconds of `nonosat.check` per puzzle."""
    puzzles = [item for _, item in zip(range(SAMPLE), formats.iter_sources([path]), strict=False)]
    started = process_time()
    for _, puzzle in puzzles:
        nonosat.check(puzzle)
    return (process_time() - started) / len(puzzles)


def run(path: Path, number: int, jobs: int) -> Figures:
    """Check the collection and sample the processes."""
    results = path.with_suffix(".results.jsonl")
    results.unlink(missing_ok=True)
    load, started = os.getloadavg()[0], monotonic()
    command = [*COMMAND, "batch", str(path), "-o", str(results), "--jobs", str(jobs)]
    process = subprocess.Popen([*command, "--force-jobs"], stdout=subprocess.DEVNULL)
    cpu: dict[int, float] = {}
    memory: list[tuple[float, float]] = []
    early = None
    while process.poll() is None:
        workers = children_of(process.pid)
        for pid in (process.pid, *workers):
            cpu[pid] = max(cpu.get(pid, 0.0), cpu_of(pid))
        memory.append((resident_mib(process.pid), max(map(resident_mib, workers), default=0.0)))
        if early is None and results.exists() and results.stat().st_size > 50 * number:
            early = memory[-1]
        sleep(LOOK_EVERY_S)
    seconds = monotonic() - started
    if process.returncode not in (0, 3):
        sys.exit(f"the batch ended with status {process.returncode}")
    with results.open("rb") as lines:
        assert sum(1 for _ in lines) == number + 1, "a line is missing or repeated"
    driver = cpu.pop(process.pid)
    return {
        "jobs": jobs,
        "a minute": round(number / seconds * 60),
        "wall s": round(seconds, 1),
        "driver CPU s": round(driver, 2),
        "workers CPU s": [round(one, 2) for one in cpu.values()],
        "load before": round(load, 1),
        "early MiB": tuple(map(round, early or (0, 0))),
        "peak MiB": tuple(max(map(round, column)) for column in zip(*memory, strict=True)),
        "cpu": driver + sum(cpu.values()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--number", type=int, default=100_000)
    parser.add_argument("--side", type=int, default=10)
    parser.add_argument("--density", type=float, default=0.55)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    if asked.keep:
        make(asked.keep, asked.number, asked.side, asked.density)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "collection.jsonl"
        make(path, asked.number, asked.side, asked.density)
        alone_s = alone(path)
        print(f"{asked.number} puzzles of {asked.side}x{asked.side}, {alone_s * 1000:.3f} ms each")
        for jobs in asked.jobs:
            figures = run(path, asked.number, jobs)
            beyond = figures.pop("cpu") / asked.number - alone_s
            print(f"{figures}, {beyond * 1000:.3f} ms a puzzle beyond its check", flush=True)


if __name__ == "__main__":
    main()
