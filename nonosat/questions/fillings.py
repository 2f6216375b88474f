"""Queries for the fillings of cells that occur in solutions of a puzzle, to find switches.

Cells are numbered as in a backbone: the cells of a board, or the places that a model decides. A
filling is a byte a cell.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from nonosat import _core
from nonosat.board import presolve
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.model import Clause, Count, Line, Loop
from nonosat.questions.countable import ModelCountable
from nonosat.questions.counting import max_bytes
from nonosat.questions.on_model import ENGINE, ModelOracleFactory
from nonosat.questions.place_assignment import PlaceAssignment, distinguishing, places_of
from nonosat.questions.solution_oracle import WITHOUT_END, SolutionOracle, board_factory
from nonosat.questions.union_find import UnionFind
from nonosat.solving.problem import Problem

Cells = list[int]
FillingsOf = Callable[[Cells], Iterable[bytes] | None]


class Fillings(ABC):
    """Queries for fillings of a puzzle's cells, given its backbone.

    Args:
        problem: The puzzle; its watch limits all work.
        oracle: Engine with the model and the settled cells.
    """

    def __init__(self, problem: Problem, oracle: SolutionOracle) -> None:
        self.puzzle, self.oracle = problem.puzzle, oracle
        self._watch, self._log = problem.watch, problem.log

    def others(self, cells: Sequence[int], known: Iterable[bytes]) -> Iterator[bytes]:
        """Yield verified solutions, a byte a cell, each of which fills these cells in a new way."""
        for values in self.oracle.others(cells, known):
            self._log.decoded(self._suspects(), values)
            yield self._cells_of(values)

    @abstractmethod
    def components(self) -> list[Cells]:
        """Return the cells not proved equal in all solutions, in obviously independent parts."""

    @abstractmethod
    def scopes(self, cells: Cells) -> Iterator[Cells]:
        """Yield, for each constraint, those of the cells that it contains.

        A filling whose restriction to each scope occurs in a solution satisfies all constraints,
        except those checked by `dependent`.
        """

    def dependent(self, parts: Sequence[Cells], fillings_of: FillingsOf) -> list[int]:
        """Return the indices of parts that are not shown to be independent of each other.

        Args:
            parts: Parts of the cells that are independent as far as `scopes` shows.
            fillings_of: Returns the fillings of a part that occur in solutions; None if they are
                many.
        """
        del parts, fillings_of
        return []

    @abstractmethod
    def count(
        self, cells: Cells, first: bytes, known: Iterable[bytes], work: int
    ) -> tuple[int, bool]:
        """Count the fillings of cells when all other cells are as in the solution `first`.

        Args:
            cells: Cells to be filled.
            first: The solution.
            known: Other known solutions, to raise a lower bound by their fillings of the cells.
            work: Budget in units of native work.

        Returns:
            The number, or a lower bound, and True if it is exact.

        Raises:
            LimitReached: A limit of the watch is reached.
        """

    @abstractmethod
    def _cells_of(self, values: bytes) -> bytes: ...
    @abstractmethod
    def _suspects(self) -> Any: ...


# Fillings of the places that a model decides, subject to its constraints.
#
# Every constraint except a loop contains some places only, and a loop those of the edges at each
# vertex. A loop also requires that the chosen edges are connected. In a part they form paths. If
# these join the same pairs of ends in every filling of the part, one filling can replace another
# and the loop stays one, independently of the other parts. Such parts are independent of all
# others; the rest are one part (`dependent`).
#
# Unsettled variables that are not places hide connections: cells connected by a chain of
# constraints on them stay together; if a loop contains them, all cells do.


Edge = tuple[int, int, bool]  # two vertices, and the value that chooses the edge
Ends = frozenset[frozenset[int]]


def unsettled(problem: Problem, settled: Grid | PlaceAssignment) -> Cells:
    """Return the cells not proved equal in all solutions (not settled).

    For a model, only places of variables that distinguish solutions are returned.
    """
    cells = [at for at, value in enumerate(settled.cells) if value == UNKNOWN]
    if isinstance(settled, Grid):
        return cells
    model = problem.model
    by, variables = set(distinguishing(model)), [*places_of(problem.puzzle, model).values()]
    return [at for at in cells if variables[at] in by]


class ModelFillings(Fillings):
    """Queries for fillings of the places of a model without a board.

    Args:
        problem: The puzzle.
        settled: Values equal in all solutions.
        first: A solution, a byte a place.

    Attributes:
        cells: Places that tell solutions apart and are not settled.
    """

    def __init__(self, problem: Problem, settled: PlaceAssignment, first: bytes) -> None:
        model, watch = problem.model, problem.watch
        self._factory = ModelOracleFactory(
            problem.puzzle, presolve.PresolvedModel(model, None, None), watch, WITHOUT_END
        )
        super().__init__(problem, self._factory.open(watch))
        self._model = model
        self._vars = tuple(self._factory.places.values())
        by = set(distinguishing(model))
        self._places = [at for at, var in enumerate(self._vars) if var in by]
        self.cells = unsettled(problem, settled)
        known = [at for at, value in enumerate(settled.cells) if value != UNKNOWN]
        self.oracle.settle(known, first)
        self._cell_of = {self._vars[at]: at for at in self.cells}
        self._settled = {self._vars[at] for at in known}
        self._groups = [*self._open_variables()]
        self._hidden = {var for group in self._groups for var in group} - self._cell_of.keys()
        self._countable: ModelCountable | None = None

    def components(self) -> list[Cells]:
        """Return the parts connected by constraints; all cells if there is a loop."""
        if self._model.loops:
            return [self.cells]
        joining = UnionFind([*self.cells, *(-var for var in self._hidden)])
        for group in self._groups:
            joining.join([self._cell_of.get(var, -var) for var in group])
        parts = ([at for at in part if at >= 0] for part in joining.parts())
        return [part for part in parts if part]

    def _open_variables(self) -> Iterator[list[int]]:
        """Yield the unsettled variables of each constraint; for a loop those at each vertex."""
        model = self._model
        model.refuse_others("the search for switches", Clause, Count, Line, Loop)
        lists: Iterable[Iterable[int]] = chain(
            (clause.lits for clause in model.clauses),
            (count.lits for count in model.counts),
            (chain.from_iterable(line.cells) for line in model.lines),
            *map(_at_vertices, model.loops),
        )
        for lits in lists:
            open_ones = {abs(lit) for lit in lits if 0 < abs(lit) <= model.num_vars}
            if group := open_ones - self._settled:
                yield sorted(group)

    def scopes(self, cells: Cells) -> Iterator[Cells]:
        if self._hidden:
            yield cells
            return
        mine = set(cells)
        for group in self._groups:
            if scope := [at for var in group if (at := self._cell_of[var]) in mine]:
                yield scope

    def dependent(self, parts: Sequence[Cells], fillings_of: FillingsOf) -> list[int]:
        if not self._model.loops:
            return []
        edges = self._edges()
        return [
            number
            for number, cells in enumerate(parts)
            if edges is None
            or (fillings := fillings_of(cells)) is None
            or len({_ends(edges, cells, filling) for filling in fillings}) > 1
        ]

    def _edges(self) -> Mapping[int, Edge] | None:
        """Map each cell to its edge (u, v, sign) of the loop; None if this is not one to one."""
        (loop, *more) = self._model.loops
        found = {
            self._cell_of.get(abs(lit), -place): (u, v, lit > 0)
            for place, (u, v, lit) in enumerate(loop.edges, start=1)
            if 0 < abs(lit) <= self._model.num_vars and abs(lit) not in self._settled
        }
        is_simple = not more and found.keys() == set(self.cells)
        return found if is_simple else None

    def count(
        self, cells: Cells, first: bytes, known: Iterable[bytes], work: int
    ) -> tuple[int, bool]:
        del known
        try:
            self._countable = self._countable or ModelCountable(
                self.puzzle, self._model, self._watch
            )
        except UnsupportedError:  # a loop that is too large for clauses
            return 1, False
        free = set(cells)
        others = (at for at in self._places if at not in free)
        self._countable.units = [self._vars[at] if first[at] else -self._vars[at] for at in others]
        counter = self._countable.counter(max_bytes(self._watch), self._watch)
        is_exact = self._watch.result_of(counter.run, work)
        return int.from_bytes(counter.total, "little"), is_exact

    def _cells_of(self, values: bytes) -> bytes:
        return self._factory.cells_of(values)

    def _suspects(self) -> AnswerSource:
        return AnswerSource(ENGINE)


def _at_vertices(loop: Loop) -> Iterable[list[int]]:
    """Return the literals of the edges at each vertex."""
    found: dict[int, list[int]] = {}
    for u, v, lit in loop.edges:
        found.setdefault(u, []).append(lit)
        found.setdefault(v, []).append(lit)
    return found.values()


def _ends(edges: Mapping[int, Edge], cells: Cells, filling: bytes) -> Ends:
    """Return the set of paths that the chosen edges form, each as the set of its two end vertices.

    A closed path has an empty set of ends.
    """
    chosen = [
        (u, v)
        for (u, v, sign), value in zip((edges[at] for at in cells), filling, strict=True)
        if bool(value) is sign
    ]
    degree = Counter(chain.from_iterable(chosen))
    joining = UnionFind(degree)
    for edge in chosen:
        joining.join(edge)
    return frozenset(
        frozenset(vertex for vertex in path if degree[vertex] == 1) for path in joining.parts()
    )


# Fillings of the cells of a board, subject to its lines.
#
# After settling cells, the remaining fillings of a line are often a product of segments
# (`native/count/diagram.hpp`). The cells of a segment depend on each other. A picture is a solution
# exactly if each of its segments has a remaining filling; therefore cells that no chain
# of segments connects are independent of each other.


class BoardFillings(Fillings):
    """Queries for fillings of the cells of a board.

    Args:
        problem: The puzzle.
        settled: Values equal in all solutions.
    """

    def __init__(self, problem: Problem, settled: Grid) -> None:
        task = problem.task.copy()
        assert task.board is not None
        task.board.assign_cells(settled.cells)
        task.propagate(problem.watch)
        self._board = task.board.copy()
        self._first = task.board
        self._decode = problem.family.decode
        super().__init__(
            problem, board_factory(task, problem.watch, WITHOUT_END).open(problem.watch)
        )

    def components(self) -> list[Cells]:
        """Return the components of the board's open cells."""
        counter = _core.Counter(self._first, max_bytes(self._watch))
        self._watch.result_of(counter.run, 0)
        parts: dict[int, Cells] = {}
        for cell, number in enumerate(counter.components()):
            if number >= 0:
                parts.setdefault(number, []).append(cell)
        return [*parts.values()]

    def scopes(self, cells: Cells) -> Iterator[Cells]:
        """Yield for each row, and then for each column, those of the cells that it contains."""
        for which in range(2):
            lines: dict[int, Cells] = {}
            for cell in cells:
                lines.setdefault(divmod(cell, self.puzzle.width)[which], []).append(cell)
            yield from lines.values()

    def count(
        self, cells: Cells, first: bytes, known: Iterable[bytes], work: int
    ) -> tuple[int, bool]:
        board = self._board.copy()
        others = bytearray(first)
        for cell in cells:
            others[cell] = presolve.OPEN
        board.assign_cells(bytes(others))
        counter = _core.Counter(board, max_bytes(self._watch))
        is_exact = self._watch.result_of(counter.run, work)
        for solution in known if not is_exact else ():
            for cell in cells:
                others[cell] = solution[cell]
            counter.note(bytes(others))
        return int.from_bytes(counter.total, "little"), is_exact

    def _cells_of(self, values: bytes) -> bytes:
        grid: Grid = self._decode(self.puzzle, values)
        return grid.cells

    def _suspects(self) -> AnswerSource:
        return AnswerSource(WITHOUT_END.engine)
