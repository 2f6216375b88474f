"""Oracle for solutions that differ from known ones, and its budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from math import inf

from nonosat.board import presolve
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer
from nonosat.solving.choices import Choices
from nonosat.solving.oracle import DEFAULTS, Oracle

# Many queries under assumptions: the 29 puzzles of the survey took 5.8 s, `learn` 15 to 28 s.
ENGINE = "glucose421"


@dataclass(frozen=True, slots=True)
class Budget:
    """Budget of queries: counts of work, not seconds, so that results are reproducible.

    Args:
        cells: Cells of the largest board that is queried.
        neighbours: Number of cells of all tested candidates together, which are pictures close to
            the first solution; at most 256 are tested.
        probing: Units of native work, about a nanosecond each.
        open_cells: Open cells after probing; with more of them no engine is queried.
        questions: Number of queries.
        conflicts: Total number of conflicts; None for no limit.
        engine: Name of the engine; `learn` starts at once, in this process, and supports budgets.
    """

    cells: float = 40_000
    neighbours: float = 500_000
    probing: int = 20_000_000
    open_cells: float = 2_000
    questions: float = 100
    conflicts: int | None = 4_000
    engine: str = "learn"

    def conflicts_left(self, statistics: Mapping[str, int]) -> int | None:
        """Return the remaining conflicts of an engine with these statistics.

        Raises:
            LimitReached: No conflicts remain.
        """
        if self.conflicts is None:
            return None
        left = self.conflicts - statistics.get("conflicts", 0)
        if left <= 0:
            raise LimitReached("the budget of conflicts is spent")
        return left


WITHOUT_END = Budget(inf, inf, presolve.PROBE_WORK, inf, inf, None, ENGINE)


class SolutionOracle:
    """Oracle for solutions that fill places of a puzzle in new ways.

    Args:
        oracle: Oracle with the reduced model: what presolve leaves of the whole model.
        reduced: The reduced model, with its mapping to the whole one.
        variables: Returns the variables of the whole model that decide a place, one per colour.
        budget: Budget of the queries.

    Attributes:
        oracle: The underlying oracle.
        watch: Limits of the queries.
    """

    def __init__(
        self,
        oracle: Oracle,
        reduced: presolve.Reduced,
        variables: Callable[[int], Sequence[int]],
        budget: Budget,
    ) -> None:
        self.oracle, self.watch = oracle, oracle.watch
        self._reduced, self._variables, self._budget = reduced, variables, budget
        names = reduced.origin
        self._own = names if isinstance(names, range) else {v: own for own, v in enumerate(names)}

    def differing(self, cells: list[int], values: bytes) -> bytes | None:
        """Return values of the whole model that differ from `values` in one of the cells, or None.

        After None is returned, the cells are fixed to `values` in the engine.
        """
        lits = [lit for cell in cells for lit in self._unlike(cell, values[cell])]
        selector = self.oracle.one_of(lits)
        self.oracle.set_phases(lits)
        others = self.solved([selector])
        if others is None:
            self.settle(cells, values)
        self.oracle.fix([-selector])
        return others

    def others(self, cells: Sequence[int], known: Iterable[bytes]) -> Iterator[bytes]:
        """Yield values of all solutions that fill cells in new ways, one for each way.

        Args:
            cells: Cells of the board, or places of the model.
            known: Fillings of these cells that are excluded, a byte a cell.
        """
        selector = self.oracle.new_var()
        try:
            for filling in known:
                self._block(selector, cells, filling)
            while (values := self.solved([selector])) is not None:
                yield values
                self._block(selector, cells, [self._value(cell, values) for cell in cells])
        finally:
            self.oracle.fix([-selector])

    def settle(self, cells: Iterable[int], values: bytes) -> None:
        """Fix these cells to `values`, which they have in every solution."""
        for cell in cells:
            self.oracle.fix([-lit for lit in self._unlike(cell, values[cell])])

    def solved(self, assumptions: Sequence[int] = ()) -> bytes | None:
        """Return values of the whole model that satisfy the assumptions; None if there are none.

        Raises:
            LimitReached: A limit or the budget is reached.
        """
        left = self._budget.conflicts_left(self.oracle.statistics())
        answer = self.oracle.solve(assumptions, left, self.watch)
        if answer is Answer.UNKNOWN:
            raise self.watch.limit()
        return None if answer is Answer.UNSAT else self._reduced.lift(self.oracle.values())

    def close(self) -> None:
        """Free the engine."""
        self.oracle.close()

    def _block(self, selector: int, cells: Sequence[int], filling: Iterable[int]) -> None:
        """Add a clause that excludes this filling of the cells if the selector is true."""
        pairs = zip(cells, filling, strict=True)
        self.oracle.add([-selector, *(lit for pair in pairs for lit in self._unlike(*pair))])

    def _value(self, cell: int, values: bytes) -> int:
        """Return the colour that `values` give a cell; 0 if it is empty."""
        variables = enumerate(self._variables(cell), start=1)
        return next((colour for colour, var in variables if values[var]), 0)

    def _unlike(self, cell: int, value: int) -> Iterator[int]:
        """Yield the literals of a clause "the cell does not have this value"."""
        variables = self._variables(cell)
        for var in (variables[value - 1],) if value else variables:
            if var in self._own:  # else it is settled, and no solution differs in it
                yield -self._own[var] if value else self._own[var]


class OracleFactory:
    """Factory of oracles for a model or a board, also for several in parallel.

    Args:
        task: The model or board. A board must be propagated, and not change while engines exist.
        variables: As for `SolutionOracle`.
        watch: Limits of the queries of the first engine.
        budget: Budget of the queries.
        choices: Encodings by constraint kind.

    Attributes:
        engine: Name of the engine.
        watch, budget: The arguments.
    """

    def __init__(
        self,
        task: presolve.PresolvedModel,
        variables: Callable[[int], Sequence[int]],
        watch: Watch,
        budget: Budget,
        choices: Choices = DEFAULTS,
    ) -> None:
        self.engine, self.watch, self.budget = budget.engine, watch, budget
        self._task, self._variables, self._choices = task, variables, choices

    def open(self, watch: Watch) -> SolutionOracle:
        """Open an engine on the reduced model."""
        reduced = self._task.reduce(watch.check)
        oracle = Oracle.of(reduced.model, self.engine, watch, self._choices)
        return SolutionOracle(oracle, reduced, self._variables, self.budget)

    def copy(self) -> OracleFactory:
        """Return a copy for an engine in another thread, which must not read the same board."""
        made = copy(self)
        made._task = self._task.copy()
        return made


def board_factory(task: presolve.PresolvedModel, watch: Watch, budget: Budget) -> OracleFactory:
    """Return a factory for the cells of a board; arguments as for `OracleFactory`."""
    assert task.shape is not None
    size, end = task.shape.size, task.model.num_vars + 1
    return OracleFactory(task, lambda cell: range(1 + cell, end, size), watch, budget)
