"""Budgets of time and memory, and the watch that holds a puzzle to them.

A `Watch` is the clock of one puzzle: everything that may take long asks it. Once a limit was seen
to be hit it stays hit. Engines that stop when asked run in a helper thread (`Watch.run`); engines
that do not run in a `processes.child.Child`, which is killed. Either way the waiting thread looks
every 20 ms, and a KeyboardInterrupt raised in it ends the engine before it goes on.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Self, TypeVar, overload

from nonosat.core import hooks
from nonosat.core.errors import LimitReached

T = TypeVar("T")

CALLED_OFF = "called off"  # the reason where nobody wants the answer any more
LOOK_EVERY_S = 0.02
_LOOK_AT_MEMORY_EVERY_S = 0.005  # in which a process can take some 10 MiB
_OVERSHOT = 1.04  # times the limit of memory
_LEAST_S = 0.001  # of what is left of a time limit


class _OfThread(threading.local):
    """What each thread has for itself."""

    def __init__(self) -> None:
        self.shield = threading.RLock()


_own = _OfThread()


def _after_fork() -> None:
    """A guard of the parent may have held the shield just when this copy was forked."""
    _own.shield = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


class TimeLeft(float):
    """What is left of a time limit, in seconds: the work has that, messages tell the whole.

    Args:
        seconds: What is left.
        of_s: The limit as it was asked for.
    """

    of_s: float

    def __new__(cls, seconds: float, of_s: float) -> Self:
        made = super().__new__(cls, seconds)
        made.of_s = of_s
        return made

    def __reduce__(self) -> tuple[type[TimeLeft], tuple[float, float]]:
        return TimeLeft, (float(self), self.of_s)


@overload
def as_asked(time_s: float) -> float: ...
@overload
def as_asked(time_s: None) -> None: ...
def as_asked(time_s: float | None) -> float | None:
    """A time limit as it was asked for, of which this may be what is left."""
    return time_s.of_s if isinstance(time_s, TimeLeft) else time_s


@dataclass(frozen=True, slots=True)
class Limits:
    """What one puzzle may use; None is without limit.

    Args:
        time_s: Wall seconds.
        memory_mib: Resident memory of the process that solves.

    Raises:
        UnsupportedError: Memory is limited where nothing can read how much is used.
    """

    time_s: float | None = None
    memory_mib: int | None = None

    def __post_init__(self) -> None:
        if self.memory_mib is not None:
            hooks.resident_mib(None)  # which refuses now what could not be held later

    def after(self, spent_s: float) -> Limits:
        """What is left when some time is spent; less than a hundredth of it does not count.

        Args:
            spent_s: Seconds.
        """
        if self.time_s is None or spent_s <= self.time_s / 100:
            return self
        left_s = max(_LEAST_S, self.time_s - spent_s)
        return replace(self, time_s=TimeLeft(left_s, as_asked(self.time_s)))


class Watch:
    """A clock, started when it is made, and the limits that it holds one puzzle to.

    Attributes:
        shield: While it is held, no `Guard` raises anything: for what must not be left half done.
            All watches that a thread has made share it.
        together: Processes whose memory counts as that of one: children that race.
        cores: How many cores the puzzle may use by now (0 is one), where that may grow while it is
            solved.
        is_called_off: Whether nobody wants the answer any more; that ends the work like a limit.
        grace_s: How long a guard leaves the work to notice a limit by itself.
    """

    grace_s = 0.03

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.shield: threading.RLock = _own.shield
        self.together: set[int] = set()
        self.cores: Callable[[], int] | None = None
        self.is_called_off: Callable[[], bool] | None = None
        self._reason: str | None = None
        self._next_look = 0.0
        self._deadline = None if limits.time_s is None else monotonic() + limits.time_s

    def restart(self) -> None:
        """Let the time begin again: for the next one of several things that each have it."""
        if self.limits.time_s is not None:
            self._deadline = monotonic() + self.limits.time_s

    def remaining_s(self) -> float | None:
        """Seconds to the time limit, at least 0; None without one."""
        return None if self._deadline is None else max(0.0, self._deadline - monotonic())

    def reason(self, pid: int | None = None) -> str | None:
        """Which limit was hit, None while there is none.

        Args:
            pid: The process whose memory counts, with those that are `together` with it; this one
                by default.
        """
        if self._reason is None:
            limits = self.limits
            if self.remaining_s() == 0:
                self._reason = f"time limit of {as_asked(limits.time_s):g} s"
            elif limits.memory_mib is not None and self._resident_mib(pid) > limits.memory_mib:
                self._reason = f"memory limit of {limits.memory_mib} MiB"
            elif self.is_called_off is not None and self.is_called_off():
                self._reason = CALLED_OFF
        return self._reason

    def overshoots(self) -> bool:
        """Whether this process has taken far more memory than the limit: it will not notice."""
        most = self.limits.memory_mib
        return most is not None and self._resident_mib(None) > _OVERSHOT * most

    def _resident_mib(self, pid: int | None) -> float:
        with self.shield:  # a guard that came in between would leave a file open
            return sum(map(hooks.resident_mib, self.together if pid in self.together else (pid,)))

    def limit(self) -> LimitReached:
        """The error for work that this watch has ended."""
        return LimitReached(self.reason() or "time limit")

    def check(self) -> None:
        """Raise LimitReached when a limit was hit; cheap enough for every turn of a loop."""
        now = monotonic()
        if now < self._next_look and self._reason is None:
            return
        if reason := self.reason():
            raise LimitReached(reason)
        self._next_look = now + self.step_s()

    def reserve(self, num_bytes: int) -> None:
        """Raise LimitReached when so much more memory would break the limit."""
        most = self.limits.memory_mib
        if most is not None and hooks.resident_mib(None) + num_bytes / 2**20 > most:
            self._reason = self._reason or f"memory limit of {most} MiB"
            raise LimitReached(self._reason)

    def num_affordable(self, wanted: int, num_now: int, num_bytes: int | None = None) -> int:
        """Return the number of members of a team, or threads, that the memory limit has room for.

        While they are at work each may grow to twice its size.

        Args:
            wanted: The number without a limit, at least 1; the result is between 1 and this.
            num_now: Members whose memory is in use already.
            num_bytes: Size of a member; by default an equal share of what this process uses.
        """
        most = self.limits.memory_mib
        if most is None:
            return wanted
        used = hooks.resident_mib(None)
        each = used / num_now if num_bytes is None else num_bytes / 2**20
        return max(1, min(wanted, int((most - used + num_now * each) / (2 * each))))

    def poll(self) -> bool:
        """For native code, with Python's lock held: whether to stop. Lets pending signals raise."""
        return self.reason() is not None

    def step_s(self) -> float:
        """How long to wait before looking again."""
        every_s = LOOK_EVERY_S if self.limits.memory_mib is None else _LOOK_AT_MEMORY_EVERY_S
        remaining = self.remaining_s()
        return every_s if remaining is None else min(every_s, remaining + 0.001)

    def run(self, call: Callable[[], T], interrupt: Callable[[], None]) -> T:
        """Run `call` in a helper thread, so that this one can be interrupted.

        Args:
            call: Must return soon after `interrupt` was called, also when that was just before.
            interrupt: Called (perhaps repeatedly) when a limit is hit or this thread is
                interrupted. The helper has ended when `run` returns or raises.

        Returns:
            What `call` returns; `reason` tells whether a limit was hit.

        Raises:
            Whatever `call` or a signal handler raised.
        """
        job = Job(call, "nonosat-engine")
        try:
            with self.shield:
                job.start()
            while not job.wait(self.step_s()):
                if self.reason():
                    interrupt()
        except BaseException:
            job.abandon(interrupt)
            raise
        if job.error is not None:
            raise job.error
        return job.outcome  # type: ignore[no-any-return]  # what `call` returned


class CancellableWatch(Watch):
    """The limits of another watch, for work in another thread that can be called off.

    Attributes:
        is_revoked: Whether it was.
    """

    def __init__(self, watch: Watch) -> None:
        super().__init__(watch.limits)
        self.shield, self.together = watch.shield, watch.together
        self._deadline = watch._deadline
        self.is_revoked = False

    def revoke(self) -> None:
        """End the work as if a limit had been hit."""
        self.is_revoked = True
        self._reason = self._reason or CALLED_OFF


class InterruptibleWatch(Watch):
    """The limits of another watch, for an engine that also stops when it is called.

    Args:
        watch: The other one; only it tells reasons.
        is_called: Asked as often as the limits are.
    """

    def __init__(self, watch: Watch, is_called: Callable[[], bool]) -> None:
        super().__init__(watch.limits)
        self.shield, self.together = watch.shield, watch.together
        self._deadline = watch._deadline
        self._watch, self._is_called = watch, is_called

    def reason(self, pid: int | None = None) -> str | None:
        return self._watch.reason(pid)

    def reserve(self, num_bytes: int) -> None:
        self._watch.reserve(num_bytes)

    def poll(self) -> bool:
        return self._watch.poll() or self._is_called()


class Job:
    """One call in a helper thread.

    Args:
        call: What is called.
        name: Of the thread.

    Attributes:
        outcome: What it has returned.
        error: What it has raised.
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
        """Begin, behind a shield (`processes/guard.py` says why).

        Raises:
            RuntimeError: There can be no more threads.
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
        """Whether the call has ended, after waiting for that at most so long."""
        if not self._is_done:
            self._finished.acquire(timeout=seconds)
        return self._is_done

    def abandon(self, interrupt: Callable[[], None]) -> None:
        """End the call and wait for it; an interrupted `start` may have left none behind."""
        while True:
            try:
                # Either side first says where it is, then looks at the other.
                self._is_abandoned = True
                while self._is_begun and not self._is_done:
                    interrupt()
                    self.wait(LOOK_EVERY_S)
                return
            except (KeyboardInterrupt, LimitReached):
                # Another Ctrl-C, or a guard: leaving now would free an engine still at work.
                continue
