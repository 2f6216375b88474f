"""What is known of a Slitherlink while steps are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.core.presenting import Scene, States
from nonosat.puzzles.slitherlink.edges import Edges

if TYPE_CHECKING:
    from nonosat.explain.slitherlink.step import Mark, Step
    from nonosat.puzzles.slitherlink import Slitherlink


def number_of(mark: Mark, height: int, width: int) -> int:
    """The number of a mark's edge, as in `Path.edges`."""
    row, column, down, *_ = mark
    if row == down:
        return row * width + column
    return (height + 1) * width + row * (width + 1) + column


class Following:
    """A `story.Board`.

    Args:
        puzzle: The puzzle.
        given: What is known at first; None is what the puzzle gives.
    """

    def __init__(self, puzzle: Slitherlink, given: Edges | None = None) -> None:
        self._puzzle = puzzle
        self._values = bytearray((given or Edges.given(puzzle)).values)

    def learn(self, step: Step) -> None:
        for mark in step.settled:
            at = number_of(mark, self._puzzle.height, self._puzzle.width)
            self._values[at] = mark[4]

    def state(self) -> Edges:
        return Edges(self._puzzle.height, self._puzzle.width, bytes(self._values))

    def lines(self) -> list[str]:
        from nonosat.render import slitherlink

        return [line.rstrip() for line in slitherlink.board(self._puzzle, self.state())]

    def table(self, step: Step) -> list[str]:
        del step
        return []

    def scene(self, step: Step, caption: str) -> Scene:
        marked = [mark[:4] for mark in step.settled]
        tried = [] if step.assumed is None else [step.assumed]
        assumed = [mark[:4] for mark in (*tried, *step.chain) if mark[4]]  # the path that would be
        cells, corners, edges = step.evidence
        seen = (*cells, *((*corner, *corner) for corner in corners), *edges)
        states = States(assumed=assumed, seen=seen)
        return Scene(self._puzzle, self.state(), marked, caption, states)
