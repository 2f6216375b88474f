"""Several threads and processes against one: wall seconds, CPU seconds, conflicts.

    python benchmarks/native/threads.py [--threads N ...] [--runs N] [--rows TEXT] [--record FILE]

Rows: first solutions of random squares at 50 %, proofs of unique noise, classes of quick puzzles on
which no time may be lost, counts, and a batch. By default 1, 2, 4, 8 and 16 threads, up to the
number of cores; more than that measure total work only. In each run the numbers of threads take
turns, so that load slows all of them; figures are medians.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from common import cpu_of, instances, noise

import nonosat
from nonosat.processes.system import cpu_name, num_cores

UNIQUE = Path(__file__).parents[2] / "instances" / "unique.jsonl"
HARDEST = (
    "noise-60-303",
    "noise-40-302",
    "noise-50-308",
    "noise-30-4",
    "noise-60-102",
    "noise-55-402",
)
NUMBERS = (1, 2, 4, 8, 16)
LIMIT_S = 120.0


class Figures(NamedTuple):
    """Wall and CPU seconds, and conflicts of all threads; limit reached: `is_open`."""

    wall_s: float
    cpu_s: float
    conflicts: int = 0
    is_open: bool = False


def decided(question: str, puzzles: Callable[[], list[Any]], threads: int) -> Figures:
    """Return the figures of a question about puzzles, one after another."""
    found, conflicts, is_open = puzzles(), 0, False
    wall, cpu = perf_counter(), process_time()
    for puzzle in found:
        result = getattr(nonosat, question)(puzzle, time_limit_s=LIMIT_S, jobs=threads)
        conflicts += sum(stage.detail.get("conflicts", 0) for stage in result.stages)
        is_open |= result.verdict is nonosat.Verdict.UNKNOWN
    return Figures(perf_counter() - wall, process_time() - cpu, conflicts, is_open)


def counted(puzzle: Any, threads: int) -> Figures:
    """Return the figures of a count."""
    wall, cpu = perf_counter(), process_time()
    found = nonosat.count(puzzle, time_limit_s=LIMIT_S, jobs=threads)
    return Figures(perf_counter() - wall, process_time() - cpu, is_open=not found.is_exact)


def collection(number: int, threads: int) -> Figures:
    """Return the figures of a batch over the first puzzles of taai2011."""
    with TemporaryDirectory() as folder:
        lines = (instances() / "taai2011.jsonl").read_text(encoding="utf-8").splitlines(True)
        part = Path(folder, "part.jsonl")
        part.write_text("".join(lines[:number]), encoding="utf-8")
        options = ["--jobs", str(threads), "--force-jobs", "-o", str(Path(folder, "out.jsonl"))]
        command = [sys.executable, "-m", "nonosat", "batch", str(part), *options]
        cpu, wall, _ = cpu_of(command)
    return Figures(wall, cpu)


def rows() -> Iterator[tuple[str, Callable[[int], Figures]]]:
    """Yield the name of each row, and a function that measures it with a number of threads."""
    for side, seeds in ((60, (0, 1)), (80, (0, 1)), (120, (3, 5)), (150, (0, 2))):
        for seed in seeds:
            one = partial(decided, "check", lambda side=side, seed=seed: [noise(side, seed)])
            yield f"random {side}x{side} seed {seed}", one
    for name in HARDEST:
        yield name, partial(decided, "check", lambda name=name: [nonosat.load(f"{UNIQUE}#{name}")])
    every = {
        "unique, every third": lambda: list(nonosat.load_all(UNIQUE))[::3],
        "random 30x30, 40 seeds": lambda: [noise(30, seed) for seed in range(40)],
        "taai2011, every 25th": lambda: list(nonosat.load_all(instances() / "taai2011.jsonl"))[
            ::25
        ],
    }
    for name, puzzles in every.items():
        yield name, partial(decided, "check", puzzles)
    yield "count 20 rooks", partial(counted, nonosat.nonogram([[1]] * 20, [[1]] * 20))
    yield "count 13 queens", partial(counted, nonosat.Queens(13))
    for number in (1000, 4000):
        yield f"batch, {number} of taai2011", partial(collection, number)


def measured(row: Callable[[int], Figures], numbers: list[int], runs: int) -> list[Figures]:
    """Return the medians of some runs for each number of threads, which take turns."""
    every = [[row(threads) for threads in numbers] for _ in range(runs)]
    found = []
    for each in zip(*every, strict=True):
        walls, cpus, conflicts, are_open = zip(*each, strict=True)
        figures = median(walls), median(cpus), int(median(conflicts)), any(are_open)
        found.append(Figures(*figures))
    return found


def shown(figures: Figures) -> str:
    """Return a cell of the table."""
    sign = "> " if figures.is_open else ""
    return f"{sign}{figures.wall_s:.2f} ({figures.cpu_s:.2f}; {figures.conflicts / 1000:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rows", default="", help="only rows whose names contain this")
    parser.add_argument("--record", type=Path)
    asked = parser.parse_args()
    numbers = asked.threads or [number for number in NUMBERS if number <= num_cores()]
    nonosat.check(noise(25, 1))
    record: dict[str, Any] = {"cpu": cpu_name(), "cores": num_cores(), "threads": numbers}
    heads = " | ".join(str(number) for number in numbers)
    print(f"wall s (CPU s; thousand conflicts) with threads\n\n| row | {heads} |")
    print("|---" * (1 + len(numbers)) + "|")
    for name, row in rows():
        if asked.rows not in name:
            continue
        found = measured(row, numbers, asked.runs)
        record[name] = [figures._asdict() for figures in found]
        print(f"| {name} | {' | '.join(map(shown, found))} |", flush=True)
        if asked.record:
            asked.record.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
