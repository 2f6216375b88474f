"""Running a suite: records of runs, statuses, external programs, resuming."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from helpers.benches import (
    AUTO,
    CORNER,
    CROSSED,
    RED,
    SAYS,
    SWITCH,
    WAYS,
    done,
    pictures,
    records_in,
    runs_in,
    script,
    suite_of,
    verdicts,
)
from helpers.commands import run
from nonosat.batch.fingerprint import digest
from nonosat.bench.outcome import recorded
from nonosat.bench.records import Header, Run, Status
from nonosat.core.result import Verdict


def test_verdicts_and_solutions_of_a_check(tmp_path: Path) -> None:
    runs = done(suite_of(tmp_path, WAYS, CORNER, SWITCH, CROSSED, RED, head='task = "check"'))
    expected = {"corner": "unique", "switch": "multiple", "crossed": "unsolvable", "red": "unique"}
    assert verdicts(runs) == {(w, i): v for w in ("auto", "sat") for i, v in expected.items()}
    assert {one.status for one in runs} == {Status.OK}
    found = pictures(runs)
    assert found["corner"] == [("##", "#.")]
    assert sorted(found["switch"]) == [("#.", ".#"), (".#", "#.")]
    assert "crossed" not in found
    assert found["red"] == [("#", "a")]


def test_a_picture_is_recorded_once_and_known_by_its_digest(tmp_path: Path) -> None:
    runs = done(suite_of(tmp_path, WAYS, CORNER, SWITCH, CROSSED, head='task = "check"'))
    for one in runs:
        expected = {Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2, Verdict.UNSOLVABLE: 0}[one.verdict]
        assert len(set(one.digests)) == expected
    assert {len(found) for found in pictures(runs).values()} == {1, 2}
    switch = [set(one.digests) for one in runs if one.instance.endswith("switch")]
    assert switch[0] == switch[1] == {digest(rows) for rows in pictures(runs)["switch"]}


@pytest.mark.thorough
def test_a_suite_without_pictures_records_digests_that_count_after_a_resume(tmp_path: Path) -> None:
    head = 'task = "check"\npictures = false'
    suite = suite_of(tmp_path, AUTO, SWITCH, head=head)
    assert [(one.solutions, len(one.digests)) for one in done(suite)] == [((), 2)]
    script(tmp_path, "run", "echo one")
    way = f'[configurations.own]\nprogram = ["./run", "{{non}}"]\n{SAYS}'
    _, liar = done(suite_of(tmp_path, AUTO + way, SWITCH, head=head))
    assert (liar.status, liar.reason) == (
        Status.WRONG,
        "two verified solutions refute that it is unique",
    )


def test_a_run_is_described(tmp_path: Path) -> None:
    head = 'task = "check"\nrepetitions = 2'
    suite = suite_of(tmp_path, WAYS + "seed = 5\n", SWITCH, head=head)
    header, *_ = records_in(tmp_path / "results.jsonl") if done(suite) else []
    assert isinstance(header, Header)
    assert header.environment.keys() >= {"nonosat", "commit", "python", "cpu", "cores", "os"}
    assert header.suite_sha256 == suite.sha256
    first, *rest = [one for one in runs_in(tmp_path / "results.jsonl") if one.seed == 5]
    assert (first.size, first.repetition, first.exit, first.signal) == ((2, 2), 0, 0, None)
    assert [one.repetition for one in rest] == [1]
    parts = [first.start_s, first.encode_s, first.solve_s, first.check_s]
    assert all(part is not None and part >= 0 for part in parts)
    assert 0 < sum(part or 0 for part in parts) <= first.wall_s
    assert first.cpu_s > 0
    assert 0 < first.peak_mib < 200
    assert [stage["name"] for stage in first.stages] == ["encode", "solve"]
    assert first.statistics["clauses"] > 0
    assert len(first.load) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('task = "solve"', ("solved", None, 1)),
        ('task = "enumerate"\nmax_solutions = 4', ("multiple", 4, 2)),
        ('task = "enumerate"\nmax_solutions = 1', ("solved", 1, 1)),
        ('task = "count"', ("multiple", 6, 2)),
    ],
)
def test_tasks(tmp_path: Path, head: str, expected: tuple[str, int | None, int]) -> None:
    six = {"id": "six", "rows": [[1]] * 3, "columns": [[1]] * 3}
    for one in done(suite_of(tmp_path, WAYS, six, head=head)):
        assert (one.verdict.value, one.count, len(one.digests)) == expected


def test_counting_has_a_backend_of_its_own(tmp_path: Path) -> None:
    ways = '[configurations.counter]\nbackend = "count"\n' + AUTO
    big = {"id": "big", "rows": [[1]] * 12, "columns": [[1]] * 12}
    counter = suite_of(
        tmp_path, ways.replace(AUTO, ""), CORNER, SWITCH, CROSSED, big, head='task = "count"'
    )
    counts = {one.instance[-6:]: (one.count, one.status) for one in done(counter)}
    assert [count for count, _ in counts.values()] == [1, 2, 0, 479001600]
    assert {status for _, status in counts.values()} == {Status.OK}


def test_an_index_is_compared_with_verdicts(tmp_path: Path) -> None:
    (tmp_path / "index.csv").write_text(
        "id,file,verdict\ncorner,puzzles.jsonl,multiple\nswitch,puzzles.jsonl,unique\n"
    )
    runs = done(suite_of(tmp_path, AUTO, CORNER, SWITCH, head='task = "check"'))
    corner, switch = runs[:2]
    assert (corner.status, corner.reason) == (Status.WRONG, "unique, but the index states multiple")
    assert switch.status is Status.OK  # two verified solutions: the index is wrong


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("exit 1", "crash", "gave no answer (exit status 1)"),
        ("echo 's SATISFIABLE'; echo 'v 0'", "wrong", "gave a solution that the clues refute: "),
        ("echo 's UNSATISFIABLE'", "wrong", "unsolvable, but the index states unique"),
    ],
)
def test_statuses_of_our_own_backends(tmp_path: Path, text: str, status: str, told: str) -> None:
    script(tmp_path, "solver", text)
    (tmp_path / "index.csv").write_text("id,file,verdict\ncorner,puzzles.jsonl,unique\n")
    way = f'[configurations.own]\nbackend = "program:{tmp_path}/solver {{cnf}}"\n'
    (one,) = done(suite_of(tmp_path, way + 'presolve = "none"\n', CORNER, head='task = "check"'))
    assert (one.status.value, told in one.reason) == (status, True), one.reason


def test_puzzles_that_an_encoding_cannot_take_are_unsupported(tmp_path: Path) -> None:
    way = '[configurations.own]\nbackend = "cadical195"\nencoding = {line = "placements"}\n'
    long = {
        "id": "long",
        "rows": [[1] * 20] * 2,
        "columns": [[1] if n % 3 else [] for n in range(60)],
    }
    (one,) = done(suite_of(tmp_path, way + 'presolve = "none"\n', long))
    assert one.status is Status.UNSUPPORTED
    assert "placements" in one.reason


# The command


def test_the_command_records_and_goes_on(tmp_path: Path) -> None:
    suite, out = suite_of(tmp_path, WAYS, CORNER, SWITCH), tmp_path / "out.jsonl"
    asked = ("bench", "run", str(suite.path), "-o", str(out))
    some = run(*asked, "--instance", "puzzles.jsonl#switch", "--configuration", "sat")
    assert (some.exit_code, some.stdout) == (0, f"1 run: 1 ok; {out}\n")
    again = run(*asked)
    assert again.exit_code == 2
    assert f"{out} has results; --resume continues it" in again.stderr
    rest = run(*asked, "--resume", "--jobs", "2")
    assert rest.stdout == f"3 runs: 3 ok, 1 done before; {out}\n"
    nothing = run(*asked, "--resume")
    assert nothing.stdout == f"0 runs, 4 done before; {out}\n"
    records = records_in(out)
    headers = {one.session: one for one in records if isinstance(one, Header)}
    runs = [one for one in records if isinstance(one, Run)]
    assert [*headers] == [1, 2]
    keys = Counter(one.key(headers[one.session]) for one in runs)
    assert (len(keys), set(keys.values())) == (4, {1})


@pytest.mark.slow
def test_only_changed_configurations_are_run_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    asked = ("bench", "run", str(tmp_path / "suite.toml"), "-o", str(out), "--resume")
    suite_of(tmp_path, WAYS, CORNER, SWITCH)
    assert run(*asked).stdout.startswith("4 runs: 4 ok;")
    changed = {**SWITCH, "rows": [[1], [1], []], "columns": [[1], [1]]}
    suite_of(tmp_path, WAYS, CORNER, changed)
    assert run(*asked).stdout.startswith("2 runs: 2 ok, 4 done before")
    suite_of(tmp_path, WAYS + "seed = 1\n", CORNER, changed)
    told = run(*asked)
    assert told.stdout.startswith("2 runs: 2 ok, 6 done before")
    assert "suite.toml has changed since" in told.stderr
    suite_of(tmp_path, WAYS + "seed = 1\n", CORNER, changed, limits="wall_s = 21")
    assert run(*asked).stdout.startswith("4 runs: 4 ok, 8 done before")


@pytest.mark.thorough
def test_a_report_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    suite_of(tmp_path, WAYS, CORNER, SWITCH)
    asked = ("bench", "run", "suite.toml", "-o", "out.jsonl", "--report")
    refused = run(*asked, "out.jsonl")
    assert refused.exit_code == 2  # there is none yet, but it would be the same file
    assert "report.pdf has the suffix '.pdf'" in run(*asked, "report.pdf").stderr
    assert not Path("out.jsonl").exists()
    done = run(*asked, "report.md")
    assert (done.exit_code, done.stderr) == (0, "report.md: the report\n")
    assert "4 runs of 2 configurations on 2 instances" in Path("report.md").read_text()
    assert run(*asked, "report.html", "--resume").exit_code == 0
    assert Path("report.html").read_text().startswith("<!DOCTYPE html>")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    early = run("bench", "run", "suite.toml", "-o", "new.jsonl", "--report", "page.html")
    assert (early.exit_code, Path("new.jsonl").exists()) == (2, False)
    assert "pip install 'matplotlib<" in early.stderr


@pytest.mark.thorough
def test_a_suite_of_programs_alone_is_remarked_on(tmp_path: Path) -> None:
    script(tmp_path, "run", "echo one")
    way = f'[configurations.own]\nprogram = ["./run", "{{non}}"]\n{SAYS}'
    asked = ("bench", "run", str(tmp_path / "suite.toml"), "-o", str(tmp_path / "o"), "--resume")
    suite_of(tmp_path, way, CORNER)
    assert "a table [configurations.auto] compares them with ours" in run(*asked).stderr
    suite_of(tmp_path, way + AUTO, CORNER)
    assert "configurations.auto" not in run(*asked).stderr


def test_a_claim_is_refuted_by_later_solutions(tmp_path: Path) -> None:
    """The wrong configuration comes first; its record stays, and the end of the run and a resume
    report it.
    """
    script(tmp_path, "run", "echo one")
    liar = f'[configurations.liar]\nprogram = ["./run", "{{non}}"]\n{SAYS}'
    suite = suite_of(tmp_path, liar + AUTO, SWITCH, head='task = "check"')
    for _ in range(2):
        told = run("bench", "run", str(suite.path), "-o", str(tmp_path / "o"), "--resume")
        assert told.exit_code == 70
        assert "WRONG: liar on puzzles.jsonl#switch: two verified solutions refute" in told.stderr
    assert [one.status for one in runs_in(tmp_path / "o")] == [Status.OK, Status.OK]


def test_results_are_not_added_to_other_files(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, AUTO, CORNER)
    puzzles = tmp_path / "puzzles.jsonl"
    before = puzzles.read_bytes()
    told = run("bench", "run", str(suite.path), "-o", str(puzzles), "--resume")
    assert told.exit_code == 2
    assert "this is a puzzle; expected results" in told.stderr
    assert puzzles.read_bytes() == before


def test_a_wrong_answer_is_also_reported_later(tmp_path: Path) -> None:
    (tmp_path / "index.csv").write_text("id,file,verdict\ncorner,puzzles.jsonl,unique\n")
    script(tmp_path, "run", "echo many")
    way = f'[configurations.own]\nprogram = ["./run", "{{non}}"]\n{SAYS}'
    suite = suite_of(tmp_path, AUTO + way, CORNER, head='task = "check"')
    for runs in ("2 runs: 1 ok, 1 wrong", "0 runs"):
        told = run("bench", "run", str(suite.path), "-o", str(tmp_path / "o"), "--resume")
        assert told.exit_code == 70
        assert told.stdout.startswith(runs)
        assert "WRONG: own on puzzles.jsonl#corner: multiple, but the index states" in told.stderr


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--jobs", "999"), "--jobs 999 on"),
        (("--instance", "x"), "the suite has no instance 'x'; it has puzzles.jsonl#corner"),
        (("--configuration", "x"), "the suite has no configuration 'x'; it has auto"),
    ],
)
def test_usage_is_checked(tmp_path: Path, more: tuple[str, ...], told: str) -> None:
    suite_of(tmp_path, AUTO, CORNER)
    done = run("bench", "run", str(tmp_path / "suite.toml"), "-o", str(tmp_path / "o"), *more)
    assert done.exit_code == 2
    assert told in done.stderr
    assert not (tmp_path / "o").exists()


@pytest.mark.thorough
def test_more_jobs_than_cores_can_be_forced(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, AUTO, CORNER, SWITCH, CROSSED)
    jobs = str((os.cpu_count() or 1) + 1)
    asked = ("--jobs", jobs, "--force-jobs")
    done = run("bench", "run", str(suite.path), "-o", str(tmp_path / "o"), *asked)
    assert done.stdout.startswith("3 runs: 3 ok")


def test_bad_files_are_reported(tmp_path: Path) -> None:
    suite, out = suite_of(tmp_path, AUTO, CORNER), tmp_path / "o"
    out.write_text(json.dumps({"kind": "run"}) + "\n")
    told = run("bench", "run", str(suite.path), "-o", str(out), "--resume")
    assert told.exit_code == 2
    assert f"{out}:1: a run without" in told.stderr
    batched = {"kind": "header", "schema": 1, "session": 1, "task": "check", "sources": ["a"]}
    out.write_text(json.dumps(batched) + "\n")
    told = run("bench", "run", str(suite.path), "-o", str(out), "--resume")
    assert told.exit_code == 2
    written = "written by `nonosat batch`"
    assert f"{out}:1: this is {written}; expected results" in told.stderr
    suite.path.write_text("x = 1")
    told = run("bench", "run", str(suite.path), "-o", str(out))
    assert told.exit_code == 2
    assert "suite.toml: " in told.stderr


def test_a_count_that_json_could_not_hold_is_left_out() -> None:
    assert recorded(10**4000) is None
    assert json.loads(json.dumps(recorded(10**4000 - 1))) == 10**4000 - 1
