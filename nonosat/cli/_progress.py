"""A line on the terminal that tells how far the work is; nothing where nobody sees it.

The line is drawn by the thread that does the work, so that no other thread disturbs a measurement.
Only `Progress` has a thread of its own: nobody else could show life while an engine is at work.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")

EVERY_S = 0.1
DELAY_S = 0.2  # without anything printed; quick puzzles scroll by without flicker
_BAR = 20  # characters
_ERASE = "\r\x1b[K"


class Line:
    """A line on standard error that is written over and over.

    Attributes:
        is_seen: Whether standard error is a terminal; else the line shows nothing.
    """

    def __init__(self) -> None:
        is_terminal = sys.stderr is not None and sys.stderr.isatty()  # None: it is closed
        self.is_seen = is_terminal and os.environ.get("TERM") != "dumb"
        self._next = 0.0
        self._is_drawn = False

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.erase()

    def show(self, say: Callable[[], str]) -> None:
        """Write what is to be said, if the line is old enough."""
        if not self.is_seen or monotonic() < self._next:
            return
        self._next = monotonic() + EVERY_S
        self._is_drawn = True
        from shutil import get_terminal_size  # which costs a start 2 ms

        width = get_terminal_size().columns
        self._write(_ERASE + say()[: width - 1])

    def erase(self) -> None:
        """Take the line away."""
        if self._is_drawn:
            self._write(_ERASE)
            self._is_drawn = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class Progress(Generic[T]):
    """Goes through items, and shows how many are done and how long that takes."""

    def __init__(self, items: Sequence[T]) -> None:
        self._items = items
        self._line = Line()
        self._done = 0
        self._started = monotonic()
        self._quiet_until = 0.0
        self._lock = Lock()  # held while anything else is printed
        self._ended = Event()

    def __enter__(self) -> Progress[T]:
        if self._line.is_seen and len(self._items) > 1:
            self._quiet_until = monotonic() + DELAY_S
            Thread(target=self._work, name="nonosat-progress", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        with self._lock:
            self._line.erase()

    def __iter__(self) -> Iterator[T]:
        for item in self._items:
            yield item
            self._done += 1

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Nothing is drawn while something else is printed."""
        with self._lock:
            self._line.erase()
            yield
            self._quiet_until = monotonic() + DELAY_S

    def _work(self) -> None:
        while not self._ended.wait(EVERY_S):
            with self._lock:
                if monotonic() >= self._quiet_until and not self._ended.is_set():
                    self._line.show(self._text)

    def _text(self) -> str:
        return f"{bar(self._done, len(self._items))} {clock(monotonic() - self._started)}"


def bar(done: int, total: int) -> str:
    """How much of the work is done, as a picture and in numbers."""
    filled = _BAR * done // max(total, 1)
    return f"[{'#' * filled:.<{_BAR}}] {done}/{total}"


def clock(seconds: float) -> str:
    """A duration as 0:07 or 2:03:04; no time is left where less than none would be."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
