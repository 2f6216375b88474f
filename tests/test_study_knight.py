"""The document's backtracking: its matrices, its calls, its slips."""

from __future__ import annotations

from array import array
from collections.abc import Generator

import pytest

import nonosat
from nonosat import _core
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import Limits, Watch
from nonosat.core.plugins import Ending
from nonosat.core.result import Verdict
from nonosat.puzzles.knight import Knight, tour_of
from nonosat.study.methods import knight_backtracking

MATRICES = {
    5: (
        8_840,
        """\
 1  6 15 10 21
14  9 20  5 16
19  2  7 22 11
 8 13 24 17  4
25 18  3 12 23""",
    ),
    6: (
        248_169,
        """\
 1 16  7 26 11 14
34 25 12 15  6 27
17  2 33  8 13 10
32 35 24 21 28  5
23 18  3 30  9 20
36 31 22 19  4 29""",
    ),
    7: (
        7_151_179,
        """\
 1 38 31  8 19 36 15
32 29 20 37 16  7 18
39  2 33 30  9 14 35
28 25 40 21 34 17  6
41 22  3 26 45 10 13
24 27 48 43 12  5 46
49 42 23  4 47 44 11""",
    ),
    8: (
        8_250_733,
        """\
 1 60 39 34 31 18  9 64
38 35 32 61 10 63 30 17
59  2 37 40 33 28 19  8
36 49 42 27 62 11 16 29
43 58  3 50 41 24  7 20
48 51 46 55 26 21 12 15
57 44 53  4 23 14 25  6
52 47 56 45 54  5 22 13""",
    ),
}


class Document:
    """The document's program, word for word except for its language."""

    X_MOVE = (2, 1, -1, -2, -2, -1, 1, 2)
    Y_MOVE = (1, 2, 2, 1, -1, -2, -2, -1)

    def __init__(self, n: int, unmarks_before_return: bool = False) -> None:
        self.n = n
        self.unmarks_before_return = unmarks_before_return
        self.matrix = [[-1] * n for _ in range(n)]
        self.matrix[0][0] = 1
        self.calls = 0

    def is_safe(self, x: int, y: int) -> bool:
        return 0 <= x <= self.n - 1 and 0 <= y <= self.n - 1

    def dfs(self, x: int, y: int, cnt: int) -> int:
        self.calls += 1
        if cnt == self.n * self.n:
            return 1
        for i in range(8):
            next_x, next_y = x + self.X_MOVE[i], y + self.Y_MOVE[i]
            if self.is_safe(next_x, next_y) and self.matrix[next_x][next_y] == -1:
                self.matrix[next_x][next_y] = cnt + 1
                if self.dfs(next_x, next_y, cnt + 1):
                    return 1
                if not self.unmarks_before_return:
                    self.matrix[next_x][next_y] = -1
        if self.unmarks_before_return:
            self.matrix[x][y] = -1
        return 0


def ended(run: Generator[object, None, Ending]) -> tuple[list[object], Ending]:
    found = []
    while True:
        try:
            found.append(next(run))
        except StopIteration as stop:
            return found, stop.value


@pytest.mark.thorough
@pytest.mark.parametrize("n", MATRICES)
def test_the_documents_matrices_and_calls(n):
    calls, matrix = MATRICES[n]
    result = nonosat.solve(Knight(n, n), backend="study:knight-backtracking")
    assert str(result.solution) == matrix
    board = _core.KnightBoard(n, n, [])
    search = _core.TourSearch(board, [0], [], closed=False, halved=False, guided=False)
    assert search.next(10**9) == _core.TourOutcome.SOLUTION
    assert search.num_calls == calls


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 6])
def test_the_documents_program_does_the_same(n):
    document = Document(n)
    assert document.dfs(0, 0, 1) == 1
    assert document.calls == MATRICES[n][0]
    solution = nonosat.solve(Knight(n, n), backend="study:knight-backtracking").solution
    assert solution.matrix() == document.matrix


@pytest.mark.parametrize(("n", "calls"), [(1, 1), (2, 1), (3, 15), (4, 2_223)])
def test_small_boards_and_their_calls(n, calls):
    document = Document(n)
    is_found = bool(document.dfs(0, 0, 1))
    run = knight_backtracking.solve(Knight(n, n, (0, 0)), Watch(Limits()))
    tours, ending = ended(run)
    assert document.calls == ending.detail["calls"] == calls
    assert bool(tours) == is_found == (n == 1)
    assert ending.exhausted


def test_all_tours_from_a_start():
    puzzle = Knight(5, 5, start=(2, 2))
    found = list(nonosat.solutions(puzzle, backend="study:knight-backtracking"))
    assert {*found} == {*nonosat.solutions(puzzle, backend="backtracking")}
    assert len(found) == 64


# Slips


def test_the_first_index_is_the_row():
    """The text calls x the column, the code takes it as the row: the matrix is not its mirror."""
    solution = nonosat.solve(Knight(5, 5), backend="study:knight-backtracking").solution
    assert solution[2, 1] == 2
    assert solution[1, 2] == 20
    assert solution.squares()[1] == (2, 1)


def test_a_failure_leaves_the_start_marked():
    """The variant that the document calls equivalent erases the start of a board without tour."""
    document, variant = Document(4), Document(4, unmarks_before_return=True)
    assert document.dfs(0, 0, 1) == variant.dfs(0, 0, 1) == 0
    assert document.matrix[0][0] == 1
    assert variant.matrix[0][0] == -1
    result = nonosat.solve(Knight(4, 4, (0, 0)), backend="study:knight-backtracking")
    assert result.verdict is Verdict.UNSOLVABLE
    assert result.puzzle.start == (0, 0)


def test_a_hopeless_start_is_not_searched():
    """From the smaller colour of an odd board the document's search would not end."""
    result = nonosat.solve(Knight(7, 7, (0, 1)), backend="study:knight-backtracking")
    assert result.verdict is Verdict.UNSOLVABLE
    assert "25 squares of one colour" in result.reason


@pytest.mark.parametrize(
    ("puzzle", "message"),
    [
        (Knight(9, 9), "81 squares, expected at most 64: 8 x 8 take 8,250,733 calls"),
        (Knight(6, 6, closed=True), "closed tours, holes and given numbers are beyond it"),
        (Knight(6, 6, holes=((0, 0),)), "closed tours, holes and given numbers are beyond it"),
        (Knight(6, 6, given=((3, 3, 36),)), "closed tours, holes and given numbers are beyond it"),
    ],
)
def test_boards_beyond_the_method_are_refused(puzzle, message):
    with pytest.raises(UnsupportedError, match=message):
        nonosat.solve(puzzle, backend="study:knight-backtracking")


def test_another_start_than_the_corner_may_have_a_tour():
    found, ending = ended(knight_backtracking.solve(Knight(3, 3), Watch(Limits())))
    assert found == []
    assert not ending.exhausted
    assert "corner" in ending.reason


@pytest.mark.slow
def test_the_first_tour_from_every_square_of_a_board():
    for start in range(25):
        board = _core.KnightBoard(5, 5, [])
        search = _core.TourSearch(board, [start], [], closed=False, halved=False, guided=False)
        outcome = search.next(10**9)
        is_even = sum(divmod(start, 5)) % 2 == 0
        assert (outcome == _core.TourOutcome.SOLUTION) == is_even
        if is_even:
            tour = tour_of(Knight(5, 5), list(array("i", search.path())))
            assert tour.numbers[start] == 1
