"""Speedup of two threads over one: wall seconds of whole checks, in pairs.

    python benchmarks/native/threads.py [--jobs N] [--runs N] [--record FILE]

Three classes of puzzles, most of which take one thread about half a second or more: unique noise
(proofs), random squares at 50 % (first solutions and a second one), and quick tournament puzzles,
on which no time should be lost. One and several threads take turns, so that load slows both. The
machine needs as many idle cores as threads.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from math import exp, log
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from common import instances, noise

import nonosat

HERE = Path(__file__).parent
UNIQUE = HERE.parents[1] / "instances" / "unique.jsonl"
LIMIT_S = 60.0


def classes() -> Iterator[tuple[str, list[Any]]]:
    """Yield puzzles by class."""
    unique = list(nonosat.load_all(UNIQUE))
    yield "unique noise, every third", unique[::3]
    yield "random 60x60 to 80x80", [noise(side, seed) for side in (60, 70, 80) for seed in range(6)]
    yield "random 30x30, easy", [noise(30, seed) for seed in range(40)]
    yield "taai2011, every 25th", list(nonosat.load_all(instances() / "taai2011.jsonl"))[::25]


def wall_s(puzzle: Any, question: str, **options: Any) -> float:
    """Return wall seconds of a question; the limit if it is not answered."""
    started = perf_counter()
    getattr(nonosat, question)(puzzle, time_limit_s=LIMIT_S, **options)
    return perf_counter() - started


def compare(puzzles: list[Any], jobs: int, runs: int, question: str) -> dict[str, Any]:
    """Return seconds of one thread and of several, the median of some runs of each puzzle."""
    found = []
    for puzzle in puzzles:
        pairs = [
            (wall_s(puzzle, question), wall_s(puzzle, question, jobs=jobs)) for _ in range(runs)
        ]
        found.append([round(median(side), 4) for side in zip(*pairs, strict=True)])
    return {"one_s": [one for one, _ in found], "many_s": [many for _, many in found]}


def told(name: str, figures: dict[str, Any]) -> str:
    """Return a line of a table: all puzzles, and those above half a second with one thread."""
    pairs = list(zip(figures["one_s"], figures["many_s"], strict=True))
    text = f"| {name} | {ratio(pairs)} |"
    return f"{text} {ratio([pair for pair in pairs if pair[0] > 0.5])} |"


def ratio(pairs: list[tuple[float, float]]) -> str:
    if not pairs:
        return "-"
    mean = exp(sum(log(one / many) for one, many in pairs) / len(pairs))
    one, many = (sum(side) for side in zip(*pairs, strict=True))
    return f"{len(pairs)}: {mean:.2f} times, {one:.1f} -> {many:.1f} s in all"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--record", type=Path)
    asked = parser.parse_args()
    nonosat.check(noise(25, 1))
    record: dict[str, Any] = {"jobs": asked.jobs, "runs": asked.runs}
    print("| class | all | above 0.5 s with one thread |\n|---|---|---|")
    for name, puzzles in classes():
        for question in ("check", "solve") if name.startswith("random 60") else ("check",):
            figures = compare(puzzles, asked.jobs, asked.runs, question)
            record[f"{name}: {question}"] = figures
            print(told(f"{name}: {question}", figures), flush=True)
    if asked.record:
        asked.record.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
