"""Grids as Python objects: rows, cells, arrays, text."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from nonosat.core.errors import FormatError, PuzzleError
from nonosat.core.grid import UNKNOWN, Grid

GRID = Grid(2, 3, bytes([0, 1, 2, UNKNOWN, 1, 0]))


def test_it_is_its_rows() -> None:
    assert len(GRID) == 2
    assert list(GRID) == [(0, 1, 2), (UNKNOWN, 1, 0)]
    assert [GRID[0], GRID[1]] == list(GRID)
    assert [[GRID[row, column] for column in range(3)] for row in range(2)] == [*map(list, GRID)]
    assert (0, 1, 2) in GRID
    assert bool(Grid(1, 1, b"\0"))
    assert [*reversed(GRID)] == [GRID[1], GRID[0]]


@pytest.mark.parametrize("place", [2, -1, 10**30, (2, 0), (0, 3), (-1, 0), (0, -1)])
def test_places_outside_are_refused(place: int | tuple[int, int]) -> None:
    with pytest.raises(IndexError, match="is outside 2 rows x 3 columns"):
        GRID[place]


def test_it_is_a_picture_as_text_and_short_as_repr() -> None:
    assert str(GRID) == ".#a\n?#."
    assert repr(GRID) == "<Grid: 2 rows x 3 columns, 3 of 6 cells filled, 1 unknown>"
    assert repr(Grid(1, 1, b"\0")) == "<Grid: 1 row x 1 column, 0 of 1 cell filled>"


def test_equal_grids_are_equal_and_hash_alike() -> None:
    same = Grid(2, 3, GRID.cells)
    assert same == GRID
    assert hash(same) == hash(GRID)
    assert Grid(3, 2, GRID.cells) != GRID
    assert GRID.cells != GRID


def test_it_is_an_array_of_two_dimensions() -> None:
    array = np.array(GRID)
    assert array.dtype == np.uint8
    assert array.tolist() == [[0, 1, 2], [UNKNOWN, 1, 0]]
    array[0, 0] = 7  # a copy
    assert GRID[0, 0] == 0
    assert np.asarray(GRID).shape == (2, 3)
    assert np.array(GRID, dtype=float)[0, 2] == 2.0
    assert (np.array(GRID, dtype=bool)[:, 0] == [False, True]).all()
    with pytest.raises(ValueError, match="copy"):
        np.asarray(GRID, dtype=float, copy=False)
    code = "import sys, nonosat; nonosat.Grid(1, 1, b'0'); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_every_value_survives_its_text() -> None:
    every = Grid(16, 16, bytes(range(256)))
    assert Grid.from_data(every.to_data()) == every
    assert len(set("".join(every.lines("".join(every.to_data()["rows"]))))) == 256


@pytest.mark.parametrize("rows", [["#", "##"], ["\n"], [1], None, "x\ny", [["#"], [2]]])
def test_rows_that_are_no_picture_are_refused(rows: object) -> None:
    with pytest.raises((FormatError, PuzzleError)):
        Grid.from_data({"rows": rows})
