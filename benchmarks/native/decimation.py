"""Measures decimation: `python benchmarks/native/decimation.py [SIDE...] [--record FILE]`.

Random squares at 50 % (`r = random.Random(seed)`, row by row, filled if `r.random() < 0.5`), each
by a separate `nonosat check --backend decimation`: CPU seconds, user and system, of the whole
process. Further options select other settings, as described in DECIMATION.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import nonosat
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram import Nonogram, from_grid

SIDES = (70, 80, 99)


def noise(side: int, seed: int) -> Nonogram:
    """Return a random square, half of its cells filled."""
    r = random.Random(seed)
    return from_grid(nonosat.Grid(side, side, bytes(r.random() < 0.5 for _ in range(side * side))))


def yardstick() -> float:
    """Return the seconds of a fixed loop of Python, as a measure of the machine's speed."""
    started = process_time()
    s = 0
    for i in range(2_000_000):
        s += i * i % 7
    return round(process_time() - started, 3)


def checked(puzzle: Nonogram, time_limit: float, hints: str) -> dict[str, Any]:
    """Check one puzzle in a separate process: CPU seconds, the verdict, counters."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "noise.jsonl"
        path.write_bytes(jsonl.write([puzzle]))
        command = [sys.executable, "-m", "nonosat", "check", str(path), "--json"]
        options = ["--backend", "decimation", "--hints", hints, "--time-limit", str(time_limit)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3, 4, 5):
        sys.exit(done.stderr)
    record = json.loads(done.stdout)
    details = {stage["name"]: stage.get("detail", {}) for stage in record["stages"]}
    decimate, solve = details.get("decimate", {}), details.get("solve", {})
    return {
        "cpu_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
        "verdict": record["verdict"],
        **{name: decimate.get(name) for name in ("times", "steps", "rounds_run", "released")},
        "conflicts": solve.get("conflicts"),
    }


def measured(side: int, seeds: int, time_limit: float, hints: str) -> dict[str, Any]:
    """Run all seeds of a side, and print each result."""
    runs = {}
    for seed in range(seeds):
        runs[seed] = checked(noise(side, seed), time_limit, hints)
        print(f"{side}x{side} seed {seed}: {runs[seed]}", flush=True)
    cpus = [run["cpu_s"] for run in runs.values()]
    solved = sum(run["verdict"] == "multiple" for run in runs.values())
    figures = {"two solutions": solved, "of": seeds, "cpu_s": round(sum(cpus), 2)}
    figures |= {"median": round(statistics.median(cpus), 2), "slowest": max(cpus)}
    print(f"{side}x{side}: {figures}", flush=True)
    return {**figures, "runs": runs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sides", nargs="*", type=int, default=SIDES)
    parser.add_argument("--seeds", type=int, default=6, help="number of seeds, from 0")
    parser.add_argument("--time-limit", type=float, default=60, help="wall seconds a puzzle")
    parser.add_argument("--hints", default="decimation", help="as in decimation:pace=0.01")
    parser.add_argument("--record", type=Path, help="write the figures to this file")
    asked = parser.parse_args()
    limits = (asked.seeds, asked.time_limit, asked.hints)
    found = {f"{side}x{side}": measured(side, *limits) for side in asked.sides}
    if asked.record:
        about = {"python": platform.python_version(), "nonosat": nonosat.__version__}
        about |= {"hints": asked.hints, "time_limit_s": asked.time_limit}
        record = {"yardstick_s": yardstick(), **about, "figures": found}
        asked.record.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
