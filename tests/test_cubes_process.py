"""Cubes in processes: the same answers, and no process is left however the work ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading

import pytest

import nonosat
from helpers.commands import run
from helpers.cubed import COMMAND
from helpers.processes import (
    PATIENCE_S,
    all_ended,
    announcing,
    begun,
    below,
    children_of,
    happens,
    interruptible,
    is_running,
)
from nonosat.core.errors import BackendError
from nonosat.core.result import Verdict
from nonosat.solving import auto
from nonosat.solving.cubes import conquest, leaves

STEPS = "instances/hard.jsonl#steps-8"
BROKEN = "instances/special.jsonl#broken-steps"
HARD = "instances/domino.jsonl#domino-20"  # half a minute
WORKER = "worker.py"


@pytest.fixture(autouse=True)
def _splits_at_once(monkeypatch):
    """Split puzzles that one engine would decide."""
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 0)


@pytest.fixture(autouse=True)
def _leaves_no_process():
    before = children_of(os.getpid())
    with interruptible():
        yield
    try:
        assert all_ended(left_of(before))
    finally:
        for pid in left_of(before):  # a failed test must not slow down later ones
            os.kill(pid, signal.SIGKILL)


def await_born(folder, count):
    """Wait until so many announced workers have started."""
    assert happens(folder / "born", lambda: len([*(folder / "born").iterdir()]) >= count)


def left_of(before):
    return [pid for pid in children_of(os.getpid()) - before if is_running(pid)]


def shape(result):
    return [(node["cube"], node["ended by"]) for node in result.tree if "cube" in node]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "verdict"), [(STEPS, Verdict.UNIQUE), (BROKEN, Verdict.UNSOLVABLE)]
)
def test_processes_give_the_same_tree(monkeypatch, name, verdict):
    monkeypatch.setattr(leaves, "BUDGET", 300)
    puzzle = nonosat.load(name)
    one, two = (nonosat.check(puzzle, cubes=5, jobs=jobs) for jobs in (1, 2))
    assert one.verdict is two.verdict is verdict
    assert sorted(shape(one)) == sorted(shape(two))
    assert one.solutions == two.solutions


@pytest.mark.parametrize(
    "name", [STEPS, BROKEN, "instances/special.jsonl#heart-blots", "instances/special.jsonl#rooks"]
)
def test_processes_continue_with_the_first_engine(monkeypatch, name):
    monkeypatch.setattr(auto, "WHOLE_CONFLICTS", 20)
    monkeypatch.setattr(auto, "UNSOLVED_CONFLICTS", 100)
    monkeypatch.setattr(leaves, "BUDGET", 50)
    puzzle = nonosat.load(name)
    plain = nonosat.solve(puzzle, max_solutions=50)
    found = nonosat.solve(puzzle, max_solutions=50, cubes=5, jobs=2)
    assert found.verdict is plain.verdict
    if len(plain.solutions) < 50:
        assert {*found.solutions} == {*plain.solutions}


@pytest.fixture
def workers():
    """Function that lists the workers that the test has started, without engines of other tests."""
    before = children_of(os.getpid())
    return lambda: [pid for pid in children_of(os.getpid()) - before if is_running(pid)]


@pytest.mark.thorough
def test_a_cube_whose_process_is_killed_is_repeated(workers, tmp_path, monkeypatch):
    found = []
    monkeypatch.setenv("PYTHONPATH", announcing(tmp_path, WORKER)["PYTHONPATH"])
    puzzle = nonosat.load("instances/unique.jsonl#noise-30-4")
    work = threading.Thread(target=lambda: found.append(nonosat.check(puzzle, cubes=4, jobs=2)))
    work.start()
    await_born(tmp_path, 2)
    killed = workers()[0]
    os.kill(killed, signal.SIGKILL)
    work.join(PATIENCE_S)
    assert found[0].verdict is Verdict.UNIQUE


@pytest.mark.slow
def test_a_cube_that_kills_every_process_is_an_error(monkeypatch):
    monkeypatch.setattr(conquest.part, "decide", die_of_part)
    with pytest.raises(BackendError, match="SIGKILL"):
        nonosat.check(nonosat.load(STEPS), cubes=3, jobs=2)


def die_of_part(part):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.real_time
def test_a_time_limit_ends_everything():
    puzzle = nonosat.load(HARD)

    def checked(limit_s):
        return nonosat.check(puzzle, cubes=4, jobs=2, time_limit_s=limit_s)

    result, limit_s = begun(checked, lambda result: result.stages, 0.8)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == f"time limit of {limit_s:g} s"
    assert result.tree == ()
    assert [stage.name for stage in result.stages][-2:] == ["split", "cubes"]


def test_a_memory_limit_ends_everything():
    result = nonosat.check(nonosat.load(HARD), cubes=4, jobs=2, memory_limit_mib=20)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "memory limit of 20 MiB"


@pytest.mark.slow
def test_ctrl_c_ends_everything(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "check", HARD, "--cubes", "8", "--jobs", "2", "--force-jobs"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=announcing(tmp_path, WORKER),
    )
    await_born(tmp_path, 2)
    children = children_of(process.pid)
    process.send_signal(signal.SIGINT)
    assert all_ended(children)
    out, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert out == ""
    assert told == "nonosat: interrupted, 0 of 1 puzzle decided\n"


@pytest.mark.slow
def test_a_killed_driver_leaves_no_process(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "check", HARD, "--cubes", "8", "--jobs", "2", "--force-jobs"],
        env=announcing(tmp_path, WORKER),
    )
    await_born(tmp_path, 2)
    children = children_of(process.pid)
    process.kill()
    process.wait()
    assert all_ended(children)


def test_an_abandoned_enumeration_leaves_no_process(workers):
    puzzle = nonosat.load("instances/special.jsonl#rooks")
    found = nonosat.solutions(puzzle, cubes=4, jobs=2)
    assert len({next(found) for _ in range(5)}) == 5
    assert workers()
    found.close()
    assert all_ended(workers())


@pytest.mark.thorough
def test_ctrl_c_ends_a_cluster_that_has_served_a_puzzle_before(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "check", STEPS, HARD, "--cubes", "8", "--cluster", "local:1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=announcing(tmp_path, WORKER),
    )
    assert process.stdout.readline()
    await_born(tmp_path, 1)
    assert len(below(process.pid)) >= 2  # a process below the worker
    children = below(process.pid)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert told == "nonosat: interrupted, 1 of 2 puzzles decided\n"
    assert all_ended(children)


def test_errors_of_a_cluster_are_reported_once(tmp_path):
    cover = tmp_path / "cover"
    asked = ("--cubes", "2", "--cluster", "127.0.0.1:1", "--cover", str(cover))
    done = run("check", STEPS, BROKEN, *asked)
    assert not cover.exists()
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("no Dask scheduler answers at '127.0.0.1:1'") == 1


@pytest.mark.thorough
def test_a_cluster_of_this_machine():
    process = subprocess.run(
        [
            *COMMAND,
            "check",
            BROKEN,
            "--cubes",
            "4",
            "--cluster",
            "local:2",
            "--force-jobs",
            "--json",
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    result = json.loads(process.stdout)
    assert result["verdict"] == "unsolvable"
    assert process.returncode == 4
    assert process.stderr == ""
    assert result["options"]["cluster"] == "local:2"


@pytest.mark.parametrize(
    "asked",
    [
        ("check", STEPS, "--jobs", "1024"),
        ("check", STEPS, "--cluster", "local:1024"),
        ("prove", STEPS, "-o", "nowhere", "--jobs", "1024"),
    ],
)
def test_more_processes_than_cores_must_be_forced(asked):
    result = run(*asked, "--cubes", "2")
    assert result.exit_code == 2
    assert "or --force-jobs" in result.stderr
