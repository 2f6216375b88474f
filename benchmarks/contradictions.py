"""Time to find the clues that contradict each other in mistyped pictures.

    python benchmarks/contradictions.py > benchmarks/contradictions.md

In every picture of instances/pictures.jsonl and instances/colour.jsonl two different clues are
swapped: rows and columns in turn, in pairs from a seeded generator. Seconds are CPU seconds of one
process, without reading the file.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import nonosat
from nonosat.explain import contradiction
from nonosat.puzzles.nonogram import Nonogram

INSTANCES = Path(__file__).parent.parent / "instances"
FILES = ("pictures.jsonl", "colour.jsonl")
NUM_SWAPS = 5  # number of swaps of rows, and of columns


class Measured(NamedTuple):
    """One swap: size of the set of clues, proven minimality, number of repairs, and time."""

    size: int
    strength: str
    repairs: int
    seconds: float


def swaps(puzzle: Nonogram) -> Iterator[Nonogram]:
    """Yield the puzzle with two clues swapped, for several pairs."""
    draw = random.Random(puzzle.about.id)
    for kind in ("rows", "columns") * NUM_SWAPS:
        clues = list(getattr(puzzle, kind))
        pairs = combinations(range(len(clues)), 2)
        one, other = draw.choice([(a, b) for a, b in pairs if clues[a] != clues[b]])
        clues[one], clues[other] = clues[other], clues[one]
        yield replace(puzzle, goal=None, **{kind: tuple(clues)})


def measured(puzzle: Nonogram) -> Measured:
    """Explain one swapped puzzle."""
    before = process_time()
    found = contradiction(puzzle)
    seconds = process_time() - before
    strength = "solvable" if found.minimality is None else found.minimality.value
    return Measured(len(found.members), strength, len(found.repairs), seconds)


def line_of(puzzle: Nonogram, done: list[Measured]) -> str:
    """Return a picture's line of the table."""
    sizes = sorted(one.size for one in done if one.strength != "solvable")
    told = ", ".join(f"{n} {name}" for name, n in Counter(one.strength for one in done).items())
    seconds = [one.seconds for one in done]
    return (
        f"| {puzzle.about.id} | {puzzle.height}x{puzzle.width} | {' '.join(map(str, sizes))} | "
        f"{told} | {median(seconds):.2f} | {max(seconds):.2f} |"
    )


def main() -> None:
    puzzles = [puzzle for name in FILES for puzzle in nonosat.load_all(INSTANCES / name)]
    lines, every = [], []
    for puzzle in puzzles:
        done = [measured(swapped) for swapped in swaps(puzzle)]
        lines.append(line_of(puzzle, done))
        every += done
    seconds = [one.seconds for one in every]
    print("# Clues that contradict each other, in pictures with two clues swapped\n")
    print(
        f"{len(every)} swaps, made by `python benchmarks/contradictions.py`: {NUM_SWAPS} of rows "
        f"and {NUM_SWAPS} of columns in each picture. `nonosat check --why` finds the set in "
        f"{median(seconds):.2f} CPU seconds in the median and {max(seconds):.2f} at most, with "
        "its proof, the steps and the repairs. A size is the number of clues that contradict each "
        "other; a swap may leave a puzzle solvable.\n"
    )
    print("| picture | size | clues in the sets | known to be | median s | most s |")
    print("|---|---|---|---|---|---|")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
