"""Repeated results, and repair of files of results."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from helpers import benches
from helpers.commands import UNIQUE, put, run
from nonosat.batch import results
from nonosat.batch.repair import judge_of_batch, repair
from nonosat.bench.records import Status, dump
from nonosat.bench.results import load
from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.result import Verdict
from nonosat.processes import journal
from nonosat.processes.journal import Journal

__all__ = ["put"]  # a fixture
TINY = [{**UNIQUE, "id": f"p{number}"} for number in range(3)]


def batch(*words):
    return run("batch", *map(str, words), "--jobs", "1")


def lines_of(path):
    return path.read_bytes().splitlines(keepends=True)


def edited(path, change):
    """Change the results of a file, without the headers."""
    records = list(journal.read(path))
    for record in records:
        if record["kind"] == "result":
            record |= change.get(record["id"], {})
    path.write_bytes(b"".join(map(journal.line_of, records)))


@pytest.fixture
def recorded(put, tmp_path):
    """File of three puzzles, and one of their results: a crash, a timeout and an answer."""
    path, out = put(*TINY), tmp_path / "r.jsonl"
    assert batch(path, "-o", out).exit_code == 0
    crash = {"status": "crash", "verdict": "unknown", "solutions": [], "reason": "died of SIGKILL"}
    timeout = {**crash, "status": "timeout", "reason": "time limit of 1 s"}
    edited(out, {"p0": crash, "p1": timeout})
    return path, out


@pytest.mark.thorough
def test_killed_puzzles_are_repeated_on_request(recorded):
    path, out = recorded
    before = out.read_bytes()
    assert batch(path, "-o", out, "--resume").exit_code == 70
    assert out.read_bytes() == before
    assert batch(path, "-o", out, "--resume", "--retry", "memout, wrong").exit_code == 70
    assert out.read_bytes() == before
    again = batch(path, "-o", out, "--resume", "--retry", "crash")
    assert again.exit_code == 5, again.stderr
    assert [record["id"] for record in journal.read(out) if record["kind"] == "result"] == [
        *("p0", "p1", "p2"),
        "p0",
    ]
    assert batch(path, "-o", out, "--resume", "--retry", "crash,timeout").exit_code == 0
    found = {record["id"]: record["status"] for record in results.latest(str(out))}
    assert found == dict.fromkeys(("p0", "p1", "p2"), "ok")
    before = out.read_bytes()  # the last record of a puzzle counts, not an earlier crash
    assert batch(path, "-o", out, "--resume", "--retry", "crash,timeout,unknown").exit_code == 0
    assert out.read_bytes() == before


def test_unknown_is_a_verdict_and_not_a_crash(recorded):
    path, out = recorded
    assert batch(path, "-o", out, "--resume", "--retry", "unknown").exit_code == 70
    ids = [record["id"] for record in journal.read(out) if record["kind"] == "result"]
    assert ids == ["p0", "p1", "p2", "p1"]


def test_invalid_names_for_retry_are_refused(recorded):
    path, out = recorded
    wrong = batch(path, "-o", out, "--resume", "--retry", "crash,timeot")
    assert wrong.exit_code == 2
    assert "did you mean 'timeout'" in wrong.stderr or "timeout" in wrong.stderr
    assert "memout" in wrong.stderr
    alone = batch(path, "-o", out, "--retry", "crash")
    assert alone.exit_code == 2
    assert "--retry is for --resume" in alone.stderr


# Repair


def test_garbage_in_the_middle_is_set_aside_and_nothing_is_lost(recorded):
    path, out = recorded
    header, *three = lines_of(out)
    garbage = [b"\x00\xff garbage\n", b'{"kind":"result","half\n', b"[1, 2]\n", b'{"kind":"res']
    before = b"".join([header, three[0], *garbage[:2], three[1], garbage[2], three[2], garbage[3]])
    out.write_bytes(before)
    refused = batch(path, "-o", out, "--resume")
    assert refused.exit_code == 2
    assert "nonosat batch --repair" in refused.stderr
    assert out.read_bytes().startswith(b"".join([header, three[0], *garbage[:2]]))
    out.write_bytes(before)
    done = batch("-o", out, "--repair")
    assert done.exit_code == 0
    folder = out.parent.resolve()
    assert done.stderr == (
        f"nonosat: {folder}/r.jsonl: 4 lines kept, 4 lines set aside in "
        f"{folder}/r.jsonl.rejected; the file as it was is {folder}/r.jsonl.original\n"
    )
    assert out.read_bytes() == b"".join([header, *three])
    assert (out.parent / "r.jsonl.original").read_bytes() == before
    aside = [json.loads(line) for line in lines_of(out.parent / "r.jsonl.rejected")]
    assert [one["line"] for one in aside] == [3, 4, 6, 8]
    assert [one.get("text") for one in aside] == [None, *(each.decode() for each in garbage[1:])]
    assert aside[0]["base64"] == "AP8gZ2FyYmFnZQo="
    assert "torn" in aside[-1]["problem"]
    again = batch("-o", out, "--repair")
    assert (again.exit_code, again.stderr.count("nothing had to be repaired")) == (0, 1)
    assert sorted(each.name for each in out.parent.glob("r.jsonl*")) == [
        *("r.jsonl", "r.jsonl.original", "r.jsonl.rejected"),
    ]


def test_repair_and_resume_in_one_go_and_a_second_repair_replaces_nothing(recorded):
    path, out = recorded
    for number in (1, 2):
        lines = lines_of(out)
        out.write_bytes(b"".join([lines[0], b"nonsense\n", *lines[2:]]))
        done = batch(path, "-o", out, "--repair", "--resume", "--retry", "crash,timeout")
        assert done.exit_code == 0, done.stderr
        assert "1 line set aside" in done.stderr
        names = {each.name for each in out.parent.glob("r.jsonl.*")}
        assert len(names) == 2 * number
    found = {record["id"]: record["status"] for record in results.latest(str(out))}
    assert found == dict.fromkeys(("p0", "p1", "p2"), "ok")


@pytest.mark.thorough
def test_results_whose_header_is_lost_are_kept(recorded):
    path, out = recorded
    three = lines_of(out)[1:]
    out.write_bytes(b"".join([b"garbage\n", *three]))
    done = batch("-o", out, "--repair")
    assert "3 lines kept, 1 lost header restored, 1 line set aside" in done.stderr
    assert lines_of(out)[1:] == three
    assert json.loads(lines_of(out)[0])["repaired"] is True
    assert batch(path, "-o", out, "--resume", "--retry", "crash,timeout").exit_code == 0
    assert max(record["session"] for record in journal.read(out)) == 2
    assert len(lines_of(out)) == 1 + 3 + 1 + 2


def test_files_of_other_kinds_and_of_other_programs_are_left_unchanged(recorded, tmp_path):
    path, out = recorded
    before = Path(path).read_bytes()
    assert batch("-o", path, "--repair").exit_code == 2
    assert Path(path).read_bytes() == before
    nothing = tmp_path / "nothing.jsonl"
    assert batch("-o", nothing, "--repair").exit_code == 2
    nothing.write_bytes(b"junk\n")
    with pytest.raises(FormatError, match="no line of it is a record"):
        repair(nothing, judge_of_batch())
    out.write_bytes(out.read_bytes() + b"junk\nmore\n")
    whole = out.read_bytes()
    with Journal(out), pytest.raises(UnsupportedError, match="being written"):
        repair(out, judge_of_batch())
    assert out.read_bytes() == whole
    assert not list(tmp_path.glob(".*.tmp"))


def test_a_writer_that_waits_does_not_write_to_the_old_file(recorded, monkeypatch):
    _, out = recorded
    lock = journal.system.lock

    def late(fd):
        other = out.with_suffix(".new")
        other.write_bytes(out.read_bytes())
        other.replace(out)
        lock(fd)

    monkeypatch.setattr(journal.system, "lock", late)
    with pytest.raises(UnsupportedError, match="another process"), Journal(out):
        pass


def test_a_full_disk_leaves_the_file_as_it_is(recorded, monkeypatch):
    _, out = recorded
    out.write_bytes(out.read_bytes() + b"junk\nmore\n")
    before = out.read_bytes()
    sync = os.fsync

    def full(fd):
        if os.fstat(fd).st_size < len(before) // 2:
            raise OSError(28, "No space left on device")
        sync(fd)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        repair(out, judge_of_batch())
    assert out.read_bytes() == before
    assert not list(out.parent.glob(".*.tmp"))


# Benchmarks have both features, too


@pytest.fixture
def bench(tmp_path):
    """Return a suite of one puzzle, and its results, which record a crash."""
    suite = benches.suite_of(tmp_path, benches.AUTO, benches.CORNER, head='task = "check"')
    (crashed,) = benches.done(suite)
    out = tmp_path / "results.jsonl"
    header, _ = lines_of(out)
    crashed = replace(crashed, status=Status.CRASH, verdict=Verdict.UNKNOWN, reason="SIGKILL")
    out.write_bytes(header + journal.line_of(dump(crashed)))
    return suite.path, out


def statuses(out):
    return [one.status.value for one in benches.runs_in(out)]


@pytest.mark.slow
def test_runs_are_done_again_and_the_last_one_counts(bench):
    suite, out = bench
    assert run("bench", "run", str(suite), "-o", str(out), "--resume").exit_code == 0
    assert statuses(out) == ["crash"]
    wrong = run("bench", "run", str(suite), "-o", str(out), "--resume", "--retry", "error")
    assert (wrong.exit_code, statuses(out)) == (2, ["crash"])
    for _ in range(2):  # the second time there is nothing to do
        again = run("bench", "run", str(suite), "-o", str(out), "--resume", "--retry", "crash")
        assert again.exit_code == 0
        assert statuses(out) == ["crash", "ok"]
    found = load([str(out)])
    assert [one.status.value for one in found.runs] == ["ok"]
    assert found.remarks == ["1 record of runs that were done again left out"]


def test_a_repeated_wrong_run_no_longer_counts_as_wrong(bench):
    suite, out = bench
    header, line = lines_of(out)
    wrong = json.loads(line) | {"status": "wrong"}
    out.write_bytes(header + journal.line_of(wrong))
    command = ("bench", "run", str(suite), "-o", str(out), "--resume")
    assert run(*command).exit_code == 70
    assert run(*command, "--retry", "wrong").exit_code == 0
    assert run(*command).exit_code == 0


@pytest.mark.thorough
def test_results_of_benchmarks_are_repaired_too(bench):
    suite, out = bench
    header, line = lines_of(out)
    later = journal.line_of(json.loads(line) | {"session": 7})
    out.write_bytes(header + b"junk\n" + line + later)
    done = run("bench", "run", str(suite), "-o", str(out), "--repair", "--resume")
    assert done.exit_code == 0
    assert "2 lines kept, 2 lines set aside" in done.stderr
    assert lines_of(out) == [header, line]
    aside = [json.loads(one) for one in lines_of(out.with_name("results.jsonl.rejected"))]
    assert [one["line"] for one in aside] == [2, 4]
    assert aside[1]["problem"] == "a run of session 7, whose header is lost"
