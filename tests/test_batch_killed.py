"""Kills of the driver and the workers of a batch at random moments lose and repeat nothing.

Two kills each, one of each kind with a cluster; NONOSAT_FUZZ=7 makes it 14 and 7.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
from collections import Counter
from contextlib import suppress

import pytest

import nonosat
from helpers.commands import COMMAND
from helpers.drawing import FUZZ
from helpers.processes import PATIENCE_S, all_ended, below, dask_workers_of, happens, workers_of
from nonosat.formats import load_all
from test_batch import results_of, slow_puzzles

NUM_KILLS = {"here": 2 * FUZZ, "cluster": FUZZ}
MOST_AT_WORK = 250  # puzzles after the last decided one
PLACES = {"here": ("--jobs", "2"), "cluster": ("--cluster", "local:2")}


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Return a file of puzzles, and the verdict by id."""
    path = tmp_path_factory.mktemp("collection") / "p.jsonl"
    slow_puzzles(path, 600)
    return path, {each.about.id: nonosat.check(each).verdict.value for each in load_all(path)}


def start(path, out, place):
    command = [*COMMAND, "batch", str(path), "-o", str(out), "--resume", *PLACES[place]]
    return subprocess.Popen(
        [*command, "--force-jobs"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def ended(process):
    """Return the standard error of the process after its end."""
    with process:
        message = process.stderr.read()
        assert process.wait(PATIENCE_S) in (0, 3, -signal.SIGKILL), message
    return message


def await_file(out, size, process):
    """Wait until a file has more bytes than these, or the process ends."""
    happens(out.parent, lambda: out.exists() and out.stat().st_size > size, unless=process)


def await_decided(out, last, process):
    """Wait until so many puzzles are decided, from the first on, or the process ends."""
    happens(out.parent, lambda: num_decided(out) >= last, unless=process)


def check_complete(out, verdicts):
    """Check that every puzzle has one result, and the right one."""
    results = results_of(out)
    assert Counter(record["id"] for record in results) == dict.fromkeys(verdicts, 1)
    assert {record["id"]: record["verdict"] for record in results} == verdicts


@pytest.mark.thorough
@pytest.mark.parametrize("place", PLACES)
def test_a_killed_driver_loses_and_repeats_nothing(collection, tmp_path, place):
    path, verdicts = collection
    rng = random.Random(1)
    out, files = tmp_path / "0.jsonl", 1
    for _ in range(NUM_KILLS[place]):
        if out.exists() and len(results_of(out)) == len(verdicts):
            check_complete(out, verdicts)
            out, files = tmp_path / f"{files}.jsonl", files + 1
        before = len(results_of(out)) if out.exists() else 0
        size = out.stat().st_size if out.exists() else 0
        process = start(path, out, place)
        await_file(out, size + rng.randrange(20_000), process)  # some hundred results
        workers = below(process.pid)
        process.kill()
        message = ended(process)
        assert "Traceback" not in message
        assert all_ended(workers)
        assert not out.exists() or len(results_of(out)) >= before
    ended(start(path, out, place))
    check_complete(out, verdicts)


def ids_of(out):
    return {record["id"] for record in results_of(out)}


def num_decided(out):
    """Return the number of puzzles that are decided before the first open one."""
    ids = ids_of(out)
    return next(number for number in itertools.count() if str(number + 1) not in ids)


@pytest.mark.parametrize(
    ("place", "kinds"),
    [
        pytest.param("here", [workers_of], marks=pytest.mark.slow),
        pytest.param("cluster", [dask_workers_of, workers_of], marks=pytest.mark.thorough),
    ],
)
def test_killed_workers_lose_and_repeat_nothing(collection, tmp_path, place, kinds):
    path, verdicts = collection
    rng = random.Random(2)
    num_killed = files = 0
    while num_killed < NUM_KILLS[place] * len(kinds):
        out = tmp_path / f"{files}.jsonl"
        files += 1
        process = start(path, out, place)
        await_file(out, 10_000, process)
        while process.poll() is None and num_killed < NUM_KILLS[place] * len(kinds):
            if found := sorted(kinds[num_killed % len(kinds)](process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(rng.choice(found), signal.SIGKILL)
                    num_killed += 1
                    # Two deaths at one puzzle end it, so the next kill waits until all puzzles are
                    # decided that may have been in progress during this one.
                    last = max(map(int, ids_of(out))) + MOST_AT_WORK
                    await_decided(out, last, process)
        assert "failure" not in ended(process)
        check_complete(out, verdicts)
