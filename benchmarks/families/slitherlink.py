"""Slitherlink: the figures of its issue, engines, encodings, rules, in CPU seconds.

    python benchmarks/families/slitherlink.py numbers|hard|engines|encodings|rules|average
    python benchmarks/families/slitherlink.py boards > benchmarks/families/slitherlink.jsonl
    python benchmarks/families/slitherlink.py collection > FILE
    python benchmarks/families/slitherlink.py batch FILE

Every run is a separate process (children included in its time), from the puzzle to the verified
answer, medians of three; a run is ended after 60 s. SLITHERLINK.md contains the results.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean, median

import forked
from forked import row

import nonosat
from nonosat import formats
from nonosat.generate.slitherlink import generate_slitherlink
from nonosat.puzzles.slitherlink import BLANK, Slitherlink

timed = partial(forked.answered, 3)
NUM_BOARDS = 300  # for the average
NUM_COLLECTED = 120
HARD_SEEDS = range(1, 11)


def drawn(side: int, share: float, seed: int) -> Slitherlink:
    """Return a board with a random share of the clues: mostly with many solutions."""
    full = generate_slitherlink(side, side, 1, seed)
    kept = set(random.Random(seed).sample(range(side * side), round(share * side * side)))
    clues = (clue if place in kept else BLANK for place, clue in enumerate(full.clues))
    return Slitherlink(side, side, bytes(clues)).about_with(id=f"drawn-{side}-{share:g}-{seed}")


def cases() -> Iterator[tuple[str, Slitherlink]]:
    """Yield the boards of the issue: those with one solution are checked, the others solved."""
    thin = ((20, 0.45), (20, 0.35), (50, 0.5), (50, 0.4), (100, 0.7), (100, 0.5))
    for side, share in ((50, 1), (100, 1), *thin):
        name = f"unique-{side}-{share:g}"
        yield "check", generate_slitherlink(side, side, share, 1).about_with(id=name)
    for side, share, seed in (
        *((50, share, seed) for share in (0.2, 0.3, 0.4) for seed in (1, 2)),
        *((100, 0.4, seed) for seed in (1, 2, 3)),
        *((100, share, 1) for share in (0.2, 0.3, 0.6)),
    ):
        yield "solve", drawn(side, share, seed)


def numbers() -> None:
    for task, puzzle in cases():
        row(puzzle.about.id, task, timed(task, puzzle))


def engines() -> None:
    """Measure engines with the default encoding, CP-SAT with its own."""
    for task, puzzle in cases():
        found = [
            timed(task, puzzle, backend=engine)
            for engine in ("learn", "cadical195", "cadical153", "glucose421", "minisat22", "cpsat")
        ]
        row(puzzle.about.id, *found)


def encodings() -> None:
    """Measure encodings of the loop."""
    for task, puzzle in cases():
        methods = ({"loop": "cells"}, {"loop": "cut-sets"}, {"count": "sequential"})
        row(puzzle.about.id, *(timed(task, puzzle, encoding=method) for method in methods))


def rules() -> None:
    """Measure boards under the 15 rules alone, and the number of them that these solve."""
    for side in (10, 20, 30, 50, 100):
        puzzles = [generate_slitherlink(side, side, 1, seed) for seed in range(10)]
        results = [nonosat.check(puzzle, backend="rules") for puzzle in puzzles]
        solved = [result.verdict for result in results].count(nonosat.Verdict.UNIQUE)
        row(side, f"{solved} of 10", timed("check", puzzles[0], backend="rules"))


def average() -> None:
    """Measure boards up to 60 x 60, to the proof that the solution is the only one."""
    rng, found = random.Random(NUM_BOARDS), []
    nonosat.check(generate_slitherlink(5, 5))  # imports are not part of solving
    for seed in range(NUM_BOARDS):
        side, share = rng.randint(5, 60), rng.choice((1, 0.7, 0.6, 0.5))
        puzzle = generate_slitherlink(side, side, share, seed)
        before = os.times()
        verdict = nonosat.check(puzzle).verdict
        after = os.times()
        assert verdict is nonosat.Verdict.UNIQUE
        found.append(after.user + after.system - before.user - before.system)
    row("mean", f"{mean(found):.3f}", "median", f"{median(found):.3f}", "max", f"{max(found):.2f}")


def hard() -> None:
    """Measure 100 x 100 with 40 % of the clues: the first solution, and the check for another."""
    for seed in HARD_SEEDS:
        puzzle = drawn(100, 0.4, seed)
        row(puzzle.about.id, timed("solve", puzzle), timed("check", puzzle))


def collection() -> None:
    """Write boards as in collections: mostly 10 x 10 to 30 x 30, 30 to 60 % of the clues."""
    rng, found = random.Random(NUM_COLLECTED), []
    for seed in range(NUM_COLLECTED):
        least, most = rng.choices(((5, 9), (10, 15), (16, 30), (31, 60)), (15, 50, 30, 5))[0]
        height, width = rng.randint(least, most), rng.randint(least, most)
        found.append(generate_slitherlink(height, width, rng.uniform(0.3, 0.6), seed))
    sys.stdout.buffer.write(formats.write(found, "jsonl"))


def batch() -> None:
    """Measure the command on a file of boards: CPU milliseconds per board, three times."""
    file = Path(sys.argv[2])
    num_boards = len(file.read_text(encoding="utf-8").splitlines())
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            before = os.times()
            command = ["batch", str(file), "-o", f"{folder}/results", "--jobs", "1"]
            done = subprocess.run([sys.executable, "-m", "nonosat", *command])
            after = os.times()
        if done.returncode not in (0, 3, 4):  # verdicts
            raise SystemExit(f"status {done.returncode}, expected 0, 3 or 4")
        spent = sum(after[2:4]) - sum(before[2:4])
        row(num_boards, f"{1000 * spent / num_boards:.1f} ms")


def boards() -> None:
    """Write the boards of `numbers` as JSON Lines, for a suite."""
    sys.stdout.buffer.write(formats.write([puzzle for _, puzzle in cases()], "jsonl"))


if __name__ == "__main__":
    tables = (numbers, hard, engines, encodings, rules, average, boards, collection, batch)
    {one.__name__: one for one in tables}[sys.argv[1]]()
