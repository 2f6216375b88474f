"""Measures counting: `python benchmarks/native/counting.py [NAME...]`.

A figure is the exact number of solutions (or a lower bound) and the CPU seconds of `nonosat.count`
or `nonosat.backbone` in this process; `enumeration` is that of `nonosat.solutions` with its peak
memory. The instances are in the folder in NONOSAT_INSTANCES. `--time-limit S` applies to each
puzzle, `--record FILE` writes the figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import Any

import nonosat
from nonosat.puzzles.nonogram import Nonogram, mono
from nonosat.questions.counting import digits

sys.path.insert(0, str(Path(__file__).parent.parent))
from measure import instances, noise, surroundings, yardstick

Figures = dict[str, Any]


def counted(puzzle: Nonogram, limit: float) -> Figures:
    """Count the solutions of one puzzle."""
    started = process_time()
    found = nonosat.count(puzzle, time_limit_s=limit)
    seconds = process_time() - started
    figures = {"count": digits(found.count), "exact": found.is_exact, "cpu_s": round(seconds, 3)}
    stages = {stage.name: dict(stage.detail) for stage in found.stages}
    return figures | ({"stages": stages["count"]} if "count" in stages else {})


def counted_set(puzzles: Iterable[Nonogram], limit: float) -> Figures:
    """Measure a set of puzzles; list those with several solutions or long times."""
    figures: Figures = {"puzzles": 0, "exact": 0, "unique": 0, "cpu_s": 0.0}
    several: Figures = {}
    for puzzle in puzzles:
        one = counted(puzzle, limit)
        figures["puzzles"] += 1
        figures["exact"] += one["exact"]
        figures["unique"] += one["exact"] and one["count"] == "1"
        figures["cpu_s"] = round(figures["cpu_s"] + one["cpu_s"], 3)
        if one["count"] != "1" or not one["exact"] or one["cpu_s"] > 1:
            several[puzzle.about.id] = one
    return figures | {"several": several}


def known(limit: float) -> Figures:
    """Measure boards whose numbers of solutions are formulas."""
    cells = range(400)
    given = [(row, column, 0) for row in cells for column in cells if row // 2 != column // 2]
    boards = {
        "20 rooks": mono([[1]] * 20, [[1]] * 20),
        "200 switches": mono([[1]] * 400, [[1]] * 400, given=given),
        "3 x 300, 100 runs a row": mono([[1] * 100] * 3, [[1]] * 300),
        "2 x 2000, complements": mono([[3] * 50, [None] * 51], [[1]] * 2000),
    }
    return {name: counted(puzzle, limit) for name, puzzle in boards.items()}


def noisy(limit: float) -> Figures:
    """Measure random pictures at 50 %, 20 of each size."""
    return {
        f"{side} x {side}": counted_set(
            (noise(side, seed).about_with(id=f"seed {seed}") for seed in range(20)), limit
        )
        for side in (20, 25, 30, 35, 40)
    }


def survey(limit: float) -> Figures:
    """Measure the survey puzzles."""
    return counted_set(nonosat.load_all(str(instances() / "survey.jsonl")), limit)


def picross(limit: float) -> Figures:
    """Measure the puzzles of picross-solver, minizinc and gecode."""
    names = ("picross-solver", "minizinc", "gecode")
    return {
        name: counted_set(nonosat.load_all(str(instances() / f"{name}.jsonl")), limit)
        for name in names
    }


def taai2011(limit: float) -> Figures:
    """Measure the first 200 tournament puzzles of 25x25."""
    return counted_set(nonosat.load_all(str(instances() / "taai2011.jsonl"))[:200], limit)


def backbones(limit: float) -> Figures:
    """Measure the backbones of the survey puzzles with several solutions."""
    figures: Figures = {}
    for puzzle in nonosat.load_all(str(instances() / "survey.jsonl")):
        started = process_time()
        found = nonosat.backbone(puzzle, time_limit_s=limit)
        if found.verdict is not nonosat.Verdict.UNIQUE:
            figures[puzzle.about.id] = {
                "cells": puzzle.height * puzzle.width,
                "differing": len(found.differing),
                "undecided": len(found.undecided),
                "cpu_s": round(process_time() - started, 3),
            }
    return figures


ENUMERATE = """
import itertools, resource, sys, time, nonosat
from nonosat.puzzles.nonogram import mono
puzzle = mono([[1]] * 10, [[1]] * 10)
started = time.process_time()
found = sum(1 for _ in itertools.islice(nonosat.solutions(puzzle), int(sys.argv[1])))
with open("/proc/self/status") as status:
    peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
print(found, time.process_time() - started, int(peak) // 1024)
"""


def enumeration(limit: float) -> Figures:
    """Enumerate some of the 3,628,800 solutions of ten rooks, each verified; one process each."""
    del limit
    figures: Figures = {}
    for number in (10_000, 100_000, 1_000_000):
        command = [sys.executable, "-c", ENUMERATE, str(number)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found, seconds, peak = done.stdout.split()
        figures[f"{int(found):,}"] = {"cpu_s": round(float(seconds), 2), "peak_mib": int(peak)}
    return figures


MEASURES: dict[str, Callable[[float], Figures]] = {
    measure.__name__: measure
    for measure in (known, noisy, survey, picross, taai2011, backbones, enumeration)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(MEASURES)}")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the figures as JSON")
    parser.add_argument("--time-limit", metavar="S", type=float, default=10.0)
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(MEASURES):
        parser.error(f"no figure is called {', '.join(unknown)}; there are {', '.join(MEASURES)}")
    figures: Figures = {"on": surroundings(), "yardstick": yardstick()}
    figures["time_limit_s"] = arguments.time_limit
    for name in arguments.names or MEASURES:
        figures[name] = MEASURES[name](arguments.time_limit)
        print(f"{name}: {json.dumps(figures[name])}", flush=True)
    if arguments.record:
        arguments.record.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
