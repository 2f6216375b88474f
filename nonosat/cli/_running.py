"""Live progress of a benchmark on a terminal; nothing in a pipe. rich is imported only for it.

It is drawn by the thread that does the work, several times a second: no thread of its own could
disturb what is measured.
"""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.bench.runner import Crew

_NAME_WIDTH = 40  # characters of the slowest run's name
_AT_LEAST_S = 1.0  # a run that is younger is not called slow


class Quiet:
    """Shows nothing."""

    def __enter__(self) -> Quiet:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, crew: Crew) -> None:
        """Take notice of how far the work is."""


class Live(Quiet):
    """Shows how far the work is on standard error."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar = Progress(
            BarColumn(bar_width=20),
            TextColumn("{task.completed}/{task.total} {task.description}", markup=False),
            console=Console(stderr=True),
            auto_refresh=False,
            transient=True,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Live:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def tell(self, crew: Crew) -> None:
        text = described(crew, monotonic())
        self._bar.update(self._task, completed=crew.done, total=crew.total, description=text)
        self._bar.refresh()


def described(crew: Crew, now: float) -> str:
    """How far the work is, in words: running, failed, rate, time left, the slowest at work."""
    from nonosat.bench.records import Status

    running = crew.running()
    parts = [f"{len(running)} running"]
    if failed := crew.done - crew.statuses[Status.OK]:
        parts.append(f"{failed} not ok")
    if crew.done and now > crew.started:
        rate = crew.done / (now - crew.started)
        parts += [f"{rate:.3g}/s", f"{clock((crew.total - crew.done) / rate)} left"]
    if running and now - running[0][1] >= _AT_LEAST_S:
        job, since = running[0]
        parts.append(f"{now - since:.0f} s: {_shortened(str(job))}")
    return ", ".join(parts)


def _shortened(text: str) -> str:
    printable = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return printable if len(printable) <= _NAME_WIDTH else f"{printable[: _NAME_WIDTH - 3]}..."


def clock(seconds: float) -> str:
    """A duration as 0:07 or 2:03:04; no time is left where less than none would be."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def display() -> Quiet:
    """A live display where standard error is a terminal, else a quiet one."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    return Live() if is_terminal and os.environ.get("TERM") != "dumb" else Quiet()
