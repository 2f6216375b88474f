"""Boards on which solvers are compared, and checks of the report on a board."""

from __future__ import annotations

import pytest

import nonosat
from nonosat.testing.agreement import assert_agrees

SWITCH = nonosat.nonogram([[1], [1]], [[1], [1]])
CORNER = nonosat.nonogram([[2], [1]], [[1], [2]])
WRONG = nonosat.nonogram([[2], []], [[1], []])  # unsolvable
ROOKS = nonosat.nonogram([[1]] * 4, [[1]] * 4)  # 24 solutions
COLOURED = nonosat.nonogram(
    [[(1, "r"), (1, "b")]], [[(1, "r")], [(1, "b")]], colours={"r": "#ff0000", "b": "#0000ff"}
)
BLOTTED = nonosat.nonogram([[None]], [[None], []])
LINE = nonosat.nonogram([[]], [[]] * 5)
TOUR = nonosat.Knight(3, 4, start=(0, 0))
CLOSED = nonosat.Knight(3, 3, holes=[(1, 1)], closed=True)
QUEENS = nonosat.Queens(6, given=[(0, 1)])
LOOP = nonosat.slitherlink(["33", ".."])
LOOPS = nonosat.slitherlink(["..", ".."])
UNIQUE = [CORNER, COLOURED, BLOTTED, LINE, CLOSED, QUEENS, LOOP]
MULTIPLE = [SWITCH, ROOKS, TOUR, LOOPS]
UNSOLVABLE = [WRONG, nonosat.Queens(3), nonosat.Knight(3, 3), nonosat.slitherlink(["0"])]

NATIVE = ("auto",)


def solution(puzzle):
    return nonosat.solve(puzzle).solution


def fails(solver, puzzle, **options) -> str:
    with pytest.raises(AssertionError) as caught:
        assert_agrees(solver, puzzle, **{"against": NATIVE, **options})
    return str(caught.value)
