"""Reading within limits of time and memory: the time is for one puzzle, not for its file.

Readers do not look at a clock. A guard ends them, between two steps of Python; native code and
searches of expressions give Python such steps, or take a fraction of a second for the largest file.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import TypeVar

from nonosat.core.errors import LimitReached, path_text
from nonosat.core.limits import Limits, Watch

_BATCH_S = 0.05  # of puzzles that are read under one guard, whose thread costs 0.1 ms
BY_READING = " while reading "  # stands between the limit and the file's name in messages

_T = TypeVar("_T")
_Found = list[tuple[_T | LimitReached, float]]


class _Reading(Watch):
    """Over work that never looks."""

    grace_s = 0.0


class _Besides(_Reading):
    """Leaves out what this process has taken since some moment until the watch was made.

    Args:
        limits: For the work that the watch is over.
        begun_mib: Resident memory at that moment.
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
    end: str = "; nothing behind that is read",
) -> Iterator[tuple[_T | LimitReached, float]]:
    """What an iterator gives, and the wall seconds that each item took; 0 without limits.

    Where a limit ends it, that is the last item.

    Args:
        items: Nothing more is taken from it once a limit has ended it.
        limits: Time is for each item.
        name: Of the file, for the message.
        begun_mib: What this process has taken since it had so much does not count at each item.
        end: Of the message.
    """
    if limits == Limits():
        yield from ((item, 0.0) for item in items)
        return
    from nonosat.processes.guard import within

    is_over = False
    while not is_over:
        found: _Found[_T] = []
        watch = _Reading(limits) if begun_mib is None else _Besides(limits, begun_mib)

        def some(watch: Watch = watch, found: _Found[_T] = found) -> bool:
            return _take(items, watch, found)

        try:
            is_over = within(watch, some)
        except LimitReached as limit:
            is_over = True
            what = f"{limit}{BY_READING}{path_text(name)}"
            found.append((LimitReached(what + end), 0.0))
        yield from found


def _take(items: Iterator[_T], watch: Watch, found: _Found[_T]) -> bool:
    """Add the items of some time; whether there are no more."""
    begun = monotonic()
    until = begun + _BATCH_S
    for item in items:
        if watch.reason():
            raise watch.limit()
        now = monotonic()
        found.append((item, now - begun))
        if now >= until:
            return False
        begun = now
        watch.restart()
    return True
