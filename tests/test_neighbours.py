"""Cheap candidates for a second solution: switches and mirror images of the first."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from nonosat.core.grid import Grid
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Colour, Nonogram, from_grid, mono
from nonosat.testing import oracles

COLOURS = tuple(Colour(name, f"#{number:06x}") for number, name in enumerate("abcd", start=1))


@pytest.mark.slow
def test_neighbours_find_the_second_solution_of_drawn_ambiguities() -> None:
    """On random pictures with a known switch every kind of candidate is a true solution."""
    rng = random.Random(11)
    found = 0
    for _ in range(60):
        cells = bytes(rng.random() < 0.4 for _ in range(64))
        grid = Grid(8, 8, cells)
        puzzle = from_grid(grid)
        truth = oracles.solutions(puzzle)
        candidates = list(nonogram.neighbours(puzzle, grid))
        assert all(candidate.cells != cells for candidate in candidates)
        valid = {c.cells for c in candidates if nonogram.refutation(puzzle, c) is None}
        assert valid <= truth - {cells}
        found += bool(valid)
    assert found > 10


def switches_by_brute_force(puzzle: Nonogram, grid: Grid) -> set[bytes]:
    """Solutions that differ only in the corners of a rectangle, which exchange their values."""
    found = set()
    lines = product(combinations(range(grid.height), 2), combinations(range(grid.width), 2))
    for (top, bottom), (left, right) in lines:
        cells = bytearray(grid.cells)
        for row in (top, bottom):
            one, other = row * grid.width + left, row * grid.width + right
            cells[one], cells[other] = cells[other], cells[one]
        switched = Grid(grid.height, grid.width, bytes(cells))
        if switched != grid and nonogram.refutation(puzzle, switched) is None:
            found.add(switched.cells)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("num_colours", "density", "least"), [(1, 0.35, 60), (2, 0.35, 60), (2, 0.7, 15), (4, 0.5, 60)]
)
def test_every_switch_is_found(num_colours: int, density: float, least: int) -> None:
    rng = random.Random(7)
    total = 0
    for _ in range(150):
        height, width = rng.randint(2, 7), rng.randint(2, 9)
        drawn = (rng.random() < density for _ in range(height * width))
        grid = Grid(height, width, bytes(is_in and rng.randint(1, num_colours) for is_in in drawn))
        puzzle = from_grid(grid, COLOURS[:num_colours])
        expected = switches_by_brute_force(puzzle, grid)
        near = {other.cells for other in nonogram.neighbours(puzzle, grid)}
        assert near >= expected
        assert all(nonogram.refutation(puzzle, Grid(height, width, one)) is None for one in near)
        total += len(expected)
    assert total > least


@pytest.mark.parametrize(
    ("rows", "columns", "cells", "other"),
    [
        ([[1], [1]], [[1], [], [1]], b"\1\0\0\0\0\1", b"\0\0\1\1\0\0"),  # half turn
        (
            [[1], [1], [1]],
            [[1], [1], [1]],
            b"\0\1\0\0\0\1\1\0\0",
            b"\0\0\1\1\0\0\0\1\0",  # transposed
        ),
    ],
)
def test_mirror_images_are_found(
    rows: list[list[int]], columns: list[list[int]], cells: bytes, other: bytes
) -> None:
    grid = Grid(len(rows), len(columns), cells)
    assert other in {one.cells for one in nonogram.neighbours(mono(rows, columns), grid)}


def test_very_many_switches_are_found_once_each() -> None:
    """More than the search takes at first: single cells on a diagonal change places in pairs."""
    grid = Grid(12, 12, bytes(row == column for row in range(12) for column in range(12)))
    found = [other.cells for other in nonogram.neighbours(from_grid(grid), grid)]
    mirrored = found[: len(found) - 66]
    assert len(set(mirrored)) == 1  # the other diagonal, by two reflections
    assert len(set(found)) == 66 + 1
