"""Puzzles in the form that native code counts: a board, or a model with variables.

All classes create native counters. A backbone query that runs beside a counter may decide places
(cells or edges); `settle` stores their values, so that the next counter starts with them fixed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Protocol

from nonosat import _core
from nonosat.board import presolve
from nonosat.clauses.cnf import Cnf
from nonosat.clauses.translate import translate
from nonosat.core.families import family_of
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Loop, Model
from nonosat.core.plugins import Family, Puzzle
from nonosat.questions.backbone_result import BackboneResult
from nonosat.questions.place_assignment import distinguishing, places_of
from nonosat.solving.choices import eager_encodings
from nonosat.solving.problem import Problem

# Any model in the form of native counting: its counts and clauses unchanged, the rest as clauses.
#
# Lines and loops go through eager encodings; solutions are told apart by the model's own variables
# alone.


@dataclass(frozen=True, slots=True)
class SolutionRules:
    """Any model, in the form that native counting takes.

    Attributes:
        num_vars: Number of variables.
        numbers: Counts and clauses as one list of integers (`_numbers_of`).
        chosen: Variables that distinguish solutions.
    """

    num_vars: int
    numbers: Sequence[int]
    chosen: Sequence[int]

    def counter(self, units: Iterable[int], max_bytes: int, watch: Watch) -> _core.RulesCount:
        """Return a native counter; `units` are known literals."""
        watch.check()
        known = _numbers_of(Clause((lit,)) for lit in units)
        return _core.RulesCount(self.num_vars, [*self.numbers, *known], self.chosen, max_bytes)


def rules_of(model: Model, family: Family, watch: Watch) -> SolutionRules:
    """Return a model of a family's puzzle in the form that native counting takes.

    Raises:
        UnsupportedError: A loop is too large for an eager encoding.
        LimitReached: A limit of the watch is reached.
    """
    used = Cnf(model.num_vars)
    others = replace(model, counts=(), clauses=())
    translate(others, used, eager_encodings(family), pause=watch.check)
    chosen = sorted(set(distinguishing(model)))
    clauses = (Clause(tuple(lits)) for lits in used)
    numbers = _numbers_of(chain(model.counts, model.clauses, clauses))
    return SolutionRules(used.num_vars, numbers, tuple(chosen))


# Models over the edges of one loop only, in the form of native counting.
#
# The edges' variables are those by which solutions differ, and every other constraint contains only
# them. The inside faces follow from the edges, so that faces are left out.


MOST_IN_RULE = 250  # literals: native states count them in a byte
MOST_VERTICES = 4_000_000


@dataclass(frozen=True, slots=True)
class LoopRules:
    """One loop, and constraints on its edges.

    Args:
        loop: The loop; each literal is a constant, or belongs to one edge only.
        rules: Clauses and counts of literals of edges.
        edges: Maps a variable to the literal of its edge, counted from 1: negative if the edge is
            chosen when the variable is false.
    """

    loop: Loop
    rules: tuple[Clause | Count, ...]
    edges: dict[int, int]

    def counter(self, units: Iterable[int], max_bytes: int, watch: Watch) -> _core.LoopCount:
        """Return a native counter.

        Args:
            units: Known literals of edges.
            max_bytes: Memory for its states.
            watch: Limits of the ordering of edges, and polled during it.
        """

        def go_on() -> bool:
            watch.check()
            return False

        edges = self.loop.edges
        fixed = [Clause((place if lit == TRUE else -place,)) for place, lit in self._constant()]
        rules = chain(map(self._native, self.rules), fixed, map(self._unit, units))
        return _core.LoopCount(
            self.loop.num_vertices,
            [vertex for u, v, _ in edges for vertex in (u, v)],
            self.loop.spanning,
            _numbers_of(rules),
            max_bytes,
            go_on,
        )

    def _constant(self) -> Iterator[tuple[int, int]]:
        edges = enumerate(self.loop.edges, start=1)
        return ((place, lit) for place, (_, _, lit) in edges if lit in (TRUE, FALSE))

    def _unit(self, lit: int) -> Clause:
        return Clause((self._own(lit),) if abs(lit) in self.edges else (TRUE,))

    def _native(self, rule: Clause | Count) -> Clause | Count:
        lits = [self._own(lit) for lit in rule.lits]
        return Clause(lits) if isinstance(rule, Clause) else Count(lits, rule.lower, rule.upper)

    def _own(self, lit: int) -> int:
        if abs(lit) == TRUE:
            return lit
        return self.edges[lit] if lit > 0 else -self.edges[-lit]


def loops_of(model: Model) -> LoopRules | None:
    """Return a model as one loop with rules on its edges; None if it has anything else."""
    if len(model.loops) != 1 or not {*model.kinds()} <= {"count", "loop"}:
        return None
    (loop,) = model.loops
    if loop.num_vertices > MOST_VERTICES:
        return None
    edges: dict[int, int] = {}
    for place, (u, v, lit) in enumerate(loop.edges, start=1):
        if u == v or abs(lit) in edges:
            return None
        if abs(lit) != TRUE:
            edges[abs(lit)] = place if lit > 0 else -place
    pictures_of = distinguishing(model)
    faces = {abs(face) for pair in loop.faces or () for face in pair}
    rules: tuple[Clause | Count, ...] = (*model.clauses, *model.counts)
    used = {abs(lit) for rule in rules for lit in rule.lits} - {TRUE}
    if {*pictures_of} != edges.keys() or faces & edges.keys() or not used <= edges.keys():
        return None
    if any(len(rule.lits) > MOST_IN_RULE for rule in rules):
        return None
    return LoopRules(loop, rules, edges)


_OF_BOARDS = {
    "components": "num_components",
    "frontiers": "num_frontiers",
    "nodes": "num_nodes",
    "recalled": "num_recalled",
}
_OF_LOOPS = {"edges": "num_steps", "width": "width", "states": "num_states"}
_OF_RULES = {"nodes": "num_nodes", "recalled": "num_recalled"}


class Counter(Protocol):
    """A native counter; `total` is the number of solutions, or a lower bound."""

    @property
    def total(self) -> bytes: ...
    @property
    def is_exact(self) -> bool: ...
    def run(
        self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None
    ) -> bool | None: ...


class Countable(ABC):
    """Factory of native counters.

    Attributes:
        details: Names in a stage for attributes of a counter.
        is_shared: True if several threads can share a count.
        factor: Number of solutions of the puzzle for each one that a counter counts.
    """

    details: Mapping[str, str]
    is_shared = False
    factor = 1

    @abstractmethod
    def counter(self, max_bytes: int, watch: Watch) -> Counter:
        """Return a new counter."""

    @abstractmethod
    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        """Store the places that a backbone has settled: equal in all solutions.

        Returns:
            True if the backbone has settled places that were not stored before.

        Raises:
            LimitReached: A limit of the watch is reached.
        """

    def advance(self, counter: Counter, work: int, threads: int, watch: Watch) -> bool:
        """Count with a budget of native work, if possible in several threads.

        Returns:
            True if the number is exact.

        Raises:
            LimitReached: A limit of the watch is reached.
        """
        del threads
        return watch.result_of(counter.run, work)

    def note(self, counter: Counter, common: BackboneResult) -> None:
        """Pass the solutions found to a running counter, if it supports that."""
        del counter, common

    def is_spent(self, counter: Counter) -> bool:
        """True if the counter has reached its memory limit."""
        return False


_THREAD_BYTES = 2**20  # of a thread of a count: results of lines, stack
_CELL_BYTES = 8  # of its board


class BoardCountable(Countable):
    """A propagated board; counters must not be used after a newer one was made.

    Attributes:
        board: The board; it must not change while a counter is in use.
    """

    details = _OF_BOARDS
    is_shared = True

    def __init__(self, board: presolve.AnyBoard) -> None:
        self.board = board
        self._thread_bytes = _THREAD_BYTES + _CELL_BYTES * len(board.cells())

    def counter(self, max_bytes: int, watch: Watch) -> _core.Counter | _core.LaneCounter:
        return counter_of(self.board, max_bytes)

    def advance(self, counter: Counter, work: int, threads: int, watch: Watch) -> bool:
        assert isinstance(counter, _core.Counter | _core.LaneCounter)
        threads = watch.num_affordable(threads, 1, self._thread_bytes)
        return watch.result_of(counter.run, work, threads=threads)

    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        settled = common.settled
        assert isinstance(settled, Grid)  # of a board
        cells = zip(settled.cells, self.board.cells(), strict=True)
        if not any(value != UNKNOWN and known == presolve.OPEN for value, known in cells):
            return False
        self.board.assign_cells(settled.cells)
        watch.result_of(self.board.propagate)
        return True

    def note(self, counter: Counter, common: BackboneResult) -> None:
        assert isinstance(counter, _core.Counter)
        for grid in common.solutions:
            counter.note(grid.cells)


class LaneCountable(BoardCountable):
    """A propagated board of lanes, whose places are variables (`Family.places`)."""

    def __init__(
        self, puzzle: Puzzle, task: presolve.PresolvedModel, board: _core.LaneBoard
    ) -> None:
        assert task.shape is not None
        self._shape = task.shape
        self._vars = places_of(puzzle, task.model)
        super().__init__(board)

    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        board, has_news = self.board, False
        cells = board.cells()
        planes = [board.plane(value) for value in range(self._shape.num_colours + 1)]
        for place, value in zip(common.settled, common.settled.cells, strict=True):
            cell, colour = self._shape.place(self._vars[place])
            if cells[cell] == presolve.OPEN and value != UNKNOWN and planes[colour][cell]:
                has_news = True
                board.assign(cell, colour) if value else board.remove(cell, colour)
        if has_news:
            watch.result_of(board.propagate)
        return has_news

    def note(self, counter: Counter, common: BackboneResult) -> None:
        assert isinstance(counter, _core.LaneCounter)
        for of_places in common.cells:
            values = bytearray(1 + len(self._vars))
            for place, value in zip(common.settled, of_places, strict=True):
                values[self._vars[place]] = value
            counter.note(self._shape.cells(bytes(values)))


def counter_of(board: presolve.AnyBoard, max_bytes: int) -> _core.Counter | _core.LaneCounter:
    """Return a native counter of the solutions of a board."""
    if isinstance(board, _core.LaneBoard):
        return _core.LaneCounter(board, max_bytes)
    return _core.Counter(board, max_bytes)


def board_countable(problem: Problem) -> BoardCountable | None:
    """Return the factory of counters of a presolved puzzle with a board; None without one."""
    task = problem.task
    board = task.any_board and task.any_board.copy()
    if isinstance(board, _core.LaneBoard):
        return LaneCountable(problem.puzzle, task, board)
    return BoardCountable(board) if board else None


class ModelCountable(Countable):
    """A model without a board, counted edge by edge if it is one loop with rules on its edges.

    Attributes:
        units: Literals that are fixed in the next counter.
    """

    def __init__(
        self, puzzle: Puzzle, model: Model, watch: Watch, factor: int | None = None
    ) -> None:
        """Store what native code counts; raises what `rules_of` raises.

        Args:
            puzzle: The puzzle.
            model: Model of the puzzle, or that of `Family.tally`.
            watch: Limits of the translation.
            factor: Number of solutions for each one of the model, if that is of `Family.tally`. A
                backbone is then not used: it has other variables.
        """
        self.factor = factor or 1
        self._vars = {} if factor else places_of(puzzle, model)
        self.units: list[int] = []
        loops = loops_of(model)
        self._source: LoopRules | SolutionRules = (
            rules_of(model, family_of(puzzle), watch) if loops is None else loops
        )
        self.details = _OF_RULES if loops is None else _OF_LOOPS

    def counter(self, max_bytes: int, watch: Watch) -> Counter:
        return self._source.counter(self.units, max_bytes, watch)

    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        on, off = (common.settled.having(value) for value in (1, 0))
        signed = ((1, on), (-1, off))
        units = [
            sign * self._vars[place]
            for sign, places in signed
            for place in places
            if place in self._vars
        ]
        has_news, self.units = len(units) > len(self.units), units
        return has_news

    def is_spent(self, counter: Counter) -> bool:
        assert isinstance(counter, _core.LoopCount | _core.RulesCount)
        return counter.is_full


def _numbers_of(rules: Iterable[Clause | Count]) -> list[int]:
    """Return rules as one list of integers: for each its bounds, its open literals, and 0."""
    return [number for rule in rules for number in _numbers(rule)]


def _numbers(rule: Clause | Count) -> list[int]:
    if isinstance(rule, Clause):
        given: Iterable[int] = dict.fromkeys(rule.lits)
        if any(-lit in rule.lits for lit in rule.lits):  # a tautology
            return [0, 0, 0]
        lower, upper = 1, len(rule.lits)
    else:
        given, lower, upper = rule.lits, rule.lower, rule.upper
    lits = [lit for lit in given if abs(lit) != TRUE]
    num_true = sum(lit == TRUE for lit in given)
    return [max(lower - num_true, 0), min(upper - num_true, len(lits)), *lits, 0]
