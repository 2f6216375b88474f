"""Compares nonosat with other installed solvers, and generates the tables.

    python benchmarks/suites/rivals/compare.py             # print the tables of the record
    python benchmarks/suites/rivals/compare.py --write     # write them into README.md
    python benchmarks/suites/rivals/compare.py --measure   # run missing jobs, record, and write

`--measure` runs the suites `unique.toml` and `first.toml` and resumes an interrupted run: a rival
that is installed later is added to the record. Every answer is compared with ours, and a wrong one
ends the run. A test compares README.md with the record.

A ratio is the rival's CPU seconds over ours: the geometric mean over the puzzles that both solved.
The rival's seconds include its start; ours are those from reading the puzzle to the verified
answer, in a process that has imported everything.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from nonosat.bench.records import Run, Status
from nonosat.bench.results import Results, load
from nonosat.bench.statistics import ratio
from nonosat.core.errors import counted

HERE = Path(__file__).parent
README = HERE / "README.md"
OURS = "auto"
SUITES = {
    "unique": "One solution, and whether it is the only one",
    "first": "The first solution alone",
}
CLASSES = {  # the first pattern that matches an instance's name
    "coloured pictures": r"/colour\.jsonl#|#coloured-",
    "unknown lengths": r"-blots$|#unknown-lengths-",
    "pictures": r"/pictures\.jsonl#",
    "n-domino": r"/domino\.jsonl#",
    "structured": r"/structured\.jsonl#",
    "unique noise": r"/unique\.jsonl#",
    "random, bundled": r"/random\.jsonl#",
    "corners": r"/special\.jsonl#",
    "random, coloured": r"^noise:.*,colours=",
    "random 30x30": r"^noise:30x30,",
    "random 40x40": r"^noise:40x40,",
    "random 50x50": r"^noise:50x50,",
}
_MARK = "<!-- {}: made by `compare.py --write` -->"


def class_of(instance: str) -> str:
    """Return the class of an instance by its name."""
    return next(name for name, pattern in CLASSES.items() if re.search(pattern, instance))


def record_of(suite: str) -> Path:
    """Return the file with the recorded runs of a suite."""
    return HERE / f"{suite}.jsonl"


def declared(suite: str) -> list[str]:
    """Return the rivals that a suite names, installed or not."""
    tables = tomllib.loads((HERE / f"{suite}.toml").read_text())["configurations"]
    return [name for name, table in tables.items() if "needs" in table]


def seconds(run: Run) -> float:
    """Return the CPU seconds of the answer, ours or a program's."""
    return float(run.statistics.get("answer_cpu_s", run.cpu_s))  # none if a limit was hit


def cell(ours: Sequence[Run], theirs: Sequence[Run]) -> str:
    """Return the ratio and the number of answers, among the puzzles that the rival supports.

    Args:
        ours: Our runs of a class.
        theirs: The rival's runs.
    """
    taken = [run for run in theirs if run.status is not Status.UNSUPPORTED]
    if not taken:
        return ""
    own = {run.sha256: run for run in ours if run.status is Status.OK}
    answered = [run for run in taken if run.status is Status.OK]
    pairs = [(seconds(run), seconds(own[run.sha256])) for run in answered if run.sha256 in own]
    mean = ratio(pairs)
    told = f"{mean.value:.2g}" if mean and mean.value < 10 else f"{mean.value:.0f}" if mean else "-"
    return told if len(answered) == len(taken) else f"{told} ({len(answered)} of {len(taken)})"


def table(results: Results, rivals: Sequence[str]) -> str:
    """Return a table of classes against rivals, in Markdown."""

    def runs_of(name: str, kind: str) -> list[Run]:
        return [
            run
            for run in results.runs
            if run.configuration == name and kind in ("", class_of(run.instance))
        ]

    heads = ["class", "puzzles", "ours, s", *rivals]
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    found = [kind for kind in CLASSES if runs_of(OURS, kind)]
    for kind in [*found, ""]:
        ours = runs_of(OURS, kind)
        num_ok = sum(run.status is Status.OK for run in ours)
        missing = f" ({num_ok} of {len(ours)})" if num_ok < len(ours) else ""
        total = f"{sum(map(seconds, ours)):.2g}{missing}"
        cells = [cell(ours, runs_of(name, kind)) for name in rivals]
        lines.append([kind or "all", str(len(ours)), total, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def told(suite: str) -> str:
    """Return a table with its limits and environment."""
    results = load([str(record_of(suite))])
    present = {run.configuration for run in results.runs}
    rivals = [name for name in declared(suite) if name in present]
    absent = [name for name in declared(suite) if name not in present]
    header = results.header
    loads = [max(run.load) for run in results.runs]
    on = f"{header.environment['cpu']}, nonosat {header.environment['commit']}"
    lines = [
        f"**{SUITES[suite]}.** {header.limits.cpu_s:g} CPU seconds a run; {header.started[:10]}, "
        f"{on}, load {min(loads):.1f} to {max(loads):.1f}.",
        "",
        table(results, rivals),
    ]
    if absent:
        lines += ["", f"Not installed, so not measured: {', '.join(absent)}."]
    return "\n".join(lines)


def written(text: str, make: Callable[[str], str] = told) -> str:
    """Return the text of README.md with the tables of the records inserted."""
    for suite in SUITES:
        begin, end = _MARK.format(suite), f"<!-- end of {suite} -->"
        before, _, rest = text.partition(begin)
        after = rest.partition(end)[2]
        text = f"{before}{begin}\n{make(suite)}\n{end}{after}"
    return text


def measure(suite: str) -> None:
    """Run the missing jobs of a suite; end the program if an answer is wrong."""
    command = [sys.executable, "-m", "nonosat", "bench", "run", f"{HERE / suite}.toml"]
    command += ["-o", str(record_of(suite))]
    command += ["--resume"] if record_of(suite).exists() else []
    if status := subprocess.run(command, check=False).returncode:
        sys.exit(status)
    results = load([str(record_of(suite))])
    print(counted(len(results.runs), "run"), "in", record_of(suite).name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print, write or measure; return the exit status."""
    parser = argparse.ArgumentParser(description="Compare nonosat with the solvers of others.")
    parser.add_argument("--write", action="store_true", help="put the tables into README.md")
    parser.add_argument("--measure", action="store_true", help="run missing jobs, and write")
    options = parser.parse_args(arguments)
    for suite in SUITES if options.measure else ():
        measure(suite)
    if options.write or options.measure:
        README.write_text(written(README.read_text()))
    else:
        print("\n\n".join(map(told, SUITES)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
