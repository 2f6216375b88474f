"""Shards of a batch whose workers, driver or cluster die: no result is lost or repeated.

Two kills of each, NONOSAT_FUZZ=8 makes it 16.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress

import pytest

import nonosat
from helpers.commands import COMMAND, run
from helpers.drawing import FUZZ
from helpers.processes import (
    PATIENCE_S,
    all_ended,
    below,
    dask_workers_of,
    eventually,
    happens,
    interruptible,
    workers_of,
)
from nonosat.batch import folder
from nonosat.batch.results import read
from nonosat.cli import FAILURE
from nonosat.core.grid import Grid
from nonosat.formats import load_all, write
from nonosat.processes import journal
from nonosat.puzzles.nonogram.data import from_grid
from test_batch import slow_puzzles

NUM_KILLS = 2 * FUZZ
PLACES = {"here": ("--jobs", "2"), "cluster": ("--cluster", "local:2")}


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Return a file of puzzles, and the verdict by id."""
    path = tmp_path_factory.mktemp("collection") / "p.jsonl"
    slow_puzzles(path, 500)
    return path, {each.about.id: nonosat.check(each).verdict.value for each in load_all(path)}


@pytest.fixture
def endless(tmp_path):
    """Small puzzles; the third one takes hours."""
    rng = random.Random(0)
    sides = (3, 3, 150, 3, 3)
    grids = [Grid(side, side, bytes(rng.randrange(2) for _ in range(side**2))) for side in sides]
    path = tmp_path / "p.jsonl"
    path.write_bytes(write(map(from_grid, grids), "jsonl"))
    return path


def start(path, out, *words, place="here"):
    command = [*COMMAND, "batch", str(path), "-o", str(out), "--shards", *PLACES[place]]
    return subprocess.Popen(
        [*command, "--force-jobs", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process, *statuses):
    """Return the standard error of the process after its end."""
    with process:
        message = process.stderr.read()
        assert process.wait(PATIENCE_S) in (*statuses, 0, 3), message
    return message


def written(out):
    """Return the number of results, including those in drafts."""
    count = 0
    for path in sorted(out.glob("0*"), reverse=True):  # a shard and the draft that it was made of
        with suppress(FileNotFoundError):
            count += path.read_bytes().count(b'"kind":"result"')
    return count


def workers(pid):
    """Return the worker processes of a driver."""
    return sorted(workers_of(pid))


def results_of(out):
    return [record for record in read(str(out)) if record["kind"] == "result"]


def await_written(out, count, process):
    """Wait until there are so many results, or the process ends."""
    happens(out.parent, out.exists, unless=process)
    return happens(out, lambda: written(out) >= count, unless=process)


def of_session(out, session):
    """Return the number of results of a session."""
    return sum(record["session"] == session for record in results_of(out))


def check_complete(out, verdicts):
    """Check that every puzzle has one result, and the right one."""
    found = results_of(out)
    assert Counter(record["id"] for record in found) == dict.fromkeys(verdicts, 1)
    assert {record["id"]: record["verdict"] for record in found} == verdicts
    assert not list(out.glob("*.draft"))


def killed(process, at_work):
    """Kill a driver; the processes that it has started end by themselves."""
    process.kill()
    assert "Traceback" not in ended(process, -signal.SIGKILL)
    assert all_ended(at_work)


@pytest.mark.thorough
def test_a_killed_driver_loses_and_repeats_nothing(collection, tmp_path):
    path, verdicts = collection
    rng, out = random.Random(3), tmp_path / "out"
    for _ in range(NUM_KILLS):
        before = written(out) if out.exists() else 0
        process = start(path, out, "--resume")
        await_written(out, before + rng.randint(1, 100), process)
        killed(process, below(process.pid))
        assert written(out) >= before
    before = written(out)
    ended(start(path, out, "--resume"))
    check_complete(out, verdicts)
    assert of_session(out, NUM_KILLS + 1) in (len(verdicts) - before, 0)


@pytest.mark.slow
def test_killed_workers_lose_and_repeat_nothing(collection, tmp_path):
    path, verdicts = collection
    rng, out = random.Random(4), tmp_path / "out"
    process = start(path, out)
    await_written(out, 1, process)
    for _ in range(NUM_KILLS):
        before = written(out)
        if found := workers(process.pid):
            with suppress(ProcessLookupError):
                os.kill(rng.choice(found), signal.SIGKILL)
        # Two deaths at one puzzle end it, so all workers must go on before the next kill.
        await_written(out, before + 41, process)
    assert "failure" not in ended(process)
    check_complete(out, verdicts)


@pytest.mark.thorough
def test_killed_parts_of_a_cluster_lose_and_repeat_nothing(collection, tmp_path):
    """Kill a worker of Dask, then the driver, and with it the scheduler."""
    path, verdicts = collection
    out = tmp_path / "out"
    process = start(path, out, place="cluster")
    await_written(out, 1, process)
    os.kill(min(dask_workers_of(process.pid)), signal.SIGKILL)
    before = written(out)
    await_written(out, before + 101, process)
    killed(process, below(process.pid))
    ended(start(path, out, "--resume"))
    check_complete(out, verdicts)


@pytest.mark.thorough
def test_a_puzzle_that_kills_workers_is_a_crash_and_the_rest_goes_on(endless, tmp_path):
    out, draft = tmp_path / "out", folder.draft_of(tmp_path / "out", 0)
    process = start(endless, out, "--jobs", "1")
    for word, count in (('"kind":"result"', 2), ('"kind":"death"', 1)):
        assert eventually(
            lambda word=word, count=count: (
                draft.exists() and draft.read_text().count(word) == count
            ),
            30,
        )
        (worker,) = workers(process.pid)
        time.sleep(0.3)  # until it has begun the third
        os.kill(worker, signal.SIGKILL)
    ended(process, FAILURE)
    results = results_of(out)
    assert [record["status"] for record in results] == ["ok", "ok", "crash", "ok", "ok"]
    assert results[2]["size"] == [150, 150]
    assert "SIGKILL" in results[2]["reason"]
    assert results[2]["reason"].endswith("2 times")
    assert run("batch", "-o", str(tmp_path / "merged"), "--merge", str(out)).exit_code == 0
    assert len(list(journal.read(tmp_path / "merged"))) == 6


@pytest.mark.thorough
def test_a_worker_that_overruns_is_killed_and_the_rest_goes_on(endless, tmp_path):
    out = tmp_path / "out"
    process = start(endless, out, "--jobs", "1", "--time-limit", "1")
    assert await_written(out, 2, process)
    for worker in workers(process.pid):
        os.kill(worker, signal.SIGSTOP)  # it polls nothing any more
    ended(process, 5)
    results = results_of(out)
    assert [record["status"] for record in results] == ["ok", "ok", "timeout", "ok", "ok"]
    assert results[2]["reason"] == "time limit of 1 s"


def test_limits_of_memory_hold_for_each_puzzle(endless, tmp_path):
    words = ["--memory-limit", "20", "--backend", "cadical195", "--presolve", "none"]
    out = str(tmp_path / "out")
    done = run("batch", str(endless), "-o", out, "--shards", "--jobs", "1", *words)
    assert done.exit_code == 5
    results = results_of(out)
    assert [record["status"] for record in results] == ["memout"] * 5


@pytest.mark.thorough
def test_ctrl_c_keeps_decided_puzzles(collection, tmp_path):
    path, verdicts = collection
    out = tmp_path / "out"
    with interruptible():
        process = start(path, out)
    with process:
        assert await_written(out, 4, process)
        at_work = below(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        message = process.stderr.read()
    assert message.startswith("nonosat: interrupted, ")
    assert "--resume" in message
    assert all_ended(at_work)
    before = written(out)
    ended(start(path, out, "--resume"))
    check_complete(out, verdicts)
    assert of_session(out, 1) == before
