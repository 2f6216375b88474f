"""Slitherlinks of a grade, and with symmetric clues."""

from __future__ import annotations

import pytest

import nonosat
from helpers.clocks import Clock
from nonosat import generate_slitherlink, is_unique, rate
from nonosat.core.errors import LimitReached, PuzzleError
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink


@pytest.mark.thorough
@pytest.mark.parametrize("grade", range(1, 8))
@pytest.mark.parametrize("seed", [1, 2])
def test_boards_have_the_requested_grade(grade: int, seed: int) -> None:
    puzzle = generate_slitherlink(6, 6, 0.4, seed, grade=grade)
    assert int(rate(puzzle).difficulty) == grade
    assert is_unique(puzzle)
    assert puzzle == generate_slitherlink(6, 6, 0.4, seed, grade=grade)


def has_clues(puzzle: Slitherlink) -> list[list[bool]]:
    clues = [clue != BLANK for clue in puzzle.clues]
    return [clues[at : at + puzzle.width] for at in range(0, len(clues), puzzle.width)]


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(6, 6), (5, 7), (4, 5)])
@pytest.mark.parametrize("seed", range(3))
def test_clues_are_symmetric(size: tuple[int, int], seed: int) -> None:
    for grade in (None, 5):
        turned = generate_slitherlink(*size, 0.5, seed, symmetric="rotation", grade=grade)
        rows = has_clues(turned)
        assert rows == [row[::-1] for row in rows[::-1]]
        mirrored = generate_slitherlink(*size, 0.5, seed, symmetric="mirror", grade=grade)
        rows = has_clues(mirrored)
        assert rows == [row[::-1] for row in rows]
        assert is_unique(turned)
        assert is_unique(mirrored)


@pytest.mark.thorough
def test_the_share_is_met_if_symmetry_and_grade_allow_it() -> None:
    puzzle = generate_slitherlink(10, 10, 0.5, 3, symmetric="rotation")
    assert puzzle.num_clues == 50
    easy = generate_slitherlink(10, 10, 0.3, 3, grade=1)
    hard = generate_slitherlink(10, 10, 0.3, 3, grade=6)
    assert easy.num_clues > hard.num_clues


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"grade": 0}, "grade is 0, expected 1 to 7"),
        ({"grade": 8}, "grade is 8, expected 1 to 7"),
        ({"grade": "2"}, "grade is '2', expected 1 to 7"),
        ({"symmetric": "point"}, "symmetric is 'point', expected '', 'rotation' and 'mirror'"),
    ],
)
def test_unknown_options_are_refused(asked: dict[str, object], told: str) -> None:
    with pytest.raises(PuzzleError, match=told):
        generate_slitherlink(4, 4, **asked)


def test_no_board_of_a_cell_is_hard() -> None:
    with pytest.raises(PuzzleError, match="none of 200 boards of 1 x 2 cells is of grade 6"):
        generate_slitherlink(1, 2, grade=6)


@pytest.mark.parametrize(("share", "seed"), [(0.8, 3), (0.8, 4), (0.6, 0), (0.6, 5)])
def test_a_clue_on_the_axis_is_removed_if_a_pair_is_too_much(share: float, seed: int) -> None:
    board = nonosat.generate_slitherlink(5, 5, clues=share, seed=seed, symmetric="mirror")
    assert sum(clue != BLANK for clue in board.clues) == 25 * share


def test_limits_end_it(clock: Clock) -> None:
    clock.step_s = 0.002
    with pytest.raises(LimitReached):
        generate_slitherlink(20, 20, 0.3, 1, grade=6, time_limit_s=0.02)


def test_boards_are_unchanged() -> None:
    """A seed makes the same board as before there were grades."""
    assert generate_slitherlink(5, 5, 0.5, 1).num_clues == 12
    assert nonosat.loads(nonosat.dumps(generate_slitherlink(5, 5, 0.5, 1), "jsonl")).num_clues == 12
