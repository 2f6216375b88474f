"""Prices as a backend: solutions, and proofs that there is no other, without any search.

It takes no constraints but works on the presolved board of a rectangular model. It leaves most
puzzles undecided, and then reports the number of cells in which another solution can differ (see
`board.prices` for the method). Without a budget it does not give up early, and if prices lead to no
solution, the native search finds the first one. The only clauses that it accepts forbid a solution;
the first of them is the reference solution of the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.backends._on_board import BoardEngine
from nonosat.backends.search import SearchEngine
from nonosat.board import clashing, prices
from nonosat.board.presolve import PresolvedModel, Rectangle
from nonosat.board.prices import Outcome, Priced
from nonosat.core.errors import LimitReached, UnsupportedError, counted
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, Backend


class PricesEngine(BoardEngine):
    """Engine of `prices`.

    Args:
        task: Presolved model; values of no further solution are ruled out on its board.
        shape: The model's rectangle.
        is_patient: True to continue despite poor prospects, within any budget.
        has_looked: True if the marginals have led to no solution before.
    """

    label = "prices"

    def __init__(
        self,
        task: PresolvedModel,
        shape: Rectangle,
        *,
        is_patient: bool = False,
        has_looked: bool = False,
    ) -> None:
        self._task = task
        self._shape = shape
        self._is_patient = is_patient
        self._has_looked = has_looked
        self._known = b""  # the forbidden solution, a byte a cell
        self._num_forbidden = 0
        self._values = b""  # values of the last solution
        self._found: Priced | None = None  # prices that led to a solution
        self._priced: Priced | None = None  # the last prices
        self._num_past = 0  # number of earlier sweeps
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
            if not self._task.propagate(watch):
                return Answer.UNSAT
            return self._others(watch, budget) if self._known else self._first(watch, budget)
        except LimitReached:
            return Answer.UNKNOWN
        except MemoryError:
            if budget is None:
                raise
            return Answer.UNKNOWN  # a later engine may need less

    def _first(self, watch: Watch, budget: int | None) -> Answer:
        answer = self._by_marginals(watch, budget)
        if answer is not Answer.UNKNOWN or budget is not None:
            return answer
        assert self._task.board is not None
        search = SearchEngine(self._shape, self._task.board.copy())
        answer = search.solve((), watch)
        self._values = search.values()
        return answer

    def _by_marginals(self, watch: Watch, budget: int | None) -> Answer:
        work = prices.WORK if budget is None else budget
        found = prices.find(
            self._task, watch, work=work, stubborn=self._is_patient or budget is None
        )
        self._note(found)
        if found.outcome is Outcome.REFUTED:
            self._reason = clashing.of_board(found, self._task, watch).told()
            return Answer.UNSAT
        if found.outcome is Outcome.OPEN:
            return self._settled(found, watch)
        self._found = found
        self._values = self._shape.values(found.cells)
        return Answer.SAT

    def _others(self, watch: Watch, budget: int | None) -> Answer:
        """Find another solution, or prove that there is none.

        Another engine's solution gives no information on the marginals; they lead to a proof more
        often than the costs of that solution.
        """
        if not self._priced and not self._has_looked:
            answer = self._by_marginals(watch, budget)
            is_known = answer is Answer.SAT and self._values == self._shape.values(self._known)
            if answer is not Answer.UNKNOWN and not is_known:
                return answer
        work = prices.WORK if budget is None else budget
        # If the marginals were the solution, the proof will most likely succeed.
        stubborn = self._is_patient or budget is None or self._found is not None
        others = prices.refute_others(
            self._task, self._known, watch, found=self._found, work=work, stubborn=stubborn
        )
        self._note(others)
        if others.outcome is Outcome.REFUTED:
            return Answer.UNSAT
        if self._settled(others, watch) is Answer.UNSAT:
            return Answer.UNSAT
        self._reason = (
            f"the price bound is {others.bound}: another solution may differ in so many of the "
            f"{counted(self._task.num_open(), 'cell')} left open, expected below "
            f"{prices.least_distance(self._task)}"
        )
        return Answer.UNKNOWN

    def _settled(self, found: Priced, watch: Watch) -> Answer:
        """Rule out values of no further solution, by prices that have left the board open."""
        assert self._task.board is not None
        if not prices.settle(self._task, found, watch):
            return Answer.UNSAT
        if self._task.num_open():
            return Answer.UNKNOWN
        self._values = self._task.values()
        is_known = self._values == self._shape.values(self._known)
        return Answer.UNSAT if is_known else Answer.SAT

    def _note(self, priced: Priced) -> None:
        if self._priced and self._priced.native is not priced.native:
            self._num_past += self._priced.num_sweeps
        self._priced = priced

    def values(self) -> bytes:
        return self._values

    def reason(self) -> str:
        return self._reason

    def statistics(self) -> dict[str, int]:
        if self._priced is None:
            return {}
        bound = {"bound": self._priced.bound} if self._known else {}
        return {"sweeps": self._num_past + self._priced.num_sweeps, **bound}

    def close(self) -> None:
        self._found = self._priced = None


def open_on_board(task: PresolvedModel, options: dict[str, str]) -> PricesEngine:
    """Return an engine on the task's board.

    The option {"patient": "yes"} makes it continue despite poor prospects, {"marginals": "no"}
    skips marginals that have led to no solution before.

    Raises:
        UnsupportedError: The task has no board.
    """
    if task.shape is None or task.board is None:
        raise UnsupportedError(
            "prices are those of nonograms, and of other puzzles with clues for rows and columns "
            "alone; `learn` is an engine for every puzzle"
        )
    is_patient, has_looked = options.get("patient") == "yes", options.get("marginals") == "no"
    return PricesEngine(task, task.shape, is_patient=is_patient, has_looked=has_looked)


PLUGIN = Backend(
    summary="a bound from the fillings of lines: decides structured puzzles in polynomial time, "
    "leaves the others open",
    needs="nothing",
    open_on_board=open_on_board,
    in_process=True,
)
