"""What is known of a nonogram while steps are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.presenting import Scene
from nonosat.explain.nonogram.data import rows_data
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.step import standing_out
from nonosat.explain.nonogram.tables import printed

if TYPE_CHECKING:
    from nonosat.explain.nonogram.step import Step
    from nonosat.puzzles.nonogram import Nonogram


class Following:
    """A `story.Board`.

    Args:
        puzzle: The puzzle, whose given cells are known.
        given: What else is known; None is nothing.
    """

    def __init__(self, puzzle: Nonogram, given: Grid | None = None) -> None:
        self._puzzle = puzzle
        self._known = Knowledge(puzzle)
        for place, value in enumerate(given.cells if given else b""):
            if value != UNKNOWN:
                self._known.apply(self._known.settling(place, value))

    def learn(self, step: Step) -> None:
        self._known.learn(step)

    def state(self) -> Grid:
        return Grid(self._puzzle.height, self._puzzle.width, bytes(self._known.cells))

    def lines(self) -> list[str]:
        return rows_data(self._puzzle, bytes(self._known.cells))

    def table(self, step: Step) -> list[str]:
        return [] if step.prices is None else printed(self._puzzle, step)

    def scene(self, step: Step, caption: str) -> Scene:
        return Scene(self._puzzle, self.state(), *standing_out(step, caption))
