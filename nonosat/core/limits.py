"""Limits of time and memory, and the watch that holds work to them.

A `Watch` is the clock of one puzzle: everything that may take long polls it. Once a watch has
reported that a limit is reached, it always does. Engines that can be interrupted run in a helper
thread (`Watch.run`); other engines and plug-ins run in a child process (`processes.child.Child`),
which a limit kills. In both cases the waiting thread polls every 20 ms, and a KeyboardInterrupt
raised in that thread ends the engine first.

`scope.within` makes a watch that of the work in progress, as a cancel scope of Trio does (N. J.
Smith, 2018): readers, builders and painters, which get no watch, poll all watches of the work in
progress by `checkpoint` or `polled`, and native code without a `poll` of its own does so every 5
ms.
Invariant: every loop polls at least every 20 ms; `tests/test_polling.py` drives the long ones.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Self, TypeAlias, TypeVar, overload

from nonosat.core import hooks
from nonosat.core.errors import LimitReached, UnsupportedError, shown

T = TypeVar("T")

TIME, MEMORY, CALLED_OFF = "time", "memory", "called off"  # kinds of `LimitReached`
MAX_TIME_S = 1e9  # 31 years; what clocks can add to the present
MAX_MEMORY_MIB = 2**40
POLL_EVERY_S = 0.02
_READ_MEMORY_EVERY_S = 0.005  # in which a process can take some 10 MiB
_LEAST_S = 0.001  # of what is left of a time limit


def check_count(name: str, count: object, most: int) -> None:
    """Raise UnsupportedError for an argument that is neither None nor from 1 to `most`."""
    if count is not None and (type(count) is not int or not 1 <= count <= most):
        raise UnsupportedError(
            f"{name} is {shown(count)}, expected a whole number, at least 1 and at most {most} "
            "(or None for no limit)"
        )


def check_seconds(limit: object) -> None:
    """Raise UnsupportedError for a time limit that is neither None nor a number in range."""
    if limit is None:
        return
    is_number = isinstance(limit, int | float) and not isinstance(limit, bool)
    if not is_number or not 0 < limit <= MAX_TIME_S:  # type: ignore[operator]  # a number by then
        raise UnsupportedError(
            f"the time limit is {shown(limit)}, expected seconds > 0 and at most {MAX_TIME_S:.0f} "
            "(or None for no limit)"
        )


class TimeLeft(float):
    """Remaining seconds of a time limit; messages name the original limit.

    Args:
        seconds: Seconds that remain.
        of_s: The original limit.
    """

    of_s: float

    def __new__(cls, seconds: float, of_s: float) -> Self:
        made = super().__new__(cls, seconds)
        made.of_s = of_s
        return made

    def __reduce__(self) -> tuple[type[TimeLeft], tuple[float, float]]:
        return TimeLeft, (float(self), self.of_s)


@overload
def original_limit(time_s: float) -> float: ...
@overload
def original_limit(time_s: None) -> None: ...
def original_limit(time_s: float | None) -> float | None:
    """Return the original time limit if `time_s` is the rest of one (`TimeLeft`), else `time_s`."""
    return time_s.of_s if isinstance(time_s, TimeLeft) else time_s


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one puzzle; None means unlimited.

    Args:
        time_s: Wall seconds.
        memory_mib: Resident memory of the solving process.

    Raises:
        UnsupportedError: Memory is limited on a system that cannot measure its use.
    """

    time_s: float | None = None
    memory_mib: int | None = None

    def __post_init__(self) -> None:
        if self.memory_mib is not None:
            hooks.resident_mib(None)  # raises now if memory cannot be measured

    def after(self, spent_s: float) -> Limits:
        """Return the rest of the limits; time below a hundredth of the limit is ignored.

        Args:
            spent_s: Seconds spent.
        """
        if self.time_s is None or spent_s <= self.time_s / 100:
            return self
        left_s = max(_LEAST_S, self.time_s - spent_s)
        return replace(self, time_s=TimeLeft(left_s, original_limit(self.time_s)))


_NO_LIMITS = Limits()

# Receiver of the progress of watches that are made in this context: gets the activity, the amount
# done and the total (0: unknown).
Progress: TypeAlias = Callable[[str, int, int], None]
progress: ContextVar[Progress | None] = ContextVar("nonosat_progress", default=None)
PROGRESS_THREAD = "nonosat-progress"  # name of threads that write it


class Watch:
    """Clock with the limits of one puzzle; it starts when the object is created.

    Attributes:
        together: Process ids of child processes in a race; the memory limit holds for their sum.
        cores: Function that returns the number of cores that the puzzle may use now (0 means 1);
            None if this number does not change during solving.
        is_called_off: Function that returns True if the answer is not needed any more, which ends
            the work like a limit.
        progress: Receiver of the progress, from the context in which the watch was made.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.together: set[int] = set()
        self.cores: Callable[[], int] | None = None
        self.is_called_off: Callable[[], bool] | None = None
        self.progress = progress.get()
        self._reason: str | None = None
        self._kind = ""
        self._next_poll = 0.0
        self._deadline = None if limits.time_s is None else hooks.clock() + limits.time_s

    def has_limits(self) -> bool:
        """Return True if anything can end the work."""
        return self.limits != _NO_LIMITS or self.is_called_off is not None

    def doing(self, what: str, done: int = 0, total: int = 0) -> None:
        """Report the progress of the work.

        Args:
            what: Activity.
            done: Amount done.
            total: Amount of all work; 0 if it is unknown.
        """
        if self.progress is not None:
            self.progress(what, done, total)

    def restart(self) -> None:
        """Restart the time limit: for a sequence of tasks that each have the whole limit."""
        if self.limits.time_s is not None:
            self._deadline = hooks.clock() + self.limits.time_s

    def remaining_s(self) -> float | None:
        """Return the seconds to the time limit, at least 0; None without one."""
        return None if self._deadline is None else max(0.0, self._deadline - hooks.clock())

    def reason(self, pid: int | None = None) -> str | None:
        """Return the limit that was hit, or None.

        Args:
            pid: Process whose memory counts, with the processes that are `together` with it; by
                default this one.
        """
        if self._reason is None:
            limits = self.limits
            if self.remaining_s() == 0:
                self._hit(TIME, self._time_reason())
            elif limits.memory_mib is not None and self._resident_mib(pid) > limits.memory_mib:
                self._hit(MEMORY, f"memory limit of {limits.memory_mib} MiB")
            elif self.is_called_off is not None and self.is_called_off():
                self._hit(CALLED_OFF, CALLED_OFF)
        return self._reason

    def _hit(self, kind: str, reason: str) -> None:
        if self._reason is None:
            self._kind, self._reason = kind, reason

    def _resident_mib(self, pid: int | None) -> float:
        return sum(map(hooks.resident_mib, self.together if pid in self.together else (pid,)))

    def limit(self) -> LimitReached:
        """Return the error for work that this watch ended."""
        if self.reason() is None and self.limits.time_s is not None:
            self._hit(TIME, self._time_reason())  # native code saw the deadline a moment earlier
        return LimitReached(self._reason or "time limit", kind=self._kind or TIME)

    def _time_reason(self) -> str:
        return f"time limit of {original_limit(self.limits.time_s):g} s"

    def check(self) -> None:
        """Raise LimitReached if a limit was hit; cheap enough for every iteration of a loop."""
        now = hooks.clock()
        if now < self._next_poll and self._reason is None:
            return
        if self.reason():
            raise self.limit()
        self._next_poll = now + self.step_s()

    def reserve(self, num_bytes: int) -> None:
        """Raise LimitReached if `num_bytes` more memory would exceed the limit."""
        most = self.limits.memory_mib
        if most is not None and hooks.resident_mib(None) + num_bytes / 2**20 > most:
            self._hit(MEMORY, f"memory limit of {most} MiB")
            raise self.limit()

    def num_affordable(self, requested: int, num_now: int, num_bytes: int | None = None) -> int:
        """Return the number of threads, or workers of a team, that fit in the memory limit.

        Each of them may grow to twice its size while it runs.

        Args:
            requested: Number without a limit, at least 1; the result is between 1 and this number.
            num_now: Workers whose memory is in use already.
            num_bytes: Size of a worker; by default an equal share of the memory of this process.
        """
        most = self.limits.memory_mib
        if most is None:
            return requested
        used = hooks.resident_mib(None)
        each = used / num_now if num_bytes is None else num_bytes / 2**20
        return max(1, min(requested, int((most - used + num_now * each) / (2 * each))))

    def poll(self) -> bool:
        """Return True if native code must stop; call it with Python's lock, as it may raise."""
        return self.reason() is not None

    def result_of(self, native: Callable[..., T | None], *arguments: Any, **named: Any) -> T:
        """Return the result of native code, which polls this watch.

        Raises:
            LimitReached: The native code returned None, because a limit has ended it.
        """
        found = native(*arguments, **named, remaining_s=self.remaining_s(), poll=self.poll)
        if found is None:
            raise self.limit()
        return found

    def step_s(self) -> float:
        """Return the seconds to wait before the next poll."""
        every_s = POLL_EVERY_S if self.limits.memory_mib is None else _READ_MEMORY_EVERY_S
        remaining = self.remaining_s()
        return every_s if remaining is None else min(every_s, remaining + 0.001)

    def run(self, call: Callable[[], T], interrupt: Callable[[], None]) -> T:
        """Run `call` in a helper thread, so that this one can be interrupted.

        Args:
            call: Must return soon after `interrupt` was called, even if that was just before the
                start.
            interrupt: Called (perhaps repeatedly) when a limit is hit or this thread is
                interrupted. The helper has ended when `run` returns or raises.

        Returns:
            The value of `call`; `reason` returns the limit that was hit, if any.

        Raises:
            Exception: Any exception that `call` or a signal handler raised.
        """
        job = Job(call, "nonosat-engine")
        try:
            job.start()
            while not job.wait(self.step_s()):
                if self.reason():
                    interrupt()
        except BaseException:
            job.abandon(interrupt)
            raise
        if job.error is not None:
            raise job.error
        return job.outcome  # type: ignore[no-any-return]  # the value of `call`


class InterruptibleWatch(Watch):
    """Watch of a part of some work: it has the limits of the whole, and can also be ended alone.

    Args:
        watch: The watch of the whole work.
        is_called: Function that returns True to stop the part; polled as often as the limits.

    Attributes:
        is_revoked: True if this part of the work was cancelled.
    """

    def __init__(self, watch: Watch, is_called: Callable[[], bool] = lambda: False) -> None:
        super().__init__(watch.limits)
        self.together, self.progress = watch.together, watch.progress
        self.is_revoked = False
        self._watch, self._is_called = watch, is_called

    def revoke(self) -> None:
        """End the part as if a limit had been hit."""
        self.is_revoked = True

    def has_limits(self) -> bool:
        return self._watch.has_limits()

    def remaining_s(self) -> float | None:
        return self._watch.remaining_s()

    def reason(self, pid: int | None = None) -> str | None:
        return CALLED_OFF if self.is_revoked else self._watch.reason(pid)

    def limit(self) -> LimitReached:
        if self.is_revoked:
            return LimitReached(CALLED_OFF, kind=CALLED_OFF)
        return self._watch.limit()

    def reserve(self, num_bytes: int) -> None:
        self._watch.reserve(num_bytes)

    def poll(self) -> bool:
        return super().poll() or self._is_called()


class Job:
    """One call in a helper thread.

    Args:
        call: The function to call.
        name: Name of the thread.

    Attributes:
        outcome: The value that it returned.
        error: The exception that it raised.
    """

    def __init__(self, call: Callable[[], Any], name: str) -> None:
        self.outcome: Any = None
        self.error: BaseException | None = None
        self._call = call
        self._name = name
        self._is_begun = self._is_abandoned = self._is_done = False
        self._finished = threading.Lock()
        self._finished.acquire()

    def start(self) -> None:
        """Start the thread.

        Raises:
            RuntimeError: The system allows no more threads.
        """
        threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        self._is_begun = True
        try:
            if not self._is_abandoned:
                self.outcome = self._call()
        except BaseException as error:
            self.error = error
        finally:
            self._is_done = True
            self._finished.release()

    def wait(self, seconds: float) -> bool:
        """Wait for the call, at most `seconds`, and return True if it has ended."""
        if not self._is_done:
            self._finished.acquire(timeout=seconds)
        return self._is_done

    def abandon(self, interrupt: Callable[[], None]) -> None:
        """Interrupt the call and wait for its end; return at once if it has not begun.

        `start` may have been interrupted before the call began; then it never begins.
        """
        while True:
            try:
                # Each side sets its own flag first and reads the other's flag second.
                self._is_abandoned = True
                while self._is_begun and not self._is_done:
                    interrupt()
                    self.wait(POLL_EVERY_S)
                return
            except (KeyboardInterrupt, LimitReached):
                # Another Ctrl-C, or a limit: returning now would free an engine that is still
                # running.
                continue


# The work in progress


# Watches of the work in progress in this thread, the innermost last; `scope.within` adds them.
watches_in_use: ContextVar[tuple[Watch, ...]] = ContextVar("nonosat_watches", default=())


def checkpoint() -> bool:
    """Raise LimitReached when a limit of the work in progress was hit; cheap enough for loops.

    Returns:
        False, so that it is a `poll` for native code.
    """
    for watch in watches_in_use.get():
        watch.check()
    return False


def raising(check: Callable[[], None]) -> Callable[[], bool]:
    """Return a `poll` for native code that calls `check`, which raises an exception at a limit."""

    def poll() -> bool:
        check()
        return False

    return poll


def reserve(num_bytes: int) -> None:
    """Raise LimitReached if `num_bytes` more would exceed a limit of the work in progress."""
    for watch in watches_in_use.get():
        watch.reserve(num_bytes)


def polled(items: Iterable[T]) -> Iterable[T]:
    """Return the items, with a checkpoint before each while the work in progress has limits."""
    watches = watches_in_use.get()
    return _checked(items, watches) if watches else items


def _checked(items: Iterable[T], watches: tuple[Watch, ...]) -> Iterator[T]:
    for item in items:
        for watch in watches:
            watch.check()
        yield item


def limits_of(time_limit_s: float | None, memory_limit_mib: int | None) -> Limits:
    """Return limits from arguments, in which infinity is no limit.

    Raises:
        UnsupportedError: A value is out of range.
    """
    time_limit_s = None if time_limit_s == inf else time_limit_s
    check_seconds(time_limit_s)
    check_count("memory_limit_mib", memory_limit_mib, MAX_MEMORY_MIB)
    return Limits(time_limit_s, memory_limit_mib)


def watch_of(time_limit_s: float | None, memory_limit_mib: int | None) -> Watch:
    """Return a watch with these limits; raises as `limits_of`."""
    return Watch(limits_of(time_limit_s, memory_limit_mib))


def left_of(watch: Watch) -> dict[str, Any]:
    """Return the limits that a watch leaves, as options of the pipeline.

    Raises:
        LimitReached: No time is left; no option says that.
    """
    remaining, limit_s = watch.remaining_s(), watch.limits.time_s
    if remaining == 0:
        raise watch.limit()
    if remaining is not None and limit_s is not None:
        remaining = TimeLeft(remaining, original_limit(limit_s))
    return {"time_limit_s": remaining, "memory_limit_mib": watch.limits.memory_mib}
