"""Local search: its tours, and reports that there is none, against checks of this file's own."""

from __future__ import annotations

import random
from array import array
from itertools import pairwise, product

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import examples
from nonosat import _core
from nonosat.core.result import Verdict
from nonosat.puzzles.knight import Knight, Tour, methods
from nonosat.puzzles.knight.graph import Squares
from nonosat.puzzles.knight.theorems import obstacle
from nonosat.testing.boards import knight_solutions
from nonosat.testing.strategies import knights

STEPS = {(1, 2), (2, 1)}
EXHAUSTED, BUDGET = _core.TourOutcome.EXHAUSTED, _core.TourOutcome.BUDGET


def is_solution(puzzle: Knight, tour: Tour) -> bool:
    """True if every square but holes is visited once, by knight's moves, with the given numbers."""
    where = {}
    for row in range(puzzle.rows):
        for column in range(puzzle.columns):
            if (row, column) not in puzzle.holes:
                where[tour[row, column]] = (row, column)
            elif tour[row, column] != 0:
                return False
    path = [where.get(number) for number in range(1, puzzle.num_squares + 1)]
    if None in path or len(where) != len(path):
        return False
    moves = [*pairwise(path), *([(path[-1], path[0])] if puzzle.closed else [])]
    return all((abs(a - c), abs(b - d)) in STEPS for (a, b), (c, d) in moves) and all(
        where[number] == (row, column) for row, column, number in puzzle.numbered
    )


def holding(whole: Knight, keep: int, seed: int = 0) -> Knight:
    """Board of `whole` with one number in `keep` of a tour by Warnsdorff's rule."""
    tour = nonosat.solve(whole, backend="warnsdorff", seed=seed).solution
    numbers = [(*square, number) for number, square in enumerate(tour.squares(), start=1)]
    return Knight(
        whole.rows,
        whole.columns,
        closed=whole.closed,
        holes=whole.holes,
        given=tuple(numbers[seed % keep :: keep]),
    )


def searched(puzzle: Knight, **options: object) -> nonosat.Result:
    return nonosat.solve(puzzle, backend="local-search", **options)


HOLES = ((0, 0), (3, 4), (5, 5), (9, 2))
BOARDS = [
    Knight(5, 5),
    Knight(3, 10),
    Knight(8, 8),
    Knight(6, 6, closed=True),
    Knight(10, 9, closed=True),
    Knight(12, 12, closed=True),
    Knight(10, 10, holes=HOLES),
    Knight(10, 10, holes=HOLES, closed=True),
]


@pytest.mark.thorough
@pytest.mark.parametrize("keep", [1, 2, 4, 7])
@pytest.mark.parametrize("whole", BOARDS)
def test_tours_hold(whole, keep):
    for seed in range(3):
        puzzle = holding(whole, keep, seed)
        result = searched(puzzle, seed=seed)
        assert result.verdict is Verdict.SOLVED
        assert is_solution(puzzle, result.solution)
        assert searched(puzzle, seed=seed).solution == result.solution


def test_a_single_given_number():
    for number in (1, 13, 25):
        puzzle = Knight(5, 5, given=((2, 2, number),))
        assert is_solution(puzzle, searched(puzzle).solution)
    puzzle = Knight(6, 6, closed=True, given=((1, 2, 30),))
    assert is_solution(puzzle, searched(puzzle).solution)


@examples(90)
@given(puzzle=knights())
def test_search_agrees_with_enumeration(puzzle):
    """On such small boards an exhaustive check decides."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(methods, "SEARCH_WORK", 0)
        result = searched(puzzle)
    every = knight_solutions(puzzle)
    if not puzzle.numbered:
        assert result.verdict is not Verdict.SOLVED
    elif every:
        assert result.solution in every
    else:
        assert result.verdict is Verdict.UNSOLVABLE


def test_boards_without_a_tour():
    """Numbers of two tours that no tour has together, and walks that need squares which are not
    free.
    """
    square = Knight(6, 6, given=((0, 0, 1), (1, 2, 2), (2, 4, 3), (3, 1, 36), (2, 1, 35)))
    walled = Knight(5, 5, given=((0, 0, 1), (1, 2, 4), (2, 1, 25)))
    for puzzle in (square, walled):
        assert nonosat.solve(puzzle, backend="backtracking").verdict is Verdict.UNSOLVABLE
        board = _core.KnightBoard(puzzle.rows, puzzle.columns, [])
        assert board.complete(fixed(puzzle), False, 0, 0) == (EXHAUSTED, b"")
        assert nonosat.solve(puzzle).verdict is Verdict.UNSOLVABLE


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (Knight(8, 8), "60 numbers between them at most"),
        (Knight(1, 1), "60 numbers between them at most"),
        (Knight(20, 20, given=((0, 0, 1), (7, 8, 100))), "60 numbers between them at most"),
        (Knight(101, 100, given=((0, 0, 1),)), "at most 10000 squares"),
    ],
)
def test_inputs_that_it_refuses(puzzle, reason):
    result = searched(puzzle)
    assert result.verdict is Verdict.UNKNOWN
    assert reason in result.reason


def test_a_row_of_squares():
    assert nonosat.solve(Knight(1, 1, given=((0, 0, 1),))).solution[0, 0] == 1
    for columns in (2, 5, 9):
        result = nonosat.solve(Knight(1, columns, given=((0, 0, 1),)))
        assert result.verdict is Verdict.UNSOLVABLE


def test_other_tours_follow_the_first(monkeypatch):
    """`check` takes the tour that was found, and an engine decides if there is another."""
    monkeypatch.setattr(methods, "FIRST_STEPS", 1)
    puzzle = holding(Knight(8, 8), 3)
    result = nonosat.check(puzzle)
    assert result.verdict in (Verdict.UNIQUE, Verdict.MULTIPLE)
    assert all(is_solution(puzzle, tour) for tour in result.solutions)
    assert len({*result.solutions}) == (2 if result.verdict is Verdict.MULTIPLE else 1)


def found(answer: tuple[_core.TourOutcome, bytes]) -> array[int]:
    """Squares of a tour."""
    outcome, places = answer
    assert outcome == _core.TourOutcome.SOLUTION
    return array("i", places)


def fixed(puzzle: Knight) -> list[tuple[int, int]]:
    return [(row * puzzle.columns + column, k - 1) for row, column, k in puzzle.numbered]


def test_work_ends_with_its_budget_and_when_it_is_stopped():
    puzzle = holding(Knight(30, 30), 15)
    board = _core.KnightBoard(30, 30, [])
    assert board.complete(fixed(puzzle), False, 0, 0) == (BUDGET, b"")
    assert board.complete(fixed(puzzle), False, 0, 10**12, None, lambda: True) is None
    assert board.complete(fixed(puzzle), False, 0, 10**12, 0.01) is None


def mixed(side: int, seed: int) -> list[tuple[int, int]]:
    """One number in four of a tour drawn by a random walk over tours, which is hard to find.

    The walk's step: the last square goes to any square a move away, and the part after that one is
    reversed (the "backbite" of Mansfield 1982).
    """
    draw, squares = random.Random(seed), Squares(Knight(side, side))
    tour = nonosat.solve(Knight(side, side), backend="warnsdorff", seed=seed).solution
    path = sorted(squares.places, key=lambda place: tour[divmod(place, side)])
    for step in range(20 * side**2):
        if step % 2:
            path.reverse()
        turn = path.index(draw.choice(squares.near(path[-1]))) + 1
        path[turn:] = path[turn:][::-1]
    return [(place, step) for step, place in enumerate(path) if draw.random() < 0.25]


@pytest.mark.thorough
def test_beliefs_lead_to_tours():
    """Without beliefs these need more than twice the work."""
    for side, seed in ((15, 1), (20, 2), (25, 1)):
        board, numbers = _core.KnightBoard(side, side, []), mixed(side, seed)
        path = found(board.complete(numbers, False, 0, 10**9))
        near = Squares(Knight(side, side)).near
        assert sorted(path) == [*range(side * side)]
        assert all(other in near(one) for one, other in pairwise(path))
        assert all(path[step] == place for place, step in numbers)


@pytest.mark.thorough
def test_large_boards_are_refuted_before_a_search():
    """Two numbers are exchanged; an engine confirms the refutation."""
    refuted = 0
    for side, seed in product((10, 12, 18), range(4)):
        puzzle = twisted(side, seed)
        outcome, _ = _core.KnightBoard(side, side, []).complete(fixed(puzzle), False, 0, 0)
        if outcome == EXHAUSTED:
            refuted += 1
            assert nonosat.solve(puzzle, backend="cadical195").verdict is Verdict.UNSOLVABLE
            result = searched(puzzle)
            assert result.verdict is Verdict.UNSOLVABLE
            assert result.reason == "no squares are left that fit all numbers between given ones"
    assert refuted > 3


def twisted(side: int, seed: int) -> Knight:
    """One number in four of a tour, with two of them exchanged; no obvious contradiction."""
    draw, numbers = random.Random(seed), mixed(side, seed)
    while True:
        one = draw.randrange(len(numbers) - 3)
        other = one + draw.randrange(1, 4)
        (place, step), (there, then) = numbers[one], numbers[other]
        changed = {one: (there, step), other: (place, then)}
        given_ = [changed.get(at, number) for at, number in enumerate(numbers)]
        puzzle = Knight(side, side, given=tuple((*divmod(p, side), k + 1) for p, k in given_))
        if not obstacle(puzzle):
            return puzzle


def test_walks_of_open_boards_begin_and_end_anywhere():
    board = _core.KnightBoard(6, 6, [])
    for place, step in ((0, 0), (0, 35), (14, 10), (14, 20)):
        path = found(board.complete([(place, step)], False, 3, 10**9))
        squares = Squares(Knight(6, 6))
        assert sorted(path) == squares.places
        assert path[step] == place
        assert all(other in squares.near(one) for one, other in pairwise(path))


@pytest.mark.parametrize(
    "given_", [[], [(0, 25)], [(0, -1)], [(25, 0)], [(3, 3)], [(0, 1), (0, 2)], [(0, 1), (1, 1)]]
)
def test_native_code_refuses_invalid_arguments(given_):
    with pytest.raises((ValueError, IndexError)):
        _core.KnightBoard(5, 5, [3]).complete(given_, False, 0, 10**6)
