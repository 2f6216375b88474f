"""Other solutions of a picture's clues, found fast because one solution is known.

The engine is told to prefer the picture and that it is not the picture; after each rival it is
told to keep to the picture where the rival differed, so that the next one differs elsewhere. To
find the first solution of a random picture's clues is the hard part of deciding it, and falls
away. Pictures of one colour only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from entry import clued

from nonosat import _core, plugins
from nonosat.backends import open_backend
from nonosat.board.presolve import PROBE_WORK, Task
from nonosat.clauses.translate import translate
from nonosat.generate.canvas import Point
from nonosat.grid import Grid
from nonosat.limits import Limits, Watch
from nonosat.plugins import Answer
from nonosat.questions.asker import ENGINE


def probed(grid: Grid) -> Task:
    """The clues of a picture after propagation and probing, as the pipeline does them."""
    puzzle = clued("", "", grid, "").puzzle
    task = Task.of(plugins.find("puzzles", puzzle.family).build(puzzle))
    assert task.board is not None
    task.board.propagate()
    _core.Prober(task.board).run(PROBE_WORK)
    return task


def disputes(grid: Grid, time_limit_s: float | None = None) -> list[list[Point]] | None:
    """Where solutions differ from a picture, as far as the sets of cells do not overlap.

    Returns:
        None when the time was up before there was any; empty when the picture is all there is.
    """
    task = probed(grid)
    if not task.num_open():
        return []
    found: list[list[Point]] = []
    for cells in _rivals(task, grid, time_limit_s):
        if cells is None:
            return found or None
        found.append([divmod(cell, grid.width) for cell in cells])
    return found


def _rivals(task: Task, grid: Grid, time_limit_s: float | None) -> Iterator[list[int] | None]:
    """Cells in which one solution after another differs; None when the time is up."""
    reduced = task.reduce()
    watch = Watch(Limits(time_limit_s))
    mine = reduced.restrict(b"\0" + grid.cells)
    with closing(open_backend(ENGINE, reduced.model.num_vars, 0, {}, watch)) as engine:
        translate(reduced.model, engine)
        engine.add([-lit for lit in mine])
        engine.suggest(mine)
        while (answer := engine.solve((), watch)) is Answer.SAT:
            values = engine.values()
            other = [lit for lit in mine if values[abs(lit)] != (lit > 0)]
            yield [reduced.origin[abs(lit)] - 1 for lit in other]
            for lit in other:
                engine.add([lit])
        if answer is Answer.UNKNOWN:
            yield None
