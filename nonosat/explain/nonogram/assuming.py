"""Refutations of assumptions about cells by a few given lines, so that the argument is short."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from nonosat.core.grid import UNKNOWN
from nonosat.explain.nonogram.probing import BOUNDS, line_by_line

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.explain.nonogram.solver import Reasoner
    from nonosat.explain.nonogram.step import Step


class Assumptions:
    """Search for refutable assumptions about cells, with the clues of a few lines alone.

    Args:
        reasoner: Solver that applies the refutations to its board; it uses the same lines.
        watch: Limits of the work.
        lines: The lines.
        place: A cell that is tried before all others; None if no cell is preferred.
    """

    def __init__(
        self, reasoner: Reasoner, watch: Watch, lines: frozenset[int], place: int | None = None
    ) -> None:
        self._reasoner, self._watch, self._lines = reasoner, watch, lines
        self._first = place
        spans = [reasoner.known.span(line) for line in sorted(lines)]
        self._turn = deque(sorted({at for span in spans for at in span} - {place}))

    def step(self) -> Step | None:
        """Apply the next refuted assumption and return its step; None if the lines refute none."""
        if self._first is not None and (found := self._refuted(self._first)):
            return found
        for _ in range(len(self._turn)):
            at = self._turn[0]
            self._turn.rotate(-1)
            if found := self._refuted(at):
                return found
        return None

    def _refuted(self, at: int) -> Step | None:
        known = self._reasoner.known
        if known.cells[at] != UNKNOWN:
            return None
        self._watch.check()
        for value in known.values(at):
            refuted = line_by_line(known, at, value, BOUNDS[-1], self._lines)
            if refuted is not None:
                return self._reasoner.refutation_step(refuted)
        return None
