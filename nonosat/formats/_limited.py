"""Reading within limits of time and memory: the time is for one puzzle, not for its file.

Readers have no parameter for a watch: they poll that of the work in progress
(`core.limits.checkpoint`), as does native code that they call. A single search for a regular
expression takes a fraction of a second in the largest file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TypeVar

from nonosat.core import hooks
from nonosat.core.errors import LimitReached, path_text
from nonosat.core.limits import Limits, Watch
from nonosat.core.scope import within

_BATCH_S = 0.05  # of puzzles that are read under one watch

_T = TypeVar("_T")
_Found = list[tuple[_T | LimitReached, float]]


class _ExcludedMemory(Watch):
    """Watch that ignores memory which the process allocated before the watch was made.

    Args:
        limits: Limits of the work.
        begun_mib: Resident memory at the moment from which allocations are ignored.
    """

    def __init__(self, limits: Limits, begun_mib: float) -> None:
        super().__init__(limits)
        self._kept_mib = 0.0
        self._kept_mib = max(0.0, self._resident_mib(None) - begun_mib)

    def _resident_mib(self, pid: int | None) -> float:
        return super()._resident_mib(pid) - self._kept_mib


def limited(
    items: Iterator[_T],
    limits: Limits,
    name: str,
    begun_mib: float | None = None,
    end: str = "; nothing after it is read",
) -> Iterator[tuple[_T | LimitReached, float]]:
    """Yield the items of an iterator, each with its wall seconds; 0 without limits.

    If a limit ends it, LimitReached is the last item.

    Args:
        items: The iterator; it is not advanced any more after a limit was hit.
        limits: Limits; the time is for each item.
        name: Name of the file, for the message.
        begun_mib: Resident memory from which on the growth of this process is not counted.
        end: End of the message.
    """
    if limits == Limits():
        yield from ((item, 0.0) for item in items)
        return
    is_over = False
    while not is_over:
        found: _Found[_T] = []
        watch = Watch(limits) if begun_mib is None else _ExcludedMemory(limits, begun_mib)
        try:
            is_over = within(watch, partial(_take, items, watch, found))
        except LimitReached as limit:
            is_over = True
            what = f"{limit} while reading {path_text(name)}{end}"
            found.append((LimitReached(what, kind=limit.kind), 0.0))
        yield from found


def _take(items: Iterator[_T], watch: Watch, found: _Found[_T]) -> bool:
    """Append the items of about one batch of time to `found`; return True if there are no more."""
    begun = hooks.clock()
    until = begun + _BATCH_S
    for item in items:
        if watch.reason():
            raise watch.limit()
        now = hooks.clock()
        found.append((item, now - begun))
        if now >= until:
            return False
        begun = now
        watch.restart()
    return True
