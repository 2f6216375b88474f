"""Work within limits, also by Python code that does not look at its watch.

Invariant: nothing is raised in a thread after it has left the guarded block, nor in a finalizer,
which would print the exception and drop it, nor while it starts another thread. Up to Python 3.11
that one bears the number of the thread that starts it, for a moment: what is raised then ends the
new thread, and the old one waits for ever for it to begin. A guard looks whether a thread is being
started, and then raises; as Python may let other threads go on in between, ours start behind the
shield.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from nonosat.core.errors import BackendError, LimitReached, shown
from nonosat.core.limits import Limits, TimeLeft, Watch, as_asked
from nonosat.core.result import Options

T = TypeVar("T")

_OF_REFERENCES = ("weakref.py", "_weakrefset.py")
_STARTS_THREAD = threading.Thread.start.__code__
_OF_IMPORTS = "_get_module_lock.<locals>.cb"  # called when the lock of an import has gone


def watch_of(time_limit_s: float | None, memory_limit_mib: int | None) -> Watch:
    """A clock with these limits, which are checked as those of `solve` are."""
    options = Options(time_limit_s=time_limit_s, memory_limit_mib=memory_limit_mib)
    return Watch(Limits(options.time_limit_s, options.memory_limit_mib))


def left_of(watch: Watch) -> dict[str, Any]:
    """What a watch leaves, as options of the pipeline.

    Raises:
        LimitReached: No time is left; no option says that.
    """
    remaining, limit_s = watch.remaining_s(), watch.limits.time_s
    if remaining == 0:
        raise watch.limit()
    if remaining is not None and limit_s is not None:
        remaining = TimeLeft(remaining, as_asked(limit_s))
    return {"time_limit_s": remaining, "memory_limit_mib": watch.limits.memory_mib}


def within(watch: Watch, work: Callable[[], T], *, guarded: bool = True) -> T:
    """Do some work; whatever limit ends it is named.

    Args:
        watch: Holds the work to its limits.
        work: What is to be done.
        guarded: False for work that looks at the watch by itself, or guards its parts: an engine
            that is freed without a shield would suffer from a guard.

    Raises:
        LimitReached: A limit ended the work, or memory ran out; the message says which.
        BackendError: The work called `sys.exit`.
    """
    # Not a context manager: a guard may raise up to the last step of its `__exit__`, and what
    # contextlib does around that would not be covered.
    try:
        if not guarded:
            return work()
        with Guard(watch):
            return work()
    except LimitReached as limit:
        raise LimitReached(str(limit) or str(watch.limit())) from None
    except MemoryError as error:  # native code refuses lines and boards beyond its own limits
        raise LimitReached(f"out of memory: {error}" if str(error) else "out of memory") from None
    except SystemExit as end:  # a plug-in's: it must not pass for the end of a command
        raise _failure(end) from end


def _failure(end: SystemExit) -> BackendError:
    """What somebody's `sys.exit` means."""
    from nonosat.core.answer_source import advice_on

    what = f"sys.exit({shown(end.code)}) was called, expected an answer or an exception"
    return BackendError(what, advice=advice_on(end))


def run_limited(watch: Watch, work: Callable[[], object], *, guarded: bool = True) -> str:
    """The limit that ends some work, in words; "" where the work comes to its own end.

    Arguments are those of `within`.
    """
    try:
        within(watch, work, guarded=guarded)
    except LimitReached as limit:
        return str(limit)
    return ""


class Guard:
    """Holds the Python code of a `with` block to the limits, whatever that code is doing.

    Code that takes long asks the watch by itself and is the first to notice. What does not ask, a
    loop over millions of blocks say, is ended from a thread: LimitReached is raised in it between
    two of its steps, as KeyboardInterrupt is by Ctrl-C. The exception has no text; the watch knows
    the reason. Leaving the block may raise it too. Without limits the guard does nothing.
    """

    _AGAIN_S = 0.001  # until a finalizer has ended, or a thread begun
    # After which what was raised must have been dropped: a finalizer may begin between a look at
    # the thread and its next step, or somebody catches everything. Tidying up takes less.
    _DROPPED_S = 5.0

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._thread: threading.Thread | None = None

    def __enter__(self) -> None:
        if self._watch.limits == Limits():
            return
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._lower_shield()
        self._frame: FrameType | None = sys._getframe(1)  # which has the block
        guarded = threading.get_ident()
        name = "nonosat-guard"
        thread = threading.Thread(target=self._work, args=[guarded], name=name, daemon=True)
        try:
            with self._watch.shield:  # there may be a guard around this one
                thread.start()
            self._thread = thread
        except RuntimeError as error:  # so Python says that there is no memory for it
            raise MemoryError(str(error)) from None
        except BaseException:  # Ctrl-C just now: nobody leaves this guard
            self._ended.set()
            raise

    def __exit__(self, *_: object) -> None:
        if self._thread is None:
            return
        with self._lock:
            self._ended.set()
        self._frame = None
        # What has been sent may not have arrived: let it arrive here, and drop it. Python can take
        # it back, too, but 3.11 then believes for good that there is something to raise, and the
        # next function that is called under a debugger or a tracer hangs.
        try:  # not `suppress`: it would arrive while that is called
            for _turn in range(2):  # Python looks when a loop goes round
                pass
        except LimitReached:
            pass
        self._lower_shield()

    def _lower_shield(self) -> None:
        """Give back what an exception has left behind between taking the shield and holding it.

        From 3.14 on Python looks for exceptions there, and no guard would ever raise again. Nobody
        has the shield where a guard begins or ends.
        """
        if self._watch.shield._is_owned():  # type: ignore[attr-defined]  # as Condition does
            self._watch.shield._release_save()  # type: ignore[attr-defined]  # the same

    def _work(self, guarded: int) -> None:
        while not self._ended.wait(self._watch.step_s()):
            if self._watch.reason() is None:
                continue
            until = monotonic() + self._watch.grace_s
            while monotonic() < until and not self._watch.overshoots():
                self._ended.wait(min(self._watch.step_s(), self._watch.grace_s))
            raise_in = _raiser()  # an import takes a while, in which the thread would go on
            while not self._ended.is_set():
                is_raised = self._raise(guarded, raise_in)
                self._ended.wait(self._DROPPED_S if is_raised else self._AGAIN_S)
                if is_raised and not any(one is self._frame for one in _frames_of(guarded)):
                    self._frame = None  # what was raised arrived in `__exit__`, before all else
                    return
            return

    def _raise(self, guarded: int, raise_in: Callable[[int], object]) -> bool:
        """End the block, unless it has ended or is at what nothing may be raised in."""
        with self._watch.shield, self._lock:
            if self._ended.is_set() or _is_halfway(guarded):
                return False
            raise_in(guarded)
            return True


def _is_halfway(thread: int) -> bool:
    """Whether a thread is in a `__del__`, in what is called when an object goes, or starts one."""
    for frame in _frames_of(thread):
        code = frame.f_code
        if code is _STARTS_THREAD:
            return True
        if code.co_name == "__del__" or code.co_qualname == _OF_IMPORTS:
            return True
        if code.co_filename.endswith(_OF_REFERENCES):
            return True
    return False


def _frames_of(thread: int) -> Iterator[FrameType]:
    """What a thread is in, the innermost first."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        yield frame
        frame = frame.f_back


def _raiser() -> Callable[[int], object]:
    """A function that lets a thread raise LimitReached at its next step."""
    from ctypes import c_ulong, py_object, pythonapi

    send, what = pythonapi.PyThreadState_SetAsyncExc, py_object(LimitReached)
    return lambda thread: send(c_ulong(thread), what)
