"""Square grids as the slides generate them, by size and number."""

from __future__ import annotations

import random

from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram import Nonogram, from_grid


def square(size: int, number: int) -> Nonogram:
    """Return the clues of a square picture whose cells are filled with probability 1/2."""
    rng = random.Random(f"square {size} {number}")
    cells = bytes(rng.randrange(2) for _ in range(size * size))
    return from_grid(Grid(size, size, cells))


def squares(size: int, count: int) -> list[Nonogram]:
    """Return the first squares of a size."""
    return [square(size, number) for number in range(count)]
