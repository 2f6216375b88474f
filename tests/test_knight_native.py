"""Construction, Warnsdorff's rule and the exact search: every size, every start, every seed."""

from __future__ import annotations

from array import array
from itertools import product

import pytest

import nonosat
from nonosat import _core
from nonosat.core.limits import Limits, Watch
from nonosat.core.result import Verdict
from nonosat.puzzles.knight import METHODS, Knight, Tour, refutation, tour_of
from nonosat.puzzles.knight.theorems import has_closed_tour, has_open_tour


def constructed(puzzle: Knight, seed: int = 0) -> Tour | None:
    """Return the tour by construction, after its verification, or None."""
    tour = next(METHODS["construction"](puzzle, Watch(Limits()), seed), None)
    assert tour is None or refutation(puzzle, tour) is None
    return tour


# Construction


@pytest.mark.thorough
@pytest.mark.parametrize("closed", [False, True])
def test_construction_of_every_size_but_four_rows(closed):
    for rows, columns in product(range(1, 23), repeat=2):
        has_tour = (has_closed_tour if closed else has_open_tour)(rows, columns)
        found = constructed(Knight(rows, columns, closed=closed))
        is_known = (rows, columns) in ((3, 4), (4, 3)) or 4 not in (rows, columns)
        assert (found is not None) == (has_tour and is_known)


@pytest.mark.thorough
def test_construction_from_every_start_of_odd_boards():
    for rows, columns in product((5, 7, 9, 11, 13, 15, 17, 21, 23), repeat=2):
        for row, column in product(range(rows), range(columns)):
            if max(rows, columns) > 9 and (5 * row + 3 * column) % 17:
                continue  # a few of the starts are enough for the larger boards
            found = constructed(Knight(rows, columns, start=(row, column)))
            assert (found is not None) == ((row + column) % 2 == 0)


@pytest.mark.thorough
def test_construction_from_every_start_of_even_boards():
    for rows, columns in [(5, 6), (6, 6), (3, 10), (7, 8), (16, 5), (13, 12)]:
        for start in product(range(rows), range(columns)):
            for closed in (False, True):
                assert constructed(Knight(rows, columns, start, closed)) is not None


@pytest.mark.parametrize("seed", range(1, 20))
def test_construction_with_every_seed(seed):
    for rows, columns in [(6, 6), (14, 15), (13, 13), (21, 26), (40, 31)]:
        assert constructed(Knight(rows, columns), seed) is not None
    assert constructed(Knight(14, 16), seed) == constructed(Knight(14, 16), seed)
    assert constructed(Knight(14, 16), seed) != constructed(Knight(14, 16), 0)


@pytest.mark.parametrize(
    "puzzle",
    [Knight(100, 100), Knight(301, 205), Knight(3, 5000), Knight(3, 4999), Knight(200, 150)],
)
def test_large_boards(puzzle):
    assert constructed(puzzle) is not None


def test_construction_is_stopped(clock):
    clock.step_s = 0.01
    puzzle = Knight(2000, 1999)
    result = nonosat.solve(puzzle, time_limit_s=0.05)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "time limit of 0.05 s"


# Warnsdorff's rule


@pytest.mark.parametrize("rows", range(5, 30))
def test_the_rule_finds_open_tours(rows):
    result = nonosat.solve(Knight(rows, rows), backend="warnsdorff")
    assert result.verdict is Verdict.SOLVED


@pytest.mark.parametrize("columns", [5, 6, 7, 8, 11, 16, 50, 301])
def test_the_rule_serves_boards_of_four_rows(columns):
    result = nonosat.solve(Knight(4, columns))
    assert result.verdict is Verdict.SOLVED
    assert result.backend == "warnsdorff"


def test_the_rule_with_holes_and_closed():
    holes = ((0, 0), (0, 7), (7, 0), (7, 7), (3, 3), (3, 4))
    result = nonosat.solve(Knight(8, 8, closed=True, holes=holes), backend="warnsdorff")
    assert result.verdict is Verdict.SOLVED


# The exact search


def searched(rows: int, columns: int, **how: bool) -> list[tuple[int, ...]]:
    board = _core.KnightBoard(rows, columns, [])
    asked = {"closed": False, "halved": False, "guided": True, **how}
    search = _core.TourSearch(board, list(range(rows * columns)), [], **asked)
    found = []
    while search.next(10**9) == _core.TourOutcome.SOLUTION:
        found.append(tuple(array("i", search.path())))
    return found


@pytest.mark.parametrize("size", [(3, 4), (3, 3), (4, 4), (3, 7), (4, 5), (1, 1), (2, 3)])
@pytest.mark.parametrize("closed", [False, True])
def test_look_ahead_loses_nothing(size, closed):
    guided = searched(*size, closed=closed)
    assert len({*guided}) == len(guided)
    assert {*guided} == {*searched(*size, closed=closed, guided=False)}


def test_a_budget_interrupts_and_nothing_is_lost():
    board = _core.KnightBoard(5, 5, [])
    search = _core.TourSearch(board, list(range(25)), [], closed=False, halved=False, guided=True)
    outcomes = [search.next(100)]
    while outcomes[-1] != _core.TourOutcome.EXHAUSTED:
        outcomes.append(search.next(100))
    assert outcomes.count(_core.TourOutcome.SOLUTION) == 1728
    assert outcomes.count(_core.TourOutcome.BUDGET) > 300


def test_a_stopped_search_goes_on():
    board = _core.KnightBoard(6, 6, [])
    search = _core.TourSearch(board, [0], [], closed=True, halved=True, guided=True)
    number, stops = 0, iter(range(10**9))
    while True:
        outcome = search.next(10**9, None, lambda: next(stops) % 2 == 0)
        if outcome == _core.TourOutcome.EXHAUSTED:
            break
        number += outcome == _core.TourOutcome.SOLUTION
    assert number == 9862


@pytest.mark.parametrize(
    "call",
    [
        lambda: _core.KnightBoard(0, 5, []),
        lambda: _core.KnightBoard(5000, 5000, []),
        lambda: _core.KnightBoard(5, 5, [25]),
        lambda: _core.KnightBoard(5, 5, [3]).warnsdorff(3, False, _core.Ties.ORDER, 0),
        lambda: _core.knight_construct(5, 5, False, 25, 0),
        lambda: _core.TourSearch(
            _core.KnightBoard(5, 5, []), [0], [(0, 25)], closed=False, halved=False, guided=True
        ),
    ],
)
def test_native_code_refuses_squares_off_the_board(call):
    with pytest.raises((ValueError, IndexError)):
        call()


def test_numbering_of_an_open_path_from_either_end():
    path = list(array("i", _core.knight_construct(5, 5, False, 0, 0)))
    end = divmod(path[-1], 5)
    turned = tour_of(Knight(5, 5, given=((*end, 25),)), path[::-1])
    assert turned == tour_of(Knight(5, 5), path)
