"""Comparison of functions' answers with ours, and messages about invalid answers."""

from __future__ import annotations

import re

import pytest

import nonosat
from helpers.disputed import (
    CLOSED,
    COLOURED,
    CORNER,
    LOOP,
    NATIVE,
    QUEENS,
    SWITCH,
    TOUR,
    WRONG,
    fails,
    solution,
)
from nonosat import Verdict
from nonosat.testing.agreement import assert_agrees
from nonosat.testing.claims import Claim
from nonosat.testing.solvers import called


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (7, "returned 7, expected a solution, or answers='unique' or 'count'"),
        (True, "returned True, expected a solution"),
        ("nonsense", "returned 'n' as a cell of row 1"),
        ([[2, 0], [0, 1]], "returned 2 as a cell of row 1, expected one of 0, 1"),
        ([[1, 0], [0]], "returned 2 rows of 1 or 2 cells, expected 2 rows of 2"),
        ([1, 0], "returned 1 as row 1, expected its cells"),
        (object, "returned <class 'object'>, expected a solution"),
    ],
)
def test_nonsense_is_a_failure_that_names_found_and_expected_values(answer, failure):
    text = fails(lambda puzzle: answer, SWITCH)
    assert "<lambda> failed: it " + failure in text


def test_exceptions_are_failures_with_their_place():
    def broken(puzzle):
        raise ValueError("no\nidea")

    assert re.search(
        r"broken failed: it raised ValueError: no idea \(line \d+ of ", fails(broken, SWITCH)
    )

    def leaves(puzzle):
        raise SystemExit(3)

    assert "leaves failed: it called sys.exit(3)" in fails(leaves, SWITCH)
    endless = called(lambda puzzle: endless(puzzle), name="endless")
    assert "endless failed: it raised RecursionError" in fails(endless, SWITCH)


@pytest.mark.real_time
def test_a_function_that_hangs_is_interrupted():
    def hangs(puzzle):
        while True:
            pass

    assert "hangs failed: it hung for more than 0.1 s" in fails(hangs, SWITCH, time_limit_s=0.1)


def test_an_endless_generator_is_stopped():
    grids = tuple(nonosat.solutions(SWITCH))

    def endless(puzzle):
        while True:
            yield from grids

    assert "its solution 3 is one that it has given before" in fails(endless, SWITCH)


def test_exceptions_of_hypothesis_are_not_caught():
    from hypothesis.errors import UnsatisfiedAssumption

    def assumes(puzzle):
        raise UnsatisfiedAssumption

    with pytest.raises(UnsatisfiedAssumption):
        assert_agrees(assumes, SWITCH)


@pytest.mark.parametrize(
    "answer",
    [
        "##\n.#",
        "XX\n-X\n",
        ["##", ".#"],
        [[1, 1], [0, 1]],
        [[True, True], [False, True]],
        ((1, 1), (0, 1)),
        [b"\1\1", b"\0\1"],
        b"\1\1\0\1",
        [b"\1\1\0\1"],
        {b"\1\1\0\1"},
        [[[1, 1], [0, 1]]],
        ["##\n.#"],
        iter([["##", ".#"]]),
        {"##\n.#"},
        Verdict.UNIQUE,
        "solved",
        "unknown",
        Claim(count=1),
        nonosat.check(CORNER),
        nonosat.count(CORNER),
        nonosat.solve(CORNER).solution,
    ],
)
def test_accepted_results_of_a_function(answer):
    assert_agrees(lambda puzzle: answer, CORNER, against=NATIVE)


def test_rows_of_a_board_of_one_row_are_one_solution():
    row = nonosat.nonogram([[1]], [[1], []])
    assert called(lambda puzzle: [b"\1\0"])(row) == Claim(Verdict.SOLVED, (solution(row),))
    assert called(lambda puzzle: {b"\1\0"})(row).verdict is Verdict.UNIQUE


def test_arrays_are_pictures():
    import numpy  # of OR-Tools

    array = numpy.array(solution(CORNER))
    assert_agrees(lambda puzzle: array, CORNER, against=NATIVE)
    assert_agrees(lambda puzzle: [array], CORNER, against=NATIVE)
    assert_agrees(lambda puzzle: numpy.bool_(True), CORNER, answers="unique", against=NATIVE)
    assert_agrees(lambda puzzle: numpy.int64(1), CORNER, answers="count", against=NATIVE)


@pytest.mark.parametrize("puzzle", [TOUR, CLOSED, QUEENS, LOOP, COLOURED])
def test_solutions_as_data(puzzle):
    from nonosat.core import families

    data = families.family_of(puzzle).solution_data(puzzle, solution(puzzle))
    assert_agrees(lambda puzzle: data, puzzle, against=NATIVE)
    assert_agrees(lambda puzzle: solution(puzzle), puzzle, against=NATIVE)
    if puzzle is not TOUR:
        assert_agrees(lambda puzzle: [data], puzzle, against=NATIVE)


@pytest.mark.parametrize(
    ("puzzle", "answer", "is_right"),
    [
        (CORNER, True, True),
        (CORNER, False, False),
        (SWITCH, True, False),
        (SWITCH, False, True),
        (WRONG, False, True),
        (WRONG, True, False),
    ],
)
def test_yes_or_no(puzzle, answer, is_right):
    if is_right:
        assert_agrees(lambda puzzle: answer, puzzle, answers="unique", against=NATIVE)
    else:
        assert "is wrong" in fails(lambda puzzle: answer, puzzle, answers="unique")
