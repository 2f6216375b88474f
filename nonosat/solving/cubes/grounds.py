"""Which ground the cubes of a task stand on: its board where there is one, else its model."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonosat import _core
from nonosat.backends.learn import LearningEngine
from nonosat.board.presolve import OPEN, PROBE_WORK, PresolvedModel
from nonosat.clauses.translate import translate
from nonosat.core.limits import Watch
from nonosat.core.model import Clause, Model
from nonosat.solving.cubes.ground import Ground, Seen
from nonosat.solving.cubes.tree import Cube, lits_of

# Cubes of a model that is no board, split by look-ahead on its clauses.
#
# Every literal of a variable that tells solutions apart is tried and propagated (unit propagation,
# `_core.Learner.look_ahead`), what is refuted is false from then on below the node, and the
# variable whose values imply most, by the product of what each implies, is branched on. Below the
# root only those are tried that were best above. Solutions that differ lie in different cubes or
# are told apart within one, since nothing else is branched on.


ROOT_COST = 20_000_000  # literals tried at the root, and implied by these
LOOK_COST = 1_000_000  # the same at another node
MOST = 256  # variables that are tried below a node, the best of those tried there


class ModelGround(Ground):
    """Any model.

    Args:
        model: The model.
        encodings: By constraint kind; what lazy ones leave out is not looked at here.
        watch: Holds for all that is done here.
    """

    def __init__(self, model: Model, encodings: Mapping[str, str], watch: Watch) -> None:
        self._watch = watch
        self._engine = LearningEngine(model.num_vars, 0)
        translate(model, self._engine, encodings, lazy=True, pause=watch.check)
        every = range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on
        self._every: Sequence[int] = [*dict.fromkeys(every)]

    def look(self, cube: Cube, above: Any) -> Seen:
        """Try what is best above, or everything where that is all known; the state is the best."""
        lits, cost = lits_of(cube), LOOK_COST if cube else ROOT_COST
        for candidates in [above] * bool(above) + [self._every]:
            found = self._engine.look_ahead(lits, candidates, MOST, cost, self._watch)
            if found is None:
                raise self._watch.limit()
            is_refuted, best, num_open, num_probes = found
            self.num_probes += num_probes
            if is_refuted:
                return Seen(True)
            if best:
                return Seen(False, best[0], num_open, state=array("i", map(abs, best)))
        return Seen(False)

    def named(self, lit: int) -> list[int]:
        """The literal itself."""
        return [lit]


def _put_in_model(cube: Cube, task: PresolvedModel) -> PresolvedModel:
    """The task of the model in which the cube's literals hold."""
    known = tuple(Clause((lit,)) for lit in lits_of(cube))
    return replace(task, model=replace(task.model, clauses=(*task.model.clauses, *known)))


# Cubes of a board of lines, split by the native prober.
#
# Look-ahead is probing (`_core.Prober`): every value of every open cell is tried and propagated,
# what that refutes is dropped, and the cell whose values rule out most, by the product of what each
# rules out, is branched on.
#
# Cost: a probing of the board for each node; 64 cubes of a 40x40 take 0.2 s, of a random 99x99 3 s.


LOOK_WORK = 50_000_000  # units of native work for a node, about a nanosecond each


class BoardGround(Ground):
    """A board of lines.

    Args:
        task: Its board stays as it is.
        watch: Holds for all that is done here.
    """

    def __init__(self, task: PresolvedModel, watch: Watch) -> None:
        assert task.shape is not None
        assert task.board is not None
        self._board = task.board
        self._task, self._shape, self._watch = task, task.shape, watch

    def look(self, cube: Cube, above: Any) -> Seen:
        """Probe the board of a node; its state is that board."""
        watch, board = self._watch, (above or self._board).copy()
        task = _put_on_board(cube[-1:], PresolvedModel(self._task.model, self._shape, board))
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


def _put_on_board(cube: Cube, task: PresolvedModel) -> PresolvedModel:
    """The task, whose board is told of a cube; nothing is propagated."""
    assert task.board is not None
    assert task.shape is not None
    for lit, holds in cube:
        cell, colour = task.shape.place(lit)
        told = task.board.assign if (lit > 0) == holds else task.board.remove
        told(cell, colour)
    return task


def ground_of(task: PresolvedModel, encodings: Mapping[str, str], watch: Watch) -> Ground:
    """What a task is split on.

    Args:
        task: Nothing of it is propagated yet; it stays as it is.
        encodings: By constraint kind, for models without a board.
        watch: Holds for all that is done there.
    """
    if task.board is not None:
        return BoardGround(task, watch)
    return ModelGround(task.model, encodings, watch)


def put(cube: Cube, task: PresolvedModel) -> PresolvedModel:
    """The task with a cube, which its board is told where it has one; nothing is propagated."""
    return _put_in_model(cube, task) if task.board is None else _put_on_board(cube, task)
