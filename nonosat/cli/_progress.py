"""Progress line on standard error for long work.

On a terminal it appears after two seconds (or as soon as several puzzles take noticeably long), is
overwritten in place, and is erased before other output. Elsewhere, for example in a log, it is a
plain line after ten seconds and then every half minute. --quiet turns it off. It never goes to
standard output.

Work that knows its progress draws the line itself (`StatusLine`). Otherwise a thread draws it,
because the main thread is blocked while an engine runs (`Working`, `ProgressIterator`). The thread
wakes at most ten times a second, and formats a text only when it is due.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Token
from threading import Event, Lock, Thread
from typing import Any, Generic, TypeVar

import click

from nonosat.core import hooks
from nonosat.core.limits import PROGRESS_THREAD, progress

T = TypeVar("T")

EVERY_S = 0.1
DELAY_S = 0.2  # seconds without output; quick puzzles scroll by without flicker
SLOW_S = 2.0  # seconds after which a single item is reported
PLAIN_AFTER_S = 10.0  # seconds if standard error is not a terminal
PLAIN_EVERY_S = 30.0
_BAR = 20  # characters
_ERASE = "\r\x1b[K"
_QUIET = "nonosat.quiet"  # key in the context of a command


def _keep_quiet(ctx: click.Context, _: click.Parameter, quiet: bool) -> None:
    ctx.meta[_QUIET] = quiet


quiet_option = click.option(
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_keep_quiet,
    help="Hide progress, and lines about files that were written.",
)


def is_quiet() -> bool:
    """Return True if the running command was given --quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


class StatusLine:
    """A line on standard error: overwritten in place on a terminal, repeated rarely elsewhere.

    Attributes:
        is_enabled: True if the line is written at all.
        is_on_terminal: True if standard error is a terminal.
    """

    def __init__(self) -> None:
        self.is_enabled = sys.stderr is not None and not is_quiet()  # None: it is closed
        is_terminal = self.is_enabled and sys.stderr.isatty()
        self.is_on_terminal = is_terminal and os.environ.get("TERM") != "dumb"
        self._next = 0.0 if self.is_on_terminal else hooks.clock() + PLAIN_AFTER_S
        self._is_drawn = False

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(self, *_: object) -> None:
        self.erase()

    def show(self, text_of: Callable[[], str]) -> None:
        """Write the text if the last one is old enough."""
        if not self.is_enabled or hooks.clock() < self._next:
            return
        if not self.is_on_terminal:
            self._next = hooks.clock() + PLAIN_EVERY_S
            self._write(f"nonosat: {text_of()}\n")
            return
        self._next = hooks.clock() + EVERY_S
        self._is_drawn = True
        from shutil import get_terminal_size  # importing it takes 2 ms of the start-up

        width = get_terminal_size().columns
        self._write(_ERASE + text_of()[: width - 1])

    def erase(self) -> None:
        """Erase the line."""
        if self._is_drawn:
            self._write(_ERASE)
            self._is_drawn = False

    def _write(self, text: str) -> None:
        with suppress(OSError):  # the reader is gone or the disk is full: the work continues
            sys.stderr.write(text)
            sys.stderr.flush()


class Working:
    """Reports the progress of one piece of work; a context manager.

    A KeyboardInterrupt that leaves it gets a note with the progress.

    Args:
        what: The work: "reading puzzles".
        delay_s: Seconds without output after which the line appears.
    """

    def __init__(self, what: str, delay_s: float = SLOW_S) -> None:
        self.what = what
        self._delay_s = delay_s
        self._line = StatusLine()
        self._detail: tuple[str, int, int] = ("", 0, 0)
        self._outer: Token[Any] | None = None
        self._started = hooks.clock()
        self._quiet_until = 0.0
        self._lock = Lock()  # held while other output is printed
        self._ended = Event()

    def __enter__(self) -> Any:
        self._outer = progress.set(self.doing)
        self._quiet_until = hooks.clock() + self._delay_s
        if self._line.is_enabled:
            Thread(target=self._work, name=PROGRESS_THREAD, daemon=True).start()
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._ended.set()
        assert self._outer is not None  # set on entry
        progress.reset(self._outer)
        with self._lock:
            self._line.erase()
        if isinstance(error, KeyboardInterrupt):
            error.add_note(self.far())

    def doing(self, what: str, done: int = 0, total: int = 0) -> None:
        """Record the current step and its progress (see `Watch.doing`)."""
        self._detail = what, done, total

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Hide the line while other output is printed."""
        with self._lock:
            self._line.erase()
            yield
            if (
                self._line.is_on_terminal and sys.stdout.isatty()
            ):  # the output itself shows activity
                self._quiet_until = hooks.clock() + self._delay_s

    def _work(self) -> None:
        while not self._ended.wait(EVERY_S):
            with self._lock:
                if hooks.clock() >= self._quiet_until and not self._ended.is_set():
                    self._line.show(self.text)

    def text(self) -> str:
        """Return the text of the line."""
        return f"{clock(hooks.clock() - self._started)} {self.what}{self.detail()}"

    def far(self) -> str:
        """Return the progress for the message after an interruption."""
        return f"{self.what}{self.detail()}"

    def detail(self) -> str:
        """Return the current step after a colon; "" if there is none."""
        what, done, total = self._detail
        how_far = f" {done}/{total}" if total else f" {done}" if done else ""
        return f": {what}{how_far}" if what else ""


class ProgressIterator(Working, Generic[T]):
    """Iterates over items, and shows how many are done, the elapsed time and the current one.

    Args:
        items: Items to iterate over.
        what: Activity: "solving".
        name: Function that returns the name of an item.
    """

    def __init__(
        self, items: Sequence[T], what: str = "", name: Callable[[T], str] = lambda _: ""
    ) -> None:
        super().__init__(what, DELAY_S if len(items) > 1 else SLOW_S)
        self._items = items
        self._name = name
        self._done = 0

    def __iter__(self) -> Iterator[T]:
        for item in self._items:
            self._detail = "", 0, 0
            yield item
            self._done += 1

    def text(self) -> str:
        """Return the text of the line."""
        num, seconds = len(self._items), clock(hooks.clock() - self._started)
        at = f"{bar(self._done, num)} {seconds}" if num > 1 else seconds
        return f"{at} {self._at_work()}".rstrip()

    def far(self) -> str:
        """Return the progress for the message after an interruption."""
        num = len(self._items)
        how_far = f"{self._done} of {num} done" if num > 1 else ""
        return ", ".join(filter(None, (how_far, self._at_work())))

    def _at_work(self) -> str:
        name = self._name(self._items[self._done]) if self._done < len(self._items) else ""
        return " ".join(filter(None, (self.what, name))) + self.detail()


def bar(done: int, total: int) -> str:
    """Return the completed share of the work, as a bar and in numbers."""
    filled = _BAR * done // max(total, 1)
    return f"[{'#' * filled:.<{_BAR}}] {done}/{total}"


def clock(seconds: float) -> str:
    """Return a duration as 0:07 or 2:03:04; negative durations are 0:00."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
