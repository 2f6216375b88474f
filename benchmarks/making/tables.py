"""The tables of MAKING.md, generated from the records in results/.

    python benchmarks/making/tables.py           # print them
    python benchmarks/making/tables.py --write   # write them into MAKING.md

A test compares the tables with the records, so that no number in them is written by hand.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import edits
import generators
import repairs
import uniqueness

HERE = Path(__file__).parent
REPORT = HERE / "MAKING.md"
TABLES = {  # by the record's name: table function, and key of its rows
    "repairs": (repairs.summary, "pictures"),
    "generators": (generators.summary, "kinds"),
    "edits": (edits.summary, "boards"),
    "uniqueness": (uniqueness.summary, "rows"),
}


def table(name: str) -> str:
    """Return a table, and the environment of its measurement."""
    found: dict[str, Any] = json.loads((HERE / "results" / f"{name}.json").read_text())
    summary, key = TABLES[name]
    of = found["of"]
    told = f"Measured on {of['date']} with commit {of['commit']}, one core of {of['cpu']}."
    return f"{summary(found[key])}\n\n{told}"


def filled(text: str) -> str:
    """Return a text with all tables between their marks replaced."""
    for name in TABLES:
        begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        parts = re.split(f"({re.escape(begin)}.*?{re.escape(end)})", text, flags=re.DOTALL)
        if len(parts) != 3:
            sys.exit(f"{REPORT.name}: expected one part between {begin.strip()} and {end.strip()}")
        text = f"{parts[0]}{begin}{table(name)}{end}{parts[2]}"
    return text


def main() -> None:
    """Print or write."""
    if sys.argv[1:] == ["--write"]:
        REPORT.write_text(filled(REPORT.read_text()))
    else:
        print("\n\n".join(map(table, TABLES)))


if __name__ == "__main__":
    main()
