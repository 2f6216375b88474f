"""Refutations of assumptions about cells by a few given lines, so that the argument is short."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonosat.explain.nonogram.solver import Reasoner
    from nonosat.explain.nonogram.step import Step


class Assumptions:
    """Search for refutable assumptions about cells, with the clues of a few lines alone.

    Args:
        reasoner: Solver that applies the refutations to its board; it uses the same lines.
        lines: The lines.
        place: A cell that is tried before all others; None if no cell is preferred.
    """

    def __init__(self, reasoner: Reasoner, lines: frozenset[int], place: int | None = None) -> None:
        self._reasoner = reasoner
        self._first = place
        spans = [reasoner.known.span(line) for line in sorted(lines)]
        self._turn = deque(sorted({at for span in spans for at in span} - {place}))

    def step(self) -> Step | None:
        """Apply the next refuted assumption and return its step; None if the lines refute none."""
        if self._first is not None and (found := self._reasoner.refute(self._first)):
            return found
        for _ in range(len(self._turn)):
            at = self._turn[0]
            self._turn.rotate(-1)
            if found := self._reasoner.refute(at):
                return found
        return None
