"""An engine that is asked for solutions unlike known ones, and what that may take."""

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

# Many questions under assumptions: the 29 puzzles of the survey took 5.8 s, `learn` 15 to 28 s.
ENGINE = "glucose421"


@dataclass(frozen=True, slots=True)
class Budget:
    """What it may take: counts of work, not seconds, so that it repeats exactly.

    Args:
        cells: The largest board that is looked at.
        neighbours: Cells of all candidates close to the first solution, of which 256 at
            most are looked at.
        probing: Units of native work, about a nanosecond each.
        open_cells: After probing; with more of them no engine is asked.
        questions: That an engine is asked.
        conflicts: That it may have in all; None is without end.
        engine: Which one; `learn` starts at once, in this process, and keeps to a budget.
    """

    cells: float = 40_000
    neighbours: float = 500_000
    probing: int = 20_000_000
    open_cells: float = 2_000
    questions: float = 100
    conflicts: int | None = 4_000
    engine: str = "learn"

    def conflicts_left(self, statistics: Mapping[str, int]) -> int | None:
        """What an engine with these statistics may still have.

        Raises:
            LimitReached: Nothing.
        """
        if self.conflicts is None:
            return None
        left = self.conflicts - statistics.get("conflicts", 0)
        if left <= 0:
            raise LimitReached("the budget of conflicts is spent")
        return left


WITHOUT_END = Budget(inf, inf, presolve.PROBE_WORK, inf, inf, None, ENGINE)


class SolutionOracle:
    """An oracle that is asked for solutions which fill places of a puzzle in new ways.

    Args:
        oracle: Knows the reduced model.
        reduced: That model, and the way back to the whole one.
        variables: For a place the variables of the whole model that decide it, one for each colour.
        budget: What the questions may take.

    Attributes:
        oracle: The same.
        watch: Ends questions.
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
        """Values of the whole model that differ from `values` in one of the cells, or None.

        Where there are none, the engine learns that the cells have the values of `values`.
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
        """Values of solutions, each of which fills cells in a new way, until there are no more.

        Args:
            cells: Of the board, or places of the model.
            known: Fillings of these cells that are not asked for, a byte a cell.
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
        """Tell the engine that these cells are as in `values` in every solution."""
        for cell in cells:
            self.oracle.fix([-lit for lit in self._unlike(cell, values[cell])])

    def solved(self, assumptions: Sequence[int] = ()) -> bytes | None:
        """Values of the whole model under assumptions, or None.

        Raises:
            LimitReached: A limit or the budget ended it.
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
        """Leave out solutions that fill the cells so, where the selector holds."""
        pairs = zip(cells, filling, strict=True)
        self.oracle.add([-selector, *(lit for pair in pairs for lit in self._unlike(*pair))])

    def _value(self, cell: int, values: bytes) -> int:
        """The colour of a cell in a solution's values; 0 is none."""
        variables = enumerate(self._variables(cell), start=1)
        return next((colour for colour, var in variables if values[var]), 0)

    def _unlike(self, cell: int, value: int) -> Iterator[int]:
        """Literals of which one is true where the cell does not have the value."""
        variables = self._variables(cell)
        for var in (variables[value - 1],) if value else variables:
            if var in self._own:  # else it is settled, and no solution differs in it
                yield -self._own[var] if value else self._own[var]


class OracleFactory:
    """A model or a board that engines are told, side by side where there are several.

    Args:
        task: A board is propagated, and stays as it is while engines are asked.
        variables: As for `SolutionOracle`.
        watch: Ends questions of the first engine.
        budget: What the questions may take.
        choices: Encodings by constraint kind.

    Attributes:
        engine: Name of the engine.
        watch, budget: The same.
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
        """An engine that knows what is open."""
        reduced = self._task.reduce(watch.check)
        oracle = Oracle.of(reduced.model, self.engine, watch, self._choices)
        return SolutionOracle(oracle, reduced, self._variables, self.budget)

    def copy(self) -> OracleFactory:
        """The same for an engine in another thread, which must not read the same board."""
        made = copy(self)
        made._task = self._task.copy()
        return made


def board_subject(task: presolve.PresolvedModel, watch: Watch, budget: Budget) -> OracleFactory:
    """The cells of a board; arguments as for `OracleFactory`."""
    assert task.shape is not None
    size, end = task.shape.size, task.model.num_vars + 1
    return OracleFactory(task, lambda cell: range(1 + cell, end, size), watch, budget)
