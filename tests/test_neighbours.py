"""Cheap candidates for a second solution: switches and mirror images of the first."""

from __future__ import annotations

import random

from nonosat.grid import Grid
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram import Nonogram, from_grid, mono
from nonosat.puzzles.nonogram.neighbours import _mirrored, _switched
from nonosat.testing import oracles


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
    found = set()
    for top in range(grid.height):
        for bottom in range(top + 1, grid.height):
            for left in range(grid.width):
                for right in range(left + 1, grid.width):
                    corners = [(row, column) for row in (top, bottom) for column in (left, right)]
                    values = [grid[corner] for corner in corners]
                    if values in ([1, 0, 0, 1], [0, 1, 1, 0]):
                        cells = bytearray(grid.cells)
                        for row, column in corners:
                            cells[row * grid.width + column] ^= 1
                        other = Grid(grid.height, grid.width, bytes(cells))
                        if nonogram.refutation(puzzle, other) is None:
                            found.add(other.cells)
    return found


def test_every_switch_is_found() -> None:
    rng = random.Random(7)
    total = 0
    for _ in range(150):
        height, width = rng.randint(2, 7), rng.randint(2, 9)
        grid = Grid(height, width, bytes(rng.random() < 0.35 for _ in range(height * width)))
        puzzle = from_grid(grid)
        expected = switches_by_brute_force(puzzle, grid)
        assert {other.cells for other in _switched(puzzle, grid)} == expected
        total += len(expected)
    assert total > 60


def test_mirror_images_are_found() -> None:
    grid = Grid(2, 3, b"\1\0\0\0\0\1")
    turned = {other.cells for other in _mirrored(mono([[1], [1]], [[1], [], [1]]), grid)}
    assert b"\0\0\1\1\0\0" in turned
    corner = Grid(2, 2, b"\0\1\0\0")
    skew = mono([[1], []], [[], [1]])
    assert {other.cells for other in _mirrored(skew, corner)} == {corner.cells}  # anti-transpose
    transposable = mono([[1], [1], [1]], [[1], [1], [1]])
    one = Grid(3, 3, b"\0\1\0\0\0\1\1\0\0")
    assert b"\0\0\1\1\0\0\0\1\0" in {other.cells for other in _mirrored(transposable, one)}


def test_very_many_switches_are_found_once_each() -> None:
    """More than are looked for at first: single cells on a diagonal change places in pairs."""
    grid = Grid(12, 12, bytes(row == column for row in range(12) for column in range(12)))
    found = [other.cells for other in _switched(from_grid(grid), grid)]
    assert len(found) == len(set(found)) == 66
