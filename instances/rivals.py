"""Other solutions of a picture's clues, and what probing leaves open; pictures of one colour."""

from __future__ import annotations

from nonosat.board.presolve import Task, presolved
from nonosat.errors import LimitReached
from nonosat.generate.canvas import Point
from nonosat.grid import Grid
from nonosat.limits import Limits, Watch
from nonosat.puzzles.nonogram import build, from_grid
from nonosat.questions.rivals import rivals


def num_open(grid: Grid) -> int:
    """How many cells of the clues of a picture propagation and probing leave open."""
    task = Task.of(build(from_grid(grid)))
    for _ in presolved(task, Watch(Limits())):
        pass
    return task.num_open()


def disputes(grid: Grid, time_limit_s: float | None = None) -> list[list[Point]] | None:
    """Where solutions differ from a picture, as far as the sets of cells do not overlap.

    Returns:
        None when the time was up before there was any; empty when the picture is all there is.
    """
    found: list[list[Point]] = []
    try:
        for other in rivals(from_grid(grid), grid, Watch(Limits(time_limit_s))):
            found.append(grid.differences(other))
    except LimitReached:
        return found or None
    return found
