"""Comparison of encodings: selection of puzzles, runs, records, refusals, and the report."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import nonosat
from nonosat import Grid
from nonosat.core import plugins
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.limits import LimitReached
from nonosat.puzzles.nonogram import from_grid

FOLDER = Path(__file__).parent.parent / "benchmarks" / "encodings"


@pytest.fixture(scope="module")
def modules():
    """Programs, importable as from a script in their folder."""
    sys.path.insert(0, str(FOLDER))
    names = [path.stem for path in FOLDER.glob("*.py")]
    yield {name: importlib.import_module(name) for name in names}
    sys.path.remove(str(FOLDER))


# Selection


def test_at_least_60_puzzles_of_the_six_classes_and_the_hard_unique_ones(modules):
    selection = modules["selection"]
    num = {
        kind: sum(len(ids.split()) for ids in files.values())
        + len(selection.RANDOM.get(kind, (0, ()))[1])
        for kind, files in selection.CLASSES.items()
        if kind in selection.COMPARED
    }
    assert sum(num.values()) >= 60
    assert min(num.values()) >= 4
    assert set(num) == {
        *("easy pictures", "medium", "survey-hard", "random 30x30", "random 40x40"),
        *("random 50x50", "n-domino", "coloured", "unique-hard", "unique noise"),
    }


def test_classes_take_turns_and_bundled_puzzles_have_verdicts(modules):
    items = modules["selection"].items(["easy pictures", "random 30x30"])
    assert [item.kind for item in items[:4]] == ["easy pictures", "random 30x30"] * 2
    assert all((item.verdict == "unique") == (item.kind == "easy pictures") for item in items)
    assert len({item.id for item in items}) == len(items)
    (first,) = [item.puzzle for item in items if item.id == "random-30-seed-0"]
    assert first == modules["selection"].random_puzzle(30, 0)
    assert (first.height, first.width) == (30, 30)
    assert modules["selection"].items(["easy pictures", "random 30x30"], 1) == items[:2]


def test_a_missing_folder_of_puzzles_is_named(modules, monkeypatch):
    monkeypatch.delenv("NONOSAT_INSTANCES", raising=False)
    with pytest.raises(SystemExit, match=r"NONOSAT_INSTANCES .* survey\.jsonl"):
        modules["selection"].items(["survey-hard"])


# Runs


def test_every_encoding_runs_with_every_engine(modules):
    run = modules["run"]
    methods = {(method.engine, method.line) for method in run.methods()}
    encodings = {n.removeprefix("line-") for n in plugins.names("encodings") if n[:5] == "line-"}
    for engine in ("learn", "cadical195", "glucose421"):
        assert {line for name, line in methods if name == engine} == encodings
    assert {"automaton", "starts"} <= {line for name, line in methods if name == "cpsat"}


def test_a_formulation_by_encodings_counts_once_for_each(modules, monkeypatch):
    run = modules["run"]
    by = SimpleNamespace(with_argument=str)
    found = {"encodings": {"line-a": None, "line-b": None}, "formulations": {"line-by": by}}
    monkeypatch.setattr(run.plugins, "names", lambda kind: found[kind])
    monkeypatch.setattr(run.plugins, "find", lambda kind, name: found[kind][name])
    assert [m.line for m in run.methods() if m.engine == "cpsat"] == ["by:a", "by:b"]


@pytest.fixture(scope="module")
def recorded(modules, tmp_path_factory):
    """The records of a small run, by puzzle, engine and line."""
    path = tmp_path_factory.mktemp("run") / "results.jsonl"
    arguments = ["--out", str(path), "--jobs", "2", "--puzzles", "smile", "steps-8", "tulip"]
    arguments += ["--lines", "order", "automaton", "starts"]
    arguments += ["--classes", "easy pictures", "n-domino", "coloured"]
    with pytest.MonkeyPatch.context() as patch:
        # Only the larger staircases of the class n-domino come from another source.
        files = {**modules["selection"].CLASSES["n-domino"]}
        del files["minizinc.jsonl"]
        patch.setitem(modules["selection"].CLASSES, "n-domino", files)
        assert modules["run"].main([*arguments, "--budget", "0"]) == 0
        assert modules["run"].main([*arguments, "--without", "order", "automaton", "starts"]) == 0
        assert not path.exists()
        assert modules["run"].main(arguments) == 0
        once = path.read_bytes()
        assert modules["run"].main(arguments) == 0
        assert path.read_bytes() == once
    return path


@pytest.mark.thorough
def test_a_run_records_verdicts_sizes_and_effort(recorded):
    records = [json.loads(line) for line in recorded.read_text().splitlines()]
    keys = {(record["puzzle"], record["engine"], record["line"]) for record in records}
    assert len(keys) == len(records) == 3 * (2 + 2 + 2 + 2)
    assert {record["verdict"] for record in records} == {"unique"}
    assert all(record["cpu_s"] >= 0 and record["presolve"] == "none" for record in records)
    for record in records:
        if record["engine"] != "cpsat":
            assert record["clauses"] > record["auxiliaries"] > 0
            assert record["propagations"] > record["conflicts"] >= 0
    assert len({(record["puzzle"], record["solution"]) for record in records}) == 3


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (UnsupportedError("too many placements"), "refused"),
        (BackendError("refuted"), "failed"),
        (MemoryError(), "failed"),
    ],
)
def test_refusals_of_a_method_are_recorded_with_their_reason(modules, monkeypatch, error, verdict):
    run = modules["run"]

    def check(*_args, **_options):
        raise error

    monkeypatch.setattr(run.nonosat, "check", check)
    item = modules["selection"].Item("easy", "dot", from_grid(Grid(1, 1, b"\1")))
    record = run.run_one(item, run.Method("glucose421", "order"), 1.0)
    assert record["verdict"] == verdict
    assert str(error) in record["reason"]


def _record(puzzle, line, verdict, cpu_s=1.0, **more):
    whole = {"class": "c", "puzzle": puzzle, "engine": "e", "line": line, "verdict": verdict}
    return {**whole, "cpu_s": cpu_s, "limit_s": 10.0, "presolve": "none", **more}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"verdict": "unique"}, {"verdict": "multiple"}),
        ({"verdict": "unsolvable"}, {"verdict": "unique"}),
        ({"verdict": "unique", "solution": "a"}, {"verdict": "unique", "solution": "b"}),
    ],
)
def test_contradictions_end_the_run_and_every_later_one(modules, tmp_path, first, second):
    book = modules["run"].Book(tmp_path / "results.jsonl")
    book.add(_record("p", "order", "unknown"))
    book.add({**_record("p", "log", ""), **first})
    with pytest.raises(SystemExit, match="CONTRADICTION"):
        book.add({**_record("p", "direct", ""), **second})
    with pytest.raises(SystemExit, match="CONTRADICTION"):
        modules["run"].Book(tmp_path / "results.jsonl")


def test_the_index_contradicts_wrong_verdicts(modules, tmp_path):
    run = modules["run"]
    item = modules["selection"].items(["easy pictures"])[0]
    book = run.Book(tmp_path / "results.jsonl")
    book.expect(item)
    with pytest.raises(SystemExit, match="the index"):
        book.add(_record(item.id, "order", "multiple"))


# The report


def test_par2_counts_twice_the_limit(modules):
    report = modules["report"]
    records = [
        _record("p", "order", "unique", 1.0),
        _record("q", "order", "multiple", 3.0),
        _record("r", "order", "unknown", 9.9),
        _record("s", "order", "refused"),
    ]
    assert report.par2(records) == (1.0 + 3.0 + 20.0 + 20.0) / 4


def test_puzzles_that_some_method_was_not_given_are_left_out(modules):
    records = [
        *(_record(puzzle, line, "unique") for puzzle in "pqst" for line in ("order", "log")),
        _record("r", "order", "unique"),
    ]
    assert set(modules["report"].Runs(records).puzzles) == set("pqst")
    text = modules["report"].report(records, "plot.svg")
    assert "left out: r." in text
    assert text.endswith("every method decided every puzzle.\n")


def test_methods_given_few_puzzles_have_a_table_of_their_own(modules):
    report = modules["report"]
    records = [
        *(_record(puzzle, line, "unique") for puzzle in "pqst" for line in ("order", "log")),
        _record("q", "table", "unknown"),
    ]
    assert report.Runs(report.widely_run(records)).methods == [("e", "order"), ("e", "log")]
    text = report.report(records, "plot.svg")
    assert text.startswith("# Encodings compared\n\n4 puzzles")
    assert text.index("on 1 puzzle that every method was given") < text.index("| table | 20")
    assert text.count("| table |") == 1


def test_the_report_ranks_methods_and_counts_failures(modules):
    report = modules["report"]
    more = {"conflicts": 5, "propagations": 7000, "clauses": 1000, "auxiliaries": 10}
    records = [
        _record("p", "log", "unknown", 9.0),
        _record("p", "table", "refused"),
        _record("p", "order", "unique", 2.0, encode_s=0.001, **more),
    ]
    records += [{**record, "puzzle": "q"} for record in records]
    for record in records:
        record["engine"] = "glucose421"
    text = report.report(records, "plot.svg")
    assert text.index("| order | 2 | 2 |") < text.index("| log | 20 (0/2) | 20 (0/2) |")
    assert "| glucose421 | order | 2 | 10 | 14,000 | 4.00 |" in text
    assert "| order | 2 | 20 | 2,000 | 1.00 |" in text
    assert "| glucose421 | log | 2 | 0 | 0 |" in text
    assert "| glucose421 | table | 0 | 2 | 0 |" in text


@pytest.mark.slow
def test_the_report_is_written_next_to_the_results(modules, recorded):
    assert modules["report"].main([str(recorded)]) == 0
    text = recorded.with_suffix(".md").read_text()
    assert text.startswith("# Encodings compared\n\n3 puzzles")
    assert "| automaton | " in text
    root = ElementTree.parse(recorded.with_suffix(".svg")).getroot()
    lines = [e.get("points").split() for e in root.iter() if e.tag.endswith("polyline")]
    assert [len(points) for points in lines] == [3] * 8
    for points in lines:
        places = [tuple(map(float, point.split(","))) for point in points]
        assert places == sorted(places, key=lambda place: (place[0], -place[1]))


@pytest.mark.parametrize("name", ["results", "search"])
def test_the_report_is_that_of_the_record(modules, name, tmp_path):
    for suffix in (".jsonl", ".md", ".svg"):
        (tmp_path / f"{name}{suffix}").write_bytes((FOLDER / f"{name}{suffix}").read_bytes())
    assert modules["report"].main([str(tmp_path / f"{name}.jsonl")]) == 0
    for suffix in (".md", ".svg"):
        path = FOLDER / f"{name}{suffix}"
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), "run report.py"


@pytest.mark.thorough
def test_proofs_are_measured_for_engines_that_write_them(recorded):
    records = [json.loads(line) for line in recorded.read_text().splitlines()]
    for record in records:
        assert ("proof_bytes" in record) == (record["engine"] != "cpsat")
        if record["engine"] != "cpsat" and record["proof_conflicts"]:
            assert record["proof_bytes"] >= 2 * record["proof_lemmas"] > 0


@pytest.mark.parametrize("engine", ["learn", "glucose421"])
def test_a_proof_that_takes_too_long_is_left_out(modules, engine, monkeypatch):
    run = modules["run"]
    (item,) = modules["selection"].items(["unique noise"], 1)
    solution = nonosat.solve(item.puzzle).solution.cells
    with pytest.raises(LimitReached):
        run.proof_of(item, run.Method(engine, "order"), solution, 0.05)
    (easy,) = modules["selection"].items(["easy pictures"], 1)
    monkeypatch.setattr(run, "proof_of", _late)
    record = run.run_one(easy, run.Method(engine, "order"), 5.0)
    assert record["verdict"] == "unique"
    assert "proof_bytes" not in record


def _late(*_arguments):
    raise LimitReached("time limit")


def test_the_table_of_proofs_covers_puzzles_that_all_have_proved(modules):
    report = modules["report"]
    size = {"proof_conflicts": 5, "proof_lemmas": 1000, "proof_bytes": 2**20}
    records = [
        *(_record(puzzle, "order", "unique", **size) for puzzle in "pq"),
        *(_record(puzzle, "log", "unique", **size) for puzzle in "pq"),
        _record("r", "order", "unique", **size),
        _record("r", "log", "unique"),
        *(_record(puzzle, "bdd", "unique") for puzzle in "pqr"),
    ]
    text = report.proof_table(report.Runs(records))
    assert "| e | order | 2 | 10 | 2,000 | 2.00 |" in text
    assert "| e | log | 2 | 10 | 2,000 | 2.00 |" in text
    assert "bdd" not in text
    assert "## Proofs that the solution" in report.report(records, "plot.svg")


def test_runs_with_different_limits_are_not_mixed(modules, tmp_path):
    path = tmp_path / "results.jsonl"
    one, other = _record("p", "order", "unique"), _record("p", "log", "unique")
    path.write_text(f"{json.dumps(one)}\n{json.dumps({**other, 'limit_s': 5.0})}\n")
    with pytest.raises(SystemExit, match="mixes"):
        modules["report"].main([str(path)])
