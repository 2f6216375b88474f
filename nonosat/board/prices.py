"""Python interface of native prices: solutions, and uniqueness proofs, without search.

Every cell of a board is given a price. Rows are paid by it, columns by the rest of the cell's cost,
and the maximal payment of all lines bounds the number of cells in which another solution can
differ: the price bound (native/prices/priced_board.hpp has the method and its sources). If it is
below the least distance of two solutions, the known one is the only one. The bound is evaluated in
integers, so it is a proof; floating point only searches for the prices.

Prices solve structured puzzles, above all staircases of dominoes, in time polynomial in their size,
for which search takes exponential time. On noise they fail, which shows after 1 to 7 sweeps: some
tenths of a millisecond for a 30x30. Between the two, prices decide single cells: a value that costs
more than the bound allows is in no solution. That decides most cells of a board that is structured
except for a few cells, and a structured region next to noise completely.
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
_LEAST_OPEN = 32  # minimal number of cells of a region; search settles smaller ones at once
_MAX_REGIONS = 16
_MOST_OF_BOARD = 0.9  # share of open cells above which a region is as hopeless as the whole board
_BYTES_PER_CELL = 400  # memory for each open cell and value: prices, and the history of L-BFGS


class Outcome(Enum):
    """Outcome of a search for prices."""

    SOLUTION = "solution"  # the likeliest cells are one
    REFUTED = "refuted"  # there is no solution, or no further one
    OPEN = "open"  # no progress, or the budget is spent


@dataclass(frozen=True, slots=True)
class Table:
    """Prices and their bound.

    Args:
        prices: (cell, value) to an integer; all other values are free.
        scale: Units of prices and bound for one cell.
        bound: The price bound, times the scale: an upper bound on the number of cells in which
            another solution differs from the known one. Without a known solution only a bound below
            0 has a meaning: there is no solution.
    """

    prices: Mapping[tuple[int, int], int]
    scale: int
    bound: int


@dataclass(frozen=True, slots=True)
class Priced:
    """Result of a search for prices.

    Args:
        outcome: The proved outcome.
        native: The search with its details.
        solution: The known solution, a byte a cell; None if none is known.
        goal: The least distance of two solutions, in cells, if one is known.
    """

    outcome: Outcome
    native: _core.Prices
    solution: bytes | None = None
    goal: int = 0

    @property
    def cells(self) -> bytes:
        """Likeliest value of each cell, row-major; a solution if that is the outcome."""
        return self.native.cells()

    @property
    def bound(self) -> int:
        """Price bound of the best table, in cells, rounded down."""
        return self.native.bound // self.native.scale

    @property
    def num_sweeps(self) -> int:
        """Number of sweeps over all lines."""
        return self.native.num_sweeps

    def table(self, pause: Callable[[], None] = lambda: None) -> Table:
        """Return the best table."""

        def poll() -> bool:
            pause()
            return False

        found = {(cell, value): price for cell, value, price in self.native.prices(poll)}
        return Table(found, self.native.scale, self.native.bound)

    def shrink(self, goal: int, watch: Watch) -> None:
        """Halve the prices of the table as often as its bound stays below `goal` cells.

        A search stops as soon as its bound suffices, so its prices may be larger than necessary.
        """
        self.native.shrink(goal, _polling(watch))

    def ruled_out(self, goal: int, watch: Watch) -> list[tuple[int, int]]:
        """Return each (cell, value) with which another solution differs in less than `goal` cells.

        If the goal is the least distance, no other solution has them; none is of the known
        solution.
        """
        found = self.native.ruled_out(goal, watch.remaining_s(), watch.poll)
        if found is None:
            raise watch.limit()
        return found

    def impossible(self, watch: Watch) -> list[tuple[int, int]]:
        """Return each (cell, value) that no solution, or no solution but the known one, has."""
        if self.outcome is Outcome.OPEN and self.num_sweeps < _core.BUDGETS.telling_sweeps:
            return []
        if self.solution is not None:
            return self.ruled_out(self.goal, watch)
        found = self.native.impossible(watch.remaining_s(), watch.poll)
        if found is None:
            raise watch.limit()
        return found


def least_distance(task: PresolvedModel) -> int:
    """Return a lower bound on the number of cells in which two different solutions differ.

    A line whose blocks all have known lengths has the same number of cells of each colour in all
    its fillings, so two fillings differ in no cell or in at least two. If that holds for all rows
    and all columns, at least two rows differ, in at least two cells each.
    """
    lines = task.model.lines
    assert isinstance(lines, RowsAndColumns)
    return (1 + _is_known(lines.rows)) * (1 + _is_known(lines.columns))


def _is_known(clues: Iterable[Clue]) -> bool:
    return all(block.length is not None for clue in clues for block in clue)


def find(task: PresolvedModel, watch: Watch, *, work: int = WORK, stubborn: bool = False) -> Priced:
    """Search the marginals of the relaxation for a solution, or for a proof that there is none.

    Args:
        task: Has a board, at its line fixpoint; it is not changed.
        watch: Polled continuously.
        work: Budget in units of native work.
        stubborn: Continue even if success is unlikely.

    Raises:
        LimitReached: A limit of the watch is reached.
        MemoryError: Native code would exceed its memory limit.
    """
    native = _open(task, None, watch)
    outcome = native.find(work, stubborn, watch.remaining_s(), watch.poll)
    if outcome is None:
        raise watch.limit()
    if outcome != _core.Prices.Outcome.REACHED:
        return Priced(Outcome.OPEN, native)
    return Priced(Outcome.REFUTED if native.bound < 0 else Outcome.SOLUTION, native)


def refute(task: PresolvedModel, watch: Watch, *, work: int = WORK) -> Priced:
    """Search longer for a proof that there is no solution; raises as `find`.

    Args:
        task: Has a board, at its line fixpoint, some of whose clues may be left out; it is not
            changed.
        watch: Polled continuously.
        work: Budget in units of native work.
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
    """Search for a proof that a solution is the only one; raises as `find`.

    Args:
        task: Has a board, at its line fixpoint; it stays as it is.
        solution: The solution, a byte a cell, row-major. It is not verified: for other cells the
            outcome only bounds the distance of all solutions from them.
        watch: Polled continuously.
        found: The result of `find` that gave the solution: its prices, scaled up, mostly are a
            proof. It is consumed. None for a solution from another source.
        work: Budget in units of native work.
        stubborn: Continue even if success is unlikely.
    """
    goal = least_distance(task)
    if found is None:
        native = _open(task, solution, watch)
    else:
        native = found.native
        native.set_solution(solution, _polling(watch))
    outcome = native.lower(goal, work, stubborn, watch.remaining_s(), watch.poll)
    if outcome is None:
        raise watch.limit()
    is_reached = outcome == _core.Prices.Outcome.REACHED
    return Priced(Outcome.REFUTED if is_reached else Outcome.OPEN, native, solution, goal)


def settle(task: PresolvedModel, found: Priced, watch: Watch, *, work: int = WORK) -> bool:
    """Remove values that no solution, or none but the known one, has; `found` is open.

    Uses the prices of the whole board first, then those of its regions. A region, cells that depend
    on each other, may be nearly solved while the others spoil the prices of the whole board:
    structure next to noise.

    Args:
        task: Has a board, at its line fixpoint, also afterwards.
        found: Result of `find` or `refute_others` for it.
        watch: Polled continuously; the board is unchanged if a limit is reached.
        work: Budget in units of native work, for each region.

    Returns:
        True if there may be a solution; if False, the board is meaningless.

    Raises:
        LimitReached: A limit of the watch is reached.
        MemoryError: Native code would exceed its memory limit.
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
    """Remove values that no other solution has, by prices for all solutions, then for others.

    Args:
        task: Has a board, at its line fixpoint, also afterwards.
        solution: A byte a cell, row-major.
        watch: Polled continuously.
        work: Budget in units of native work, for each search.

    Raises:
        LimitReached, MemoryError: As for `settle`.
    """
    is_consistent = settle(task, find(task, watch, work=work), watch, work=work)
    if is_consistent and task.num_open():
        others = refute_others(task, solution, watch, work=work)
        is_consistent = settle(task, others, watch, work=work)
    assert is_consistent  # there is a solution


def _regions(task: PresolvedModel, watch: Watch) -> list[PresolvedModel]:
    """Return the larger regions of a board, each as a board; none that is most of the board."""
    assert task.board is not None
    most = int(task.num_open() * _MOST_OF_BOARD)
    found = _core.regions(
        task.board, _LEAST_OPEN, most, _MAX_REGIONS, watch.remaining_s(), watch.poll
    )
    if found is None:
        raise watch.limit()
    return [replace(task, board=board) for board in found]


def _in_region(task: PresolvedModel, solution: bytes | None, watch: Watch, work: int) -> Priced:
    """Find a solution of a region if none is known, and try to prove it the only one."""
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
    """Return a callback for native code that cannot return "stopped": it raises instead."""

    def poll() -> bool:
        watch.check()
        return False

    return poll
