"""An engine that is asked for solutions unlike known ones, and what that may take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from nonosat.backends import open_backend
from nonosat.board import presolve
from nonosat.clauses.cnf import check_num_vars
from nonosat.clauses.translate import translate
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, Engine

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


class Questioned(ABC):
    """An engine that can be asked.

    Attributes:
        watch: Ends questions.
    """

    watch: Watch

    def differing(self, cells: list[int], values: bytes) -> bytes | None:
        """Values of the whole model that differ from `values` in one of the cells, or None.

        Where there are none, the engine learns that the cells have the values of `values`.
        """
        asked = self._new_var()
        lits = [lit for cell in cells for lit in self._unlike(cell, values[cell])]
        self._add([-asked, *lits])
        self._suggest(lits)
        others = self.solved([asked])
        if others is None:
            self.settle(cells, values)
        self._add([-asked])
        return others

    def others(self, cells: Sequence[int], known: Iterable[bytes]) -> Iterator[bytes]:
        """Values of solutions, each of which fills cells in a new way, until there are no more.

        Args:
            cells: Of the board, or places of the model.
            known: Fillings of these cells that are not asked for, a byte a cell.
        """
        asked = self._new_var()
        try:
            for filling in known:
                self._forbid(asked, cells, filling)
            while (values := self.solved([asked])) is not None:
                yield values
                self._forbid(asked, cells, bytes(self._value(cell, values) for cell in cells))
        finally:
            self._add([-asked])

    def settle(self, cells: Iterable[int], values: bytes) -> None:
        """Tell the engine that these cells are as in `values` in every solution."""
        for cell in cells:
            for lit in self._unlike(cell, values[cell]):
                self._add([-lit])

    def _forbid(self, asked: int, cells: Sequence[int], filling: bytes) -> None:
        pairs = zip(cells, filling, strict=True)
        self._add([-asked, *(lit for pair in pairs for lit in self._unlike(*pair))])

    @abstractmethod
    def solved(self, assumptions: Sequence[int]) -> bytes | None:
        """Values of the whole model under assumptions, or None.

        Raises:
            LimitReached: A limit or the budget ended it.
        """

    @abstractmethod
    def close(self) -> None:
        """Free the engine."""

    @abstractmethod
    def _new_var(self) -> int: ...
    @abstractmethod
    def _add(self, clause: Sequence[int]) -> None: ...
    @abstractmethod
    def _suggest(self, lits: Sequence[int]) -> None: ...
    @abstractmethod
    def _value(self, cell: int, values: bytes) -> int:
        """What a cell is in a solution's values."""

    @abstractmethod
    def _unlike(self, cell: int, value: int) -> Iterable[int]:
        """Literals of which one is true where the cell does not have the value."""


class Subject(ABC):
    """What engines are asked about, side by side where there are several.

    Attributes:
        watch: Ends questions of the first of them.
        budget: What it may take.
    """

    watch: Watch
    budget: Budget

    @abstractmethod
    def open(self, watch: Watch) -> Questioned:
        """An engine that knows of it."""

    @abstractmethod
    def copy(self) -> Subject:
        """The same for an engine in another thread."""


class Asker(Questioned):
    """An engine that knows the model over the open cells.

    Attributes:
        watch: Ends questions.
    """

    def __init__(self, task: presolve.Task, watch: Watch, budget: Budget) -> None:
        assert task.shape is not None
        self._budget = budget
        self._shape = task.shape
        self.watch = watch
        self._reduced = task.reduce(watch.check)
        self._own = {var: own for own, var in enumerate(self._reduced.origin) if own}
        num_vars = self._reduced.model.num_vars
        check_num_vars(num_vars)
        self._engine: Engine = open_backend(budget.engine, num_vars, 0, {}, watch)
        try:
            translate(self._reduced.model, self._engine, pause=watch.check)
        except BaseException:
            self._engine.close()
            raise

    def solved(self, assumptions: Sequence[int]) -> bytes | None:
        left = self._budget.conflicts_left(self._engine.statistics())
        answer = self._engine.solve(assumptions, self.watch, left)
        if answer is Answer.UNKNOWN:
            raise self.watch.limit()
        if answer is Answer.UNSAT:
            return None
        return self._reduced.lift(self._engine.values()[: self._reduced.model.num_vars + 1])

    def _new_var(self) -> int:
        return self._engine.new_var()

    def _add(self, clause: Sequence[int]) -> None:
        self._engine.add(clause)

    def _suggest(self, lits: Sequence[int]) -> None:
        self._engine.suggest(lits)

    def _value(self, cell: int, values: bytes) -> int:
        planes = range(1 + cell, len(values), self._shape.size)
        return next((colour for colour, var in enumerate(planes, 1) if values[var]), 0)

    def _unlike(self, cell: int, value: int) -> Iterator[int]:
        first, last = (1, self._shape.num_colours) if value == 0 else (value, value)
        for colour in range(first, last + 1):
            own = self._own.get(1 + (colour - 1) * self._shape.size + cell)
            if own is not None:
                yield own if value == 0 else -own

    def close(self) -> None:
        self._engine.close()
