"""Engine for queries about a puzzle's cells under chosen lines.

The clauses of each line (order encoding) have a selector: they hold if this literal is
assumed. So the failed core of an UNSAT answer names the lines that it depends on.

The engine checks a budget only when it restarts, and a single restart took 2 s on a 40x40 of two
colours with all lengths unknown. So it runs in a child process, which a limit or Ctrl-C ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nonosat.core.model import Model
from nonosat.core.plugins import Answer
from nonosat.explain.minimal_sets import ENGINE, decided
from nonosat.puzzles import nonogram
from nonosat.solving.oracle import Oracle

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram


class ClueOracle:
    """Clues of a puzzle, one selector literal per line.

    Args:
        puzzle: The puzzle; its given cells always hold.
        watch: Limits of every query.

    Attributes:
        oracle: The engine.
        selectors: Selector literal of each line.
    """

    def __init__(self, puzzle: Nonogram, watch: Watch) -> None:
        self._puzzle = puzzle
        self._size = puzzle.height * puzzle.width
        self._num_colours = len(puzzle.colours)
        model = nonogram.build(puzzle)
        num_vars = model.num_vars + len(model.lines)
        self.selectors = [*range(model.num_vars + 1, num_vars + 1)]
        self.oracle = Oracle.of(replace(model, num_vars=num_vars, lines=()), ENGINE, watch)
        try:
            for line, selector in zip(model.lines, self.selectors, strict=True):
                self.oracle.add_model(Model(num_vars, lines=(line,)), selector)
        except BaseException:
            self.oracle.close()
            raise

    def is_value(self, place: int, value: int) -> list[int]:
        """Return literals that together mean "the cell has the value"."""
        colours = range(1, self._num_colours + 1)
        mine = [(k, 1 + (k - 1) * self._size + place) for k in colours]
        return [var for k, var in mine if k == value] if value else [-var for _, var in mine]

    def is_not(self, place: int, value: int) -> int:
        """Return a literal that implies "the cell does not have the value"."""
        lits = [-lit for lit in self.is_value(place, value)]
        return lits[0] if len(lits) == 1 else self.oracle.one_of(lits)

    def set_phases(self, cells: bytes) -> None:
        """Set the phases of the cells to these values."""
        lits = [lit for place, value in enumerate(cells) for lit in self._is_rather(place, value)]
        self.oracle.set_phases(lits)

    def _is_rather(self, place: int, value: int) -> list[int]:
        lits = [1 + k * self._size + place for k in range(self._num_colours)]
        return [lit if k == value else -lit for k, lit in enumerate(lits, start=1)]

    def query(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Decide if there is a solution under these literals; UNKNOWN after `budget` conflicts.

        Raises:
            LimitReached: A limit of the watch is reached.
        """
        return decided(self.oracle, assumptions, budget)

    def cells(self) -> bytes:
        """Return the solution after SAT: the value of each cell, row-major."""
        return nonogram.decode(self._puzzle, self.oracle.values()).cells

    def close(self) -> None:
        """Free the engine."""
        self.oracle.close()
