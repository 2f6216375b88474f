"""The table of checks and their numbers of cases, generated from the records of this folder.

    python benchmarks/trust/table.py           # print it
    python benchmarks/trust/table.py --write   # write it into README.md
    python benchmarks/trust/table.py --short   # run all short forms, record them, and write

A test compares the table with `results/`, so that no number in it is written by hand. The tests of
the project run each short form; the whole forms are separate commands, which take minutes to hours.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
RESULTS = HERE / "results"
SHORT = RESULTS / "short.json"
README = HERE / "README.md"
BEGIN = "<!-- trust: made by `python benchmarks/trust/table.py --write` -->\n"
END = "\n<!-- end of trust -->"
Checked = Mapping[str, Any]


class Row(NamedTuple):
    """A check.

    Args:
        name: Name of its program and of its record.
        what: The compared parts, in Markdown.
        description: Prefixes of the names of the numbers in the table; empty for the sum of all.
        sum_of: Unit of a sum.
    """

    name: str
    what: str
    description: Sequence[str] = ()
    sum_of: str = ""


ROWS = (
    Row("lines", "line propagation, against a plain program", ("random pairs", "all ")),
    Row(
        "pictures",
        "all pictures of small boards: the number of solutions of each set of clues",
        ("sets of clues", "unique"),
    ),
    Row("formulas", "the learning search, against brute force", ("formulas", "questions")),
    Row(
        "proofs",
        "checkers of proofs, given proofs that were changed",
        ("mutations", "proofs of false claims", "changes of price tables"),
    ),
    Row(
        "agreement",
        "native search, SAT, CP-SAT and prices on the same random puzzles",
        ("puzzles", "answers", "proved and verified"),
    ),
    Row(
        "certificates",
        "certificates of puzzles of all classes, written and verified",
        ("certificates verified",),
    ),
    Row("soak", "`nonosat fuzz` over everything", ("puzzles", "answers", "hours")),
    Row("readers", "readers of files, given damaged ones", (), "files"),
    Row("faults", "commands killed at random moments", (), "kills"),
    Row("limits_kept", "limits of time and memory, on boards too large", (), "commands"),
    Row("sanitizers", "the native core under sanitizers and valgrind", (), "programs"),
    Row("mutants", "mutants of our own code that tests have to notice", (), "mutants"),
    Row("pythons", "all tests, on every Python that is named", ("tests on ",)),
)


def description(row: Row, checked: Checked | None) -> str:
    """Return the numbers of a check in the table; "-" without a record."""
    if checked is None:
        return "-"
    if not row.description:
        number = sum(checked.values())
        return f"{number:,} {row.sum_of.removesuffix('s') if number == 1 else row.sum_of}"
    found = {
        name: number
        for begin in row.description
        for name, number in checked.items()
        if name.startswith(begin)
    }
    return ", ".join(counted(number, name) for name, number in found.items())


def counted(number: int, name: str) -> str:
    """Return a number before its unit, and after `all`."""
    every = "all " if name.startswith("all ") else ""
    return f"{every}{number:,} {name.removeprefix(every)}"


def recorded() -> dict[str, Any]:
    """Return the records of the whole checks, by name."""
    paths = ((row.name, RESULTS / f"{row.name}.json") for row in ROWS)
    return {name: json.loads(path.read_text()) for name, path in paths if path.exists()}


def table(short: Mapping[str, Checked], whole: Mapping[str, Any]) -> str:
    """Return the table in Markdown."""
    lines = [["what is checked", "in every `.ci/run`", "by command", "recorded"]]
    lines.append(["---"] * 4)
    for row in ROWS:
        found = whole.get(row.name)
        day = found["on"]["date"] if found else "-"
        few = description(row, short.get(row.name))
        many = description(row, found["checked"] if found else None)
        lines.append([row.what, few, many, day])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def measured() -> dict[str, Checked]:
    """Run the short forms; return their numbers."""
    found = {}
    for row in ROWS:
        path = HERE / f"{row.name}.py"
        done = subprocess.run(
            [sys.executable, str(path), "--short"], capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{path} --short failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        found[row.name] = json.loads(done.stdout)["checked"]
    return found


def current() -> str:
    """Return the table of the records."""
    return table(json.loads(SHORT.read_text()), recorded())


def between(text: str) -> str:
    """Return the text between the marks."""
    return text.partition(BEGIN)[2].partition(END)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    parser.add_argument("--short", action="store_true", help="record the short forms, and write")
    arguments = parser.parse_args()
    if arguments.short:
        SHORT.write_text(json.dumps(measured(), indent=1) + "\n")
    if arguments.write or arguments.short:
        text = README.read_text()
        README.write_text(text.replace(BEGIN + between(text) + END, BEGIN + current() + END))
    else:
        print(current())


if __name__ == "__main__":
    main()
