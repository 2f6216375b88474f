"""Which ground the cubes of a task stand on: its board where there is one, else its model."""

from __future__ import annotations

from collections.abc import Mapping

from nonosat.board.presolve import Task
from nonosat.core.limits import Watch
from nonosat.solving.cubes import on_board, on_model
from nonosat.solving.cubes.ground import Ground
from nonosat.solving.cubes.tree import Cube


def ground_of(task: Task, encodings: Mapping[str, str], watch: Watch) -> Ground:
    """What a task is split on.

    Args:
        task: Nothing of it is propagated yet; it stays as it is.
        encodings: By constraint kind, for models without a board.
        watch: Holds for all that is done there.
    """
    if task.board is not None:
        return on_board.BoardGround(task, watch)
    return on_model.ModelGround(task.model, encodings, watch)


def put(cube: Cube, task: Task) -> Task:
    """The task with a cube, which its board is told where it has one; nothing is propagated."""
    return on_model.put(cube, task) if task.board is None else on_board.put(cube, task)
