"""The tables of nonosat's speed, generated from one recorded measurement.

    python benchmarks/speed.py             # print the tables
    python benchmarks/speed.py --write     # write them into README.md and benchmarks/README.md
    python benchmarks/speed.py --measure   # measure, record, and write them

`--measure` needs the folder of classic puzzles in NONOSAT_INSTANCES, and takes some minutes on an
otherwise idle machine; it records to results/speed.json. A test compares the tables in both files
with that record, so that no number in them is written by hand. Times of other programs are quoted
from `rivals.toml`, which names sources and machines.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
RECORD = HERE / "results" / "speed.json"
RIVALS = HERE / "rivals.toml"
Figures = Mapping[str, Any]


class Row(NamedTuple):
    """A row of a table.

    Args:
        name: Name of the measurement, and of the rival's figure.
        work: The measured work, in Markdown.
        description: Converts the figures to words.
    """

    name: str
    work: str
    description: Callable[[Any], str]


def digits(value: float) -> str:
    """Return a number with two significant digits, and all digits before the point."""
    return f"{value:.0f}" if value >= 9.95 else f"{value:#.2g}"


def seconds(*values: float) -> str:
    """Return seconds in a row with one unit."""
    return f"{' / '.join(map(digits, values))} s"


def milliseconds(value: float) -> str:
    """Return milliseconds, or microseconds below a tenth of one."""
    return f"{digits(value)} ms" if value >= 0.1 else f"{digits(1000 * value)} us"


def _large(found: Figures) -> str:
    description = seconds(*(one["cpu_s"] for one in found.values()))
    missing = sum(6 - one["decided"] for one in found.values())
    return f"{description}, {missing} not decided" if missing else description


def _proofs(found: Figures) -> str:
    return seconds(*(found["domino-14"][name] for name in ("check", "prove", "verify")))


def _start(found: Figures) -> str:
    ratios = [found[f"nonosat {name}"]["ratio"] for name in ("--help", "show", "solve")]
    return f"{' / '.join(map(digits, ratios))} times {digits(found['python -c pass']['ms'])} ms"


MAIN = (
    Row("survey", "`check` of the 27 survey puzzles", lambda f: seconds(f["cpu_s"])),
    Row(
        "giants",
        "`check` of Knotty / Faase",
        lambda f: seconds(f["knotty"]["cpu_s"], f["faase"]["cpu_s"]),
    ),
    Row(
        "taai2011",
        "`check` of 1000 tournament puzzles of 25x25 (taai2011)",
        lambda f: seconds(f["cpu_s"]),
    ),
    Row("large", "`check` of six random 70x70 / 80x80 / 99x99, the slowest", _large),
    Row("noise30", "`check` of 5000 random 30x30", lambda f: seconds(f["cpu_s"])),
    Row(
        "domino",
        "`check` of a domino staircase 14 / 16 / 20 (n-domino)",
        lambda f: seconds(*(f[size]["cpu_s"] for size in ("14", "16", "20"))),
    ),
    Row(
        "encoding",
        "50 million literals of the default encoding into a file",
        lambda f: f"{seconds(f['file']['cpu_s'])}, {f['file']['peak_mib']} MiB",
    ),
    Row("cauldron", "propagating Cauldron, 512x512, in process", lambda f: milliseconds(f["ms"])),
    Row("random30", "propagating a random 30x30, in process", lambda f: milliseconds(f["ms"])),
)
MORE = (
    Row(
        "sets",
        "`check` of the sets picross-solver, minizinc and gecode (108 puzzles)",
        lambda f: seconds(f["cpu_s"]),
    ),
    Row(
        "unique",
        "`check` of the 79 bundled unique puzzles of 30x30 to 60x60 that probing leaves open",
        lambda f: seconds(f["cpu_s"]),
    ),
    Row("proofs", "`check` / `prove` / `verify` of domino-14", _proofs),
    Row("beliefs40", "30 rounds of beliefs on a random 40x40", lambda f: milliseconds(f["ms"])),
    Row(
        "encoding",
        "clauses a second into a file / into minisat22",
        lambda f: " / ".join(
            f"{digits(f[target]['clauses_per_s'] / 1e6)} million"
            for target in ("file", "minisat22")
        ),
    ),
    Row(
        "startup", "`nonosat --help` / `show` / `solve` of a 20x20, relative to bare Python", _start
    ),
)


def recorded() -> Figures:
    """Return the recorded figures."""
    found: Figures = json.loads(RECORD.read_text())
    return found


def rivals() -> Figures:
    """Return the times of other programs, by row."""
    return tomllib.loads(RIVALS.read_text())


def table(rows: Sequence[Row], figures: Figures, others: Figures | None) -> str:
    """Return a table in Markdown, with a column of other programs unless that is None."""
    heads = ["work", "nonosat"] + (["others"] if others is not None else [])
    lines = [heads, ["---"] * len(heads)]
    for row in rows:
        cells = [row.work, row.description(figures[row.name])]
        if others is not None:
            cells.append(others.get(row.name, {}).get("text", "-"))
        lines.append(cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def machine(figures: Figures) -> str:
    """Return the environment of the figures in a sentence."""
    on = figures["on"]
    load = max(on["load"])
    quiet = "" if load < 0.5 * on["cores"] else f", which others kept busy (load {load:.1f})"
    return (
        f"Measured on {on['date']} with commit {on['commit']} on one core of {on['cpu']}{quiet}; "
        f"Python counts to two million there in {figures['yardstick']['s']:.3f} s."
    )


def targets(figures: Figures) -> dict[Path, str]:
    """Return the text that belongs between the marks of each file."""
    return {
        HERE.parent / "README.md": table(MAIN, figures, rivals()),
        HERE / "README.md": f"{machine(figures)}\n\n{table(MORE, figures, None)}",
    }


BEGIN = "<!-- speed: made by `python benchmarks/speed.py --write` -->\n"
END = "\n<!-- end of speed -->"


def between(text: str) -> str:
    """Return the text between the marks.

    Raises:
        ValueError: The text does not contain both marks, once, in their order.
    """
    _, marked, rest = text.partition(BEGIN)
    inner, ended, behind = rest.partition(END)
    if not (marked and ended) or BEGIN in rest or END in behind:
        raise ValueError(f"expected {BEGIN.strip()!r} and {END.strip()!r} once, in this order")
    return inner


def written(text: str, inner: str) -> str:
    """Return the text with other content between its marks."""
    return text.replace(BEGIN + between(text) + END, BEGIN + inner + END)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the tables into the files")
    parser.add_argument(
        "--measure", action="store_true", help="measure and record again, and write"
    )
    arguments = parser.parse_args()
    if arguments.measure:
        from measure import measured

        names = dict.fromkeys(["yardstick", *(row.name for row in (*MAIN, *MORE))])
        RECORD.write_text(json.dumps(measured(names), indent=1) + "\n")
    for path, inner in targets(recorded()).items():
        if arguments.write or arguments.measure:
            path.write_text(written(path.read_text(), inner))
        else:
            print(f"{inner}\n")


if __name__ == "__main__":
    main()
