"""A line on the terminal that tells how far a batch is; nothing where nobody sees it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from nonosat.cli._running import clock
from nonosat.cli._sources import printable
from nonosat.errors import NonosatError
from nonosat.formats import num_puzzles
from nonosat.limits import Limits, Watch
from nonosat.processes.child import Child
from nonosat.processes.waiting import readable

if TYPE_CHECKING:
    from nonosat.batch.driver import Tally

EVERY_S = 0.25
_ERASE = "\r\x1b[K"


class Quiet:
    """Shows nothing."""

    def show(self, tally: Tally) -> None:
        """Take notice of how far it is."""


class Line(Quiet):
    """A line that is written over and over; a child process counts what there is to do."""

    def __init__(self, sources: Sequence[str], format_: str | None, family: str | None) -> None:
        self._next = 0.0
        self._total: int | None = None
        self._counter: Child | None = None
        if "-" not in (source.partition("#")[0] for source in sources):  # can be read only once
            self._counter = Child()
            message = ("call", num_puzzles, (tuple(sources), format_, family))
            self._counter.begin(message, Watch(Limits(1.0)))

    def show(self, tally: Tally) -> None:
        """Write the line if the last is old enough."""
        if monotonic() < self._next:
            return
        self._next = monotonic() + EVERY_S
        self._count()
        width = shutil.get_terminal_size().columns
        sys.stderr.write(_ERASE + text(tally, self._total)[: width - 1])
        sys.stderr.flush()

    def _count(self) -> None:
        """Fetch the total once it is there."""
        if self._counter is None:
            return
        if readable([self._counter], 0.0):
            try:
                self._total = int(self._counter.finish(Watch(Limits(1.0))))
            except NonosatError:
                self._total = None  # only a forecast less
            self.end()

    def end(self) -> None:
        """Nothing is to be counted any more."""
        if self._counter is not None:
            self._counter.kill()
            self._counter = None


def text(tally: Tally, total: int | None) -> str:
    """What the line says.

    Args:
        tally: How far it is.
        total: How many puzzles there are, if known.
    """
    rate = tally.done / max(tally.seconds, 0.001)
    known = "" if total is None else f" of {total}"
    parts = [f"{tally.kept + tally.done}{known} done", f"{tally.failed} failed", f"{rate:.0f}/s"]
    if total is not None and tally.done:
        parts.append(f"{clock((total - tally.kept - tally.done) / rate)} left")
    seconds, name = tally.slowest
    if name:
        parts.append(f"slowest {seconds:.2f} s {printable(name)}")
    return ", ".join(parts)


@contextmanager
def live(sources: Sequence[str], format_: str | None, family: str | None) -> Iterator[Quiet]:
    """What shows how far a batch is: a line where standard error is a terminal.

    Args:
        sources: What the batch reads.
        format_: Format of all of it; None to find out.
        family: Family of all of it; the same.
    """
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if not is_terminal or os.environ.get("TERM") == "dumb":
        yield Quiet()
        return
    line = Line(sources, format_, family)
    try:
        yield line
    finally:
        line.end()
        sys.stderr.write(_ERASE)
        sys.stderr.flush()
