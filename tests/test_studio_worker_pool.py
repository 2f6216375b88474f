"""The studio's children: killed if no client waits, limited, bounded in number, fair."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

import nonosat
from helpers.processes import PATIENCE_S, all_ended, below, eventually, happens, is_running
from helpers.studios import Visitor, drawn, judged, studio
from helpers.worker_calls import (
    answers,
    die,
    grow,
    niceness,
    sleep,
    tell,
    wait_for_a_writer,
    wait_until_called_off,
)
from nonosat.core.errors import BackendError, LimitReached
from nonosat.processes.tools import Call
from nonosat.studio import api, worker_pool
from nonosat.studio.ticket import is_called_off
from nonosat.studio.worker_pool import BusyError, WorkerPool

HARD = nonosat.generate_nonogram(200, 200, seed=5, unique=False)  # open after ten seconds
LOAD = Path(__file__).parents[1] / "benchmarks" / "studio" / "load.py"


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with studio() as found:
        yield found


def with_pool(work: Callable[[WorkerPool], Awaitable[Any]], **wanted: Any) -> Any:
    """Return the result of work with a pool; afterwards the pool is closed and its children have
    ended.
    """

    async def all_of_it() -> Any:
        made = WorkerPool(wanted.pop("memory_limit_mib", 1024), **wanted)
        made.start()
        try:
            return await work(made)
        finally:
            made.close()

    before = below(os.getpid())
    try:
        return asyncio.run(all_of_it())
    finally:
        assert all_ended(below(os.getpid()) - before)


async def every(
    made: WorkerPool, call: Call, seconds: float = 600.0, is_live: bool = False
) -> list[Any]:
    async with aclosing(made.long(call, seconds, is_live=is_live)) as found:
        return [answer async for answer in found]


async def asleep(made: WorkerPool, has_begun: asyncio.Event, is_live: bool = False) -> None:
    """Occupy a long child until this is cancelled."""
    async with aclosing(made.long(Call(sleep, (600.0,)), 600, is_live=is_live)) as found:
        async for _ in found:
            has_begun.set()


async def turns() -> None:
    """Let all tasks that were created begin to wait."""
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.slow
def test_a_job_has_all_its_answers_and_its_child_serves_again() -> None:
    async def work(made: WorkerPool) -> None:
        assert await every(made, Call(answers, (1, "two"))) == [1, "two"]
        (first,) = await every(made, Call(sleep, (0.0,)))
        (second,) = await every(made, Call(sleep, (0.0,)))
        assert first == second
        assert await made.quick(0, Call(tell, (7,)), is_urgent=True) == 7
        assert await every(made, Call(niceness, ())) == [
            min(19, os.nice(0) + worker_pool.LONG_NICE)
        ]

    with_pool(work)


@pytest.mark.slow
def test_a_job_that_is_called_off_ends_its_child() -> None:
    async def work(made: WorkerPool) -> None:
        async with aclosing(made.long(Call(sleep, (60.0,)), 60, is_live=False)) as found:
            pid = await anext(found)
            assert is_running(pid)
        assert not is_running(pid)

        has_begun = asyncio.Event()
        task = asyncio.create_task(asleep(made, has_begun))
        await has_begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not made._at_work

    with_pool(work)


@pytest.mark.real_time
@pytest.mark.thorough
def test_limits_of_time_and_memory_are_held_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "GRACE_S", 0.1)

    async def work(made: WorkerPool) -> None:
        with pytest.raises(LimitReached, match="time limit"):
            await every(made, Call(sleep, (60.0,)), 0.2)
        with pytest.raises(LimitReached, match="memory limit of 300 MiB"):
            await every(made, Call(grow, ()), 600)
        with pytest.raises(LimitReached, match="time limit"):
            await made.quick(0, Call(time.sleep, (60,)), is_urgent=True)
        assert await made.quick(0, Call(tell, (1,)), is_urgent=True) == 1

    with_pool(work, memory_limit_mib=300)


@pytest.mark.slow
def test_a_child_that_dies_fails_only_its_job() -> None:
    async def work(made: WorkerPool) -> None:
        with pytest.raises(BackendError, match="SIGKILL"):
            await every(made, Call(die, ()))
        assert await every(made, Call(answers, (1,))) == [1]
        with pytest.raises(BackendError):
            await made.quick(0, Call(os._exit, (3,)), is_urgent=False)
        assert await made.quick(0, Call(tell, (2,)), is_urgent=False) == 2

    with_pool(work)


@pytest.mark.slow
def test_jobs_are_bounded_and_live_ones_leave_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "MOST_WAITING", 3)

    async def work(made: WorkerPool) -> None:
        def begin(is_live: bool) -> asyncio.Event:
            has_begun = asyncio.Event()
            tasks.append(asyncio.create_task(asleep(made, has_begun, is_live)))
            return has_begun

        tasks: list[asyncio.Task[Any]] = []
        live, *others = [begin(is_live=True) for _ in range(3)]
        await live.wait()
        assert await every(made, Call(answers, ("asked",))) == ["asked"]
        assert not any(other.is_set() for other in others)
        await begin(is_live=False).wait()
        others.append(begin(is_live=False))
        await turns()
        assert not any(other.is_set() for other in others)
        with pytest.raises(BusyError, match="3 jobs wait already"):
            await every(made, Call(answers, (1,)))
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert await every(made, Call(answers, (2,))) == [2]

    with_pool(work, most_long=2)


@pytest.mark.slow
def test_urgent_calls_come_first_and_cancelled_ones_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "GRACE_S", 60.0)
    order: list[int] = []
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def work(made: WorkerPool) -> None:
        async def ask(number: int, is_urgent: bool) -> None:
            order.append(await made.quick(0, Call(tell, (number,)), is_urgent=is_urgent))

        await made.quick(0, Call(tell, (0,)), is_urgent=True)
        holding = Call(wait_for_a_writer, (str(pipe),))
        first = asyncio.create_task(made.quick(0, holding, is_urgent=True))
        await turns()
        wants = [(1, False), (2, False), (3, True), (4, True)]
        tasks = [asyncio.create_task(ask(*want)) for want in wants]
        await turns()
        tasks[0].cancel()
        await asyncio.to_thread(pipe.write_bytes, b"")
        await asyncio.wait([first, *tasks])

    with_pool(work)
    assert order == [3, 4, 2]


@pytest.mark.slow
def test_a_running_call_is_notified_of_its_cancellation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = tmp_path / "begun"
    monkeypatch.setattr(worker_pool, "GRACE_S", 60.0)

    async def work(made: WorkerPool) -> list[bool]:
        pid = await made.quick(0, Call(os.getpid, ()), is_urgent=True)
        waiting = Call(wait_until_called_off, (str(begun),))
        at_work = asyncio.create_task(made.quick(0, waiting, is_urgent=True))
        assert await asyncio.to_thread(happens, tmp_path, begun.exists)
        assert not at_work.done()
        at_work.cancel()
        # The child takes the next call, which is not cancelled, and has not been killed.
        heard = [await made.quick(0, Call(is_called_off, ()), is_urgent=True) for _ in range(2)]
        assert await made.quick(0, Call(os.getpid, ()), is_urgent=True) == pid
        return heard

    assert with_pool(work) == [False, False]
    assert not is_called_off(), "this process runs no call"


@pytest.mark.slow
def test_the_loop_never_waits_for_a_child() -> None:
    """While children start, work and die, the loop keeps running."""

    async def work(made: WorkerPool) -> int:
        turns = 0

        async def turn() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        turning = asyncio.create_task(turn())
        with pytest.raises(LimitReached):
            await every(made, Call(grow, ()), 600)
        turning.cancel()
        return turns

    assert with_pool(work, memory_limit_mib=200) > 10


# Through the server


@pytest.mark.slow
def test_a_closed_request_ends_its_child(visitor: Visitor) -> None:
    body = json.dumps({"puzzle": {"puzzle": HARD.to_data()}, "seconds": 60}).encode()
    head = (
        f"POST /api/switches HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\n"
        f"Origin: {visitor.base}\r\nCookie: {visitor.cookie}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", visitor.port)) as line:
        line.sendall(head.encode() + body)
        assert eventually(lambda: bool(visitor.at_work()))
        pids = visitor.at_work()
    assert all_ended(pids)
    assert visitor.answer("rate", puzzle=drawn("aa"))["verdict"] == "unique"


def test_concurrent_queries_are_bounded(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MOST_REQUESTS", 0)
    reply = visitor.ask("rate", puzzle=drawn("a"))
    assert reply.status_code == 503
    assert reply.json()["error"]["message"].startswith("0 questions are open already")


@pytest.mark.slow
def test_queries_wait_for_their_turn(visitor: Visitor) -> None:
    statuses: list[int] = []

    def ask() -> None:
        statuses.append(visitor.ask("explain", puzzle=drawn(".a.", "aaa")).status_code)

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert statuses == [200] * 12


def test_a_hard_puzzle_in_one_tab_does_not_disturb_another(visitor: Visitor) -> None:
    with visitor.socket() as hard, visitor.socket() as easy:
        hard.send(json.dumps({"edit": 1, "puzzle": {"puzzle": HARD.to_data()}}))
        for edit in range(5):
            assert judged(easy, edit, drawn("a.", ".a"))[0]["verdict"] == "multiple"


@pytest.mark.thorough
def test_many_editors_get_correct_verdicts_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = importlib.util.spec_from_file_location("load", LOAD)
    assert spec is not None
    assert spec.loader is not None
    load = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "load", load)  # dataclasses read their module there
    spec.loader.exec_module(load)
    with studio() as found:
        asked = load.asked_of(
            ["--editors", "8", "--strokes", "4", "--pause", "0.2", "--size", "15"]
        )
        seen = asyncio.run(load.draw_all(found.address, asked))
    assert (len(seen.verdicts), seen.lost, seen.num_open) == (32, 0, 0)
    assert load.wrong(seen) == []
    assert "8 editors, 15 x 15" in load.report(asked, seen, [0.1, 0.2, 0.3])
