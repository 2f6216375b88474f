"""How far a batch is, in a line on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from nonosat.cli._progress import Line, clock
from nonosat.core.errors import NonosatError, printable
from nonosat.core.limits import Limits, Watch
from nonosat.formats import num_puzzles
from nonosat.processes.child import Child
from nonosat.processes.tools import TALK_S
from nonosat.processes.waiting import readable

if TYPE_CHECKING:
    from nonosat.batch.tally import Tally


class Live:
    """A line that tells how far a batch is; a child process counts what there is to do.

    Where that fails, there is only a forecast less.

    Args:
        sources: What the batch reads.
        format_: Format of all of it; None to find out.
        family: Family of all of it; the same.
        limits: For reading each puzzle.
    """

    def __init__(
        self, sources: Sequence[str], format_: str | None, family: str | None, limits: Limits
    ) -> None:
        self._line = Line()
        self._total: int | None = None
        self._counter: Child | None = None
        is_there = "-" in (source.partition("#")[0] for source in sources)
        if self._line.is_seen and not is_there:  # standard input can be read only once
            self._counter = Child()
            message = ("call", num_puzzles, (tuple(sources), format_, family, limits))
            try:
                self._counter.begin(message, Watch(Limits(TALK_S)))
            except NonosatError:
                self._end()

    def show(self, tally: Tally) -> None:
        """Take notice of how far it is."""
        self._line.show(lambda: text(tally, self._counted()))

    def _counted(self) -> int | None:
        """How many puzzles there are, once that is known."""
        if self._counter is not None and readable([self._counter], 0.0):
            with suppress(NonosatError):
                self._total = int(self._counter.finish(Watch(Limits(TALK_S))))
            self._end()
        return self._total

    def _end(self) -> None:
        """Nothing is to be counted any more."""
        if self._counter is not None:
            self._counter.kill()
            self._counter = None

    def close(self) -> None:
        """End the counting, and take the line away."""
        self._end()
        self._line.erase()


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
