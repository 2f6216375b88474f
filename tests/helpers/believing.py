"""Helpers of the tests of beliefs: small boards, and beliefs about them."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from nonosat.board.beliefs import Beliefs, Settings, beliefs
from nonosat.board.presolve import PresolvedModel
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.puzzles.nonogram import Colour, Nonogram, build, from_grid
from nonosat.testing.strategies import puzzles

COLOURS = (Colour("a", "#aa0000"), Colour("b", "#0000bb"))


def watch(time_s: float | None = None) -> Watch:
    return Watch(Limits(time_s))


def task_of(puzzle: Nonogram) -> PresolvedModel:
    """A propagated task; the puzzle must not be refuted by that."""
    task = PresolvedModel.of(build(puzzle))
    assert task.board is not None
    assert task.board.propagate()
    return task


def known_of(task: PresolvedModel) -> list[frozenset[int]]:
    assert task.board is not None
    assert task.shape is not None
    planes = [task.board.plane(value) for value in range(task.shape.num_colours + 1)]
    return [frozenset(v for v, may in enumerate(cell) if may) for cell in zip(*planes, strict=True)]


def found_of(task: PresolvedModel, **settings: float) -> Beliefs:
    found = beliefs(task, Settings(**settings), watch())  # type: ignore[arg-type]  # checked there
    assert found is not None
    return found


@st.composite
def small_tasks(draw: st.DrawFn, **kinds: bool) -> tuple[Nonogram, PresolvedModel]:
    """Puzzles that propagation does not refute."""
    puzzle = draw(puzzles(max_cells=20, **kinds))
    task = PresolvedModel.of(build(puzzle))
    assert task.board is not None
    if not task.board.propagate():
        puzzle = from_grid(Grid(2, 2, b"\1\0\0\1"))
        task = task_of(puzzle)
    return puzzle, task


def random_puzzle(height: int, width: int, seed: int, colours: int = 1) -> Nonogram:
    rng = random.Random(seed)
    cells = bytes(
        rng.randint(1, colours) if rng.random() < 0.5 else 0 for _ in range(height * width)
    )
    return from_grid(Grid(height, width, cells), COLOURS[:colours])
