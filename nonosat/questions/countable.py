"""What is counted: the cells of a board, or the variables of a model by which solutions differ.

Either hands out native counters, and takes what a backbone settles: the next counter knows of it.
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
from nonosat.clauses.translate import ENCODINGS, translate
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import Watch
from nonosat.core.model import FALSE, TRUE, Clause, Count, Loop, Model
from nonosat.core.plugins import Puzzle
from nonosat.questions.backbone_result import BackboneResult
from nonosat.questions.place_assignment import places_of, told_apart_by
from nonosat.solving.choices import EAGER

# Any model as native counting takes it: its counts and clauses as they are, the rest as clauses.
#
# Lines and loops go through encodings that say everything at once; solutions are told apart by the
# model's own variables alone.


@dataclass(frozen=True, slots=True)
class Rules:
    """Variables, rules, and the variables by which solutions differ."""

    num_vars: int
    numbers: Sequence[int]
    chosen: Sequence[int]

    def counter(self, units: Iterable[int], max_bytes: int, watch: Watch) -> _core.RulesCount:
        """A native counter; `units` are literals that are known."""
        watch.check()
        known = _numbers_of(Clause((lit,)) for lit in units)
        return _core.RulesCount(self.num_vars, [*self.numbers, *known], self.chosen, max_bytes)


def rules_of(model: Model, watch: Watch) -> Rules:
    """The rules of a model.

    Raises:
        UnsupportedError: A loop is too large for clauses that say everything at once.
        LimitReached: The watch ended it.
    """
    said = Cnf(model.num_vars)
    others = replace(model, counts=(), clauses=())
    translate(others, said, {**ENCODINGS, **EAGER}, pause=watch.check)
    chosen = sorted(set(told_apart_by(model)))
    clauses = (Clause(tuple(lits)) for lits in said)
    numbers = _numbers_of(chain(model.counts, model.clauses, clauses))
    return Rules(said.num_vars, numbers, tuple(chosen))


# Models that are about the edges of one loop and nothing else, as native counting takes them.
#
# The edges' variables are those by which solutions differ, and every other constraint speaks of
# them alone. Which faces are inside follows from the edges, so that faces are left out.


MOST_IN_RULE = 250  # literals: native states count them in a byte
MOST_VERTICES = 4_000_000


@dataclass(frozen=True, slots=True)
class Loops:
    """One loop, and rules for its edges.

    Args:
        loop: The loop; each literal is a constant, or stands on one edge alone.
        rules: Clauses and counts of literals of edges.
        edges: By variable the literal of its edge, counted from 1: negative where the edge is
            chosen where the variable is false.
    """

    loop: Loop
    rules: tuple[Clause | Count, ...]
    edges: dict[int, int]

    def counter(self, units: Iterable[int], max_bytes: int, watch: Watch) -> _core.LoopCount:
        """A native counter.

        Args:
            units: Literals of edges that are known.
            max_bytes: For its states.
            watch: Ends it; asked while the edges are put in order.
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


def loops_of(model: Model) -> Loops | None:
    """What native counting takes of a model; None where it holds anything else."""
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
    told_by = told_apart_by(model)
    faces = {abs(face) for pair in loop.faces or () for face in pair}
    rules: tuple[Clause | Count, ...] = (*model.clauses, *model.counts)
    said = {abs(lit) for rule in rules for lit in rule.lits} - {TRUE}
    if {*told_by} != edges.keys() or faces & edges.keys() or not said <= edges.keys():
        return None
    if any(len(rule.lits) > MOST_IN_RULE for rule in rules):
        return None
    return Loops(loop, rules, edges)


_OF_BOARDS = {
    "components": "num_components",
    "frontiers": "num_frontiers",
    "nodes": "num_nodes",
    "recalled": "num_recalled",
}
_OF_LOOPS = {"edges": "num_steps", "width": "width", "states": "num_states"}
_OF_RULES = {"nodes": "num_nodes", "recalled": "num_recalled"}


class Counter(Protocol):
    """A native counter under way; `total` is its number, or a lower bound."""

    @property
    def total(self) -> bytes: ...
    @property
    def is_exact(self) -> bool: ...
    def run(
        self, budget: int, remaining_s: float | None = None, poll: Callable[[], bool] | None = None
    ) -> bool | None: ...


class Countable(ABC):
    """What counters are made of.

    Attributes:
        details: What a stage tells of a counter, by attribute.
        factor: Number of solutions of the puzzle for each one that a counter counts.
    """

    details: Mapping[str, str]
    factor = 1

    @abstractmethod
    def counter(self, max_bytes: int, watch: Watch) -> Counter:
        """A counter that has not begun."""

    @abstractmethod
    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        """Take over what is settled; whether the next counter would know more than the last one.

        Raises:
            LimitReached: The watch ended it.
        """

    def note(self, counter: Counter, common: BackboneResult) -> None:
        """Tell a counter that has begun of the solutions that were found, if it takes them."""
        del counter, common

    def is_spent(self, counter: Counter) -> bool:
        """Whether the counter cannot go on for want of memory."""
        return False


class BoardCountable(Countable):
    """A propagated board, which only the last counter may change."""

    details = _OF_BOARDS

    def __init__(self, board: _core.Board) -> None:
        self._board = board

    def counter(self, max_bytes: int, watch: Watch) -> _core.Counter:
        return _core.Counter(self._board, max_bytes)

    def settle(self, common: BackboneResult, watch: Watch) -> bool:
        settled = common.settled
        assert isinstance(settled, Grid)  # of a board
        cells = zip(settled.cells, self._board.cells(), strict=True)
        if not any(value != UNKNOWN and known == presolve.OPEN for value, known in cells):
            return False
        self._board.assign_cells(settled.cells)
        if self._board.propagate(watch.remaining_s(), watch.poll) is None:
            raise watch.limit()
        return True

    def note(self, counter: Counter, common: BackboneResult) -> None:
        assert isinstance(counter, _core.Counter)
        for grid in common.solutions:
            counter.note(grid.cells)


class ModelCountable(Countable):
    """A model that is no board: about the edges of one loop alone, or about anything.

    Attributes:
        units: Literals that hold in what the next counter counts.
    """

    def __init__(
        self, puzzle: Puzzle, model: Model, watch: Watch, factor: int | None = None
    ) -> None:
        """Store what native code counts; raises what `rules_of` raises.

        Args:
            puzzle: The puzzle.
            model: Its model.
            watch: Ends the translation of the model.
            factor: For a model of `Family.tally`: its variables are not those of the puzzle's
                model, so that nothing of a backbone applies to them.
        """
        self.factor = factor or 1
        self._vars = {} if factor else places_of(puzzle, model)
        self.units: list[int] = []
        loops = loops_of(model)
        self._source: Loops | Rules = rules_of(model, watch) if loops is None else loops
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
    """Return rules for native counting: of each the bounds, its open literals, and 0."""
    return [number for rule in rules for number in _numbers(rule)]


def _numbers(rule: Clause | Count) -> list[int]:
    if isinstance(rule, Clause):
        given: Iterable[int] = dict.fromkeys(rule.lits)
        if any(-lit in rule.lits for lit in rule.lits):  # it says nothing
            return [0, 0, 0]
        lower, upper = 1, len(rule.lits)
    else:
        given, lower, upper = rule.lits, rule.lower, rule.upper
    lits = [lit for lit in given if abs(lit) != TRUE]
    num_true = sum(lit == TRUE for lit in given)
    return [max(lower - num_true, 0), min(upper - num_true, len(lits)), *lits, 0]
