"""Write the bundled collection: the puzzles as JSON Lines, and `index.csv` with their verdicts.

    python instances/make.py           # rebuild every file, byte for byte
    python instances/make.py --check   # report files that are out of date

Pictures need no solver; the index is computed by `nonosat.check` and `nonosat.rate`, half a minute
in total. The classes that take longer have recorded verdicts, which `recorded.py confirm` computes
again.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from collection import collection
from entry import LICENCE, Entry, Record

from nonosat import check, rate
from nonosat.core.result import Result
from nonosat.formats import jsonl

HERE = Path(__file__).parent
INDEX = "index.csv"
COLUMNS = (
    *("id", "file", "family", "height", "width", "colours"),
    *("verdict", "class", "origin", "licence", "difficulty"),
)
# Files for people to play, and the most cells of a puzzle that is rated: larger ones take minutes.
PLAYED = ("pictures.jsonl", "colour.jsonl", "mathematics.jsonl", "slitherlink.jsonl")
MOST_RATED = 4000
# Stage that decided a check, and the resulting class.
CLASSES = {"sight": "at sight", "propagate": "line-solvable", "probe": "probing"}


def puzzle_files(entries: Mapping[str, Sequence[Entry]]) -> dict[str, bytes]:
    """Return the contents of the puzzle files by name."""
    return {
        name: jsonl.write([entry.puzzle for entry in content]) for name, content in entries.items()
    }


def decided(result: Result) -> Record:
    """Return the record of a check."""
    return Record(result.verdict.value, CLASSES.get(result.backend, "search"))


def index_row(file: str, entry: Entry, record: Record) -> dict[str, str]:
    """Return the row of the index for a puzzle, by column."""
    puzzle = entry.puzzle
    colours = len(puzzle.colours) if puzzle.family == "nonogram" else ""
    values = (
        *(puzzle.about.id, file, puzzle.family, puzzle.height, puzzle.width, colours),
        *(record.verdict, record.kind, entry.origin, LICENCE, difficulty(file, puzzle)),
    )
    return dict(zip(COLUMNS, map(str, values), strict=True))


def difficulty(file: str, puzzle: Any) -> float | str:
    """Return the difficulty of a puzzle for people; "" for none."""
    if file not in PLAYED or puzzle.height * puzzle.width > MOST_RATED:
        return ""
    found = rate(puzzle).difficulty
    return "" if found is None else found


def index_rows(entries: Mapping[str, Sequence[Entry]]) -> list[dict[str, str]]:
    """Return the whole index; check every puzzle without a record."""
    return [
        index_row(file, entry, entry.record or decided(check(entry.puzzle)))
        for file, content in entries.items()
        for entry in content
    ]


def index_text(rows: Sequence[Mapping[str, str]]) -> bytes:
    """Return the index as CSV with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def all_files() -> dict[str, bytes]:
    """Return the contents of all generated files by name."""
    entries = collection()
    return {**puzzle_files(entries), INDEX: index_text(index_rows(entries))}


def outdated(files: Mapping[str, bytes]) -> list[str]:
    """Return the names of files that are missing, differ, or are obsolete."""
    found = {path.name: path.read_bytes() for path in HERE.glob("*.jsonl")}
    if (index := HERE / INDEX).exists():
        found[INDEX] = index.read_bytes()
    return sorted(name for name in {*files, *found} if files.get(name) != found.get(name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands; return the exit status."""
    parser = argparse.ArgumentParser(description="Build the bundled puzzles and their index.")
    parser.add_argument("--check", action="store_true", help="compare, do not write")
    options = parser.parse_args(arguments)
    files = all_files()
    stale = outdated(files)
    if options.check:
        print("\n".join(f"{name} is out of date" for name in stale) or "up to date")
        return 1 if stale else 0
    for name in stale:
        if name in files:
            (HERE / name).write_bytes(files[name])
        else:
            (HERE / name).unlink()
        print(f"{name}: {'written' if name in files else 'removed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
