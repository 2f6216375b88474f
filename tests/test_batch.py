"""`nonosat batch`: records, repeated work, exit statuses."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import tracemalloc
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from helpers.commands import COMMAND, MULTIPLE, UNIQUE, UNSOLVABLE, lines_of, put, run, whole
from helpers.processes import PATIENCE_S, children_of, happens, interruptible, is_running
from nonosat import formats
from nonosat.batch import results
from nonosat.batch.deciding import BatchTask
from nonosat.batch.driver import BatchDriver
from nonosat.batch.environment import environment
from nonosat.batch.fingerprint import fingerprint
from nonosat.batch.tally import BatchTally
from nonosat.batch.workers import Deciding
from nonosat.cli import main
from nonosat.cli.batch import BatchLine, text
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Limits
from nonosat.core.model import Block
from nonosat.core.result import Options
from nonosat.formats import load_all, read
from nonosat.formats._sources import ReadRequest, each
from nonosat.processes import journal
from nonosat.processes.child import Child
from nonosat.processes.journal import Journal
from nonosat.processes.pools import FinishedPiece
from nonosat.puzzles.nonogram.data import Nonogram

__all__ = ["put"]  # a fixture


def results_of(path):
    return [record for record in journal.read(path) if record["kind"] == "result"]


def headers_of(path):
    return [record for record in journal.read(path) if record["kind"] == "header"]


def batch(*args):
    """Run the command in this process, with one worker; `returncode` as of a process."""
    done = run("batch", *map(str, args), "--jobs", "1")
    return SimpleNamespace(returncode=done.exit_code, stdout=done.stdout, stderr=done.stderr)


def test_records_agree_with_check(put, tmp_path):
    out = tmp_path / "r.jsonl"
    path = put(UNIQUE, MULTIPLE, UNSOLVABLE)
    done = whole("batch", path, "-o", str(out), "--jobs", "1")
    assert (done.returncode, done.stderr) == (4, "")
    assert "3 puzzles: " in done.stdout
    checked = [json.loads(line) for line in whole("check", "--json", path).stdout.splitlines()]
    (header,) = headers_of(out)
    assert header["options"] == checked[0]["options"]
    assert header["environment"] == environment()
    for record, puzzle, expected in zip(results_of(out), load_all(path), checked, strict=True):
        for name in ("id", "file", "verdict", "solutions", "disputed", "backend", "encoding"):
            assert record[name] == expected[name]
        assert record.get("reason") == expected.get("reason")
        assert record["sha256"] == fingerprint(puzzle)
        assert record["size"] == [puzzle.height, puzzle.width]
        assert record["status"] == "ok"
        assert record["options_sha256"] == header["options_sha256"]


def test_the_family_may_be_given(tmp_path):
    path, out = tmp_path / "board", tmp_path / "r.jsonl"
    path.write_text("1 3\n3.3\n")  # without suffix
    assert batch(path, "--family", "queens", "-o", out).returncode == 2
    out.unlink()
    assert batch(path, "--family", "slitherlink", "-o", out).returncode == 0
    assert [result["verdict"] for result in results_of(out)] == ["unique"]


def test_solving_stops_at_the_first_solution(put, tmp_path):
    out = tmp_path / "r.jsonl"
    assert batch(put(UNIQUE, MULTIPLE), "-o", out, "--task", "solve").returncode == 0
    assert [record["verdict"] for record in results_of(out)] == ["solved", "solved"]


def test_bad_input_is_recorded_and_does_not_stop_the_batch(put, tmp_path):
    out = tmp_path / "r.jsonl"
    path = Path(put(UNIQUE))
    bad = json.dumps({**UNIQUE, "id": "bad", "rows": "none"})
    path.write_text(f"{bad}\n{path.read_text()}")
    for resume in ((), ("--resume",)):
        done = batch("nowhere.non", path, "-o", out, *resume)
        assert done.returncode == 2
        records = results_of(out)
        by_status = Counter(record["status"] for record in records)
        assert by_status == {"error": 2, "ok": 1}
        assert any("nowhere.non" in record.get("reason", "") for record in records)
    assert "3 of them recorded already" in done.stdout


def test_reading_has_the_limits_of_its_puzzle(put, tmp_path, monkeypatch):
    """The time that reading took is charged to the puzzle."""
    asked, given = [], []
    iter_timed, give = formats.iter_timed, Deciding.give

    def timed(*args, **named):
        asked.append((args[3], named["keeps"]))
        return ((file, item, 0.25) for file, item, _ in iter_timed(*args, **named))

    def gives(work, process, pieces):
        given.extend(piece.seconds for piece in pieces)
        give(work, process, pieces)

    monkeypatch.setattr(formats, "iter_timed", timed)
    monkeypatch.setattr(Deciding, "give", gives)
    limits = ["--time-limit", "60", "--memory-limit", "4000"]
    command = ["batch", put(UNIQUE), "-o", str(tmp_path / "r.jsonl"), "--jobs", "1", *limits]
    assert CliRunner().invoke(main, command).exit_code == 0
    assert asked == [(Limits(60, 4000), True)]
    assert [0.25 <= seconds < 60 for seconds in given] == [True]


def test_limits_are_recorded_by_kind(put, tmp_path):
    out = tmp_path / "r.jsonl"
    done = batch(
        put(UNIQUE),
        "-o",
        out,
        "--memory-limit",
        "20",
        "--backend",
        "cadical195",
        "--presolve",
        "none",
    )
    assert done.returncode == 5
    (record,) = results_of(out)
    assert (record["status"], record["verdict"]) == ("memout", "unknown")
    assert record["reason"] == "memory limit of 20 MiB"


@pytest.mark.slow
def test_results_are_kept_apart_by_puzzle_and_options(put, tmp_path):
    out = tmp_path / "r.jsonl"
    path = Path(put(UNIQUE, MULTIPLE))
    assert batch(path, path, "-o", out).returncode == 3
    assert len(results_of(out)) == 2
    refused = batch(path, "-o", out)
    assert refused.returncode == 2
    assert "has results; --resume continues" in refused.stderr
    before = out.read_bytes()
    assert batch(path, "-o", out, "--resume").returncode == 3
    assert out.read_bytes() == before
    assert batch(path, "-o", out, "--resume", "--seed", "1").returncode == 3
    assert len(results_of(out)) == 4
    path.write_text(lines_of(UNIQUE, {**UNSOLVABLE, "id": MULTIPLE["id"]}))
    assert batch(path, "-o", out, "--resume").returncode == 4
    assert [record["verdict"] for record in results_of(out)][4:] == ["unsolvable"]
    assert [header["session"] for header in headers_of(out)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"kind":"header","schema":1}\n', "not a record of a batch"),
        (
            '{"kind":"header","schema":1,"suite":"x"}\n',
            "this is written by `nonosat bench run`; "
            "expected results, which `nonosat batch` writes",
        ),
        ('{"kind":"result"}\n', "not a record of a batch"),
        (
            '{"kind":"header","schema":1,"options_sha256":"","session":Infinity}\n',
            "not a record of a batch",
        ),
        ('{"kind":"other"}\n', "does not begin with the header"),
        ("[]\n", "a JSON object"),
    ],
)
def test_other_files_are_left_unchanged(put, tmp_path, content, problem):
    out = tmp_path / "r.jsonl"
    out.write_text(content)
    done = batch(put(UNIQUE), "-o", out, "--resume")
    assert done.returncode == 2
    assert problem in done.stderr
    assert out.read_text() == content


def test_an_incomplete_line_is_reported_and_its_puzzle_repeated(put, tmp_path):
    out = tmp_path / "r.jsonl"
    path = put(UNIQUE, MULTIPLE)
    batch(path, "-o", out)
    out.write_bytes(out.read_bytes()[:-5])
    done = batch(path, "-o", out, "--resume")
    assert "torn" in done.stderr
    assert sorted(record["verdict"] for record in results_of(out)) == ["multiple", "unique"]


def test_results_in_the_folder_of_puzzles_are_not_read_as_puzzles(put, tmp_path):
    put(UNIQUE, MULTIPLE)
    out = tmp_path / "results.jsonl"
    for more in ((), ("--resume",)):
        assert batch(tmp_path, "-o", out, *more).returncode == 3
        assert [record["status"] for record in results_of(out)] == ["ok", "ok"]


def test_usage(put, tmp_path):
    out = tmp_path / "r.jsonl"
    path = put(UNIQUE)
    for args, problem in (
        (("--backend", "nobody"), "nobody"),
        (("--jobs", "4000"), "--force-jobs"),
        (("--from", "nothing"), "nothing"),
        (("--family", "nothing"), "nothing"),
    ):
        done = run("batch", path, "-o", str(out), *args)
        assert done.exit_code == 2
        assert problem in done.stderr
        assert not out.exists()


def slow_puzzles(path, number):
    """Puzzles that take about a millisecond, all different."""
    import random

    from nonosat.core.grid import Grid
    from nonosat.formats import write
    from nonosat.puzzles.nonogram.data import from_grid

    rng = random.Random(number)
    grids = [Grid(25, 25, bytes(rng.random() < 0.6 for _ in range(625))) for _ in range(number)]
    path.write_bytes(write(map(from_grid, grids), "jsonl"))


@pytest.mark.thorough
def test_an_interrupted_batch_ends_within_a_second_and_goes_on(tmp_path):
    path, out = tmp_path / "p.jsonl", tmp_path / "r.jsonl"
    slow_puzzles(path, 800)
    command = [*COMMAND, "batch", str(path), "-o", str(out), "--task", "solve", "--jobs", "1"]
    with interruptible():
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    with process:
        assert happens(tmp_path, lambda: out.exists() and len(results_of(out)) > 3)
        workers = children_of(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        message = process.stderr.read()
    assert not any(map(is_running, workers))
    assert f"{len(results_of(out))} results in {out}" in message
    assert "--resume" in message
    assert whole(*command[len(COMMAND) :], "--resume").returncode == 0
    ids = Counter(record["id"] for record in results_of(out))
    assert ids == Counter(puzzle.about.id for puzzle in read(path.read_bytes()))


@pytest.mark.slow
def test_a_terminal_shows_progress(put, tmp_path):
    out = tmp_path / "r.jsonl"
    path = tmp_path / "p.jsonl"
    slow_puzzles(path, 800)
    master, slave = pty.openpty()
    done = subprocess.run(
        [*COMMAND, "batch", str(path), "-o", str(out), "--jobs", "1"],
        stderr=slave,
        stdout=subprocess.DEVNULL,
        check=False,
        timeout=PATIENCE_S,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(slave)
    assert done.returncode in (0, 3)
    shown = os.read(master, 2**16).decode()
    assert "done" in shown
    assert "/s" in shown
    assert "slowest" in shown


def test_a_long_json_list_is_read_in_linear_time():
    line = json.dumps({"rows": [[1]], "columns": [[1]]})
    data = ("[\n" + ",\n".join([line] * 3000) + "\n]").encode()
    asked = []

    class Text(str):
        def count(self, *args):
            asked.append(args)
            return super().count(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nonosat.formats.jsonl.decode", lambda data: Text(data.decode()))
        assert len(list(each(data, "p.json", ReadRequest("json")))) == 3000
    assert sum(end - start for _, start, end in asked) < 2 * len(data)


def test_the_progress_line_shows_the_remaining_time(clock):
    tally = BatchTally(kept=100)
    clock.advance(10)
    tally.count({"status": "ok", "verdict": "unique", "seconds": 2.5, "file": "f", "id": "a"})
    for _ in range(9):
        tally.count({"status": "crash", "verdict": "", "seconds": 0.1, "file": "f", "id": "b"})
    told = text(tally, 3710)
    assert told == "110 of 3710 done, 9 failed, 1/s, 1:00:00 left, slowest 2.50 s f#a"
    assert text(tally, None) == "110 done, 9 failed, 1/s, slowest 2.50 s f#a"
    assert tally.outcomes == {"unique": 1, "crash": 9}


class Echo:
    """Pool that reports every puzzle as unique, a tenth of a second each."""

    num_workers = 1

    def __init__(self):
        self.found = []

    def submit(self, number, pieces):
        record = {"status": "ok", "verdict": "unique", "seconds": 0.1}
        self.found += [FinishedPiece(number, place, dict(record)) for place in range(len(pieces))]

    def no_more(self):
        pass

    def done(self, patience_s):
        found, self.found = self.found[:1], self.found[1:]
        return found

    def cancel(self):
        self.found = []


@pytest.mark.thorough
def test_memory_is_flat_and_puzzles_are_read_when_they_are_needed(tmp_path, monkeypatch):
    monkeypatch.setattr("nonosat.batch.driver.WRITE_EVERY_S", 0.0)
    small = Nonogram(rows=((Block(1),),), columns=((Block(1),),))
    used, ahead = {}, 0

    def items():
        nonlocal ahead
        for number in range(3001):
            if number % 1000 == 0:
                used[number] = tracemalloc.get_traced_memory()[0]
            ahead = max(ahead, number - driver.tally.done)
            yield "many", small.about_with(id=str(number)), 0.0

    with Journal(tmp_path / "r.jsonl") as output:
        driver = BatchDriver(
            BatchTask("check", Options(max_solutions=2)), Echo(), output, resume=False
        )
        tracemalloc.start()
        try:
            driver.run(["many"], items())
        finally:
            tracemalloc.stop()
    assert len(results_of(tmp_path / "r.jsonl")) == 3001
    assert ahead < 40  # batches of half a second, and items that wait to be written
    assert used[3000] - used[1000] < 2000 * 250  # its key stays in memory


def test_results_under_other_options_are_reported_and_the_latest_can_be_read(put, tmp_path):
    out = tmp_path / "r.jsonl"
    path = put(UNIQUE, MULTIPLE)
    first = batch(path, "-o", out)
    assert "under other options" not in first.stderr
    again = batch(path, "-o", out, "--resume")
    assert "under other options" not in again.stderr
    other = batch(path, "-o", out, "--resume", "--task", "solve")
    assert f"{out} has 2 results under other options" in other.stderr
    assert len(results_of(out)) == 4
    latest = batch("-o", out, "--latest")
    assert latest.returncode == 0
    assert [json.loads(line) for line in latest.stdout.splitlines()] == results_of(out)[2:]
    assert [one["verdict"] for one in results.latest(str(out))] == ["solved", "solved"]
    third = batch(put(UNIQUE), "-o", out, "--resume", "--seed", "1")
    assert "has 4 results under other options" in third.stderr
    sessions = [one["session"] for one in results.latest(str(out))]
    assert sessions == [2, 3]  # in the order of the lines
    assert batch(path, "-o", out, "--latest").returncode == 2
    assert batch("-o", tmp_path / "new.jsonl").returncode == 2


def test_a_failed_count_loses_only_the_forecast(monkeypatch):
    def begin(child, message, watch):
        raise LimitReached("time limit of 30 s")

    monkeypatch.setattr(Child, "begin", begin)
    monkeypatch.setattr(
        "nonosat.cli.batch.StatusLine", lambda: SimpleNamespace(is_on_terminal=True, erase=int)
    )
    with closing(BatchLine(["many.jsonl"], None, None, Limits())) as live:
        assert live._counter is None
        assert live._counted() is None
