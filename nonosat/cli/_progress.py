"""A line on standard error that tells what is being done, and how far, whenever that takes long.

On a terminal it comes after two seconds (or as soon as several puzzles take noticeably long), is
written over and over, and is gone before anything else is printed. Elsewhere, in the log of a
script, it is a plain line of its own after ten seconds and then every half minute. --quiet turns it
off. Nothing of it goes to standard output.

Work that knows how far it is draws the line itself (`Line`). Otherwise a thread draws it: nobody
else could show life while an engine is at work (`Working`, `Progress`). The thread wakes ten times
a second at most, and formats a text only when it is due.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, TypeVar

import click

from nonosat.core import hooks

T = TypeVar("T")

EVERY_S = 0.1
DELAY_S = 0.2  # without anything printed; quick puzzles scroll by without flicker
SLOW_S = 2.0  # a single thing that takes longer is told of
PLAIN_AFTER_S = 10.0  # where standard error is no terminal
PLAIN_EVERY_S = 30.0
_BAR = 20  # characters
_ERASE = "\r\x1b[K"
_QUIET = "nonosat.quiet"  # in the context of a command


def _keep_quiet(ctx: click.Context, _: click.Parameter, quiet: bool) -> None:
    ctx.meta[_QUIET] = quiet


quiet_option = click.option(
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_keep_quiet,
    help="Print no progress, and no line about a file that was written.",
)


def is_quiet() -> bool:
    """Whether the command that runs was given --quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


class Line:
    """A line on standard error: written over and over on a terminal, now and then elsewhere.

    Attributes:
        is_wanted: Whether it is ever written.
        is_seen: Whether standard error is a terminal.
    """

    def __init__(self) -> None:
        self.is_wanted = sys.stderr is not None and not is_quiet()  # None: it is closed
        is_terminal = self.is_wanted and sys.stderr.isatty()
        self.is_seen = is_terminal and os.environ.get("TERM") != "dumb"
        self._next = 0.0 if self.is_seen else monotonic() + PLAIN_AFTER_S
        self._is_drawn = False

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.erase()

    def show(self, say: Callable[[], str]) -> None:
        """Write what is to be said, if the line is old enough."""
        if not self.is_wanted or monotonic() < self._next:
            return
        if not self.is_seen:
            self._next = monotonic() + PLAIN_EVERY_S
            self._write(f"nonosat: {say()}\n")
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
        with suppress(OSError):  # nobody reads it any more, the disk is full: no reason to end
            sys.stderr.write(text)
            sys.stderr.flush()


class Working:
    """Tells of one piece of work while it is done; a context manager.

    A KeyboardInterrupt that leaves it has a note of how far the work was.

    Args:
        what: The work: "reading puzzles".
        delay_s: Seconds without anything printed after which the line comes.
    """

    def __init__(self, what: str, delay_s: float = SLOW_S) -> None:
        self.what = what
        self._delay_s = delay_s
        self._line = Line()
        self._detail: tuple[str, int, int] = ("", 0, 0)
        self._outer: Any = None
        self._started = monotonic()
        self._quiet_until = 0.0
        self._lock = Lock()  # held while anything else is printed
        self._ended = Event()

    def __enter__(self) -> Any:
        self._outer, hooks.doing = hooks.doing, self.doing
        self._quiet_until = monotonic() + self._delay_s
        if self._line.is_wanted:
            Thread(target=self._work, name="nonosat-progress", daemon=True).start()
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._ended.set()
        hooks.doing = self._outer
        with self._lock:
            self._line.erase()
        if isinstance(error, KeyboardInterrupt):
            error.add_note(self.far())

    def doing(self, what: str, done: int = 0, total: int = 0) -> None:
        """Take notice of what is being done now, and how much of it (see `hooks.doing`)."""
        self._detail = what, done, total

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Nothing is drawn while something else is printed."""
        with self._lock:
            self._line.erase()
            yield
            if self._line.is_seen and sys.stdout.isatty():  # what is printed shows life itself
                self._quiet_until = monotonic() + self._delay_s

    def _work(self) -> None:
        while not self._ended.wait(EVERY_S):
            with self._lock:
                if monotonic() >= self._quiet_until and not self._ended.is_set():
                    self._line.show(self.text)

    def text(self) -> str:
        """What the line says."""
        return f"{clock(monotonic() - self._started)} {self.what}{self.detail()}"

    def far(self) -> str:
        """How far the work was, for the note."""
        return f"{self.what}{self.detail()}"

    def detail(self) -> str:
        """What is being done now, after a colon."""
        what, done, total = self._detail
        how_far = f" {done}/{total}" if total else f" {done}" if done else ""
        return f": {what}{how_far}" if what else ""


class Progress(Working, Generic[T]):
    """Goes through items, and shows how many are done, how long that takes and which is at work.

    Args:
        items: What to go through.
        what: What is done with each.
        name: What an item is called.
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
        """What the line says."""
        num, seconds = len(self._items), clock(monotonic() - self._started)
        at = f"{bar(self._done, num)} {seconds}" if num > 1 else seconds
        return f"{at} {self._at_work()}".rstrip()

    def far(self) -> str:
        """How far the work was, for the note."""
        num = len(self._items)
        how_far = f"{self._done} of {num} done" if num > 1 else ""
        return ", ".join(filter(None, (how_far, self._at_work())))

    def _at_work(self) -> str:
        name = self._name(self._items[self._done]) if self._done < len(self._items) else ""
        return " ".join(filter(None, (self.what, name))) + self.detail()


def bar(done: int, total: int) -> str:
    """How much of the work is done, as a picture and in numbers."""
    filled = _BAR * done // max(total, 1)
    return f"[{'#' * filled:.<{_BAR}}] {done}/{total}"


def clock(seconds: float) -> str:
    """A duration as 0:07 or 2:03:04; no time is left where less than none would be."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
