"""Native depth-first search as a backend: line propagation and probing at every node.

The backend takes no constraints but works on the presolved board of rows and columns, or of lanes.
The only clause that it accepts is the one that forbids the solution just found; the search then
continues with the next solution. Enumeration therefore needs no memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat import _core
from nonosat.backends._on_board import BoardEngine
from nonosat.board.presolve import AnyBoard, PresolvedModel, Rectangle
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, Backend

AnySearch = _core.Search | _core.LaneSearch
UNLIMITED = 2**62  # units of native work, about a nanosecond each


class SearchEngine(BoardEngine):
    """Engine of `search`.

    Args:
        shape: Shape of the model's variables.
        board: The board to search; it belongs to the engine.
        search: A search of the board that has already begun; None to begin one.
    """

    label = "search"

    def __init__(self, shape: Rectangle, board: AnyBoard, search: AnySearch | None = None) -> None:
        self._shape = shape
        self._board = board
        self._search = search
        self._values = b""
        self._stopped = False

    def add(self, clause: Sequence[int]) -> None:
        forbids_last = len(clause) == len(self._values) - 1 and all(
            (lit < 0) == bool(self._values[abs(lit)]) for lit in clause
        )
        if not forbids_last:
            raise UnsupportedError(
                "search takes no clauses but those that forbid the solution just found; "
                "try a SAT backend"
            )

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Continue the search of the last call until the next solution; no assumptions."""
        self.refuse(assumptions)
        if self._stopped:
            return Answer.UNKNOWN
        answer = self._advance(watch, UNLIMITED if budget is None else budget)
        if answer is Answer.SAT:
            self._values = self._shape.values(self._board.cells())
        return answer

    def _advance(self, watch: Watch, budget: int) -> Answer:
        if self._search is None:
            consistent = self._board.propagate(watch.remaining_s(), watch.poll)
            if not consistent:
                self._stopped = consistent is None
                return Answer.UNKNOWN if self._stopped else Answer.UNSAT
            self._search = _search(self._board)
        outcome = self._search.next(budget, watch.remaining_s(), watch.poll)
        self._stopped = outcome is None  # an interrupted search cannot continue
        if outcome == _core.Outcome.SOLUTION:
            return Answer.SAT
        return Answer.UNSAT if outcome == _core.Outcome.EXHAUSTED else Answer.UNKNOWN

    def values(self) -> bytes:
        return self._values

    def statistics(self) -> dict[str, int]:
        return {"nodes": self._search.num_nodes if self._search else 0}

    def interrupt(self) -> None:
        self._stopped = True

    def close(self) -> None:
        self._search = None


def open_on_board(task: PresolvedModel, options: dict[str, str]) -> SearchEngine:
    """Return a search of the task's board; it has no options.

    Raises:
        UnsupportedError: The task has no board.
    """
    del options
    if task.shape is None or task.any_board is None:
        raise UnsupportedError(
            "search solves nonograms, and other puzzles with clues for lines of cells alone; "
            "`learn` is an engine for every puzzle"
        )
    # Cells probed by presolve are not probed again: on a board of 30x30 that takes 0.4 ms.
    known = task.probers[-1] if task.probers and task.any_board.propagate() else None
    board = task.any_board.copy()
    search = None if known is None else _search(board, known)
    return SearchEngine(task.shape, board, search)


def _search(board: AnyBoard, known: _core.Prober | _core.LaneProber | None = None) -> AnySearch:
    """Return a search of a board; `known` has probed the board that it is a copy of."""
    if isinstance(board, _core.LaneBoard):
        assert not isinstance(known, _core.Prober)
        return _core.LaneSearch(board, known)
    assert not isinstance(known, _core.LaneProber)
    return _core.Search(board, known)


PLUGIN = Backend(
    summary="native depth-first search with exact line propagation and probing",
    needs="nothing",
    open_on_board=open_on_board,
    takes_lanes=True,
    in_process=True,
)
