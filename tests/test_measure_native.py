"""Programs that measure the native solver: rows, targets, limits, the rule for `auto`."""

from __future__ import annotations

import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.processes import PATIENCE_S
from nonosat import Grid
from nonosat.puzzles.nonogram import from_grid

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
FOLDER = BENCHMARKS / "native"


@pytest.fixture(scope="module")
def load():
    """Load a program by its name; other modules are named `run` and `auto` as well."""
    before = [*sys.path]
    sys.path[:0] = [str(FOLDER), str(BENCHMARKS)]

    def load_one(name):
        spec = importlib.util.spec_from_file_location(f"native_{name}", FOLDER / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses read their module
        spec.loader.exec_module(module)
        return module

    yield load_one
    sys.path[:] = before


@pytest.fixture(scope="module")
def run(load):
    return load("run")


@pytest.fixture(scope="module")
def rows(run):
    del run  # it makes the module importable
    return importlib.import_module("rows")


@pytest.fixture(scope="module")
def auto(load):
    return load("auto")


def _command(*arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


# common.py


@pytest.fixture(scope="module")
def common(load):
    del load  # it makes the module importable
    return importlib.import_module("common")


@pytest.mark.parametrize("backend", ["search", "glucose421"])
def test_limits_of_cpu_seconds_hold_here_and_in_children(common, backend):
    puzzle = common.noise(70, 0)
    assert common.check_once(puzzle, 0.1, backend=backend) == (0.1, "unknown")
    seconds, verdict = common.check_once(common.noise(5, 0), 5.0, backend=backend)
    assert verdict in ("unique", "multiple")
    assert 0 < seconds < 5


def test_children_that_live_on_are_counted(common):
    source = "i = 0\nwhile i < 3_000_000: i += 1\nprint(flush=True); input()"
    before = common.children_s()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", source], **pipes) as child:
        child.stdout.readline()
        alive = common.children_s() - before
        child.communicate(b"\n")
    assert 0.01 < alive <= common.children_s() - before


# run.py


@pytest.mark.thorough
def test_rows_are_printed_and_recorded(tmp_path):
    record = tmp_path / "record.json"
    arguments = ["random30", "domino", "--limit", "0.05", "--record", str(record)]
    arguments += ["--backend", "search"]
    status, output, errors = _command(str(FOLDER / "run.py"), *arguments)
    assert (status, errors) == (0, "")
    table = [line.split(" | ") for line in output.splitlines() if line.startswith("| ")]
    works = ["random 30x30 to its fixpoint", "n-domino 14", "n-domino 16", "n-domino 20"]
    assert [cells[0].removeprefix("| ") for cells in table] == ["work", *works]
    recorded = json.loads(record.read_text())
    assert (recorded["backend"], recorded["most_s"]) == ("search", 0.05)
    assert recorded["rows"]["random30"]["on"]["cpu"]
    (thirty,) = recorded["rows"]["random30"]["rows"]
    assert 0 < thirty["measured"] < 1
    for row in recorded["rows"]["domino"]["rows"]:
        assert row["measured"] >= 0.05
        assert row["more"]["verdict"] == "unknown"


def test_an_unknown_row_is_refused_with_a_list():
    status, _, errors = _command(str(FOLDER / "run.py"), "random31")
    assert status == 2
    assert "random31" in errors
    assert "random30, cauldron" in errors


def test_every_row_of_the_table_has_its_measure(run):
    assert set(run.MEASURES) == {
        *("random30", "cauldron", "solvable", "coloured", "survey", "domino", "tournaments"),
        *("random5000", "unique", "coloured40", "giants"),
        *("random70", "random80", "random99", "random120", "random150"),
        "random200",
    }


@pytest.mark.parametrize(
    ("measured", "aim", "is_count", "verdict"),
    [
        (0.9, 2.0, False, "met"),
        (1.1, 2.0, False, "not met"),
        (1.1, None, False, "-"),
        (3, 3, True, "met"),
        (2, 3, True, "not met"),
    ],
)
def test_targets_in_seconds_scale_with_the_machine(rows, measured, aim, is_count, verdict):
    row = rows.Row("work", measured, aim, {}, is_count)
    assert row.verdict(rows.YARDSTICK_S / 2) == verdict


def test_a_target_is_not_met_if_puzzles_are_left_open(rows):
    assert rows.Row("work", 0.1, 2.0, num_open=1).verdict(rows.YARDSTICK_S) == "not met"


def test_a_limit_that_is_reached_is_counted_and_reported(run):
    puzzles = run.named(run.BUNDLED / "domino.jsonl", "domino-14")
    puzzles += run.named(run.BUNDLED / "pictures.jsonl", "cat", "smile")
    times = run.timed(puzzles, run.How("search", 0.05), 60, truth="unique")
    assert times.verdicts == ["unknown", "unique", "unique"]
    assert times.seconds[0] >= 0.05 > max(times.seconds[1:])
    assert times.figures()["open at the limit"] == 1
    with pytest.raises(SystemExit, match="cat is multiple, not unique"):
        run.timed(puzzles[1:], run.How(), 60, truth="multiple")


def test_numbers_are_shown_with_three_digits(rows):
    shown = [rows.shown(value, is_count=False) for value in (None, 12.345, 0.012345, 0.000012345)]
    assert shown == ["-", "12.3 s", "12.3 ms", "12.3 us"]


def test_pictures_of_discs_become_line_solvable_and_stay_pictures(load):
    discs = load("discs")
    texture = discs.Texture(40, (20, 60))
    puzzle, num_filled = discs.line_solvable(100, texture)
    before = discs.picture(100, texture)
    assert (puzzle.height, puzzle.width) == (100, 100)
    assert (
        sum(block.length for clue in puzzle.rows for block in clue) == before.count(1) + num_filled
    )
    assert sum(map(len, puzzle.rows)) > 200
    assert discs.line_solvable(100, texture) == (puzzle, num_filled)


def test_a_record_is_filled_in_parts_and_written_into_files(rows, tmp_path):
    record, shown, other = tmp_path / "record.json", tmp_path / "README.md", tmp_path / "x.md"
    on = {"cpu": "Slow", "commit": "abc", "date": "2026-11-23"}
    filled = rows.Record("auto", None, record)
    filled.put("random30", [rows.Row("thirty", 2e-5, 8e-6)], on, 0.077)
    filled.put("giants", [rows.Row("Faase", 3.0, 1.0)], on, 0.077)
    again = rows.Record("auto", None, record)
    again.put("giants", [rows.Row("Faase", 0.5, 1.0)], {**on, "cpu": "Fast"}, 0.04)
    shown.write_text("before\n<!-- native: `old.json` -->\nold\n<!-- end of native -->\nafter\n")
    other.write_text("no marks")
    assert rows.write(record, ("random30", "giants"), (shown, other)) == [shown]
    assert other.read_text() == "no marks"
    path, told = rows.between(shown.read_text())
    assert path == record
    assert told == "\n".join(rows.lines(rows.read(record), ("random30", "giants")))
    assert "| thirty | 8 us | 8 us | 20 us | not met |  |" in told
    assert "| Faase | 1 s | 519 ms | 500 ms | met |  |" in told
    assert "Slow, yardstick 0.077 s" in told
    assert "Fast, yardstick 0.04 s" in told
    assert shown.read_text().startswith("before\n<!-- native: ")
    assert shown.read_text().endswith("<!-- end of native -->\nafter\n")
    rows.Record("auto", 1.0, record).put("giants", [rows.Row("Faase", 1.0)], on, 0.077)
    assert set(rows.read(record)["rows"]) == {"giants"}, "other limits are another record"


def test_files_agree_with_their_record(run, rows):
    marked = {path: rows.between(path.read_text()) for path in rows.SHOWN_IN}
    assert any(marked.values())
    for path, found in marked.items():
        if found:
            record, told = found
            expected = "\n".join(rows.lines(rows.read(record), tuple(run.MEASURES)))
            assert told == expected, f"run.py --no-rows --write --record {record}: {path}"


def test_written_files_have_a_record():
    status, _, errors = _command(str(FOLDER / "run.py"), "--write", "--no-rows")
    assert status == 2
    assert "name that file" in errors


# auto.py


def test_auto_is_compared_on_at_least_150_puzzles_of_all_classes(auto):
    kinds = [*auto.OWN, "domino", "noise"]
    own = [name for name, _ in auto.selection(kinds)]
    assert len(own) >= 125
    assert {name.split("#")[0].split("-")[0] for name in own} == set(kinds)
    assert len(auto.SHARED) == 7


@pytest.mark.slow
def test_a_comparison_of_few_puzzles_runs(tmp_path):
    record = tmp_path / "record.json"
    arguments = ["domino", "--rounds", "1", "--limit", "0.02", "--record", str(record)]
    status, output, errors = _command(str(FOLDER / "auto.py"), *arguments)
    assert errors == ""
    assert status in (0, 1)  # whether the rule holds depends on the machine
    assert "2 instances" in output
    assert set(json.loads(record.read_text())["cpu_s"]) == {"domino#domino-12", "domino#domino-14"}


def test_the_rule(auto, capsys):
    def cases(num, auto_s):
        seconds = {"auto": auto_s, "search": 2.0, "sat": 1.0, "glucose421": 0.1}
        return [auto.Case("p", seconds, frozenset(seconds))] * num

    assert auto.report(cases(19, 1.05) + cases(1, 1.19), 5)
    assert not auto.report(cases(18, 1.05) + cases(2, 1.19), 5)
    assert not auto.report(cases(99, 1.05) + cases(1, 1.21), 5)
    assert "| p | sat | 1000.00 | 1210.00 | 1.21 | far |" in capsys.readouterr().out


def test_puzzles_that_nothing_decides_are_left_out(auto, capsys):
    seconds = {"auto": 1.0, "search": 1.0, "sat": 1.0, "learn": 0.1}
    case = auto.Case("p", seconds, frozenset({"learn"}))
    fast = auto.Case("q", seconds, frozenset({"auto"}))
    assert auto.report([case, fast], 5)
    assert "1 of 1" in capsys.readouterr().out


def test_contradicting_verdicts_end_the_comparison(auto, monkeypatch):
    def claims(*_args, backend="auto", **_options):
        return 0.1, "multiple" if backend == "search" else "unique"

    monkeypatch.setattr(auto, "check_once", claims)
    with pytest.raises(SystemExit, match="CONTRADICTION: dot"):
        auto.measure("dot", from_grid(Grid(1, 1, b"\1")), 1, 1.0)


# measure.py


@pytest.mark.slow
def test_the_older_program_still_measures(tmp_path):
    record = tmp_path / "record.json"
    status, output, errors = _command(
        str(BENCHMARKS / "measure.py"), "yardstick", "random30", "--record", str(record)
    )
    assert (status, errors) == (0, "")
    assert json.loads(record.read_text())["random30"]["ms"] > 0
    assert [line.split(":")[0] for line in output.splitlines()] == ["yardstick", "random30"]
