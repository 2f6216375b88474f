"""The native depth-first search as a backend: line propagation and probing at every node.

It takes the lines of a rectangular board as they are, with "at most one colour a cell". Clauses are
units (given cells), or the negation of the solution that it has just found, which sends it on to
the next one; enumeration therefore needs no memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from nonosat import _core
from nonosat.cnf import split
from nonosat.errors import UnsupportedError
from nonosat.limits import Watch
from nonosat.model import Clause, Constraint, Count, Line, Model
from nonosat.plugins import Answer
from nonosat.presolve import Rectangle, board_of, rectangle

SUMMARY = "native depth-first search with exact line propagation and probing"
NEEDS = "nothing"
NAMES = ("search",)
NATIVE = frozenset({Line, Count})
REDUCED = False
FORMULATES = False
IN_PROCESS = NAMES

UNLIMITED = 2**62  # units of native work, about a nanosecond each


class _Run:
    """One board under search, from its first fixpoint on."""

    def __init__(self, model: Model, assumptions: Sequence[int]) -> None:
        shape = rectangle(model)
        if shape is None:
            raise UnsupportedError(
                "search solves rectangular boards (a Line a row and a column, at most one colour "
                "a cell); try a SAT backend"
            )
        self.shape: Rectangle = shape
        self.assumptions = tuple(assumptions)
        self.board = board_of(model, shape, assumptions)
        self.search: _core.Search | None = None

    def advance(self, budget: int, watch: Watch) -> Answer:
        if self.search is None:
            consistent = self.board.propagate(watch.remaining_s(), watch.poll)
            if not consistent:
                return Answer.UNKNOWN if consistent is None else Answer.UNSAT
            self.search = _core.Search(self.board)
        outcome = self.search.next(budget, watch.remaining_s(), watch.poll)
        if outcome == _core.Outcome.SOLUTION:
            return Answer.SAT
        return Answer.UNSAT if outcome == _core.Outcome.EXHAUSTED else Answer.UNKNOWN


class SearchEngine:
    """The engine of `search`.

    Args:
        num_vars: Variables of the model, all of them cells.
        budget: Units of work after which a `solve` answers UNKNOWN; the next one goes on.
    """

    def __init__(self, num_vars: int, budget: int = UNLIMITED) -> None:
        self._num_vars = num_vars
        self._budget = budget
        self._lines: list[Line] = []
        self._counts: list[Count] = []
        self._units: list[int] = []
        self._run: _Run | None = None
        self._values = b""
        self._forbidden = 0
        self._stopped = False

    def new_var(self) -> int:
        raise UnsupportedError("search has no variables but the cells; try a SAT backend")

    def constrain(self, constraint: Constraint) -> None:
        if isinstance(constraint, Line):
            self._lines.append(constraint)
        elif isinstance(constraint, Count):
            self._counts.append(constraint)
        else:
            raise UnsupportedError(f"search takes no {type(constraint).__name__} constraint")

    def add(self, clause: Sequence[int]) -> None:
        if len(clause) == 1 and self._run is None:
            self._units.append(clause[0])
        elif self._forbids_last_solution(clause):
            self._forbidden += 1
        else:
            raise UnsupportedError(
                "search takes unit clauses before it starts, then only clauses that forbid the "
                "solution just found; try a SAT backend"
            )

    def add_batch(self, clauses: array[int]) -> None:
        for clause in split(clauses):
            self.add(clause)

    def _forbids_last_solution(self, clause: Sequence[int]) -> bool:
        return (
            bool(self._values)
            and len(clause) == self._num_vars
            and all((lit < 0) == bool(self._values[abs(lit)]) for lit in clause)
        )

    def solve(self, assumptions: Sequence[int], watch: Watch) -> Answer:
        """The next solution under `assumptions`, which stay as they are once one is forbidden."""
        if self._run is None or self._run.assumptions != tuple(assumptions):
            if self._forbidden:
                raise UnsupportedError("search cannot change assumptions while it enumerates")
            units = tuple(Clause((lit,)) for lit in self._units)
            model = Model(self._num_vars, tuple(self._lines), self._counts, units)
            self._run = _Run(model, assumptions)
        answer = Answer.UNKNOWN if self._stopped else self._run.advance(self._budget, watch)
        if answer is Answer.SAT:
            self._values = self._run.shape.values(self._run.board.cells())
        self._stopped = self._stopped or watch.reason() is not None
        return answer

    def values(self) -> bytes:
        return self._values

    def statistics(self) -> dict[str, int]:
        search = self._run and self._run.search
        return {"nodes": search.num_nodes if search else 0}

    def interrupt(self) -> None:
        self._stopped = True

    def close(self) -> None:
        self._run = None


def open_engine(name: str, num_vars: int, seed: int, options: dict[str, str]) -> SearchEngine:
    """A search without randomness: `seed` changes nothing. Option `budget`: units of work."""
    del name, seed
    return SearchEngine(num_vars, int(options.get("budget", UNLIMITED)))
