"""Child processes of the studio: quick ones for every stroke, long ones for longer work.

A *quick* child serves many editors in slices of a fraction of a second; an editor's verdicts always
come from the same child, which caches its state. A *long* child does one job, as long as its limits
allow, and is killed when its result is no longer needed. Long ones yield the cores to quick ones
(`nice`), and one is always started in advance.

Invariant: at most `most_long` long children work, one more may be starting, and at most
`MOST_WAITING` jobs wait for one; live verdicts leave at least one to questions. The event loop
never waits for a child: threads do, which a killed child frees. Memory and time are limited from
outside; the death of a child affects its job only.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from nonosat.core.errors import LimitReached, NonosatError
from nonosat.core.limits import Limits, Watch
from nonosat.processes.child import Child
from nonosat.processes.memory import resident_mib
from nonosat.processes.scratch import scratch_folder
from nonosat.processes.system import num_cores
from nonosat.processes.tools import START_S, Call, give_call, start_child
from nonosat.studio.ticket import numbered

SLICE_S = 0.16  # maximum time of a step in a quick child
GRACE_S = 2.0  # after a limit, for the library to detect it by itself
MOST_WAITING = 64
RETIRED_MIB = 400  # size from which a long child is replaced
LONG_NICE = 10

_T = TypeVar("_T")


class BusyError(LimitReached):
    """The studio has more jobs than it accepts."""


class WorkerPool:
    """Child processes of a studio, for one event loop.

    Args:
        memory_limit_mib: Memory of each child.
        most_long: Maximum number of children for `long`; twice the cores by default.
    """

    def __init__(self, memory_limit_mib: int, most_long: int | None = None) -> None:
        self.num_quick = num_cores()
        self._most_long = max(2, most_long or 2 * num_cores())
        self._memory_mib = memory_limit_mib
        self._threads = ThreadPoolExecutor(self.num_quick + 2 * self._most_long + 2, "nonosat-desk")
        self._quick = [_QuickChild(self, Call(_warm_quick, ())) for _ in range(self.num_quick)]
        self._at_rest: list[Child] = []
        self._at_work: set[Child] = set()
        self._starting: set[Child] = set()
        self._is_spare_starting = self._is_closed = False
        self._num_waiting = 0
        self._turns = asyncio.Semaphore(self._most_long)
        self._live_turns = asyncio.Semaphore(self._most_long - 1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._scratch = ExitStack()
        self._folder = self._scratch.enter_context(scratch_folder("studio"))
        self._folders: dict[Child, str] = {}  # temporary files of long children

    def start(self) -> None:
        """Start children before the first job."""
        for quick in self._quick:
            self._in_background(quick.work())
        self._in_background(self._spare())

    async def quick(self, number: int, call: Call, is_urgent: bool) -> Any:
        """Return the result of a call in a quick child; urgent calls of all editors come first.

        Cancelling the task that awaits this cancels the call in the child (`ticket.py`).

        Args:
            number: Number of the child, modulo the number of children.
            call: The call.
            is_urgent: True to execute it before calls that are not urgent.

        Raises:
            NonosatError: The call raised it, or the child was killed, or died.
        """
        return await self._quick[number % self.num_quick].query(call, is_urgent)

    async def long(self, call: Call, seconds: float, *, is_live: bool) -> AsyncGenerator[Any, None]:
        """Run a long call in a child and yield its values up to the first None.

        Closing the generator kills the child.

        Args:
            call: Call of a function that returns an iterator.
            seconds: Time limit of the call; the child is killed shortly after it.
            is_live: True for the verdict of a drawing; such calls must not occupy all children.

        Raises:
            BusyError: Too many jobs wait already.
            NonosatError: A limit was reached, or the child died.
        """
        async with self._turn(is_live):
            child = await self._taken()
            answers: asyncio.Queue[Any] = asyncio.Queue()
            put = _putter(answers)
            watch = Watch(Limits(seconds + GRACE_S, self._memory_mib))
            work = self._in_thread(lambda: _converse(child, call, watch, put))
            work.add_done_callback(lambda _: answers.put_nowait(None))
            try:
                while (answer := await answers.get()) is not None:
                    yield answer
                await work
            finally:
                if not work.done():
                    child.stop()
                await self._put_back(child, work)

    async def end(self) -> None:
        """End all children, and wait for the tasks of the loop."""
        self.close()
        while self._tasks:
            await asyncio.wait(self._tasks)

    def close(self) -> None:
        """End all children immediately."""
        self._is_closed = True
        for task in self._tasks:
            task.cancel()
        children = [quick.child for quick in self._quick if quick.child is not None]
        for child in (*children, *self._at_work, *self._starting):
            child.stop()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for child in (*children, *self._at_work, *self._at_rest):
            child.kill()
        self._scratch.close()

    # Shared by both kinds

    def _in_background(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _in_thread(self, call: Callable[[], _T]) -> asyncio.Future[_T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def started(self, warm: Call) -> Child:
        """Return a new child that has executed its first call."""

        def make() -> Child:
            child = start_child("the process that works for the studio", warm)
            self._starting.add(child)
            try:
                child.finish(Watch(Limits(START_S)))
            finally:
                self._starting.discard(child)
            return child

        made = self._in_thread(make)
        try:
            return await asyncio.shield(made)
        except asyncio.CancelledError:
            made.add_done_callback(_end_unused)
            raise

    async def slice(self, child: Child, call: Call) -> Any:
        """Return the result of a call in a quick child."""
        watch = Watch(Limits(SLICE_S + GRACE_S, self._memory_mib))

        def query() -> Any:
            give_call(child, call)
            return child.finish(watch)

        return await self._in_thread(query)

    # Long children

    @asynccontextmanager
    async def _turn(self, is_live: bool) -> AsyncIterator[None]:
        """Wait until one of the long children may be used; the block then uses it."""
        if self._num_waiting >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} jobs wait already; close other tabs, or wait a little")
        self._num_waiting += 1
        is_waiting = True
        try:
            async with self._live_turns if is_live else _no_owner(), self._turns:
                self._num_waiting -= 1
                is_waiting = False
                yield
        finally:
            self._num_waiting -= is_waiting

    async def _taken(self) -> Child:
        """Return a long child that is ready for a job."""
        while self._at_rest:
            child = self._at_rest.pop()
            if child.is_fit():
                break
            self._end(child)
        else:
            child = await self._started_long()
        self._at_work.add(child)
        self._in_background(self._spare())
        return child

    async def _spare(self) -> None:
        """Start a child for the next job in advance."""
        is_enough = self._at_rest or len(self._at_work) >= self._most_long
        if is_enough or self._is_spare_starting or self._is_closed:
            return
        self._is_spare_starting = True
        try:
            with suppress(NonosatError):  # the job that needs it will report the reason
                self._at_rest.append(await self._started_long())
        finally:
            self._is_spare_starting = False

    async def _started_long(self) -> Child:
        folder = tempfile.mkdtemp(dir=self._folder)
        child = await self.started(Call(_warm_long, (folder,)))
        self._folders[child] = folder
        return child

    def _end(self, child: Child) -> None:
        """Kill a long child, and delete its temporary files."""
        child.kill()
        shutil.rmtree(self._folders.pop(child), ignore_errors=True)

    async def _put_back(self, child: Child, work: asyncio.Future[None]) -> None:
        """Keep a long child for further jobs if it has completed its own; else end it."""
        is_cancelled = False
        while not work.done():  # its thread will notice that soon
            try:
                await asyncio.wait([work])
            except asyncio.CancelledError:
                is_cancelled = True
        self._at_work.discard(child)
        is_sound = not work.cancelled() and work.exception() is None and child.is_fit()
        if is_sound and resident_mib(child.pid) < RETIRED_MIB:
            self._at_rest.append(child)
        else:
            self._end(child)
            self._in_background(self._spare())
        if is_cancelled:
            raise asyncio.CancelledError


class _QuickChild:
    """A quick child and its queue of calls.

    Args:
        desks: The pool that it belongs to.
        warm: First call of the child, which prepares it.
    """

    def __init__(self, desks: WorkerPool, warm: Call) -> None:
        self.child: Child | None = None
        self._desks = desks
        self._warm = warm
        self._urgent: deque[tuple[Call, asyncio.Future[Any]]] = deque()
        self._others: deque[tuple[Call, asyncio.Future[Any]]] = deque()
        self._has_work = asyncio.Event()
        self._num_calls = 0

    async def query(self, call: Call, is_urgent: bool) -> Any:
        """See `WorkerPool.quick`."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        (self._urgent if is_urgent else self._others).append((call, future))
        self._has_work.set()
        return await future

    async def work(self) -> None:
        """Execute the calls of the queue, one after the other, forever."""
        while True:
            try:
                if self.child is None:
                    self.child = await self._desks.started(self._warm)
                await self._next(self.child)
            except NonosatError as error:  # it cannot be started
                await self._has_work.wait()
                self._fail(error)

    async def _next(self, child: Child) -> None:
        while not (self._urgent or self._others):
            self._has_work.clear()
            await self._has_work.wait()
        call, future = (self._urgent or self._others).popleft()
        if future.done():  # the call was cancelled
            return
        self._num_calls += 1
        number = self._num_calls
        future.add_done_callback(partial(_call_off, child, number))
        try:
            answer = await self._desks.slice(child, Call(numbered, (call, number, child.beacon.fd)))
            if not future.done():
                future.set_result(answer)
        except Exception as error:
            if not future.done():
                future.set_exception(error)
        finally:
            if not child.is_alive:
                self.child = None

    def _fail(self, error: NonosatError) -> None:
        for _, future in (*self._urgent, *self._others):
            if not future.done():
                future.set_exception(error)
        self._urgent.clear()
        self._others.clear()
        self._has_work.clear()


def _call_off(child: Child, number: int, done: asyncio.Future[Any]) -> None:
    """Cancel a call in a child if the task that waits for the result was cancelled."""
    if done.cancelled():
        child.beacon.show(number)


def _converse(child: Child, call: Call, watch: Watch, put: Callable[[Any], None]) -> None:
    """Execute a call in a child, and pass on its values; end the child if it stops early."""
    try:
        give_call(child, call)
        while (answer := child.finish(watch)) is not None:
            put(answer)
    except BaseException:
        child.kill()
        raise


def _end_unused(made: asyncio.Future[Child]) -> None:
    if not made.cancelled() and made.exception() is None:
        made.result().kill()


def _putter(answers: asyncio.Queue[Any]) -> Callable[[Any], None]:
    """Return a function that puts values into a queue of this loop, from any thread."""
    loop = asyncio.get_running_loop()

    def put(answer: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(answers.put_nowait, answer)

    return put


@asynccontextmanager
async def _no_owner() -> AsyncIterator[None]:
    """Context manager that does nothing, in place of a semaphore."""
    yield


# In the children


def _warm_quick() -> None:
    """Import the modules that the first stroke needs."""
    _use()


def _warm_long(folder: str) -> None:
    """Import modules at low priority, and set a folder for temporary files."""
    os.nice(LONG_NICE)
    tempfile.tempdir = folder
    _use()


def _use() -> None:
    from nonosat.studio.verdicts import Edit, rest

    ways = (["a.", "a."], [".a", "a."])
    for rows in ways:
        sent = {"picture": rows, "colours": {"a": "#1a1a1a"}}
        for _ in rest(Edit("", 0, sent), ("verdict",), 1.0):
            pass
