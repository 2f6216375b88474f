"""A progress bar over puzzles, where somebody sees it; rich is imported only then.

The bar appears when nothing has been printed for a moment and goes before anything is: quick
puzzles scroll by without flicker (drawing and wiping it takes 2 ms), slow ones show life.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Generic, TypeVar

T = TypeVar("T")

DELAY_S = 0.2


class Progress(Generic[T]):
    """Goes through items; counts them without showing anything."""

    def __init__(self, items: Sequence[T]) -> None:
        self.items = items
        self.total = len(items)

    def __enter__(self) -> Progress[T]:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Nothing is drawn while something else is printed."""
        yield


class Bar(Progress[T]):
    """Shows a bar on standard error."""

    def __init__(self, items: Sequence[T]) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

        super().__init__(items)
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("puzzles", total=self.total)
        self._lock = Lock()  # the timer draws from its own thread
        self._may_show = False
        self._timer = Timer(DELAY_S, self._show)

    def __enter__(self) -> Bar[T]:
        self._resume()
        return self

    def __exit__(self, *_: object) -> None:
        self._pause()

    def __iter__(self) -> Iterator[T]:
        for item in self.items:
            yield item
            self._bar.advance(self._task)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        self._pause()
        yield
        self._resume()

    def _resume(self) -> None:
        self._may_show = True
        self._timer = Timer(DELAY_S, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with self._lock:
            if self._may_show:
                self._bar.start()

    def _pause(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._may_show = False
            if self._bar.live.is_started:
                self._bar.stop()


def progress_over(items: Sequence[T]) -> Progress[T]:
    """A bar where standard error is a terminal and there are many items, else a silent count."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()  # None: it is closed
    is_shown = len(items) > 1 and is_terminal and os.environ.get("TERM") != "dumb"
    return Bar(items) if is_shown else Progress(items)
