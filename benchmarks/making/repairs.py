"""Time and number of changes of `repair` on the sixty pictures of `ambiguous.py`.

    python benchmarks/making/repairs.py [--only ID...]   # print one line per picture
    python benchmarks/making/repairs.py --record         # write all to results/repairs.json

Each picture is repaired within 10 s and, if that did not prove the answer to be a smallest one,
within 60 s. If one cell is enough, all such cells are enumerated. Every repaired picture is checked
by an engine that repair does not use.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
from ambiguous import pictures
from common import Figures, surroundings

import nonosat
from nonosat.puzzles.nonogram.data import Nonogram

RECORD = Path(__file__).parent / "results" / "repairs.json"
SOON_S, LATE_S = 10, 60
OTHER = {"backend": "cadical195", "encoding": {"line": "automaton"}, "hints": "none"}


def answered(puzzle: Nonogram, **options: Any) -> tuple[nonosat.RepairResult, float]:
    """Return the result of a repair, and its CPU seconds."""
    started = process_time()
    found = nonosat.repair(puzzle, **options)
    return found, round(process_time() - started, 3)


def within(puzzle: Nonogram, limit_s: float) -> Figures:
    """Return the figures of a repair within a limit."""
    found, seconds = answered(puzzle, time_limit_s=limit_s)
    if not found.pictures:
        return {"s": seconds, "changes": None, "least": found.least}
    picture = found.pictures[0]
    result = nonosat.check(found.puzzle_of(picture), **OTHER)
    if result.verdict is not nonosat.Verdict.UNIQUE or result.solution != picture:
        sys.exit(f"{puzzle.about.id}: the repaired picture is {result.verdict.value}")
    return {"s": seconds, "changes": len(found.changes(picture)), "least": found.least}


def is_proven(figures: Figures) -> bool:
    """Return True if fewer changes are proven not to be enough."""
    return figures["changes"] == figures["least"]


def measured(puzzle: Nonogram) -> Figures:
    """Return the figures of one picture."""
    row: Figures = {"id": puzzle.about.id, "size": [puzzle.height, puzzle.width]}
    row |= {"colours": len(puzzle.colours), "soon": within(puzzle, SOON_S)}
    row["late"] = row["soon"] if is_proven(row["soon"]) else within(puzzle, LATE_S)
    if row["late"]["changes"] == 1:
        found, seconds = answered(puzzle, max_changes=1, most=puzzle.height * puzzle.width)
        row["of one cell"] = {"s": seconds, "number": len(found.pictures)}
    return row


def summary(rows: Iterable[Figures]) -> str:
    """Return a table of the requirements of this feature's issue, as Markdown."""
    rows = list(rows)
    soon, late = [row["soon"] for row in rows], [row["late"] for row in rows]
    middle = [row for row in rows if max(row["size"]) <= 30]
    few = [row["late"] for row in middle if row["late"]["least"] <= 2]
    one = [row["of one cell"]["s"] for row in rows if "of one cell" in row]
    lines = [
        "| what | measured |",
        "| --- | --- |",
        f"| pictures with an answer within {SOON_S} s "
        f"| {sum(each['changes'] is not None for each in soon)} of {len(rows)} |",
        f"| proved to be a smallest one within {SOON_S} s, {LATE_S} s "
        f"| {sum(map(is_proven, soon))}, {sum(map(is_proven, late))} |",
        f"| CPU seconds of those, median and most | {median(_seconds(late)):.2g}, "
        f"{max(_seconds(late)):.2g} |",
        f"| up to 30x30, where two changes may be enough | {len(few)}, "
        f"{sum(map(is_proven, few))} proved, at most {max(each['s'] for each in few):.2g} s |",
        f"| all repairs of one cell, {len(one)} pictures | at most {max(one):.2g} s |",
    ]
    return "\n".join(lines)


def _seconds(late: Iterable[Figures]) -> list[float]:
    return [each["s"] for each in late if is_proven(each)]


def told(row: Figures) -> str:
    """Return a readable line."""
    parts = [f"{row['id']:24}"]
    for limit_s, each in ((SOON_S, row["soon"]), (LATE_S, row["late"])):
        parts.append(f"{limit_s:2} s: {each['changes']} (at least {each['least']}), {each['s']} s")
    if "of one cell" in row:
        parts.append(f"{row['of one cell']['number']} cells, {row['of one cell']['s']} s")
    return "  ".join(parts)


def main() -> None:
    """Measure, print and record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--record", action="store_true", help="write results/repairs.json")
    parser.add_argument("--only", nargs="+", metavar="ID")
    options = parser.parse_args()
    if options.record and options.only:
        parser.error("a record has all pictures; leave --only out")
    began, rows = surroundings(), []
    for puzzle in pictures():
        if not options.only or puzzle.about.id in options.only:
            rows.append(measured(puzzle))
            print(told(rows[-1]), flush=True)
    if not rows:
        parser.error(f"none of the pictures is {', '.join(options.only)}")
    if options.record:
        RECORD.write_text(json.dumps({"of": began, "pictures": rows}, indent=1) + "\n")
        print(summary(rows))


if __name__ == "__main__":
    main()
