"""`nonosat fuzz` finds and shrinks faults of an encoding, of engines and of programs.

A package with entry points offers the encoding and the engines, so that they are in every process.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from helpers.commands import whole
from nonosat import formats
from nonosat.testing.fuzzing import findings
from nonosat.testing.fuzzing.trying import AnswerWork

PLUGINS = '''
"""Plug-ins with mistakes."""
import os
from nonosat.backends.learn import PLUGINS as ENGINES
from nonosat.core.plugins import ModelCounter
from nonosat.encodings.line_order import PLUGIN as ORDER

LEARN = ENGINES["learn"]


def strict(line, sink):
    """Lines of two blocks begin with an empty cell."""
    ORDER.encode(line, sink)
    if len(line.blocks) == 2:
        for plane in line.cells:
            sink.add([-plane[0]])


def aborting(name, num_vars, seed, options):
    if num_vars > 3:
        os.abort()
    return LEARN.opened("learn", num_vars, seed, options)


def one_less(num_vars, clauses, shown):
    """Leaves out a solution if there are several."""
    import itertools
    found = set()
    if len(shown) <= 12:
        for lits in itertools.product(*((-v, v) for v in range(1, num_vars + 1))):
            if all(not {*lits}.isdisjoint(clause) for clause in clauses):
                found.add(tuple(lits[v - 1] for v in shown))
            if len(found) > 1:
                return 1
    return len(found)


def no_loops(model):
    """Finds no loop."""
    return 0


STRICT = ORDER.replaced(encode=strict)
ABORTS = LEARN.replaced(open_engine=aborting)
ONE_LESS = ModelCounter(summary="wrong", needs="nothing", count_models=one_less)
NO_LOOPS = ModelCounter(summary="wrong", needs="nothing", count_loops=no_loops)
'''
ENTRY_POINTS = """
[nonosat.backends]
aborts = faulty:ABORTS
[nonosat.counters]
one-less = faulty:ONE_LESS
no-loops = faulty:NO_LOOPS
[nonosat.encodings]
line-strict = faulty:STRICT
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Variables of a process that finds the package."""
    info = tmp_path / "site" / "faulty-1.0.dist-info"
    info.mkdir(parents=True)
    (tmp_path / "site" / "faulty.py").write_text(PLUGINS)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: faulty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.chdir(tmp_path)
    return {**os.environ, "PYTHONPATH": str(tmp_path / "site")}


def fuzzed(
    environment: dict[str, str], *words: str, where: tuple[str, str] = ("--jobs", "1")
) -> dict[str, Any]:
    """Return the JSON output of a short campaign with a failure."""
    usual = ["--cases", "1", "--seconds", "500", *where, "--family", "nonogram", "--json"]
    done = whole("fuzz", *usual, *words, env=environment, timeout=500)
    assert done.returncode == 1, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.thorough
def test_a_wrong_encoding_is_found_and_shrunk(environment: dict[str, str]) -> None:
    ways = ["--encodings", "line=strict", "--backends", "learn,minisat22"]
    found = fuzzed(environment, *ways, "--sort", "plain-unique", "-o", "r")
    (failure,) = [one for one in found["failures"] if one["what"] == "wrong"]
    assert failure["guilty"]["options"]["encoding"] == {"line": "strict"}
    assert failure["is_shrunk"]
    puzzle = formats.load(failure["file"])
    assert puzzle.height * puzzle.width <= 4, failure["text"]
    assert failure["times"] > 1
    kinds = [json.loads(line)["kind"] for line in Path("r").read_text().splitlines()]
    assert kinds.index("failure") < kinds.index("chunk")  # no killed process loses a failure
    assert "is wrong: " in failure["text"]
    text = Path(failure["file"]).with_suffix(".txt").read_text()
    assert "--encoding line=strict" in text
    again = whole("fuzz", "--replay", failure["file"], env=environment)
    assert (again.returncode, again.stdout.partition(":")[0]) == (1, text.partition(":")[0])


@pytest.mark.thorough
def test_wrong_counters_are_found(environment: dict[str, str]) -> None:
    words = ["--cases", "12", "--seconds", "500", "--jobs", "1", "--family", "slitherlink"]
    done = whole("fuzz", *words, "--shrink-seconds", "1", "--json", env=environment, timeout=600)
    assert done.returncode == 1, done.stderr
    failures = json.loads(done.stdout)["failures"]
    wrong = {one["guilty"]["options"]["backend"] for one in failures if one["what"] == "wrong"}
    assert wrong == {"one-less", "no-loops"}  # and no counter that is right


@pytest.mark.thorough
def test_an_engine_that_takes_its_process_along_is_found(environment: dict[str, str]) -> None:
    limits = ["--time-limit", "3", "--shrink-seconds", "0.02", "--sort", "plain-multiple"]
    found = fuzzed(environment, "--backends", "aborts,learn,minisat22", *limits)
    assert found["failures"]
    for failure in found["failures"]:  # without time to shrink they differ in further options
        assert failure["what"] == "died"
        assert failure["guilty"]["options"]["backend"] == "aborts"
        puzzle = formats.load(failure["file"])
        assert puzzle.height * puzzle.width > 3  # it answers smaller ones
    answers = found["counts"]["answers"]
    assert answers["ok"] > 50  # others go on
    assert answers["left out"]  # after four deaths


PROGRAMS = {
    "died": "sh -c 'kill -SEGV $$' {file}",
    "hung": "sh -c 'sleep 60' {file}",
    "nonsense": "echo hello {file}",
}


@pytest.mark.thorough
@pytest.mark.parametrize("what", PROGRAMS)
def test_a_program_that_is_no_solver_is_reported(environment: dict[str, str], what: str) -> None:
    limit_s = 1.0 if what == "hung" else 3.0  # for each puzzle
    asked = ["--command", PROGRAMS[what], "--time-limit", str(limit_s), "--backends", "auto"]
    found = fuzzed(environment, *asked, "--sort", "plain-multiple")
    (failure,) = found["failures"]
    assert (failure["what"], failure["guilty"]["command"]) == (what, PROGRAMS[what])
    puzzle = formats.load(failure["file"])
    assert (puzzle.height, puzzle.width) == (2, 2)  # the smallest with several solutions
    again = whole("fuzz", "--replay", failure["file"], env=environment)  # in the same time
    assert again.returncode == 1
    assert findings.load(failure["file"]).work == AnswerWork(limit_s, 4096)


@pytest.mark.thorough
def test_cases_left_for_lack_of_time_are_shrunk_by_a_resumed_campaign_here_or_on_a_cluster(
    environment: dict[str, str],
) -> None:
    asked = ["--command", "echo unique {file}", "--backends", "auto", "--sort", "plain-multiple"]
    (first,) = fuzzed(environment, *asked, "-o", "r", "--shrink-seconds", "0.001")["failures"]
    assert (first["what"], first["guilty"]["command"]) == ("wrong", "echo unique {file}")
    assert not first["is_shrunk"]
    found = fuzzed(environment, *asked, "-o", "r", "--resume", where=("--cluster", "local:1"))
    (later,) = found["failures"]
    assert later["is_shrunk"]
    assert later["times"] == found["cases"] > first["times"]
    assert formats.load(later["file"]).size == "2 rows x 2 columns"
    (saved,) = Path("fuzz-failures").glob("*.json")  # a replaced case is gone
    assert str(saved) == later["file"]
