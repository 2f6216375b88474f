"""Price bound as a backend: solutions, and proofs that there is no other, without any search.

The price bound is an upper bound on the number of cells in which another solution can differ from a
known one (`board.prices` has the method). The backend takes no constraints but works on the
presolved board of a rectangular model. It leaves most puzzles undecided, and then reports the
bound. Without a budget it does not give up early; if the computation of the bound yields no
solution, the native search finds the first one. The only clauses that the backend accepts forbid a
solution; the first solution forbidden is the known one of the bound.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat import _core
from nonosat.backends._on_board import BoardEngine
from nonosat.backends.search import SearchEngine
from nonosat.board import clashing, prices
from nonosat.board.presolve import PresolvedModel, Rectangle
from nonosat.core.errors import LimitReached, UnsupportedError, counted
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, Backend

_SOLUTION, _REFUTED = _core.Pricing.Outcome.SOLUTION, _core.Pricing.Outcome.REFUTED


class PricesEngine(BoardEngine):
    """Engine of `prices`.

    Args:
        task: Presolved model; its board still allows all solutions.
        shape: The model's rectangle.
    """

    label = "prices"

    def __init__(self, task: PresolvedModel, shape: Rectangle) -> None:
        self._task = task
        self._shape = shape
        self._known = b""  # the forbidden solution, a byte a cell
        self._num_forbidden = 0
        self._values = b""  # values of the last solution
        self._pricing: _core.Pricing | None = None
        self._has_searched = False
        self._num_past = 0  # number of sweeps before a search
        self._reason = ""

    def add(self, clause: Sequence[int]) -> None:
        if len(clause) != self._shape.size * self._shape.num_colours:
            raise UnsupportedError(
                "prices takes no clauses but those that forbid a solution; try a SAT backend"
            )
        self._num_forbidden += 1
        cells = bytearray(self._shape.size)
        for lit in clause:
            cell, colour = self._shape.place(lit)
            if lit < 0:
                cells[cell] = colour
        self._known = self._known or bytes(cells)

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Find a solution, or prove that there is no further one, or return UNKNOWN.

        The unit of the budget is native work.
        """
        self.refuse(assumptions)
        if self._num_forbidden > 1:
            self._reason = "prices can exclude one solution, not several"
            return Answer.UNKNOWN
        try:
            return self._run(watch, budget)
        except LimitReached:
            return Answer.UNKNOWN
        except MemoryError:
            if budget is None:
                raise
            return Answer.UNKNOWN  # a later engine may need less

    def _run(self, watch: Watch, budget: int | None) -> Answer:
        if self._pricing is None:
            if not self._task.propagate(watch):
                return Answer.UNSAT
            self._pricing = prices.pricing(
                self._task,
                watch,
                self._known or None,
                work=prices.WORK if budget is None else budget,
                is_patient=budget is None,
                with_marginals=not self._has_searched,
            )
        outcome = prices.run(self._pricing, watch)
        if outcome == _SOLUTION:
            self._values = self._shape.values(self._pricing.solution)
            return Answer.SAT
        if outcome == _REFUTED:
            if not self._values and not self._known:
                self._reason = clashing.reason_of(self._pricing, self._shape, watch)
            return Answer.UNSAT
        if self._known:
            self._reason = (
                f"the price bound is {self._pricing.bound}: another solution may differ in so many "
                f"of the {counted(self._task.num_open(), 'cell')} left open, expected below "
                f"{prices.least_distance(self._task)}"
            )
        return self._search(watch) if budget is None and not self._known else Answer.UNKNOWN

    def _search(self, watch: Watch) -> Answer:
        """Find a first solution by the native search, after prices have found none."""
        assert self._task.board is not None
        assert self._pricing is not None
        self._num_past, self._pricing = self._pricing.num_sweeps, None
        self._has_searched = True
        search = SearchEngine(self._shape, self._task.board.copy())
        answer = search.solve((), watch)
        self._values = search.values()
        return answer

    def values(self) -> bytes:
        return self._values

    def reason(self) -> str:
        return self._reason

    def statistics(self) -> dict[str, int]:
        if self._pricing is None:
            return {"sweeps": self._num_past} if self._has_searched else {}
        bound = self._pricing.bound
        counts = {"sweeps": self._num_past + self._pricing.num_sweeps}
        return counts if bound is None else counts | {"bound": bound}

    def close(self) -> None:
        self._pricing = None


def open_on_board(task: PresolvedModel, options: dict[str, str]) -> PricesEngine:
    """Return an engine on the task's board; it has no options.

    Raises:
        UnsupportedError: The task has no board.
    """
    del options
    if task.shape is None or task.board is None:
        raise UnsupportedError(
            "prices are those of nonograms, and of other puzzles with clues for rows and columns "
            "alone; `learn` is an engine for every puzzle"
        )
    return PricesEngine(task, task.shape)


PLUGIN = Backend(
    summary="a bound from the fillings of lines: decides structured puzzles in polynomial time, "
    "leaves the others open",
    needs="nothing",
    open_on_board=open_on_board,
    in_process=True,
)
