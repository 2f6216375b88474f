"""Cubes of a board of lines, split by the native prober.

Look-ahead is probing (`_core.Prober`): every value of every open cell is tried and propagated, what
that refutes is dropped, and the cell whose values rule out most, by the product of what each rules
out, is branched on.

Cost: a probing of the board for each node; 64 cubes of a 40x40 take 0.2 s, of a random 99x99 3 s.
"""

from __future__ import annotations

from typing import Any

from nonosat import _core
from nonosat.board.presolve import OPEN, PROBE_WORK, Task
from nonosat.core.limits import Watch
from nonosat.solving.cubes.ground import Ground, Seen
from nonosat.solving.cubes.tree import Cube

LOOK_WORK = 50_000_000  # units of native work for a node, about a nanosecond each


class BoardGround(Ground):
    """A board of lines.

    Args:
        task: Its board stays as it is.
        watch: Holds for all that is done here.
    """

    def __init__(self, task: Task, watch: Watch) -> None:
        assert task.shape is not None
        assert task.board is not None
        self._board = task.board
        self._task, self._shape, self._watch = task, task.shape, watch

    def look(self, cube: Cube, above: Any) -> Seen:
        """Probe the board of a node; its state is that board."""
        watch, board = self._watch, (above or self._board).copy()
        task = put(cube[-1:], Task(self._task.model, self._shape, board))
        if not task.propagate(watch):
            return Seen(True)
        task.reserve(watch)
        prober = _core.Prober(board)
        work = LOOK_WORK if cube else PROBE_WORK
        progress = prober.run(work, watch.remaining_s(), watch.poll)
        if progress is None:
            raise watch.limit()
        self.num_probes += prober.num_probes
        lessons = tuple(divmod(cell, self._shape.width) for cell in prober.lessons)
        if progress == _core.Progress.CONTRADICTION:
            return Seen(True, lessons=lessons)
        branch = 0 if prober.best is None else self._lit(*prober.best, board)
        return Seen(False, branch, board.cells().count(OPEN), lessons, board)

    def _lit(self, cell: int, value: int, board: _core.Board) -> int:
        """That the cell has the value, as a literal; of several colours one of them, not empty."""
        num_colours, size = self._shape.num_colours, self._shape.size
        if not value and num_colours == 1:
            return -(1 + cell)
        if not value:
            value = next(k for k in range(1, 1 + num_colours) if board.plane(k)[cell])
        return 1 + (value - 1) * size + cell

    def named(self, lit: int) -> list[int]:
        """Row, column and value of the cell."""
        cell, colour = self._shape.place(lit)
        return [*divmod(cell, self._shape.width), colour if lit > 0 else 0]


def put(cube: Cube, task: Task) -> Task:
    """The task, whose board is told of a cube; nothing is propagated."""
    assert task.board is not None
    assert task.shape is not None
    for lit, holds in cube:
        cell, colour = task.shape.place(lit)
        told = task.board.assign if (lit > 0) == holds else task.board.remove
        told(cell, colour)
    return task
