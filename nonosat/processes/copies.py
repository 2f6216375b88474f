"""Copies of this process, made by fork: they have all its modules and data, and need no start.

A copy runs one function and ends. Invariant: no code of the caller continues in a copy, and no
interruption is lost in either process.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from subprocess import TimeoutExpired
from time import monotonic, sleep

from nonosat.core.limits import PROGRESS_THREAD
from nonosat.processes.interruption import Deferred
from nonosat.processes.system import num_threads

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.0005, 0.05  # between two looks at a copy that ends


def can_copy() -> bool:
    """Return True if this process may be copied for longer work: on Linux, without other threads.

    Only the calling thread exists in a copy: a lock that another one held is never released there.
    Threads that write progress hold only locks that copies do not use.
    """
    allowed = 1 + sum(thread.name == PROGRESS_THREAD for thread in threading.enumerate())
    return num_threads() == allowed


def forked(function: Callable[[], object], keep: Callable[[int], object]) -> None:
    """Start a copy that runs a function, in a session of its own, and ends.

    Args:
        function: The function.
        keep: Called with the process id of the copy before any interruption.

    Raises:
        OSError: No process can be started.
    """
    for stream in (sys.stdout, sys.stderr):  # else the copy would print the buffers again
        with suppress(Exception):
            stream.flush()
    # Blocked until each process knows which one it is: else an interruption of the copy would
    # continue the caller's code in it, and one of the parent would lose the child. Deferred,
    # because other threads block nothing, and a hook of the fork would lose the exception.
    with Deferred(raising=True) as signals:
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _interruptions())
        try:
            pid = os.fork()
            if not pid:
                _serve(function, signals, mask)
            keep(pid)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _serve(
    function: Callable[[], object], signals: Deferred, mask: set[int | signal.Signals]
) -> None:
    """Run the function in the copy, and end it with status 0, or 1 after an exception."""
    status = 1
    try:
        signals.restore()
        os.setsid()  # Ctrl-C reaches the parent alone
        gc.freeze()  # objects of the parent are finalized there only
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        function()
        status = 0
    finally:
        os._exit(status)


def _interruptions() -> tuple[signal.Signals, ...]:
    """Return the signals that end a process; this module is imported where they do not exist."""
    return (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Copy:
    """A copy of this process, with the methods of `subprocess.Popen` that `Child` uses.

    Args:
        function: Runs in the copy; nothing that it prints is shown.
        log: Descriptor for its output.
        kept: Descriptors that stay open in the copy; all others are closed there.

    Raises:
        OSError: No process can be started.
    """

    def __init__(self, function: Callable[[], object], log: int, kept: tuple[int, ...]) -> None:
        self.returncode: int | None = None
        self.pid = 0
        forked(lambda: _run(function, log, kept), self._keep)

    def poll(self) -> int | None:
        """Return the exit status; None while it runs."""
        return self._reap(os.WNOHANG)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status; raise `subprocess.TimeoutExpired` after so many seconds."""
        if timeout is None:
            status = self._reap(0)
            assert status is not None
            return status
        end, pause_s = monotonic() + timeout, _FIRST_PAUSE_S
        while (status := self.poll()) is None:
            if monotonic() >= end:
                raise TimeoutExpired("a copy of nonosat", timeout)
            sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
        return status

    def kill(self) -> None:
        """Kill the copy."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _keep(self, pid: int) -> None:
        self.pid = pid

    def _reap(self, flags: int) -> int | None:
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, flags)
            except ChildProcessError:  # another thread has reaped it
                return 0 if self.returncode is None else self.returncode
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def _run(function: Callable[[], object], log: int, kept: tuple[int, ...]) -> None:
    """Run a function in the copy with output to `log` and no other descriptor than `kept`."""
    for number in _interruptions():
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    # A thread of the parent may have held the locks of the old ones.
    sys.stdout = sys.stderr = open(1, "w", closefd=False)  # noqa: SIM115
    first = 3
    for fd in sorted(kept):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, os.sysconf("SC_OPEN_MAX"))
    Context().run(function)  # without the limits of the parent's work
