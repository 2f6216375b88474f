"""Look-ahead for the cubes of a task: on its board if it has one, else on its model."""

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
from nonosat.solving.cubes.ground import Ground, LookAheadResult
from nonosat.solving.cubes.tree import Cube, lits_of

# Cubes of a model without a board, split by look-ahead on its clauses.
#
# Every literal of a variable that distinguishes solutions is tried and propagated (unit
# propagation, `_core.Learner.look_ahead`). Refuted literals are false in the subtree. The branching
# variable is the one whose values imply most, by the product of the numbers of implications. Below
# the root only the best variables of the parent are tried. Distinct solutions are in different
# cubes or are distinguished within one, since no other variables are branched on.


ROOT_COST = 20_000_000  # literals tried at the root, plus literals implied by them
LOOK_COST = 1_000_000  # limit for any other node
MOST = 256  # variables tried at a child, the best of those tried at the parent


class ModelGround(Ground):
    """Look-ahead on any model.

    Args:
        model: The model.
        encodings: Encodings by constraint kind; clauses that lazy ones omit are not used here.
        watch: Limits of all work.
    """

    def __init__(self, model: Model, encodings: Mapping[str, str], watch: Watch) -> None:
        self._watch = watch
        self._engine = LearningEngine(model.num_vars, 0)
        translate(model, self._engine, encodings, lazy=True, pause=watch.check)
        every = range(1, model.num_vars + 1) if model.blocked_on is None else model.blocked_on
        self._every: Sequence[int] = [*dict.fromkeys(every)]

    def look_ahead(self, cube: Cube, above: Any) -> LookAheadResult:
        """Probe the best variables of the parent node, or all if those are assigned.

        The state of the result contains the best variables of this node.
        """
        lits, cost = lits_of(cube), LOOK_COST if cube else ROOT_COST
        for candidates in [above] * bool(above) + [self._every]:
            found = self._engine.look_ahead(lits, candidates, MOST, cost, self._watch)
            if found is None:
                raise self._watch.limit()
            is_refuted, best, num_open, num_probes = found
            self.num_probes += num_probes
            if is_refuted:
                return LookAheadResult(True)
            if best:
                return LookAheadResult(False, best[0], num_open, state=array("i", map(abs, best)))
        return LookAheadResult(False)

    def named(self, lit: int) -> list[int]:
        """Return the literal itself."""
        return [lit]


def _put_in_model(cube: Cube, task: PresolvedModel) -> PresolvedModel:
    """Return a task for the model with the cube's literals added as unit clauses."""
    known = tuple(Clause((lit,)) for lit in lits_of(cube))
    return replace(task, model=replace(task.model, clauses=(*task.model.clauses, *known)))


# Cubes of a board of lines, split by the native prober.
#
# Look-ahead is probing (`_core.Prober`): every value of every open cell is tried and propagated,
# and refuted values are removed. The branching cell is the one whose values rule out most, by the
# product of the numbers of values that each rules out.
#
# Cost: one probing of the board for each node; 64 cubes of a 40x40 take 0.2 s, of a random 99x99 3
# s.


LOOK_WORK = 50_000_000  # units of native work for a node, about a nanosecond each


class BoardGround(Ground):
    """Look-ahead on a board of lines.

    Args:
        task: The task; its board is not changed.
        watch: Limits of all work.
    """

    def __init__(self, task: PresolvedModel, watch: Watch) -> None:
        assert task.shape is not None
        assert task.board is not None
        self._board = task.board
        self._task, self._shape, self._watch = task, task.shape, watch

    def look_ahead(self, cube: Cube, above: Any) -> LookAheadResult:
        """Probe the board of a node; the state of the result is that board."""
        watch, board = self._watch, (above or self._board).copy()
        task = _put_on_board(cube[-1:], PresolvedModel(self._task.model, self._shape, board))
        if not task.propagate(watch):
            return LookAheadResult(True)
        task.reserve(watch)
        prober = _core.Prober(board)
        work = LOOK_WORK if cube else PROBE_WORK
        progress = watch.result_of(prober.run, work)
        self.num_probes += prober.num_probes
        lessons = tuple(divmod(cell, self._shape.width) for cell in prober.lessons)
        if progress == _core.Progress.CONTRADICTION:
            return LookAheadResult(True, lessons=lessons)
        branch = 0 if prober.best is None else self._lit(*prober.best, board)
        return LookAheadResult(False, branch, board.cells().count(OPEN), lessons, board)

    def _lit(self, cell: int, value: int, board: _core.Board) -> int:
        """Return the literal of the model that a node for a cell and its value branches on.

        No single literal states that a cell of several possible colours is empty. For an empty cell
        the result is then the literal of the first colour that the cell may have.
        """
        num_colours, size = self._shape.num_colours, self._shape.size
        if not value and num_colours == 1:
            return -(1 + cell)
        if not value:
            value = next(k for k in range(1, 1 + num_colours) if board.plane(k)[cell])
        return 1 + (value - 1) * size + cell

    def named(self, lit: int) -> list[int]:
        """Return row, column and value of the cell."""
        cell, colour = self._shape.place(lit)
        return [*divmod(cell, self._shape.width), colour if lit > 0 else 0]


def _put_on_board(cube: Cube, task: PresolvedModel) -> PresolvedModel:
    """Return a task with the cube's values set on a copy of the board, without propagation."""
    assert task.board is not None
    assert task.shape is not None
    for lit, holds in cube:
        cell, colour = task.shape.place(lit)
        text = task.board.assign if (lit > 0) == holds else task.board.remove
        text(cell, colour)
    return task


def ground_of(task: PresolvedModel, encodings: Mapping[str, str], watch: Watch) -> Ground:
    """Return the `Ground` of a task: of its board if it has one, else of its model.

    Args:
        task: The task before any propagation; it is not changed.
        encodings: Encodings by constraint kind, for models without a board.
        watch: Limits of all work.
    """
    if task.board is not None:
        return BoardGround(task, watch)
    return ModelGround(task.model, encodings, watch)


def put(cube: Cube, task: PresolvedModel) -> PresolvedModel:
    """Return the task restricted to a cube, on its board if it has one, without propagation."""
    return _put_in_model(cube, task) if task.board is None else _put_on_board(cube, task)
