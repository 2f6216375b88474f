"""What Ctrl-C, SIGTERM and SIGHUP do to the command, from its first moment to its last.

While a command is at work Ctrl-C raises KeyboardInterrupt: engines are ended, files closed. Before
and after there is nothing to end, and the exception would only show where an import was
interrupted: the process ends at once, in silence. Where Ctrl-C is ignored (a shell's job in the
background) it stays so.

`kill` (SIGTERM) and a terminal that is closed (SIGHUP) do the same while a command is at work,
unless they are ignored (`nohup`): the system would end the process, and files and other programs
would be left. `status` tells them apart.

An event loop must not be left by an exception at an arbitrary step. `Deferred` calls a function
instead, and delivers the signal after the block.

Invariant: a signal that the process inherits as ignored stays ignored in every command. Handlers of
signals that end a process are installed in this module only.

An import that a command at work begins is not interrupted either: a native module that cannot
import what it needs aborts the process, and Python drops an exception that meets the callbacks of
its import locks, as it does in finalizers. The exception comes as soon as neither is under way.

Only modules that every start of Python has loaded already are imported here: each other one would
be a moment in which Ctrl-C still prints a traceback.
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

STATUS = 130  # of a process that Ctrl-C has ended, as shells have it
_IMPORTS = "<frozen importlib._bootstrap>"  # the file of Python's machinery
_AGAIN_S = 0.005
_LONGEST_S = 2.0  # what takes longer is interrupted
_ENDS = (signal.SIGTERM, signal.SIGHUP)  # which Python leaves to the system

_is_ours = False  # whether this process is the command, and nothing else
_asked = 0.0  # when the signal came that waits
_last = int(signal.SIGINT)  # the last signal that came


def quits() -> None:
    """From now on Ctrl-C ends the process at once, and so do the other signals."""
    global _is_ours
    _is_ours = True
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, raise_soon):
        signal.signal(signal.SIGINT, _quit)
    for number in _ENDS:
        if signal.getsignal(number) is raise_soon:
            signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.0)


def raises() -> bool:
    """From now on a signal raises KeyboardInterrupt where it would have ended the process.

    Returns:
        Whether it would have.
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
    """The exit status of an interrupted process: which signal it was."""
    return STATUS - signal.SIGINT + _last


def raise_soon(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, now or when the import or finalizer under way is done."""
    global _asked, _last
    now = monotonic()
    if number != signal.SIGALRM:
        _last = number
        _asked = _asked or now
    if _is_busy(frame) and now < _asked + _LONGEST_S:
        signal.signal(signal.SIGALRM, raise_soon)
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
        return
    _asked = 0.0
    signal.default_int_handler(number, frame)


def _quit(*_: object) -> None:
    os._exit(STATUS)


def _is_busy(frame: FrameType | None) -> bool:
    """Whether an exception here would be dropped, or do harm."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTS or frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


class Deferred:
    """Context manager that keeps signals until its block has ended.

    In the block SIGINT, SIGTERM and SIGHUP raise nothing: the first one calls the function that
    `stop_by` sets. It is raised again when the block is left. A second SIGINT ends the process at
    once: a person presses Ctrl-C again if the shutdown hangs. Ignored signals stay ignored. Outside
    the main thread, which receives no signals, the block has no effect.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._received = 0  # the first signal
        self._is_pressed = False  # Ctrl-C, once
        self._stop: Callable[[], object] | None = None

    def __enter__(self) -> Deferred:
        try:
            for number in (signal.SIGINT, *_ENDS, signal.SIGALRM):
                handler = signal.getsignal(number)
                # SIGALRM is ours only while `raise_soon` waits for the end of an import.
                if handler != signal.SIG_IGN and (
                    number != signal.SIGALRM or handler is raise_soon
                ):
                    self._before[number] = handler
                    signal.signal(number, self._receive)
        except ValueError:  # not the main thread
            self._before.clear()
        except BaseException:  # a signal between two handlers
            self._restore()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()
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
        self._received = self._received or (_last if number == signal.SIGALRM else number)
        if self._stop is not None:
            self._stop()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
