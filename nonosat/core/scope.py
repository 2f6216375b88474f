"""Work under a watch, whose limits `checkpoint` polls for code that gets no watch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nonosat.core.answer_source import failure_of
from nonosat.core.errors import LimitReached
from nonosat.core.limits import MEMORY, Watch, watches_in_use

T = TypeVar("T")


def within(watch: Watch, work: Callable[[], T]) -> T:
    """Return the value of `work`, during which `checkpoint` also polls this watch.

    Args:
        watch: Limits of the work, in addition to those of callers.
        work: Function to call.

    Raises:
        LimitReached: A limit ended the work, or memory ran out; the message names the limit.
        BackendError: The work called `sys.exit`.
    """
    token = None
    if watch.has_limits():
        token = watches_in_use.set((*watches_in_use.get(), watch))
    try:
        return work()
    except MemoryError as error:  # native code refuses lines and boards beyond its own limits
        what = f"out of memory: {error}" if str(error) else "out of memory"
        raise LimitReached(what, kind=MEMORY) from None
    except SystemExit as end:  # a plug-in's: it must not pass for the end of a command
        raise failure_of(end) from end
    finally:
        if token is not None:
            watches_in_use.reset(token)


def run_limited(watch: Watch, work: Callable[[], object]) -> str:
    """Call `work` as `within` does; return the limit that ended it as text, else ""."""
    try:
        within(watch, work)
    except LimitReached as limit:
        return str(limit)
    return ""
