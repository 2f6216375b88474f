"""How difficult Slitherlinks are for a person: what techniques drawn boards need.

    python benchmarks/loop_ratings.py > benchmarks/loop_ratings.md

Boards are drawn by `generate_slitherlink` with seeds, thinned to a share of clues, and rated; those
of `instances/slitherlink.jsonl` that are unique are rated as well. Seconds are CPU seconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

import nonosat
from nonosat.explain.explanation import NAMES
from nonosat.explain.slitherlink.step import GRADES
from nonosat.puzzles.slitherlink.data import Slitherlink

INSTANCES = Path(__file__).parent.parent / "instances"
DRAWN = ((7, 1.0), (7, 0.4), (10, 1.0), (10, 0.6), (10, 0.4), (15, 0.6), (15, 0.4), (20, 0.45))
SEEDS = 25
RULES = 3  # up to this grade the fifteen rules suffice


def boards() -> Iterator[tuple[str, list[Slitherlink]]]:
    """By class its boards."""
    for size, share in DRAWN:
        drawn = [nonosat.generate_slitherlink(size, size, share, seed) for seed in range(SEEDS)]
        yield f"{size}x{size}, {share:.0%} clues", drawn
    found = nonosat.load_all(INSTANCES / "slitherlink.jsonl")
    yield "instances", [one for one in found if max(one.height, one.width) <= 30]


def row(name: str, puzzles: list[Slitherlink], total: Counter[str]) -> str:
    """A class as a row of the table."""
    grades, times = Counter[int](), list[float]()
    for puzzle in puzzles:
        before = process_time()
        rating = nonosat.rate(puzzle)
        times.append(process_time() - before)
        if rating.difficulty is not None:
            grades[int(rating.difficulty)] += 1
            total.update(["boards", *rating.steps])
            total["rules"] += int(rating.difficulty) <= RULES
    cells = " | ".join(str(grades[grade] or "") for grade in range(1, 9))
    return f"| {name} | {cells} | {median(times):.2f} | {max(times):.2f} |"


def main() -> None:
    total: Counter[str] = Counter()
    rows = [row(name, puzzles, total) for name, puzzles in boards()]
    print("# How difficult Slitherlinks are for a person\n")
    print("Made by `python benchmarks/loop_ratings.py`. A grade is the hardest technique's.\n")
    grades = " | ".join(f"{grade} {NAMES[grade]}" for grade in range(1, 9))
    print(f"| boards | {grades} | s, median | s, at most |")
    print("|---" * 11 + "|")
    print(*rows, sep="\n")
    print(f"\nThe fifteen rules alone solve {total['rules']} of {total['boards']} boards.\n")
    print("| technique | grade | boards that use it |\n|---|---|---|")
    for name, grade in GRADES.items():
        print(f"| {name} | {grade} | {total[name]} |")


if __name__ == "__main__":
    main()
