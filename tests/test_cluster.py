"""Dask clusters: the records of local batches, even if workers and schedulers die."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

import nonosat
from helpers.called import square
from helpers.commands import COMMAND, MULTIPLE, UNIQUE, UNSOLVABLE, put, run, whole
from helpers.hostile import Crash, Sleep
from helpers.processes import (
    PATIENCE_S,
    all_ended,
    below,
    dask_workers_of,
    eventually,
    happens,
    interruptible,
    is_running,
)
from nonosat.batch.deciding import BatchTask, TimedPuzzle
from nonosat.batch.workers import Deciding
from nonosat.core.errors import BackendError, UnsupportedError
from nonosat.core.result import Options
from nonosat.core.versions import versions
from nonosat.processes.cluster.connecting import OpenCluster
from nonosat.processes.cluster.pool import ClusterPool
from nonosat.processes.places import pool_of
from nonosat.processes.pools import FinishedPiece
from nonosat.processes.tools import Call, Calls, Work
from test_batch import headers_of, results_of, slow_puzzles
from test_batch_workers import CHECK, collected, puzzle

__all__ = ["put"]  # a fixture

DECIDING = Deciding(BatchTask("check", CHECK))
LIMITED = Options(max_solutions=2, time_limit_s=3)  # for puzzles of a millisecond


@pytest.fixture(scope="module")
def cluster():
    before = below(os.getpid())
    pool = ClusterPool("local:2", Deciding(BatchTask("check", LIMITED)))
    started = below(os.getpid()) - before
    yield pool
    pool.close()
    assert started
    assert all_ended(started)


@pytest.mark.slow
def test_answers_are_those_of_the_pipeline_within_limits(cluster, tmp_path):
    assert cluster.num_workers == 2
    once = Crash(str(tmp_path / "crashed"))
    puzzles = (puzzle(1), Sleep(), puzzle(3), Crash(), once)
    found = collected(cluster, (0, puzzles), (1, (puzzle(7),)))
    statuses = [found[0, index]["status"] for index in range(5)]
    assert statuses == ["ok", "timeout", "ok", "crash", "ok"]
    assert found[1, 0]["solutions"] == [grid.lines() for grid in nonosat.check(puzzle(7)).solutions]


@pytest.mark.slow
def test_processes_at_rest_end(cluster):
    collected(cluster, (10, (puzzle(1),)))
    assert all_ended(set().union(*map(below, dask_workers_of(os.getpid()))))


@pytest.mark.thorough
def test_cancelling_ends_work_in_progress(tmp_path):
    before = dask_workers_of(os.getpid())  # those of the module's cluster
    with closing(ClusterPool("local:1", DECIDING)) as cluster:
        (worker,) = dask_workers_of(os.getpid()) - before
        cluster.submit(0, (TimedPuzzle(Sleep(str(tmp_path))),))
        cluster.submit(1, (TimedPuzzle(Sleep()),))
        assert happens(tmp_path, lambda: [*tmp_path.iterdir()])
        assert cluster.done(0.0) == []
        at_work = below(worker)
        cluster.cancel()
        assert all_ended(at_work)
        assert collected(cluster, (2, (puzzle(3),)))[2, 0]["status"] == "ok"


@dataclass(frozen=True)
class Stubborn(Work):
    """Work that polls nothing for longer than a test waits."""

    path: str

    def start(self):
        Path(self.path).touch()
        time.sleep(600)

    give = take = ended = None  # not reached


@pytest.mark.thorough
def test_closing_does_not_wait_for_workers_that_are_busy(tmp_path):
    busy = tmp_path / "busy"
    before = dask_workers_of(os.getpid())
    pool = ClusterPool("local:1", Stubborn(str(busy)))
    started = dask_workers_of(os.getpid()) - before
    pool.submit(1, [None])
    assert happens(busy.parent, busy.exists)
    pool.close()
    assert started
    assert not any(map(is_running, started))


@pytest.mark.thorough
def test_records_are_those_of_a_local_batch(put, tmp_path):
    path = put(UNIQUE, MULTIPLE, UNSOLVABLE)
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
    here = whole("batch", path, "-o", str(ours), "--jobs", "1")
    there = whole("batch", path, "-o", str(theirs), "--cluster", "local:1")
    assert (there.returncode, there.stderr) == (here.returncode, "") == (4, "")

    def timeless(records):
        for record in records:
            record.pop("seconds", None)
            record.pop("started", None)
            for stage in record.get("stages", ()):
                stage.pop("seconds")
        return sorted(records, key=lambda record: record.get("id", ""))

    assert timeless(results_of(theirs)) == timeless(results_of(ours))
    assert timeless(headers_of(theirs)) == timeless(headers_of(ours))
    again = whole("batch", path, "-o", str(theirs), "--resume", "--jobs", "1")
    assert "3 of them recorded already" in again.stdout
    assert len(results_of(theirs)) == 3


@pytest.mark.thorough
def test_ctrl_c_ends_all_and_keeps_results(tmp_path):
    path, out = tmp_path / "p.jsonl", tmp_path / "r.jsonl"
    slow_puzzles(path, 600)  # are not done when Ctrl-C comes
    command = [*COMMAND, "batch", str(path), "-o", str(out), "--cluster", "local:1"]
    with interruptible():
        process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    with process:
        assert happens(out.parent, lambda: out.exists() and results_of(out))
        started = below(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
        status = process.wait(PATIENCE_S)
        message = process.stderr.read()
    assert status == 130, message
    assert message.startswith("nonosat: interrupted, ")
    assert "Traceback" not in message
    assert all_ended(started)
    assert len(results_of(out)) < 600


def kill_workers_that_sleep(folder, times):
    """Kill the Dask worker that is the parent of each process whose number is in a folder."""
    killed = set()
    for _ in range(times):
        (asleep,) = happens(folder, lambda: {int(each.name) for each in folder.iterdir()} - killed)
        (worker,) = (each for each in dask_workers_of(os.getpid()) if asleep in below(each))
        os.kill(worker, signal.SIGKILL)
        killed.add(asleep)


@pytest.mark.thorough
def test_workers_that_die_of_a_puzzle_make_it_a_crash_and_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr("nonosat.processes.cluster.pool.MOST_DEATHS", 2)
    with closing(ClusterPool("local:1", DECIDING)) as cluster:
        cluster.submit(
            0, (TimedPuzzle(puzzle(1)), TimedPuzzle(Sleep(str(tmp_path))), TimedPuzzle(puzzle(3)))
        )
        killer = threading.Thread(target=kill_workers_that_sleep, args=(tmp_path, 4))
        killer.start()
        records = {}
        while len(records) < 3:
            found = cluster.done(PATIENCE_S)
            assert found
            records |= {done.place: done.outcome for done in found}
        killer.join()
        assert [records[index]["status"] for index in range(3)] == ["ok", "crash", "ok"]
        assert "2 times" in records[1]["reason"]


@pytest.mark.parametrize(
    "address",
    ["nonsense", "ftp://x:1", " ", "local:0", "local:x", "[::1]:99999999", "a..b:1", "127.0.0.1:1"],
)
def test_bad_addresses_are_refused_and_nothing_is_written(put, tmp_path, address):
    out = tmp_path / "r.jsonl"
    done = run("batch", put(UNIQUE), "-o", str(out), "--cluster", address)
    assert done.exit_code == 2
    assert "expected" in done.stderr
    assert isinstance(done.exception, SystemExit)  # no other, with a traceback
    assert not out.exists()


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-x\r\n"])
def test_a_server_of_another_kind_is_noticed(monkeypatch, greeting):
    monkeypatch.setattr("nonosat.processes.cluster.connecting.CONNECT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        accepted = []

        def talk():
            accepted.append(server.accept()[0])
            accepted[0].sendall(greeting)

        thread = threading.Thread(target=talk)
        thread.start()
        with pytest.raises(UnsupportedError, match="no Dask scheduler answers"):
            ClusterPool(address, DECIDING)
        thread.join()
        accepted[0].close()


def elsewhere(num_workers):
    from distributed import LocalCluster

    return LocalCluster(
        n_workers=num_workers,
        threads_per_worker=1,
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        silence_logs=60,
    )


@pytest.mark.thorough
def test_a_task_that_dask_forgets_is_begun_again(tmp_path):
    from distributed import Client, Future

    with (
        elsewhere(1) as other,
        Client(other.scheduler_address, set_as_default=False) as another,
        closing(ClusterPool(other.scheduler_address, DECIDING)) as cluster,
    ):
        cluster.submit(0, (TimedPuzzle(Sleep(str(tmp_path))),))
        assert happens(tmp_path, lambda: len([*tmp_path.iterdir()]) == 1)
        another.cancel([Future(key, another) for key in other.scheduler.tasks], force=True)
        assert eventually(lambda: not cluster.done(0.1) and len([*tmp_path.iterdir()]) == 2)


@pytest.mark.thorough
def test_a_cluster_elsewhere_its_versions_and_its_end(monkeypatch):
    with elsewhere(0) as other:
        with pytest.raises(UnsupportedError, match="has no workers"):
            ClusterPool(other.scheduler_address, DECIDING)
        other.scale(1)
        other.wait_for_workers(1)
        versions.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr("nonosat.core.versions.__version__", "0")
            with pytest.raises(UnsupportedError, match="here; install the same there"):
                ClusterPool(other.scheduler_address, DECIDING)
        versions.cache_clear()
        with closing(ClusterPool(other.scheduler_address, DECIDING)) as cluster:
            assert collected(cluster, (0, (puzzle(1),)))[0, 0]["status"] == "ok"
            cluster.submit(1, (TimedPuzzle(Sleep()),))
            other.close()
            with pytest.raises(BackendError, match="gone away"):
                collected(cluster, (2, (puzzle(1),)))


@pytest.mark.slow
def test_usage_and_a_missing_package(put, tmp_path, monkeypatch):
    out = str(tmp_path / "r.jsonl")
    done = whole("batch", put(UNIQUE), "-o", out, "--cluster", "local:1", "--jobs", "1")
    assert "expected one of them" in done.stderr
    done = whole("batch", put(UNIQUE), "-o", out, "--cluster", "local:4000")
    assert "--force-jobs" in done.stderr
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UnsupportedError, match="pip install 'distributed<"):
        pool_of(1, "local:1", DECIDING)


@pytest.mark.thorough
def test_an_open_cluster_serves_puzzle_after_puzzle():
    before = dask_workers_of(os.getpid())
    with OpenCluster("local:1") as cluster:
        started = dask_workers_of(os.getpid()) - before
        assert len(started) == 1
        for name in ("hard.jsonl#steps-8", "special.jsonl#broken-steps"):
            drawn = nonosat.load(f"instances/{name}")
            result = nonosat.check(drawn, cubes=3, cluster=cluster)
            assert result.verdict is nonosat.check(drawn).verdict
            assert "cubes" in [stage.name for stage in result.stages]
            assert result.options.cluster == "local:1"
            assert dask_workers_of(os.getpid()) - before == started
        hard = nonosat.load("instances/domino.jsonl#domino-20")
        limited = nonosat.check(hard, cubes=3, cluster=cluster, time_limit_s=1)
        assert limited.reason == "time limit of 1 s"
        with closing(ClusterPool(cluster, Calls())) as pool:  # work that was cut short has ended
            pool.submit(7, [Call(square, (3,))])
            assert pool.done(20.0) == [FinishedPiece(7, 0, 9, "127.0.0.1")]
        assert type(pickle.loads(pickle.dumps(cluster))) is str
    assert all_ended(started)


@pytest.mark.slow
def test_a_process_that_dies_during_its_start_is_reported_and_none_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\n"
        "if any('spawn_main' in word for word in sys.orig_argv):\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    before = below(os.getpid())
    with pytest.raises(BackendError, match=r"died while it started.*Try again"):
        OpenCluster("local:1")
    assert happens(tmp_path, lambda: not list(tmp_path.glob("nonosat-cluster-*")))
    assert all_ended(dask_workers_of(os.getpid()) - before)
