"""Board of the verifiers in plain Python: it loses no solution, and its lines are complete."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helpers.drawing import examples
from nonosat.certify.plain_board import PlainBoard
from nonosat.puzzles.nonogram.data import Nonogram, mono
from nonosat.testing.oracles import line_support, solutions
from nonosat.testing.strategies import puzzles


def values(board: PlainBoard, row: int, column: int) -> set[int]:
    """Return the possible values of a cell, on which its row and its column have to agree."""
    by_row = {v for v in range(board.num_values) if board.may[row][v] >> column & 1}
    assert by_row == {
        v for v in range(board.num_values) if board.may[board.height + column][v] >> row & 1
    }
    return by_row


def assert_complete(board: PlainBoard, puzzle: Nonogram) -> None:
    """Check by enumeration that each value of each cell has support in its row and column."""
    cells = [[values(board, r, c) for c in range(board.width)] for r in range(board.height)]
    lines = [*zip(puzzle.rows, cells, strict=True)]
    lines += zip(puzzle.columns, map(list, zip(*cells, strict=True)), strict=True)
    for clue, known in lines:
        support = line_support(clue, [frozenset(one) for one in known])
        assert support is not None
        assert [set(one) for one in support.values] == known


@given(puzzles(max_cells=20, max_colours=2), st.data())
@examples(30)
def test_no_solution_is_lost_and_nothing_without_support_is_kept(
    puzzle: Nonogram, data: st.DataObject
) -> None:
    every = solutions(puzzle, 10_000)
    board = PlainBoard(puzzle, lambda: None)
    if not board.propagate():
        assert not every
        return
    assert_complete(board, puzzle)
    before = [[*may] for may in board.may]
    row = data.draw(st.integers(0, puzzle.height - 1))
    column = data.draw(st.integers(0, puzzle.width - 1))
    at = row * puzzle.width + column
    for value in range(board.num_values):
        for holds in (True, False):
            left = [one for one in every if (one[at] == value) == holds]
            told = board.with_literal(row, column, value, holds=holds)
            assert board.may == before
            if told is None:
                assert not left
                continue
            assert_complete(told, puzzle)
            for one in left:
                for cell, found in enumerate(one):
                    assert found in values(told, *divmod(cell, puzzle.width))
    if not board.probe([(row, column)]):
        assert not every
        return
    assert_complete(board, puzzle)
    for one in every:
        for cell, found in enumerate(one):
            assert found in values(board, *divmod(cell, puzzle.width))


def test_probing_decides_what_lines_leave_open() -> None:
    puzzle = mono([[2, 1], [2], [1], [2, 1], [1]], [[1], [1, 2], [1], [2, 1], [1, 1]])
    (solution,) = solutions(puzzle, 2)
    board = PlainBoard(puzzle, lambda: None)
    assert board.propagate()
    assert not board.is_decided()
    cells = [divmod(cell, puzzle.width) for cell in range(len(solution))]
    while not board.is_decided():
        before = [[*may] for may in board.may]
        assert board.probe(cells)
        assert board.may != before
    assert [values(board, *cell) for cell in cells] == [{value} for value in solution]


def test_a_contradiction_returns_none() -> None:
    puzzle = mono([[1], [1]], [[1], [1]])
    board = PlainBoard(puzzle, lambda: None)
    assert board.propagate()
    assert not board.is_decided()
    told = board.with_literal(0, 0, 1, holds=True)
    assert told is not None
    assert told.is_decided()
    assert told.with_literal(1, 1, 0, holds=True) is None
    assert told.with_literal(1, 1, 1, holds=False) is None
    assert not PlainBoard(mono([[2], []], [[1], []]), lambda: None).propagate()
