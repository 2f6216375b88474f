"""Effects of Ctrl-C, SIGTERM and SIGHUP on the command, over its whole life.

While a command runs, Ctrl-C raises KeyboardInterrupt: engines are ended, files closed. Before and
after there is nothing to end, and a traceback would only show an interrupted import: the process
ends immediately and silently. If Ctrl-C is ignored (a shell's job in the background), it stays
ignored.

`kill` (SIGTERM) and closing the terminal (SIGHUP) do the same while a command runs, unless they are
ignored (`nohup`): the default action would leave files and other programs behind. `status`
distinguishes them.

An event loop must not be left by an exception at an arbitrary step. `Deferred` calls a function
instead, and delivers the signal after the block.

Invariant: a signal that the process inherits as ignored stays ignored in every command. Handlers of
signals that end a process are installed in this module only.

An import that a running command begins is not interrupted either: a native module aborts the
process if an import that it needs fails, and Python drops an exception in the callbacks of its
import locks, as it does in finalizers. The exception is raised as soon as neither is running.

Only modules that every start of Python has loaded already are imported here: during any other
import Ctrl-C would still print a traceback.
"""

from __future__ import annotations

import os
from time import monotonic

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from types import FrameType
    from typing import Any
else:  # `signal` itself imports `enum`
    import _signal as signal

STATUS = 130  # exit status after Ctrl-C, as in shells
_IMPORTS = "<frozen importlib._bootstrap>"  # file name of Python's import machinery
_AGAIN_S = 0.005
_LONGEST_S = 2.0  # longer imports are interrupted
# Signals whose default action ends the process and that Python leaves there; Windows has only one,
# and no timer.
_ENDS = tuple(getattr(signal, one) for one in ("SIGTERM", "SIGHUP") if hasattr(signal, one))
_ALARM = getattr(signal, "SIGALRM", 0)

_is_ours = False  # True if this process is the command, and nothing else
_since = 0.0  # arrival of the pending signal
_last = int(signal.SIGINT)  # the last signal


def quits() -> None:
    """Make Ctrl-C and the other signals end the process immediately from now on."""
    global _is_ours
    _is_ours = True
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, raise_soon):
        signal.signal(signal.SIGINT, _quit)
    for number in _ENDS:
        if signal.getsignal(number) is raise_soon:
            signal.signal(number, signal.SIG_DFL)
    if _ALARM:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def raises() -> bool:
    """Make signals that would end the process raise KeyboardInterrupt from now on.

    Returns:
        True if these signals would have ended the process.
    """
    if not _is_ours:
        return False
    if signal.getsignal(signal.SIGINT) is _quit:
        signal.signal(signal.SIGINT, raise_soon)
    for number in _ENDS:
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, raise_soon)
    return True


def status() -> int:
    """Return the exit status of an interrupted process, which depends on the signal."""
    return STATUS - signal.SIGINT + _last


def raise_soon(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, now or after the running import or finalizer."""
    global _since, _last
    now = monotonic()
    if number != _ALARM:
        _last = number
        _since = _since or now
    if _ALARM and _is_busy(frame) and now < _since + _LONGEST_S:
        signal.signal(_ALARM, raise_soon)
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        return
    _since = 0.0
    signal.default_int_handler(number, frame)


def _quit(*_: object) -> None:
    os._exit(STATUS)


def _is_busy(frame: FrameType | None) -> bool:
    """Return True if an exception here would be dropped, or do harm."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS or frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


class Deferred:
    """Context manager that defers signals until its block has ended.

    In the block SIGINT, SIGTERM and SIGHUP raise nothing: the first one calls the function that
    `stop_by` sets. It is raised again when the block is left. A second SIGINT ends the process
    immediately: users press Ctrl-C again if the shutdown hangs. Ignored signals stay ignored.
    Outside the main thread, which receives no signals, the block has no effect.

    Args:
        raising: Defer only signals with a handler in Python, which may raise an exception.
    """

    def __init__(self, *, raising: bool = False) -> None:
        self._raising = raising
        self._before: dict[int, Any] = {}
        self._received = 0  # the first signal
        self._is_pressed = False  # Ctrl-C, once
        self._stop: Callable[[], object] | None = None

    def __enter__(self) -> Deferred:
        try:
            for number in filter(None, (signal.SIGINT, *_ENDS, _ALARM)):
                handler = signal.getsignal(number)
                # SIGALRM belongs to nonosat only while `raise_soon` waits for the end of an import.
                if self._raising and not callable(handler):  # perhaps a handler in C
                    continue
                if handler != signal.SIG_IGN and (number != _ALARM or handler is raise_soon):
                    self._before[number] = handler
                    signal.signal(number, self._receive)
        except ValueError:  # not the main thread
            self._before.clear()
        except BaseException:  # a signal between two handlers
            self.restore()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.restore()
        if self._received:
            signal.raise_signal(self._received)

    def stop_by(self, stop: Callable[[], object]) -> None:
        """Call a function at the first signal; at once if there was one already.

        Args:
            stop: Is called between two steps of the main thread, hence should only set a flag.
        """
        self._stop = stop
        if self._received:
            stop()

    def _receive(self, number: int, _: FrameType | None) -> None:
        if number == signal.SIGINT:
            if self._is_pressed:  # the shutdown hangs
                _quit()
            self._is_pressed = True
        self._received = self._received or (_last if number == _ALARM else number)
        if self._stop is not None:
            self._stop()

    def restore(self) -> None:
        """Restore the handlers, in a copy of the process as well, which received no signal."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
