"""Pools: every task has one outcome, here and on a cluster, and cancelled tasks end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import closing

import pytest

from helpers.called import die, eat, refuse, sleep, square
from helpers.processes import all_ended, children_of, eventually, interruptible, is_running
from nonosat.core.errors import BackendError, LimitReached, UnsupportedError
from nonosat.processes.cluster.connecting import Interrupts
from nonosat.processes.cluster.pool import ClusterPool
from nonosat.processes.pools import LocalPool
from nonosat.processes.tools import Call, Calls

WORK = Calls(memory_limit_mib=400)


@pytest.fixture(
    scope="module", params=["here", pytest.param("cluster", marks=pytest.mark.thorough)]
)
def pool(request):
    make = {"here": lambda: LocalPool(2, WORK), "cluster": lambda: ClusterPool("local:2", WORK)}
    pool = make[request.param]()
    yield pool
    pool.close()


def outcomes(pool, calls):
    """Return outcomes by number; each must come once."""
    for number, call in calls.items():
        pool.submit(number, [call])
    found = {}
    while len(found) < len(calls):
        for done in pool.done(0.1):
            assert done.place == 0
            assert done.number not in found
            found[done.number] = done.outcome
    assert pool.done(0.0) == []
    return found


@pytest.mark.thorough
def test_every_call_has_its_value(pool):
    assert pool.num_workers == 2
    calls = {number: Call(square, (number,)) for number in range(20)}
    assert outcomes(pool, calls) == {number: number * number for number in range(20)}


@pytest.mark.slow
def test_errors_deaths_and_memory_are_outcomes_of_their_call_alone(pool, tmp_path):
    found = outcomes(
        pool,
        {
            0: Call(square, (3,)),
            1: Call(refuse, ("no such thing",)),
            2: Call(die, ()),
            3: Call(die, (str(tmp_path / "died"),)),
            4: Call(eat, (500,)),
            5: Call(square, ("x",)),
            6: Call(square, (4,)),
        },
    )
    assert (found[0], found[3], found[6]) == (9, "alive", 16)
    assert isinstance(found[1], UnsupportedError)
    assert str(found[1]) == "no such thing"
    assert isinstance(found[2], BackendError)
    assert "SIGKILL" in str(found[2])
    assert isinstance(found[4], LimitReached)
    assert str(found[4]) == "memory limit of 400 MiB"
    assert isinstance(found[5], BackendError)
    assert "square failed: TypeError" in str(found[5])


def test_a_task_of_several_calls_has_their_outcomes_in_their_places(pool, tmp_path):
    calls = [Call(square, (2,)), Call(die, (str(tmp_path / "died"),)), Call(die, ())]
    pool.submit(1, [*calls, Call(square, (5,))])
    pool.submit(2, [Call(square, (6,))])
    found = {}
    while len(found) < 5:
        found |= {(done.number, done.place): done.outcome for done in pool.done(0.1)}
    assert isinstance(found.pop((1, 2)), BackendError)
    assert found == {(1, 0): 4, (1, 1): "alive", (1, 3): 25, (2, 0): 36}


def sleepers(folder):
    """Return the processes that sleep in a call."""
    return {int(path.name) for path in folder.iterdir()}


def test_cancelled_tasks_end(pool, tmp_path):
    for number in range(4):
        pool.submit(number, [Call(sleep, (str(tmp_path),))])
    while len(sleepers(tmp_path)) < 2:
        assert pool.done(0.01) == []
    assert pool.done(0.1) == []
    at_work = sleepers(tmp_path)
    assert len(at_work) == 2
    pool.cancel()
    assert all_ended(at_work)
    assert outcomes(pool, {0: Call(square, (5,))}) == {0: 25}
    assert sleepers(tmp_path) == at_work


def test_a_closed_pool_leaves_no_process(tmp_path):
    before = children_of(os.getpid())
    pool = LocalPool(2, WORK)
    outcomes(pool, {number: Call(square, (number,)) for number in range(4)})
    pool.submit(9, [Call(sleep, (str(tmp_path),))])
    started = children_of(os.getpid()) - before
    assert len(started) == 2
    pool.close()
    assert not any(map(is_running, started))


@pytest.mark.thorough
def test_a_result_that_is_cancelled_while_it_is_fetched_is_fetched_again(monkeypatch):
    from distributed import Future
    from distributed.client import FutureCancelledError

    fetch = Future._result
    errors = [FutureCancelledError("key", "lost"), asyncio.CancelledError()]

    async def cancelled(future, raiseit=True):
        if errors:
            raise errors.pop()
        return await fetch(future, raiseit)

    monkeypatch.setattr(Future, "_result", cancelled)
    with closing(ClusterPool("local:1", WORK)) as pool:
        assert outcomes(pool, {0: Call(square, (3,))}) == {0: 9}
    assert not errors


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.version_info >= (3, 13),
    reason="Dask 2026.8 there loses the TLS connection of a worker that comes again, of itself too",
)
def test_abandoned_workers_are_replaced(monkeypatch):
    monkeypatch.setattr("nonosat.processes.cluster.pool.ATTEND_EVERY_S", 0.1)
    with closing(ClusterPool("local:1", WORK)) as pool:
        pool._client.cluster.scale(0)
        assert eventually(lambda: not pool._client.scheduler_info()["workers"])
        assert outcomes(pool, {0: Call(square, (3,))}) == {0: 9}


@pytest.mark.thorough
def test_a_cluster_without_workers_is_not_waited_for(monkeypatch, tmp_path):
    from distributed import LocalCluster

    monkeypatch.setattr("nonosat.processes.cluster.pool.ATTEND_EVERY_S", 0.1)
    monkeypatch.setattr("nonosat.processes.cluster.pool.ABANDONED_S", 0.3)
    settings = {"scheduler_kwargs": {"dashboard_address": "127.0.0.1:0"}, "silence_logs": 60}
    with (
        LocalCluster(1, threads_per_worker=1, dashboard_address=None, **settings) as other,
        closing(ClusterPool(other.scheduler_address, WORK)) as pool,
    ):
        other.scale(0)
        assert eventually(lambda: not pool._client.scheduler_info()["workers"])
        with pytest.raises(BackendError, match="has had no workers for"):
            outcomes(pool, {0: Call(square, (3,))})


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_is_not_lost_in_a_finalizer():
    class Last:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    with interruptible(), Interrupts() as interrupts:
        interrupts.check()
        Last()
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
        interrupts.check()
