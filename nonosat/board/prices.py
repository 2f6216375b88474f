"""The Python face of native prices: solutions, and proofs that there is no other, without search.

Every cell of a board is given a price. Rows are paid by it, columns by what is left of the cell's
cost, and what all lines are paid at most bounds how many cells another solution can differ in: the
price bound (native/prices/priced_board.hpp has the method and its sources). Where it is below the
least distance of two solutions, the known one is the only one. The bound is evaluated in integers,
so it is a proof; floating point only searches for the prices.

Structured puzzles, staircases of dominoes above all, fall to it in time polynomial in their size,
where search takes exponential time. On noise it gets nowhere, which shows after 1 to 7 sweeps: some
tenths of a millisecond for a 30x30. Between the two, prices settle single cells: a value that costs
more than the bound allows is in no solution. That is most of a board that is structured but for a
few cells, and all of a structured region beside noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from nonosat import _core
from nonosat.board.presolve import OPEN, PresolvedModel
from nonosat.core.limits import Watch
from nonosat.core.model import Clue, RowsAndColumns

WORK = _core.BUDGETS.prices  # units of native work
_LEAST_OPEN = 32  # cells of a region that is looked at; search settles smaller ones at once
_MAX_REGIONS = 16
_MOST_OF_BOARD = 0.9  # of its open cells: a region of more is as hopeless as the whole
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
        solution: The known one, a byte a cell; None where none is.
        goal: The least distance of two solutions, in cells, where one is known.
    """

    outcome: Outcome
    native: _core.Prices
    solution: bytes | None = None
    goal: int = 0

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

    def impossible(self, watch: Watch) -> list[tuple[int, int]]:
        """(cell, value) that no solution has, or none but the known one."""
        if self.outcome is Outcome.OPEN and self.num_sweeps < _core.BUDGETS.telling_sweeps:
            return []
        if self.solution is not None:
            return self.ruled_out(self.goal, watch)
        found = self.native.impossible(watch.remaining_s(), watch.poll)
        if found is None:
            raise watch.limit()
        return found


def least_distance(task: PresolvedModel) -> int:
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


def find(task: PresolvedModel, watch: Watch, *, work: int = WORK, stubborn: bool = False) -> Priced:
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


def refute(task: PresolvedModel, watch: Watch, *, work: int = WORK) -> Priced:
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
    task: PresolvedModel,
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
    goal = least_distance(task)
    if found is None:
        native = _open(task, solution, watch)
    else:
        native = found.native
        native.know(solution, _polling(watch))
    outcome = native.lower(goal, work, stubborn, watch.remaining_s(), watch.poll)
    if outcome is None:
        raise watch.limit()
    is_reached = outcome == _core.Prices.Outcome.REACHED
    return Priced(Outcome.REFUTED if is_reached else Outcome.OPEN, native, solution, goal)


def settle(task: PresolvedModel, found: Priced, watch: Watch, *, work: int = WORK) -> bool:
    """Rule out what no solution has, or none but the known one, by prices that left it open.

    First by the prices of the whole board, then by those of its regions. A region, cells that
    depend on each other, may be as good as solved where the others spoil the prices of the whole
    board: structure beside noise.

    Args:
        task: Has a board, at its line fixpoint, which it is afterwards, too.
        found: What `find` or `refute_others` came to there.
        watch: Looked at all the time; the board stays as it is where it ends this.
        work: Units of native work at most, for each region.

    Returns:
        Whether there may be a solution; the board means nothing where there is none.

    Raises:
        LimitReached: The watch ended it.
        MemoryError: It takes more than native code may have.
    """
    told = found.impossible(watch)
    for region in _regions(task, watch) if found.outcome is Outcome.OPEN else ():
        inside = _in_region(region, found.solution, watch, work)
        if inside.outcome is Outcome.REFUTED and inside.solution is None:
            return False
        told += inside.impossible(watch)
    assert task.board is not None
    for cell, value in told:
        task.board.remove(cell, value)
    return task.propagate(watch)


def settle_beside(task: PresolvedModel, solution: bytes, watch: Watch, work: int) -> None:
    """Rule out what no solution but a known one has, by prices for all, then for the others.

    Args:
        task: Has a board, at its line fixpoint, which it is afterwards, too.
        solution: A byte a cell, row-major.
        watch: Looked at all the time.
        work: Units of native work at most, for each search.

    Raises:
        LimitReached, MemoryError: As for `settle`.
    """
    is_consistent = settle(task, find(task, watch, work=work), watch, work=work)
    if is_consistent and task.num_open():
        others = refute_others(task, solution, watch, work=work)
        is_consistent = settle(task, others, watch, work=work)
    assert is_consistent  # there is a solution


def _regions(task: PresolvedModel, watch: Watch) -> list[PresolvedModel]:
    """The larger regions of a board, each as a board; not one that is most of the board."""
    assert task.board is not None
    most = int(task.num_open() * _MOST_OF_BOARD)
    found = _core.regions(
        task.board, _LEAST_OPEN, most, _MAX_REGIONS, watch.remaining_s(), watch.poll
    )
    if found is None:
        raise watch.limit()
    return [replace(task, board=board) for board in found]


def _in_region(task: PresolvedModel, solution: bytes | None, watch: Watch, work: int) -> Priced:
    """Find a solution of a region where none is known, and look for the proof that it is alone."""
    assert task.board is not None
    if solution is not None:
        pairs = zip(task.board.cells(), solution, strict=True)
        mine = bytes(known if value == OPEN else value for value, known in pairs)
        return refute_others(task, mine, watch, work=work)
    found = find(task, watch, work=work)
    if found.outcome is not Outcome.SOLUTION:
        return found
    return refute_others(task, found.cells, watch, work=work, stubborn=True)


def _open(task: PresolvedModel, solution: bytes | None, watch: Watch) -> _core.Prices:
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
