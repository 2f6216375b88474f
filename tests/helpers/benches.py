"""Helpers of the tests of benchmarks: a folder with a suite, small puzzles and programs to run."""

from __future__ import annotations

import json
import stat
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from nonosat.bench.book import Job, RunBook, message_of
from nonosat.bench.process import Zygote
from nonosat.bench.records import Header, Run, parse
from nonosat.bench.runner import RunDriver, Running
from nonosat.bench.suite import Suite, load_suite
from nonosat.processes.journal import Journal, read
from nonosat.processes.pools import LocalPool

CORNER = {"id": "corner", "rows": [[2], [1]], "columns": [[2], [1]]}
SWITCH = {"id": "switch", "rows": [[1], [1]], "columns": [[1], [1]]}
CROSSED = {"id": "crossed", "rows": [[1], []], "columns": [[], []]}  # unsolvable
RED = {
    "id": "red",
    "rows": [[[1, "r"]], [[1, "b"]]],
    "columns": [[[1, "r"], [1, "b"]]],
    "colors": {"r": "#ff0000", "b": "#0000ff"},
}

# Tries all pictures: an oracle that shares no code with the library.
SOLVER = """
import itertools, json, sys
puzzle = json.loads(open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read())
rows, columns = puzzle["rows"], puzzle["columns"]
def clue(line):
    return [len(run) for run in "".join(line).split(".") if run]
found = 0
for cells in itertools.product("X.", repeat=len(rows) * len(columns)):
    lines = ["".join(cells[i : i + len(columns)]) for i in range(0, len(cells), len(columns))]
    if [clue(line) for line in lines] == rows and [clue(line) for line in zip(*lines)] == columns:
        found += 1
        print(*lines, "", sep="\\n")
print("there are", found, "solutions")
"""
COUNTED = """
verdicts = {unique = "^there are 1 ", unsolvable = "^there are 0 ", multiple = "^there are "}
filled = "X"
empty = "."
"""


def program(folder: Path, name: str, text: str, *words: str) -> str:
    """Write a Python program into the folder; return it as the words of a configuration."""
    (folder / f"{name}.py").write_text(text)
    return json.dumps([sys.executable, "-S", f"{{suite}}/{name}.py", *words])


def script(folder: Path, name: str, text: str) -> None:
    """Write a shell script into the folder, to be called as ./name."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def suite_of(
    folder: Path,
    configurations: str,
    *puzzles: dict[str, Any],
    head: str = "",
    limits: str = "wall_s = 20",
) -> Suite:
    """Return the suite of these configurations on these puzzles, read from a file in the folder."""
    (folder / "puzzles.jsonl").write_text("".join(json.dumps(one) + "\n" for one in puzzles))
    instances = 'instances = ["puzzles.jsonl"]' if puzzles else ""
    (folder / "suite.toml").write_text(f"{head}\n{instances}\n[limits]\n{limits}\n{configurations}")
    return load_suite(folder / "suite.toml")


def done(suite: Suite, jobs: int = 1) -> list[Run]:
    """Run a suite, record the results next to it, and return the runs."""
    path = suite.path.with_name("results.jsonl")
    work = Running(tuple(one.options for one in suite.configurations))
    with Journal(path) as file, closing(LocalPool(jobs, work)) as pool:
        RunDriver(RunBook(suite, file), pool, lambda _: None).run()
    return runs_in(path)


def records_in(path: Path) -> list[Header | Run]:
    found = (parse(data, str(path), number) for number, data in enumerate(read(path), 1))
    return [record for record in found if record is not None]


def runs_in(path: Path) -> list[Run]:
    return [record for record in records_in(path) if isinstance(record, Run)]


def only(suite: Suite) -> dict[str, Any]:
    """Return the reply to the only job of a suite."""
    (instance,), (configuration,) = suite.instances, suite.configurations
    with Zygote([]) as zygote:
        zygote.finish()
        zygote.begin(message_of(suite, Job(instance, configuration, 0)))
        return zygote.finish()


AUTO = "[configurations.auto]\n"
WAYS = AUTO + '[configurations.sat]\nbackend = "cadical195"\npresolve = "none"\n'
SAYS = (
    'verdicts = {unsupported = "^never .*", unique = "^one", multiple = "^many", solved = "^some", '
    'unknown = "^sorry"}\n'
)


def verdicts(runs: list[Run]) -> dict[tuple[str, str], str]:
    return {(one.configuration, one.instance.partition("#")[2]): one.verdict.value for one in runs}


def pictures(runs: list[Run]) -> dict[str, list[tuple[str, ...]]]:
    """Return the recorded solutions by instance."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for one in runs:
        for rows in one.solutions:
            found.setdefault(one.instance.partition("#")[2], []).append(rows)
    return found
