"""Python interface of native prices: solutions, and uniqueness proofs, without search.

Each value of a cell has a price and a cost; the cost is 1 if the value differs from that of a known
solution, else 0. A filled-in row is paid the prices of its cells' values, a column the costs minus
the prices. The sum of the maximum payments of all lines is the price bound: no other solution
differs from the known one in more cells (native/prices/priced_board.hpp has the method and its
sources). If the bound is below the least distance of two solutions, the known one is the only one.
The bound is evaluated in integers, so it is a proof; floating point is used only in the search for
prices.

Prices solve structured puzzles, above all staircases of dominoes, in time polynomial in their size,
for which search takes exponential time. On random pictures they fail, which is detected after 1 to
7 sweeps over all lines: some tenths of a millisecond for a 30x30. On other boards, prices decide
single cells: a value that costs more than the bound allows is in no solution. This decides most
cells of a board that is structured except for a few cells, and all cells of a structured region
next to a random one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.core.limits import Watch, raising
from nonosat.core.model import Clue, RowsAndColumns

WORK = _core.BUDGETS.prices  # units of native work
_BYTES_PER_CELL = 400  # memory for each open cell and value: prices, and the history of L-BFGS


class PriceOutcome(Enum):
    """Outcome of a search for prices."""

    SOLUTION = "solution"  # the likeliest cells are one
    REFUTED = "refuted"  # there is no solution, or no further one
    OPEN = "open"  # no progress, or the budget is spent


@dataclass(frozen=True, slots=True)
class PriceBound:
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
class PriceResult:
    """Result of a search by prices.

    Args:
        outcome: The proved outcome.
        native: The search with its details.
        solution: The known solution, a byte a cell; None if none is known.
        goal: Number of cells in which any two solutions differ at least, by the clues alone: what a
            proof of uniqueness has to reach. 0 if no solution is known.
    """

    outcome: PriceOutcome
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

    def table(self, pause: Callable[[], None] = lambda: None) -> PriceBound:
        """Return the best table."""
        found = {(cell, value): price for cell, value, price in self.native.prices(raising(pause))}
        return PriceBound(found, self.native.scale, self.native.bound)

    def shrink(self, goal: int, watch: Watch) -> None:
        """Halve the prices of the table as often as its bound stays below `goal` cells.

        A search stops as soon as its bound suffices, so its prices may be larger than necessary.
        """
        self.native.shrink(goal, raising(watch.check))

    def ruled_out(self, goal: int, watch: Watch) -> list[tuple[int, int]]:
        """Return each (cell, value) that keeps a solution near to the known one, by this table.

        A solution with this value in this cell would differ from the known one in less than `goal`
        cells. If `goal` is the least distance of two solutions, no other solution has the value.
        Values of the known solution are not returned.
        """
        return watch.result_of(self.native.ruled_out, goal)


def num_bytes(task: PresolvedModel) -> int:
    """Return the memory that a search for prices takes."""
    assert task.shape is not None
    return task.num_open() * _BYTES_PER_CELL * task.shape.num_colours


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


def find(
    task: PresolvedModel, watch: Watch, *, work: int = WORK, stubborn: bool = False
) -> PriceResult:
    """Search for prices that lead to a solution by their marginals, or that prove there is none.

    Args:
        task: Presolved model with a board at its line fixpoint; it is not changed.
        watch: Polled continuously.
        work: Budget in units of native work.
        stubborn: Continue even if success is unlikely.

    Raises:
        LimitReached: A limit of the watch is reached.
        MemoryError: Native code would exceed its memory limit.
    """
    native = _open(task, None, watch)
    outcome = watch.result_of(native.find, work, stubborn)
    if outcome != _core.Prices.Outcome.REACHED:
        return PriceResult(PriceOutcome.OPEN, native)
    return PriceResult(PriceOutcome.REFUTED if native.bound < 0 else PriceOutcome.SOLUTION, native)


def refute(task: PresolvedModel, watch: Watch, *, work: int = WORK) -> PriceResult:
    """Search longer for a proof that there is no solution; raises as `find`.

    Args:
        task: Presolved model with a board at its line fixpoint, from which some clues may be left
            out; it is not changed.
        watch: Polled continuously.
        work: Budget in units of native work.
    """
    native = _open(task, None, watch)
    is_reached = watch.result_of(native.refute, work) == _core.Prices.Outcome.REACHED
    return PriceResult(PriceOutcome.REFUTED if is_reached else PriceOutcome.OPEN, native)


def refute_others(
    task: PresolvedModel,
    solution: bytes,
    watch: Watch,
    *,
    found: PriceResult | None = None,
    work: int = WORK,
    stubborn: bool = False,
) -> PriceResult:
    """Search for a proof that a solution is the only one; raises as `find`.

    Args:
        task: Presolved model with a board at its line fixpoint; it is not changed.
        solution: The solution, a byte a cell, row-major. It is not verified: if the cells are no
            solution, the result only bounds the distance of every solution from them.
        watch: Polled continuously.
        found: The result of `find` that gave the solution, which must not be used afterwards: its
            prices, scaled up, are mostly a proof. None for a solution from another source.
        work: Budget in units of native work.
        stubborn: Continue even if success is unlikely.
    """
    goal = least_distance(task)
    if found is None:
        native = _open(task, solution, watch)
    else:
        native = found.native
        native.set_solution(solution, raising(watch.check))
    is_reached = watch.result_of(native.lower, goal, work, stubborn) == _core.Prices.Outcome.REACHED
    return PriceResult(
        PriceOutcome.REFUTED if is_reached else PriceOutcome.OPEN, native, solution, goal
    )


def pricing(
    task: PresolvedModel,
    watch: Watch,
    known: bytes | None = None,
    *,
    work: int = WORK,
    is_patient: bool = False,
    with_marginals: bool = True,
) -> _core.Pricing:
    """Return a search for solutions and proofs by the price bound, which also narrows the board.

    The search does the work of `find` until it has a solution, then that of `refute_others`. It
    uses the prices of the whole board first, then those of its regions
    (native/strategy/pricing.hpp).

    Args:
        task: Presolved model with a board at its line fixpoint. The board is narrowed, and is at a
            fixpoint after each run, too.
        watch: Limit of the memory for the search.
        known: A solution, a byte a cell, row-major; None if none is known.
        work: Budget in units of native work, for each search.
        is_patient: Continue even if success is unlikely.
        with_marginals: Search for a solution first, even if one is known.
    """
    _reserve(task, watch)
    assert task.board is not None
    return _core.Pricing(task.board, known, work, is_patient, with_marginals, _core.BUDGETS)


def run(search: _core.Pricing, watch: Watch) -> _core.Pricing.Outcome:
    """Run a search to its next outcome; after a limit a further call resumes it.

    Raises:
        LimitReached: A limit of the watch is reached.
        MemoryError: Native code would exceed its memory limit.
    """
    return watch.result_of(search.run)


def _open(task: PresolvedModel, solution: bytes | None, watch: Watch) -> _core.Prices:
    _reserve(task, watch)
    assert task.board is not None
    return _core.Prices(task.board, solution, raising(watch.check))


def _reserve(task: PresolvedModel, watch: Watch) -> None:
    task.reserve(watch)
    watch.reserve(num_bytes(task))
