"""Knight's tours: data, theorems, verifier, numbering, known counts, limits."""

from __future__ import annotations

import pickle
import re
from itertools import product

import pytest
from hypothesis import given

import nonosat
from helpers.drawing import examples
from nonosat.core.errors import PuzzleError, UnsupportedError
from nonosat.core.result import Verdict
from nonosat.formats import jsonl
from nonosat.puzzles import knight
from nonosat.puzzles.knight import (
    Knight,
    Tour,
    build,
    from_data,
    obstacle,
    refutation,
    to_data,
    tour_of,
)
from nonosat.puzzles.knight.ring import SubTour
from nonosat.puzzles.knight.theorems import has_closed_tour, has_open_tour, least_moves
from nonosat.testing.boards import knight_solutions
from nonosat.testing.strategies import knights

FIVE = Tour(
    5,
    5,
    (1, 6, 15, 10, 21, 14, 9, 20, 5, 16, 19, 2, 7, 22, 11, 8, 13, 24, 17, 4, 25, 18, 3, 12, 23),
)

# Data


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rows": 0, "columns": 5}, "0 rows, expected at least 1"),
        ({"rows": 5, "columns": -3}, "-3 columns, expected at least 1"),
        ({"rows": True, "columns": 5}, "True rows"),
        ({"rows": 3000, "columns": 3000}, "9000000 squares, expected at most 4000000"),
        (
            {"start": (5, 0)},
            "the start in row 6, column 1 is outside the board of 5 rows x 5 columns",
        ),
        ({"start": (0,)}, r"the start is \(0,\), expected \(row, column\)"),
        ({"start": (0, 1), "holes": ((0, 1),)}, "the start in row 1, column 2 is on a hole"),
        ({"holes": ((0, 9),)}, "the hole in row 1, column 10 is outside"),
        ({"holes": tuple(product(range(5), range(5)))}, "every square of the board is a hole"),
        ({"holes": "ab"}, "holes is 'ab', expected a list"),
        ({"given": ((1, 1, 26),)}, "the given number 26 in row 2, column 2, expected 1 to 25"),
        ({"given": ((1, 1, 0),)}, "the given number 0"),
        (
            {"given": ((1, 1, 3), (1, 1, 5))},
            "the square in row 2, column 2 has the numbers 3 and 5",
        ),
        ({"given": ((1, 1, 3), (0, 0, 3))}, "the number 3 is given twice"),
        (
            {"given": ((1, 1, 1),), "start": (0, 0)},
            "the number 1 is given twice: to row 2, column 2 and to row 1, column 1",
        ),
        ({"given": ((1, 1, 2), (2, 3, "4"))}, r"expected \(row, column, number\)"),
        ({"closed": 1}, "closed is 1, expected True or False"),
    ],
)
def test_invalid_boards_are_refused(fields, message):
    with pytest.raises(PuzzleError, match=message):
        Knight(**{"rows": 5, "columns": 5, **fields})


def test_data_have_one_form():
    one = Knight(4, 5, given=((3, 4, 9), (0, 0, 1), (0, 0, 1)), holes=([1, 1], (1, 1)))
    other = Knight(4, 5, start=(0, 0), given=((3, 4, 9),), holes=((1, 1),))
    assert one == other
    assert hash(one) == hash(other)
    assert one.numbered == ((0, 0, 1), (3, 4, 9))
    assert pickle.loads(pickle.dumps(one)) == one
    assert str(one) == "knight's tour: 4 rows x 5 columns, 1 hole"
    assert str(one.about_with(title="Ring")) == "Ring: 4 rows x 5 columns, 1 hole"


@examples(50)
@given(puzzle=knights())
def test_json_holds_all_data(puzzle):
    assert from_data(to_data(puzzle)) == puzzle
    named = puzzle.about_with(id="a", title="b")
    assert jsonl.read(jsonl.write([named])) == [named]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"rows": 5}, "'columns' is missing"),
        ({"rows": 5, "columns": 5, "start": 3}, "the start is 3"),
    ],
)
def test_json_that_describes_no_board(data, message):
    with pytest.raises(PuzzleError, match=message):
        from_data(data)


def test_tours_are_matrices():
    assert FIVE[1, 1] == 9
    assert FIVE.squares()[:3] == [(0, 0), (2, 1), (4, 2)]
    assert FIVE.matrix()[0] == [1, 6, 15, 10, 21]
    assert str(FIVE).splitlines()[0] == " 1  6 15 10 21"
    mirrored = Tour(5, 5, tuple(number for row in FIVE.matrix() for number in row[::-1]))
    assert len(FIVE.differences(mirrored)) == 20
    assert FIVE.differences(FIVE) == []
    with pytest.raises(IndexError, match="outside 5 rows"):
        FIVE[5, 0]
    with pytest.raises(ValueError, match="different sizes"):
        FIVE.differences(Tour(1, 1, (1,)))
    with pytest.raises(PuzzleError, match="3 numbers, expected 4"):
        Tour(2, 2, (1, 2, 3))


# The verifier


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, None),
        ({"start": (0, 0)}, None),
        ({"start": (4, 0)}, "to start in row 5, column 1, which has the number 25"),
        ({"given": ((2, 1, 2), (4, 0, 25))}, None),
        ({"given": ((2, 1, 4),)}, "row 3, column 2 has the number 2, but 4 is given"),
        ({"holes": ((2, 2),)}, r"expected 1 to 24|is a hole and has the number 7"),
        (
            {"closed": True},
            "from number 25 in row 5, column 1 to number 1 in row 1, column 1 is not a knight's",
        ),
        ({"columns": 6}, "the puzzle on 5 rows x 6 columns"),
    ],
)
def test_the_verifier_on_the_documents_tour(fields, message):
    found = refutation(Knight(**{"rows": 5, "columns": 5, **fields}), FIVE)
    assert found is None if message is None else re.search(message, found)


def test_every_change_of_a_tour_is_refuted():
    puzzle = Knight(5, 5)
    for one, other in product(range(25), repeat=2):
        numbers = list(FIVE.numbers)
        numbers[one] = numbers[other]
        assert (refutation(puzzle, Tour(5, 5, tuple(numbers))) is None) == (one == other)
        numbers[other] = FIVE.numbers[one]
        is_same = refutation(puzzle, Tour(5, 5, tuple(numbers))) is None
        assert is_same == (one == other)


def test_two_squares_are_no_closed_tour():
    holes = tuple(
        square for square in product(range(2), range(3)) if square not in {(0, 0), (1, 2)}
    )
    puzzle = Knight(2, 3, closed=True, holes=holes)
    assert "at least 4" in refutation(puzzle, Tour(2, 3, (1, 0, 0, 0, 0, 2)))
    assert "4 squares at least" in obstacle(puzzle)


@examples(50)
@given(puzzle=knights())
def test_the_verifier_accepts_enumerated_tours(puzzle):
    for tour in knight_solutions(puzzle):
        assert refutation(puzzle, tour) is None


# Theorems


@pytest.mark.slow
def test_existence_agrees_with_engines_on_all_boards_up_to_7_x_10(monkeypatch):
    """The engines do not use the theorems; clauses take minutes to refute what parity refutes."""
    monkeypatch.setitem(vars(knight.PLUGIN), "obstacle", lambda puzzle: None)
    for rows, columns, closed in product(range(1, 8), range(1, 11), (False, True)):
        puzzle = Knight(rows, columns, closed=closed)
        says = (has_closed_tour if closed else has_open_tour)(rows, columns)
        assert (obstacle(puzzle) is None) == says
        backend = "cpsat" if closed and rows * columns % 2 else "learn"
        result = nonosat.solve(puzzle, backend=backend)
        assert result.verdict is (Verdict.SOLVED if says else Verdict.UNSOLVABLE)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"rows": 7, "columns": 7, "closed": True}, "25 squares of one colour and 24 of the other"),
        ({"rows": 4, "columns": 8, "closed": True}, "theorem of Schwenk"),
        ({"rows": 3, "columns": 8, "closed": True}, "theorem of Schwenk"),
        ({"rows": 2, "columns": 8}, "theorem of Cull"),
        ({"rows": 4, "columns": 4}, "theorem of Cull"),
        (
            {"rows": 7, "columns": 7, "start": (0, 1)},
            "but the square in row 1, column 2 has the number 1",
        ),
        ({"rows": 5, "columns": 5, "holes": ((0, 1), (0, 3))}, "alternate in colour"),
        ({"rows": 6, "columns": 6, "start": (0, 0), "given": ((0, 1, 5),)}, "an odd number"),
        ({"rows": 9, "columns": 9, "start": (0, 0), "given": ((8, 8, 5),)}, "at least 6"),
        (
            {"rows": 6, "columns": 6, "given": ((0, 0, 3), (0, 1, 4))},
            "there is 1 move, but the knight's way takes at least 3",
        ),
        ({"rows": 6, "columns": 6, "closed": True, "given": ((0, 0, 36), (5, 5, 2))}, "at least 4"),
        ({"rows": 3, "columns": 3}, "theorem of Cull"),
        ({"rows": 3, "columns": 4, "holes": ((2, 1), (1, 1))}, "a tour has two ends"),
        (
            {"rows": 3, "columns": 4, "holes": ((2, 1), (1, 1)), "closed": True},
            "from row 1, column 1 the tour needs 2 moves, there is only 1",
        ),
    ],
)
def test_reasons_that_need_no_search(fields, reason):
    result = nonosat.solve(Knight(**fields))
    assert result.verdict is Verdict.UNSOLVABLE
    assert reason in result.reason
    assert result.backend == "sight"


@pytest.mark.slow
@examples(30)
@given(puzzle=knights())
def test_reasons_are_right(puzzle):
    if obstacle(puzzle) is not None:
        assert knight_solutions(puzzle) == []


def test_distances_on_a_board_without_edges():
    reached = {(0, 0): 0}
    waiting = [(0, 0)]
    for row, column in waiting:
        for down, right in product((-2, -1, 1, 2), repeat=2):
            there = (row + down, column + right)
            if abs(down) != abs(right) and there not in reached and max(map(abs, there)) < 25:
                reached[there] = reached[row, column] + 1
                waiting.append(there)
    near = [square for square in reached if max(map(abs, square)) < 12]
    assert len(near) == 23 * 23
    assert all(least_moves(*square) == reached[square] for square in near)


# Numbers of closed tours


def test_a_closed_tour_is_numbered_from_its_given_numbers():
    ring = [0, 9, 3, 10, 2, 11, 1, 8]  # not checked by `tour_of`
    bare = tour_of(Knight(3, 4, closed=True), ring)
    assert bare.numbers[0] == 1
    assert bare.numbers[8] == 2  # the lower of the two squares next to the first
    for turn in range(8):
        for way in (1, -1):
            path = (ring[turn:] + ring[:turn])[::way]
            assert tour_of(Knight(3, 4, closed=True), path) == bare
            three = tour_of(Knight(3, 4, closed=True, given=((0, 3, 3),)), path)
            assert three.numbers[3] == 3
            both = tour_of(Knight(3, 4, closed=True, given=((0, 3, 3), (2, 2, 4))), path)
            assert (both.numbers[3], both.numbers[10]) == (3, 4)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["auto", "backtracking", "learn"])
def test_a_start_turns_a_closed_tour(backend):
    for start in ((0, 0), (2, 3), (5, 5)):
        tour = nonosat.solve(Knight(6, 6, start=start, closed=True), backend=backend).solution
        assert tour[start] == 1


# Known counts


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rows", "columns", "closed", "number"),
    [
        (1, 1, False, 1),
        (3, 4, False, 16),
        (3, 7, False, 104),
        (4, 5, False, 164),
        (5, 5, False, 1728),
        (5, 6, True, 8),
        (3, 10, True, 16),
        (6, 6, True, 9862),
    ],
)
def test_known_counts(rows, columns, closed, number):
    found = list(nonosat.solutions(Knight(rows, columns, closed=closed)))
    assert len(found) == len({*found}) == number


def test_counts_by_an_engine():
    assert len(list(nonosat.solutions(Knight(3, 4), backend="learn"))) == 16
    assert len(list(nonosat.solutions(Knight(4, 5), backend="cadical195"))) == 164
    assert len(list(nonosat.solutions(Knight(5, 6, closed=True), backend="learn"))) == 8
    corner = Knight(5, 5, start=(0, 0))
    assert len(list(nonosat.solutions(corner, backend="learn"))) == 304


# Verdicts and limits


def test_completion_of_given_numbers_is_unique_or_not():
    whole = nonosat.solve(Knight(8, 8)).solution
    every = [(row, column, whole[row, column]) for row, column in product(range(8), repeat=2)]
    half = Knight(8, 8, given=tuple(every[::2]))
    result = nonosat.check(half)
    assert result.verdict in (Verdict.UNIQUE, Verdict.MULTIPLE)
    assert nonosat.solve(Knight(8, 8, given=tuple(every))).solution == whole


@pytest.mark.parametrize("closed", [False, True])
def test_numbers_far_apart_on_larger_boards(closed):
    """Long segments, whose squares have one label."""
    puzzle = Knight(14, 14, closed=closed, given=((0, 0, 1), (7, 7, 99)))
    tour = nonosat.solve(puzzle).solution
    assert tour[7, 7] == 99


def test_a_start_without_a_tour_on_an_even_board_is_refuted():
    for backend in ("auto", "learn", "backtracking"):
        result = nonosat.solve(Knight(4, 6, start=(1, 1)), backend=backend)
        assert result.verdict is Verdict.UNSOLVABLE
        assert "attempts" not in result.reason


def test_heuristics_never_deny_a_tour():
    puzzle = Knight(4, 6, start=(1, 1))
    for backend in ("construction", "warnsdorff"):
        result = nonosat.solve(puzzle, backend=backend)
        assert result.verdict is Verdict.UNKNOWN
        assert result.reason
    numbers = Knight(6, 6, start=(0, 0), given=((3, 3, 9),))
    for backend in ("construction", "warnsdorff"):
        assert "given number" in nonosat.solve(numbers, backend=backend).reason


@pytest.mark.slow
def test_boards_too_large_for_engines_are_refused():
    with pytest.raises(
        UnsupportedError, match="choose one with backend=: construction, warnsdorff"
    ):
        nonosat.solve(Knight(600, 600), backend="learn")
    distant = tuple((row, 0, 1 + 200 * row) for row in range(0, 100, 2))
    with pytest.raises(UnsupportedError, match="too many ways of placing"):
        build(Knight(250, 250, given=distant))


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["learn", "backtracking"])
def test_limits_hold(clock, backend):
    clock.step_s = 0.05
    puzzle = Knight(30, 30, given=((0, 0, 1), (15, 15, 401), (20, 21, 522)))
    result = nonosat.solve(puzzle, backend=backend, time_limit_s=1)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "time limit of 1 s"


def test_a_part_of_several_squares_does_not_begin_and_end_on_one() -> None:
    """For example, if the tour begins on the only square next to a passage."""
    moves = {0: [1], 1: [0, 2], 2: [1]}
    one = SubTour(moves, frozenset({1}), frozenset({0}), frozenset({0}))
    assert one.by_colour() is None
    assert one._replace(ends=frozenset({0, 2})).by_colour() == (frozenset({0}), frozenset({0, 2}))
    assert SubTour({0: []}, frozenset(), frozenset({0}), frozenset({0})).by_colour() is not None
