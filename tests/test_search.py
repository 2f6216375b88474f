"""Native search: independent regions are searched separately."""

from __future__ import annotations

import random

import pytest

import nonosat
from nonosat import _core
from nonosat.board.presolve import PresolvedModel
from nonosat.core.grid import Grid
from nonosat.core.limits import Limits, Watch
from nonosat.core.model import Block, Clue
from nonosat.puzzles.nonogram import Nonogram, build, from_grid, mono

# No solution, which probing does not find: noise with two columns exchanged.
DOUBTFUL_ROWS = "3, 3 1 1, 3 2 1, 1 1, 1 1 1 1 1, 2 1 1, 1 1 1 2, 1 1 1 3, 2 2, 1 1 2, 1 3 1 1, 1 5"
DOUBTFUL_COLUMNS = (
    "1 1 1 2, 1 1 1 2, 3 1 1 1, 1 2 1, 1 3, 2 2, 2 2 2, 1 1 2 1, 2 1 2, 1 1 1 1, 1 3 1, 1 2"
)


def _clues(text: str) -> tuple[Clue, ...]:
    return tuple(tuple(Block(int(length)) for length in clue.split()) for clue in text.split(","))


def rooks(side: int) -> Nonogram:
    return mono([[1]] * side, [[1]] * side)


def diagonal(one: Nonogram, other: Nonogram) -> Nonogram:
    """Both boards, corner to corner; all other cells are given as empty."""
    height, width = one.height + other.height, one.width + other.width
    given = tuple(
        (row, column, 0)
        for row in range(height)
        for column in range(width)
        if (row < one.height) != (column < one.width)
    )
    return Nonogram(one.rows + other.rows, one.columns + other.columns, given=given)


def test_a_region_without_solution_ends_the_search() -> None:
    """Ten rooks have 3.6 million placements; the next region is not searched for each of them."""
    doubtful = Nonogram(_clues(DOUBTFUL_ROWS), _clues(DOUBTFUL_COLUMNS))
    for puzzle in (doubtful, diagonal(rooks(10), doubtful), diagonal(doubtful, rooks(10))):
        result = nonosat.check(puzzle, backend="search", time_limit_s=600)
        assert result.verdict is nonosat.Verdict.UNSOLVABLE
        assert result.stages[-1].detail["nodes"] < 500


def test_regions_are_multiplied_out() -> None:
    puzzle = diagonal(rooks(5), rooks(4))
    found = list(nonosat.solutions(puzzle, backend="search"))
    assert len(found) == len(set(found)) == 120 * 24


def noise(side: int, seed: int) -> Nonogram:
    rng = random.Random(seed)
    return from_grid(Grid(side, side, bytes(rng.randint(0, 1) for _ in range(side * side))))


def solutions_of(search: _core.Search, board: _core.Board) -> list[bytes]:
    found = []
    while len(found) < 3 and search.next(2**60) == _core.Outcome.SOLUTION:
        found.append(board.cells())
    return found


def test_a_search_uses_the_probing_of_presolve() -> None:
    """It finds the same in the same order, and branches without probing the whole board again."""
    for seed in range(6):
        task, watch = PresolvedModel.of(build(noise(25, seed))), Watch(Limits())
        assert task.propagate(watch)
        assert task.probe(watch)[0]
        boards = [task.board.copy(), task.board.copy()]
        searches = [_core.Search(boards[0]), _core.Search(boards[1], task.probers[-1])]
        found = [solutions_of(*pair) for pair in zip(searches, boards, strict=True)]
        assert found[0] == found[1] != []
        assert abs(searches[0].num_nodes - searches[1].num_nodes) < 9
        if task.num_open() > 100:
            short = [_core.Search(task.board.copy(), known) for known in (None, task.probers[-1])]
            for search in short:
                search.next(50_000)
            assert short[0].num_nodes == 0 < short[1].num_nodes


def test_a_prober_of_another_board_is_refused() -> None:
    task = PresolvedModel.of(build(noise(10, 1)))
    assert task.probe(Watch(Limits()))[0]
    (prober,) = task.probers
    assert task.copy().probers == [prober]  # its deductions hold for the copy
    for other in (PresolvedModel.of(build(noise(10, 2))), PresolvedModel.of(build(noise(10, 1)))):
        assert other.propagate(Watch(Limits()))
        with pytest.raises(ValueError, match="a copy of the prober's board"):
            _core.Search(other.board, prober)
    with pytest.raises(RuntimeError, match="in use"):
        _core.Search(task.board, prober)
