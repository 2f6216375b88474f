"""Time of `generate nonogram` for puzzles with one solution, or of a grade.

    python benchmarks/making/generators.py            # print one line per kind
    python benchmarks/making/generators.py --record   # also write results/generators.json

CPU seconds in one process, without its start; the first puzzle is not counted, because it includes
imports. Every puzzle is checked by an engine that the generator does not use, and grades are rated
again.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import mean, median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import Figures, surroundings

import nonosat

RECORD = Path(__file__).parent / "results" / "generators.json"
SEEDS = 20
KINDS: dict[str, dict[str, Any]] = {
    "25x25 at 0.55": {"size": 25, "density": 0.55, "unique": True},
    "25x25 at 0.40": {"size": 25, "density": 0.40, "unique": True},
    "40x40 at 0.50": {"size": 40, "density": 0.50, "unique": True},
    "25x25 at 0.50, three colours": {"size": 25, "density": 0.5, "unique": True, "colours": 3},
    "25x25 at 0.50, symmetric": {"size": 25, "density": 0.5, "unique": True, "symmetric": True},
    "25x25 at 0.55, line logic": {"size": 25, "density": 0.55, "logic_only": True},
    **{
        f"{side}x{side} at 0.50, grade {grade}": {"size": side, "density": 0.5, "grade": grade}
        for side in (15, 25)
        for grade in range(1, 8)
    },
    **{
        f"{side}x{side} at 0.50, grade 7": {"size": side, "density": 0.5, "grade": 7}
        for side in (10, 40)
    },
}
GRADE_LIMIT_S = 20  # for rare grades,
GRADE_SHARE = 4  # with a fraction of the seeds
OTHER = {"backend": "cadical195", "encoding": {"line": "automaton"}, "hints": "none"}


def made(size: int, density: float, seed: int, **options: Any) -> tuple[float, float] | None:
    """Return CPU seconds of one puzzle, and the share of filled cells; None if it was not found."""
    if "grade" in options:
        options["time_limit_s"] = GRADE_LIMIT_S
    started = process_time()
    try:
        puzzle = nonosat.generate_nonogram(size, size, density, seed, **options)
    except (nonosat.PuzzleError, nonosat.LimitReached):
        return None
    seconds = process_time() - started
    result = nonosat.check(puzzle, **OTHER)
    if result.verdict is not nonosat.Verdict.UNIQUE:
        sys.exit(f"{size} {density} {seed} {options}: {result.verdict.value}")
    if "grade" in options and int(nonosat.rate(puzzle).difficulty or 0) != options["grade"]:
        sys.exit(f"{size} {density} {seed} {options}: {nonosat.rate(puzzle)}")
    assert puzzle.goal is not None
    return seconds, sum(map(bool, puzzle.goal.cells)) / size**2


def measured(name: str, seeds: int) -> Figures:
    """Return the figures of one kind."""
    seeds = max(1, seeds // GRADE_SHARE) if "grade" in KINDS[name] else seeds
    tried = [made(seed=seed, **KINDS[name]) for seed in range(seeds)]
    found = [one for one in tried if one is not None]
    seconds = [round(one, 4) for one, _ in found]
    figures: Figures = {"kind": name, "puzzles": seeds, "found": len(seconds)}
    if seconds:
        figures |= {"mean_s": round(mean(seconds), 4), "median_s": median(seconds)}
        figures["max_s"] = max(seconds)
        figures["filled"] = round(mean(filled for _, filled in found), 3)
    return figures


def summary(rows: list[Figures]) -> str:
    """Return a table as Markdown."""
    lines = [
        "| puzzles | found | mean, median, most, CPU seconds | filled cells, mean |",
        "| --- | --- | --- | --- |",
    ]
    for row in rows:
        times = " / ".join(
            f"{row[key]:.2g}" for key in ("mean_s", "median_s", "max_s") if key in row
        )
        filled = f"{100 * row['filled']:.0f} %" if "filled" in row else "-"
        lines.append(
            f"| {row['kind']} | {row['found']} of {row['puzzles']} | {times or '-'} | {filled} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure, print and record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write results/generators.json")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N")
    options = parser.parse_args()
    began, rows = surroundings(), []
    made(10, 0.5, 0, unique=True)
    for name in KINDS:
        rows.append(measured(name, options.seeds))
        print(summary(rows[-1:]).splitlines()[-1], flush=True)
    if options.record:
        RECORD.write_text(json.dumps({"of": began, "kinds": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
