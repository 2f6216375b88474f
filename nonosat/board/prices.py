"""The Python face of native prices: solutions, and proofs that there is no other, without search.

Every cell of a board is given a price. Rows are paid by it, columns by what is left of the cell's
cost, and what all lines are paid at most bounds how many cells another solution can differ in: the
price bound (native/prices/priced_board.hpp has the method and its sources). Where it is below the
least distance of two solutions, the known one is the only one. The bound is evaluated in integers,
so it is a proof; floating point only searches for the prices.

Structured puzzles, staircases of dominoes above all, fall to it in time polynomial in their size,
where search takes exponential time. On noise it gets nowhere, which shows after a sweep or a dozen:
0.1 ms for a 30x30.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from nonosat import _core
from nonosat.board.presolve import Task
from nonosat.limits import Watch
from nonosat.model import Clue, RowsAndColumns

WORK = 10_000_000_000  # units of native work, about a nanosecond each; n-domino 100 takes 8e9
_BYTES_PER_CELL = 400  # of memory for each open cell and value: prices, and what L-BFGS remembers


class Outcome(Enum):
    """What came of a search for prices."""

    SOLUTION = "solution"  # the likeliest cells are one
    REFUTED = "refuted"  # there is no solution, or no further one
    OPEN = "open"  # it got nowhere, or its budget was spent


@dataclass(frozen=True, slots=True)
class Table:
    """Prices, and what follows from them.

    Args:
        prices: By (cell, value), an integer; all other values are free.
        scale: Of prices and bound: how many units a cell is.
        bound: The price bound, times the scale: no other solution differs from the known one in
            more. Without a known solution it means something below 0 only: there is none.
    """

    prices: Mapping[tuple[int, int], int]
    scale: int
    bound: int


@dataclass(frozen=True, slots=True)
class Priced:
    """What a search for prices came to.

    Args:
        outcome: What is certain now.
        native: The search, which knows more.
    """

    outcome: Outcome
    native: _core.Prices

    @property
    def cells(self) -> bytes:
        """The likeliest value of each cell, row-major; a solution where that is the outcome."""
        return self.native.cells()

    @property
    def bound(self) -> int:
        """The price bound of the best table, in cells, rounded down."""
        return self.native.bound // self.native.scale

    @property
    def num_sweeps(self) -> int:
        """Over all lines."""
        return self.native.num_sweeps

    def table(self, pause: Callable[[], None] = lambda: None) -> Table:
        """The best table."""

        def poll() -> bool:
            pause()
            return False

        found = {(cell, value): price for cell, value, price in self.native.prices(poll)}
        return Table(found, self.native.scale, self.native.bound)

    def shrink(self, goal: int, watch: Watch) -> None:
        """Make prices as small as halving can, the table's bound staying below `goal` cells.

        A search leaves them larger than they need be: it stops where the bound is reached.
        """
        self.native.shrink(goal, _polling(watch))

    def ruled_out(self, goal: int, watch: Watch) -> list[tuple[int, int]]:
        """(cell, value) with which another solution differs in less than `goal` cells.

        With the least distance as goal no solution has them; of the known solution none is named.
        """
        found = self.native.ruled_out(goal, watch.remaining_s(), watch.poll)
        if found is None:
            raise watch.limit()
        return found


def least_distance(task: Task) -> int:
    """How many cells two different solutions differ in at least.

    A line whose blocks all have known lengths has the same number of cells of each colour in all
    its fillings, so it differs in no cell or in two. Where that holds for all rows and all columns,
    two rows differ, in two cells each.
    """
    lines = task.model.lines
    assert isinstance(lines, RowsAndColumns)
    return (1 + _is_known(lines.rows)) * (1 + _is_known(lines.columns))


def _is_known(clues: Iterable[Clue]) -> bool:
    return all(block.length is not None for clue in clues for block in clue)


def find(task: Task, watch: Watch, *, work: int = WORK, stubborn: bool = False) -> Priced:
    """Look for a solution in the marginals of the relaxation, or for the proof that there is none.

    Args:
        task: Has a board, at its line fixpoint; it stays as it is.
        watch: Looked at all the time.
        work: Units of native work at most.
        stubborn: Go on where it will most likely get nowhere.

    Raises:
        LimitReached: The watch ended it.
        MemoryError: It takes more than native code may have.
    """
    native = _open(task, None, watch)
    outcome = native.find(work, stubborn, watch.remaining_s(), watch.poll)
    if outcome is None:
        raise watch.limit()
    if outcome != _core.Prices.Outcome.REACHED:
        return Priced(Outcome.OPEN, native)
    return Priced(Outcome.REFUTED if native.bound < 0 else Outcome.SOLUTION, native)


def refute(task: Task, watch: Watch, *, work: int = WORK) -> Priced:
    """Look for the proof that there is no solution, patiently; raises as `find`.

    Args:
        task: Has a board, at its line fixpoint, some of whose clues may be left out; it stays as it
            is.
        watch: Looked at all the time.
        work: Units of native work at most.
    """
    native = _open(task, None, watch)
    outcome = native.refute(work, watch.remaining_s(), watch.poll)
    if outcome is None:
        raise watch.limit()
    is_reached = outcome == _core.Prices.Outcome.REACHED
    return Priced(Outcome.REFUTED if is_reached else Outcome.OPEN, native)


def refute_others(
    task: Task,
    solution: bytes,
    watch: Watch,
    *,
    found: Priced | None = None,
    work: int = WORK,
    stubborn: bool = False,
) -> Priced:
    """Look for the proof that there is no solution but one; raises as `find`.

    Args:
        task: Has a board, at its line fixpoint; it stays as it is.
        solution: The one, a byte a cell, row-major. That it is a solution is not looked at: of
            other cells the outcome says only how near to them all solutions are.
        watch: Looked at all the time.
        found: How `find` came to the solution: its prices, made dearer, mostly are a proof. It is
            used up by that. None where the solution comes from elsewhere.
        work: Units of native work at most.
        stubborn: Go on where it will most likely get nowhere.
    """
    if found is None:
        native = _open(task, solution, watch)
    else:
        native = found.native
        native.know(solution, _polling(watch))
    outcome = native.lower(least_distance(task), work, stubborn, watch.remaining_s(), watch.poll)
    if outcome is None:
        raise watch.limit()
    is_reached = outcome == _core.Prices.Outcome.REACHED
    return Priced(Outcome.REFUTED if is_reached else Outcome.OPEN, native)


def _open(task: Task, solution: bytes | None, watch: Watch) -> _core.Prices:
    assert task.shape is not None
    assert task.board is not None
    task.reserve(watch)
    watch.reserve(task.num_open() * _BYTES_PER_CELL * task.shape.num_colours)
    return _core.Prices(task.board, solution, _polling(watch))


def _polling(watch: Watch) -> Callable[[], bool]:
    """What native code without an answer for "stopped" asks: it raises."""

    def poll() -> bool:
        watch.check()
        return False

    return poll
