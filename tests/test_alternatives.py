"""Comparison with other solvers: records, tables, and the input that adapters write."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import nonosat
from nonosat import formats
from nonosat.bench.judge import judge
from nonosat.bench.records import Status
from nonosat.bench.results import load
from nonosat.bench.suite import load_suite

FOLDER = Path(__file__).parent.parent / "benchmarks/suites/rivals"
README = (FOLDER / "README.md").read_text()
SUITES = ("unique", "first")
PLAIN: dict[str, Any] = {"rows": [[2], [], [1, 1]], "columns": [[1, 1], [1], [1]]}


@pytest.fixture(scope="module")
def compare() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("compare")
    sys.path.remove(str(FOLDER))


def test_the_tables_are_those_of_the_records(compare: ModuleType) -> None:
    assert compare.written(README) == README, "run compare.py --write"


@pytest.mark.parametrize("name", SUITES)
def test_a_record_is_of_its_suite_and_has_no_wrong_answer(compare: ModuleType, name: str) -> None:
    results = load([str(FOLDER / f"{name}.jsonl")])
    suite = (FOLDER / f"{name}.toml").read_bytes()
    assert results.header.suite_sha256 == sha256(suite).hexdigest()
    judgement = judge(results)
    assert not judgement.wrong
    assert not judgement.disputes
    assert all(compare.class_of(run.instance) for run in results.runs)
    present = {run.configuration for run in results.runs}
    assert present - set(compare.declared(name)) <= {compare.OURS, "cpsat"}
    ours = [run for run in results.runs if run.configuration == compare.OURS]
    assert all(run.status is Status.OK for run in ours)
    assert {run.sha256 for run in ours} == {run.sha256 for run in results.runs}


@pytest.mark.parametrize("name", SUITES)
def test_nothing_that_is_not_installed_is_run(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    suite = load_suite(FOLDER / f"{name}.toml")
    assert "auto" in {one.name for one in suite.configurations}
    table = tomllib.loads((FOLDER / f"{name}.toml").read_text())["configurations"]
    needy = {one: own["needs"] for one, own in table.items() if "needs" in own}
    assert suite.absent == {one: ", ".join(needed) for one, needed in needy.items()}
    assert all(needed in README for own in needy.values() for needed in own)


def test_a_ratio_covers_instances_that_both_solved(compare: ModuleType) -> None:
    results = load([str(FOLDER / "unique.jsonl")])
    runs = [run for run in results.runs if compare.class_of(run.instance) == "random 40x40"]
    ours = [run for run in runs if run.configuration == compare.OURS]
    theirs = [run for run in runs if run.configuration == "pbnsolve"]
    solved = [run for run in theirs if run.status is Status.OK]
    own = {run.sha256: compare.seconds(run) for run in ours}
    product = 1.0
    for run in solved:
        product *= compare.seconds(run) / own[run.sha256]
    told = compare.cell(ours, theirs).split()
    assert float(told[0]) == pytest.approx(product ** (1 / len(solved)), rel=0.06)
    assert told[1:] == [f"({len(solved)}", "of", f"{len(theirs)})"]
    assert compare.cell(ours, []) == ""


def written(folder: Path, puzzle: Any, name: str) -> str:
    path = folder / f"puzzle.{name}"
    path.write_bytes(formats.write([puzzle], name))
    return str(path)


def awk(path: str) -> subprocess.CompletedProcess[str]:
    command = ["awk", "-f", str(FOLDER / "nonogrid.awk"), path]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_nonogrid_is_given_the_clues(tmp_path: Path) -> None:
    plain = nonosat.nonogram(PLAIN["rows"], PLAIN["columns"])
    made = tomllib.loads(awk(written(tmp_path, plain, "g")).stdout)
    assert made["colors"]["defs"] == []
    assert made["clues"]["rows"].replace("\n", "").split(",")[:3] == ["2", "0", "1 1"]
    assert made["clues"]["columns"].replace("\n", "").split(",")[:3] == ["1 1", "1", "1"]
    (coloured,) = formats.iter_sources([str(FOLDER / "../../../instances/colour.jsonl#fish")])
    puzzle = coloured[1]
    made = tomllib.loads(awk(written(tmp_path, puzzle, "g")).stdout)
    assert len(made["colors"]["defs"]) == len(puzzle.colours)
    clues = [row.split() for row in made["clues"]["rows"].replace("\n", "").split(",")[:-1]]
    assert [len(clue) for clue in clues] == [len(clue) for clue in puzzle.rows]
    assert all(clue[0].rstrip("abcdefghijklmnopqrstuvwxyz").isdecimal() for clue in clues)


def test_nonogrid_takes_no_empty_line_in_colours(tmp_path: Path) -> None:
    (found,) = formats.iter_sources([str(FOLDER / "../../../instances/colour.jsonl#balloon")])
    done = awk(written(tmp_path, found[1], "g"))
    assert (done.returncode, done.stderr) == (1, "beyond it: an empty line\n")


def test_glasgow_is_given_the_clues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "nonogram"
    fake.write_text("#!/bin/sh\ncat puzzle.dzn\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    puzzle = nonosat.nonogram([[2], [], [1, 1]], [[1, 1], [1], [1]])

    def told(given: Any) -> subprocess.CompletedProcess[str]:
        path = written(tmp_path, given, "jsonl")
        command = [sys.executable, str(FOLDER / "glasgow.py"), path]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    text = told(puzzle).stdout
    assert text.startswith("X = 3;\nY = 3;\nmaxlen = 3;\nrows = [| 1,1,-1\n| -1,-1,-1\n| 1,0,1 |];")
    assert text.endswith("cols = [| 1,0,1\n| 1,-1,-1\n| 1,-1,-1 |];\n")
    unknown = nonosat.nonogram([[None]], [[None]])
    assert told(unknown).stderr.startswith("beyond it: ")
