"""Speed of `Checker` after an edit compared with `check` from scratch.

    python benchmarks/making/edits.py            # print one line per picture
    python benchmarks/making/edits.py --record   # also write results/edits.json

Cells are changed at random, one after the other; a change that causes a second solution is undone,
as by an artist. CPU seconds; both verdicts are compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))
from ambiguous import drawings
from common import Figures, surroundings

import nonosat
from nonosat.puzzles.nonogram.data import Nonogram, from_grid

RECORD = Path(__file__).parent / "results" / "edits.json"
EDITS = 100
NOISE = ((25, 0.4), (30, 0.5), (30, 0.55), (40, 0.5))
DRAWN = ("cat", "lighthouse", "castle", "balloon", "island")


def boards() -> Iterator[tuple[str, Nonogram]]:
    """Yield pictures with one solution, by name."""
    for puzzle in drawings():
        if puzzle.about.id in DRAWN:
            yield f"{puzzle.about.id}, {puzzle.height}x{puzzle.width}", puzzle
    for side, density in NOISE:
        puzzle = nonosat.generate_nonogram(side, side, density, 1, unique=True)
        yield f"random at {density:.2f}, {side}x{side}", puzzle


def measured(name: str, puzzle: Nonogram) -> Figures:
    """Return the CPU seconds of all edits with both methods."""
    rng, checker = Random(name), nonosat.Checker(puzzle)
    checker.check()
    again_s = anew_s = 0.0
    num_unique = 0
    for _ in range(EDITS):
        row, column = rng.randrange(puzzle.height), rng.randrange(puzzle.width)
        before = checker.picture[row, column]
        others = [value for value in range(len(puzzle.colours) + 1) if value != before]
        checker.set(row, column, rng.choice(others))
        started = process_time()
        verdict = checker.check().verdict
        between = process_time()
        expected = nonosat.check(from_grid(checker.picture, puzzle.colours)).verdict
        again_s, anew_s = again_s + between - started, anew_s + process_time() - between
        if verdict is not expected:
            sys.exit(f"{name}: {verdict.value}, expected {expected.value}")
        num_unique += verdict is nonosat.Verdict.UNIQUE
        if verdict is not nonosat.Verdict.UNIQUE:
            checker.set(row, column, before)
    figures = {"edits": EDITS, "unique": num_unique}
    return {"board": name, **figures, "again_s": round(again_s, 4), "anew_s": round(anew_s, 4)}


def summary(rows: list[Figures]) -> str:
    """Return a table as Markdown."""
    lines = [
        "| picture | edits that stay unique | ms an edit, Checker / check |",
        "| --- | --- | --- |",
    ]
    for row in rows:
        times = (f"{1e3 * row[key] / row['edits']:.2g}" for key in ("again_s", "anew_s"))
        lines.append(
            f"| {row['board']} | {row['unique']} of {row['edits']} | {' / '.join(times)} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print and record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write results/edits.json")
    options = parser.parse_args()
    began, rows = surroundings(), []
    for name, puzzle in boards():
        rows.append(measured(name, puzzle))
        print(summary(rows[-1:]).splitlines()[-1], flush=True)
    if options.record:
        RECORD.write_text(json.dumps({"of": began, "boards": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
