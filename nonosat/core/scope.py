"""Work under a watch: the limit or the exit that ends it is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from nonosat.core.answer_source import advice_on
from nonosat.core.errors import BackendError, LimitReached, shown
from nonosat.core.limits import MEMORY, Watch, watches_in_use

T = TypeVar("T")


def within(watch: Watch, work: Callable[[], T]) -> T:
    """Do some work; a limit or an exit that ends it is named.

    Args:
        watch: That of the work in progress, beside those of callers.
        work: What is to be done.

    Raises:
        LimitReached: A limit ended the work, or memory ran out; the message says which.
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
        what = f"sys.exit({shown(end.code)}) was called, expected an answer or an exception"
        raise BackendError(what, advice=advice_on(end)) from end
    finally:
        if token is not None:
            watches_in_use.reset(token)


def run_limited(watch: Watch, work: Callable[[], object]) -> str:
    """Do some work as `within` does; return the limit that ended it, in words, else ""."""
    try:
        within(watch, work)
    except LimitReached as limit:
        return str(limit)
    return ""
