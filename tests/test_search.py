"""The native search: regions that have nothing in common are searched apart."""

from __future__ import annotations

import nonosat
from nonosat.model import Block, Clue
from nonosat.puzzles.nonogram import Nonogram, mono

# No solution, which probing does not see: noise with two columns exchanged.
DOUBTFUL_ROWS = "3, 3 1 1, 3 2 1, 1 1, 1 1 1 1 1, 2 1 1, 1 1 1 2, 1 1 1 3, 2 2, 1 1 2, 1 3 1 1, 1 5"
DOUBTFUL_COLUMNS = (
    "1 1 1 2, 1 1 1 2, 3 1 1 1, 1 2 1, 1 3, 2 2, 2 2 2, 1 1 2 1, 2 1 2, 1 1 1 1, 1 3 1, 1 2"
)


def _clues(text: str) -> tuple[Clue, ...]:
    return tuple(tuple(Block(int(length)) for length in clue.split()) for clue in text.split(","))


def rooks(side: int) -> Nonogram:
    return mono([[1]] * side, [[1]] * side)


def diagonal(one: Nonogram, other: Nonogram) -> Nonogram:
    """Both, corner to corner; all cells beside them are given as empty."""
    height, width = one.height + other.height, one.width + other.width
    given = tuple(
        (row, column, 0)
        for row in range(height)
        for column in range(width)
        if (row < one.height) != (column < one.width)
    )
    return Nonogram(one.rows + other.rows, one.columns + other.columns, given=given)


def test_a_region_without_solution_ends_it_whatever_the_others_are() -> None:
    """Ten rooks stand in 3.6 million ways; the region behind them is not asked for each."""
    doubtful = Nonogram(_clues(DOUBTFUL_ROWS), _clues(DOUBTFUL_COLUMNS))
    for puzzle in (doubtful, diagonal(rooks(10), doubtful), diagonal(doubtful, rooks(10))):
        result = nonosat.check(puzzle, backend="search", time_limit_s=20)
        assert result.verdict is nonosat.Verdict.UNSOLVABLE
        assert result.stages[-1].detail["nodes"] < 500


def test_regions_are_multiplied_out() -> None:
    puzzle = diagonal(rooks(5), rooks(4))
    found = list(nonosat.solutions(puzzle, backend="search"))
    assert len(found) == len(set(found)) == 120 * 24
