"""Refusals of a checker: messages state what was found and what is expected."""

from __future__ import annotations

import pytest

import nonosat
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.questions.checker import Checker


def test_invalid_pictures_are_refused() -> None:
    puzzle = nonosat.nonogram([[1]], [[1]])
    with pytest.raises(nonosat.PuzzleError, match="the puzzle has no goal"):
        Checker(puzzle)
    with pytest.raises(nonosat.PuzzleError, match="unknown cells"):
        Checker(Grid(1, 1, bytes([UNKNOWN])))
    with pytest.raises(nonosat.UnsupportedError, match="of the family queens"):
        Checker(nonosat.Queens(4))  # type: ignore[arg-type]
    with pytest.raises(nonosat.NotAPuzzleError):
        Checker("a.txt")  # type: ignore[arg-type]
    checker = Checker(Grid(2, 3, bytes(6)))
    for place in ((2, 0), (0, 3), (-1, 0)):
        with pytest.raises(nonosat.PuzzleError, match="outside the board of 2 rows x 3 columns"):
            checker.set(*place, 1)
    for colour in (2, -1, True, "1"):
        with pytest.raises(nonosat.PuzzleError, match=r"the colour is .*, expected 0"):
            checker.set(0, 0, colour)  # type: ignore[arg-type]
    assert checker.picture.cells == bytes(6)


@pytest.mark.parametrize("place", [("a", 0), (0.0, 0), (0, None)])
def test_invalid_places_are_refused(place: tuple[object, object]) -> None:
    checker = Checker(Grid(2, 2, bytes(4)))
    with pytest.raises(nonosat.PuzzleError, match="expected two whole numbers"):
        checker.set(*place, 1)
