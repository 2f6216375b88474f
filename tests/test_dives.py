"""Dives: they find solutions, follow the described order, and prove nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given

import nonosat
from helpers.believing import random_puzzle, small_tasks, task_of, watch
from helpers.drawing import examples
from nonosat import _core
from nonosat.board.presolve import OPEN, PresolvedModel
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Watch
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.testing.oracles import solutions

INSTANCES = Path(__file__).parent.parent / "instances"


class Dived(NamedTuple):
    """Solution, and number of decided cells."""

    cells: bytes | None
    num_decisions: int


def dive(task: PresolvedModel, clock: Watch, budget: int = _core.BUDGETS.dive) -> Dived:
    """Dive natively in each order, until one leads to a solution."""
    assert task.board is not None
    budgets = _core.Budgets()
    budgets.search = 0  # search would find a solution before the dives
    budgets.dive = budget
    strategy = _core.Strategy.of_presolved(task.board, None, 2, budgets=budgets)
    assert strategy.step()
    assert strategy.stage in ("dive", "neighbours")
    if not strategy.step(clock.remaining_s(), clock.poll):
        raise clock.limit()
    return Dived(strategy.solution(0), strategy.counts("dive")["decisions"])


@cache
def staircase(num: int) -> nonosat.Grid:
    """Dominoes in a staircase: unique, and exponentially hard for clause learning."""
    grid = nonosat.solve(nonosat.load(str(INSTANCES / f"domino.jsonl#domino-{num}"))).solution
    assert isinstance(grid, nonosat.Grid)
    return grid


def rows_of(grid: nonosat.Grid) -> list[bytes]:
    return [grid.cells[at : at + grid.width] for at in range(0, len(grid.cells), grid.width)]


def mirrored(grid: nonosat.Grid, down: bool, across: bool) -> nonosat.Grid:
    """Return the grid turned upside down, or left to right."""
    rows = rows_of(grid)[::-1] if down else rows_of(grid)
    cells = b"".join(row[::-1] if across else row for row in rows)
    return nonosat.Grid(grid.height, grid.width, cells)


def facing(grid: nonosat.Grid) -> nonosat.Grid:
    """Return the grid and its mirror image with a common column."""
    cells = b"".join(row + row[-2::-1] for row in rows_of(grid))
    return nonosat.Grid(grid.height, 2 * grid.width - 1, cells)


def orders(height: int, width: int) -> Iterator[list[int]]:
    """Return the cells in the order of each dive."""
    rows = [[row * width + column for column in range(width)] for row in range(height)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    for within in (forward, backward, inward):
        for direction in (1, -1):
            for lines in (rows, columns):
                yield [cell for line in lines[::direction] for cell in within(line)]


def forward(line: list[int]) -> list[int]:
    return line


def backward(line: list[int]) -> list[int]:
    return line[::-1]


def inward(line: list[int]) -> list[int]:
    """Return the order from both ends in turn."""
    half = (len(line) + 1) // 2
    pairs = zip_longest(line[:half], line[half:][::-1])
    return [cell for cell in chain.from_iterable(pairs) if cell is not None]


def twin(task: PresolvedModel) -> Dived:
    """The readable twin of native dives."""
    assert task.shape is not None
    assert task.board is not None
    num_decisions = 0
    for order in orders(task.shape.height, task.shape.width):
        board = task.board.copy()
        is_solution, more = dived(board, order, task.shape.num_colours)
        num_decisions += more
        if is_solution:
            return Dived(board.cells(), num_decisions)
    return Dived(None, num_decisions)


def dived(board: _core.Board, order: list[int], num_colours: int) -> tuple[bool, int]:
    """Return True if dives led to a solution, and the number of cells that they decided."""
    num_decisions = 0
    for cell in order:
        num_decisions += board.cells()[cell] == OPEN
        for colour in range(1, num_colours + 1):
            if board.cells()[cell] != OPEN or not board.plane(colour)[cell]:
                continue
            trial = board.copy()
            trial.assign(cell, colour)
            if trial.propagate():
                board.assign(cell, colour)
                board.propagate()
                break
            board.remove(cell, colour)
            if not board.propagate():
                return False, num_decisions
    return True, num_decisions


@examples(90)
@given(small_tasks())
def test_dives_are_those_of_the_twin_and_find_solutions(
    drawn: tuple[Nonogram, PresolvedModel],
) -> None:
    puzzle, task = drawn
    assert task.board is not None
    before = task.board.cells()
    found = dive(task, watch())
    assert found == twin(task)
    assert task.board.cells() == before
    assert found.cells is None or found.cells in solutions(puzzle)


@pytest.mark.parametrize("seed", range(25))
def test_dives_equal_the_twin_on_boards_where_many_fail(seed: int) -> None:
    task = task_of(random_puzzle(11 + seed % 4, 16 - seed % 5, seed, 1 + seed % 2))
    assert dive(task, watch()) == twin(task)


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("across", [False, True])
def test_a_staircase_from_any_corner_takes_a_few_decisions_a_step(down: bool, across: bool) -> None:
    grid = mirrored(staircase(20), down, across)
    found = dive(task_of(from_grid(grid)), watch())
    assert found.cells == grid.cells
    assert found.num_decisions <= 400


def test_staircases_that_face_each_other_are_found_from_both_ends() -> None:
    grid = facing(staircase(12))
    assert dive(task_of(from_grid(grid)), watch()).cells == grid.cells


def test_the_order_within_a_line_from_both_ends() -> None:
    assert inward([0, 1, 2, 3, 4]) == [0, 4, 1, 3, 2]
    assert inward([0, 1, 2, 3]) == [0, 3, 1, 2]


def test_a_dive_that_finds_nothing_proves_nothing() -> None:
    """No order leads to the solution of this puzzle."""
    puzzle = nonosat.load(str(INSTANCES / "unique.jsonl#noise-30-1"))
    found = dive(task_of(puzzle), watch())
    assert found.cells is None
    assert found.num_decisions >= 12  # one for each dive


def test_a_budget_ends_dives() -> None:
    assert dive(task_of(from_grid(staircase(12))), watch(), budget=0) == (None, 0)


def test_a_limit_ends_dives() -> None:
    with pytest.raises(LimitReached):
        dive(task_of(random_puzzle(200, 200, 1)), watch(0.0005))


def test_a_complete_board_is_a_solution_without_a_decision() -> None:
    task = task_of(mono([[2], [1]], [[1], [2]]))
    assert dive(task, watch()) == (b"\1\1\0\1", 0)


def test_auto_dives_if_search_finds_nothing() -> None:
    grid = staircase(20)
    result = nonosat.solve(from_grid(grid))
    assert (result.solution, result.backend) == (grid, "dive")
    (stage,) = [stage for stage in result.stages if stage.name == "dive"]
    assert (stage.decided, stage.detail) == (41**2, {"decisions": 18})


def test_prices_prove_that_the_solution_of_a_dive_is_the_only_one() -> None:
    result = nonosat.check(from_grid(staircase(14)))
    assert (result.verdict.value, result.backend) == ("unique", "prices")
    decided = {stage.name: stage.decided for stage in result.stages}
    assert (decided["dive"], decided["prices"]) == (0, 29**2)


def test_auto_goes_on_if_dives_find_nothing() -> None:
    result = nonosat.check(nonosat.load(str(INSTANCES / "unique.jsonl#noise-30-1")))
    (stage,) = [stage for stage in result.stages if stage.name == "dive"]
    assert (stage.decided, result.verdict.value) == (0, "unique")


@pytest.mark.parametrize("options", [{"presolve": "none"}, {"backend": "learn"}])
def test_nothing_dives_at_no_fixpoint_nor_for_another_backend(options: dict[str, str]) -> None:
    result = nonosat.solve(from_grid(staircase(12)), **options)
    assert "dive" not in [stage.name for stage in result.stages]
