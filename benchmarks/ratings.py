"""Difficulty, step times and smallest sets of lines over the bundled puzzles.

    python benchmarks/ratings.py steps steps.jsonl       # resume if interrupted
    python benchmarks/ratings.py reasons reasons.jsonl   # resume if interrupted
    python benchmarks/ratings.py report steps.jsonl reasons.jsonl > benchmarks/ratings.md

Every unique puzzle of instances/ up to 60x60 is explained, with CPU seconds of each step, and
reasons of randomly selected cells are computed.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import nonosat
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Verdict
from nonosat.explain import Minimality, reason
from nonosat.explain.explanation import NAMES, Explanation, rating_of
from nonosat.explain.nonogram.solver import Solver
from nonosat.explain.nonogram.step import GRADES

INSTANCES = Path(__file__).parent.parent / "instances"
MOST = 60
LIMIT_S = 600.0
NUM_CELLS = 2  # of each puzzle
HARD = ("unique-hard", "domino")


def names() -> list[str]:
    """Return every unique puzzle up to 60x60, small ones first, the classes of hard ones last."""
    with (INSTANCES / "index.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["verdict"] == "unique"]
    rows = [row for row in rows if row["family"] == "nonogram"]
    fits = [row for row in rows if max(int(row["height"]), int(row["width"])) <= MOST]
    fits.sort(key=lambda row: (row["class"] in HARD, int(row["height"]) * int(row["width"])))
    return [f"{row['file']}#{row['id']}" for row in fits]


def steps(name: str) -> dict[str, Any]:
    """Explain one puzzle."""
    puzzle = nonosat.load(INSTANCES / name)
    solver = Solver(puzzle, Watch(Limits(LIMIT_S)))
    taken, times = [], []
    before = process_time()
    for step in solver.steps():
        taken.append(step)
        times.append(process_time() - before)
        before = process_time()
    solver.guesser.close()
    grid = Grid(puzzle.height, puzzle.width, bytes(solver.known.cells))
    rating = rating_of(Explanation(puzzle, tuple(taken), grid, Verdict.UNIQUE))
    return {
        "name": name,
        "size": [puzzle.height, puzzle.width],
        "difficulty": rating.difficulty,
        "steps": dict(rating.steps),
        "unproven": sum(not step.is_proven for step in taken),
        "seconds": sum(times),
        "slowest": max(times, default=0.0),
    }


def reasons(name: str) -> dict[str, Any]:
    """Explain some cells of one puzzle: row, column, lines, strength, CPU seconds."""
    puzzle = nonosat.load(INSTANCES / name)
    draw = random.Random(name)
    cells = []
    for _ in range(NUM_CELLS):
        row, column = draw.randrange(puzzle.height), draw.randrange(puzzle.width)
        before = process_time()
        found = reason(puzzle, row, column, time_limit_s=LIMIT_S)
        strength = "none" if found.minimality is None else found.minimality.value
        cells.append([row, column, len(found.lines), strength, process_time() - before])
    return {"name": name, "cells": cells}


def measure(what: Callable[[str], dict[str, Any]], path: Path) -> None:
    """Append a record for every puzzle that has none yet."""
    done = {record["name"] for record in read(path)} if path.exists() else set()
    with path.open("a") as file:
        for name in names():
            if name not in done:
                print(json.dumps(what(name)), file=file, flush=True)


def read(path: Path) -> list[dict[str, Any]]:
    """Return the records, in the order of `names`."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    place = {name: index for index, name in enumerate(names())}
    return sorted(records, key=lambda record: place[record["name"]])


def report(records: list[dict[str, Any]], asked: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the report line by line."""
    yield "# How difficult the bundled puzzles are for a person\n"
    yield (
        f"{len(records)} of the {len(names())} unique puzzles of `instances/` up to {MOST}x{MOST}, "
        "made by `python benchmarks/ratings.py` (`steps`, `reasons`, `report`). The difficulty is "
        "the number of the hardest technique that is needed, and how many tenths of the cells it "
        "settles; seconds are CPU seconds.\n"
    )
    yield "| grade | techniques | puzzles |\n|---|---|---|"
    grades = Counter(int(record["difficulty"]) for record in records)
    for grade, word in NAMES.items():
        techniques = ", ".join(name for name, number in GRADES.items() if number == grade)
        if techniques:
            yield f"| {grade} {word} | {techniques} | {grades[grade]} |"
    yield ""
    yield from _times(records)
    yield from _reasons([cell for record in asked for cell in record["cells"]])
    yield "| puzzle | size | difficulty | steps | prices | guesses | seconds | slowest step |"
    yield "|---|---|---|---|---|---|---|---|"
    for record in sorted(records, key=lambda record: (record["difficulty"], record["name"])):
        height, width = record["size"]
        counts = record["steps"]
        yield (
            f"| {record['name']} | {height}x{width} | {record['difficulty']} | "
            f"{sum(counts.values())} | {counts.get('prices', 0)} | {counts.get('guess', 0)} | "
            f"{record['seconds']:.2f} | {record['slowest']:.2f} |"
        )


def _times(records: list[dict[str, Any]]) -> Iterator[str]:
    whole = [record["seconds"] for record in records]
    slowest = max(records, key=lambda record: record["slowest"])
    unproven = sum(record["unproven"] for record in records)
    yield (
        f"A whole explanation takes {median(whole):.2f} s in the median and {max(whole):.1f} s at "
        f"most, a step {slowest['slowest']:.2f} s at most ({slowest['name']}). Of the guesses "
        f"{unproven} are not confirmed within their budget of conflicts.\n"
    )


def _reasons(cells: list[list[Any]]) -> Iterator[str]:
    if not cells:
        return
    strengths = Counter(strength for _, _, _, strength, _ in cells)
    sizes = [size for _, _, size, strength, _ in cells if strength == Minimality.SMALLEST.value]
    seconds = [spent for *_, spent in cells]
    told = ", ".join(f"{count} {strength}" for strength, count in strengths.most_common())
    yield (
        f"The sets of lines that force {len(cells)} cells drawn at random: {told}. Proven ones "
        f"have {median(sizes):g} lines in the median. A set takes {median(seconds):.2f} s in the "
        f"median and {max(seconds):.1f} s at most.\n"
    )


def main() -> None:
    what, *paths = sys.argv[1:]
    if what == "report":
        print("\n".join(report(*(read(Path(path)) for path in paths))))
    else:
        measure({"steps": steps, "reasons": reasons}[what], Path(paths[0]))


if __name__ == "__main__":
    main()
