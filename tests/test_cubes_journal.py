"""Journals of cubes: an interrupted call continues from the recorded results."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nonosat
from helpers.cubed import COMMAND
from helpers.processes import happens, interruptible
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.solving import auto
from nonosat.solving.cubes import leaves, part
from nonosat.testing import oracles
from nonosat.testing.strategies import multiple_puzzles

STEPS = "instances/hard.jsonl#steps-8"
HARD = "instances/unique.jsonl#noise-30-4"
HARDER = "instances/unique.jsonl#noise-60-201"
MANY = nonosat.nonogram([[1]] * 5, [[1]] * 5)
BARE = {"cubes": 6, "jobs": 1}
SMALL = 60


@pytest.fixture(autouse=True)
def _splits_at_once(monkeypatch):
    """Split puzzles that one engine would decide."""
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 0)


@pytest.fixture
def small_budgets(monkeypatch):
    """Small budgets, so that cubes are split again often."""
    monkeypatch.setattr(leaves, "BUDGET", SMALL)


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def cubes(path):
    return [(record["cube"], record["budget"]) for record in records(path)[1:]]


@pytest.fixture
def calls(monkeypatch):
    """Cubes that are submitted to processes."""
    asked = []
    make = part.CubeTask

    def noted(puzzle, options, cube, *rest):
        asked.append(cube)
        return make(puzzle, options, cube, *rest)

    monkeypatch.setattr("nonosat.solving.cubes.conquest.CubeTask", noted)
    return asked


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Puzzle that was checked with small budgets: the result, and the bytes of the journal."""
    path = tmp_path_factory.mktemp("whole") / "cubes"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "BUDGET", SMALL)
        patch.setattr(auto, "WHOLE_CONFLICTS", 0)
        result = nonosat.check(nonosat.load(STEPS), **BARE, journal=str(path))
    return result, path.read_bytes()


@pytest.mark.usefixtures("small_budgets")
def test_recorded_results_are_not_computed_again(tmp_path, calls, whole):
    path = tmp_path / "cubes"
    first, kept = whole
    path.write_bytes(kept)
    again = nonosat.check(nonosat.load(STEPS), **BARE, journal=str(path), resume=True)
    assert (calls, path.read_bytes()) == ([], kept)
    assert again.verdict is first.verdict is nonosat.Verdict.UNIQUE
    assert again.tree == first.tree
    assert len(cubes(path)) > 6


@pytest.mark.usefixtures("small_budgets")
@pytest.mark.parametrize("num_kept", [1, -1])
def test_any_prefix_of_a_journal_is_continued(tmp_path, calls, whole, num_kept):
    path = tmp_path / "cubes"
    puzzle = nonosat.load(STEPS)
    first, kept = whole
    lines = kept.splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], *lines[1:][:num_kept], lines[-1][:20]]))  # the last is cut
    again = nonosat.check(puzzle, **BARE, journal=str(path), resume=True)
    assert (again.verdict, again.solutions, again.tree) == (
        first.verdict,
        first.solutions,
        first.tree,
    )
    assert sorted(path.read_bytes().splitlines(keepends=True)) == sorted(lines)
    assert len(calls) == len(lines) - 1 - len(lines[1:][:num_kept])


@pytest.mark.slow
@pytest.mark.parametrize("num_kept", [0, 1, 3, 6])
def test_all_solutions_are_found_again(tmp_path, num_kept):
    path = tmp_path / "cubes"
    ask = {**BARE, "max_solutions": None, "journal": str(path)}
    assert len(nonosat.solve(MANY, **ask).solutions) == 120
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: 1 + num_kept]))
    again = nonosat.solve(MANY, **ask, resume=True)
    assert {grid.cells for grid in again.solutions} == oracles.solutions(MANY)
    assert len(again.solutions) == 120


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(multiple_puzzles(max_cells=16), st.data())
def test_colours_and_unknown_lengths_are_kept(puzzle, data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cubes")
        ask = {**BARE, "max_solutions": None, "presolve": "none", "journal": str(path)}
        first = nonosat.solve(puzzle, **ask)
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines:
            path.write_bytes(b"".join(lines[: data.draw(st.integers(1, len(lines)))]))
        again = nonosat.solve(puzzle, **ask, resume=True)
    for found in (first, again):
        assert {grid.cells for grid in found.solutions} == oracles.solutions(puzzle)


@pytest.mark.slow
def test_killed_at_any_point(tmp_path):
    path = tmp_path / "cubes"
    line = [*COMMAND, "check", HARD, "--cubes", "6", "--jobs", "1", "--journal", str(path)]
    killed = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    happens(tmp_path, lambda: path.exists() and len(records_whole(path)) > 2)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    before = cubes_whole(path)
    assert before
    done = subprocess.run([*line, "--resume", "--json"], capture_output=True, text=True)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (0, "unique")
    assert cubes(path)[: len(before)] == before


@pytest.mark.thorough
def test_ctrl_c_reports_how_to_resume(tmp_path):
    path = tmp_path / "cubes"
    line = [*COMMAND, "check", HARDER, "--cubes", "6", "--jobs", "1", "--journal", str(path)]
    with interruptible():
        run = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    # The first of two cubes is on the disk; the last one may be discarded while it is written.
    happens(tmp_path, lambda: path.exists() and len(records_whole(path)) > 2)
    run.send_signal(signal.SIGINT)
    assert ", --resume continues" in run.communicate()[1]
    assert run.returncode == 130
    assert cubes(path)


def records_whole(path):
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def cubes_whole(path):
    found = map(json.loads, records_whole(path)[1:])
    return [(record["cube"], record["budget"]) for record in found]


# What is refused


def test_an_existing_file(tmp_path):
    path = tmp_path / "cubes"
    nonosat.check(MANY, **BARE, journal=str(path))
    with pytest.raises(UnsupportedError, match=r"has cubes already.*; use resume=True"):
        nonosat.check(MANY, **BARE, journal=str(path))


def test_another_puzzle_or_other_options(tmp_path):
    path = tmp_path / "cubes"
    nonosat.check(MANY, **BARE, journal=str(path))
    other = nonosat.nonogram([[1]] * 4, [[1]] * 4)
    with pytest.raises(UnsupportedError, match="cubes of another puzzle"):
        nonosat.check(other, **BARE, journal=str(path), resume=True)
    with pytest.raises(UnsupportedError, match="use the same"):
        nonosat.check(MANY, cubes=7, jobs=1, journal=str(path), resume=True)
    assert nonosat.check(MANY, cubes=6, jobs=2, journal=str(path), resume=True).verdict.value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"kind":"header","schema":1}\n', "is no journal of cubes"),
        ('{"kind":"result"}\n', "is no journal of cubes"),
        ("{}\n", "is no journal of cubes"),
        ("a puzzle\n", "this is not JSON"),
        ("a puzzle", "does not end with a record"),
    ],
)
def test_another_kind_of_file(tmp_path, text, told):
    path = tmp_path / "cubes"
    path.write_text(text)
    with pytest.raises(FormatError, match=told):
        nonosat.check(MANY, **BARE, journal=str(path), resume=True)
    assert path.read_text() == text


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        {"budget": "many"},
        {"cube": [[1]]},
        {"conflicts": None},
        {"solutions": ["01"]},
        {"solutions": ["2" * 25]},
        {"solutions": ["0" * 26]},
        {"solutions": ["0" * 25]},  # which the clues refute
        {"solutions": 5},
    ],
)
def test_a_damaged_record(tmp_path, damage):
    path = tmp_path / "cubes"
    nonosat.solve(MANY, **BARE, max_solutions=None, journal=str(path))
    lines = records(path)
    lines[1] |= damage
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(FormatError, match="not a record of a cube") as refused:
        nonosat.check(MANY, **BARE, journal=str(path), resume=True)
    assert refused.value.line == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"journal": "x"}, "journal is for cubes"),
        ({"cubes": 2, "resume": True}, "resume is for a journal"),
        ({"cubes": 2, "journal": 5}, "expected a path"),
        ({"cubes": 2, "journal": "x", "resume": 1}, "expected True or False"),
    ],
)
def test_incompatible_options(options, told):
    with pytest.raises(UnsupportedError, match=told):
        nonosat.check(MANY, **options)


@pytest.mark.slow
@pytest.mark.parametrize("damaged", ['{"kind":"cube",bro', "[1]", '{"kind":"cube"}'])
def test_the_advice_about_a_damaged_line_works(damaged, tmp_path, calls):
    path = tmp_path / "a journal"
    expected = nonosat.check(nonosat.load(STEPS), journal=str(path), **BARE)
    lines = path.read_text().splitlines()
    assert len(lines) > 3
    lines[2] = damaged
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(FormatError) as refused:
        nonosat.check(nonosat.load(STEPS), journal=str(path), resume=True, **BARE)
    command = re.search(r"remove the line \(`(.*)`\)", str(refused.value))[1]
    subprocess.run(command, shell=True, check=True)
    num_lines = len(path.read_text().splitlines())
    assert num_lines == len(lines) - 1
    calls.clear()
    again = nonosat.check(nonosat.load(STEPS), journal=str(path), resume=True, **BARE)
    assert (again.verdict, len(calls)) == (expected.verdict, 1)
    assert len(path.read_text().splitlines()) == len(lines)
