"""Pictures of characters: the heading that distinguishes them from other texts, and blanks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nonosat import formats
from nonosat.core.errors import UnsupportedError
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram.data import Colour, from_grid
from test_formats import DRAWN
from test_formats import TOY as DRAWN_TOY

RED, BLUE = Colour("r", "#ff0000"), Colour("b", "#0000ff")
TOY = from_grid(Grid(1, 4, b"\1\1\0\1"))
IN_COLOUR = from_grid(Grid(1, 3, b"\1\0\2"), (BLUE, RED))


def test_a_picture_that_is_not_clear_by_itself_has_a_heading() -> None:
    for puzzle, head in (
        (TOY, "##.#"),
        (IN_COLOUR, "picture: 2 colours"),
        (from_grid(Grid(1, 2, b"\0\0")), "picture: 1 colour"),
        (from_grid(Grid(1, 2, b"\1\0"), (RED,)), "picture: 1 colour"),
    ):
        data = formats.write([puzzle], "picture")
        assert data.decode().splitlines()[0] == head
        (back,) = formats.read(data, name="unheard.of")
        assert (back.rows, back.columns) == (puzzle.rows, puzzle.columns)


def test_a_requested_picture_is_padded_with_blanks() -> None:
    (puzzle,) = formats.read(b"\nrr b\n\n bb\n\n", format="picture")
    assert puzzle.goal == Grid(3, 4, bytes([2, 2, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0]))


@pytest.mark.parametrize("name", DRAWN)
def test_picture_without_goal_is_refused(name: str) -> None:
    with pytest.raises(UnsupportedError, match="solve it first"):
        formats.write([replace(DRAWN_TOY, goal=None)], name)
    with pytest.raises(UnsupportedError, match="is not a solution"):
        formats.write([replace(DRAWN_TOY, goal=Grid(3, 4, bytes(12)))], name)
