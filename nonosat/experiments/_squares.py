"""Square grids as the slides generate them, by size and number, and fits of growth."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import linear_regression, mean

from nonosat.grid import Grid
from nonosat.puzzles.nonogram import Nonogram, from_grid


def square(size: int, number: int) -> Nonogram:
    """The clues of a square picture whose cells are filled with probability 1/2."""
    rng = random.Random(f"square {size} {number}")
    cells = bytes(rng.randrange(2) for _ in range(size * size))
    return from_grid(Grid(size, size, cells))


def squares(size: int, count: int) -> list[Nonogram]:
    """The first of the squares of a size."""
    return [square(size, number) for number in range(count)]


def slope(across: Sequence[float], up: Sequence[float]) -> float | None:
    """The slope of the regression line; None where there are fewer than three points."""
    if len(across) < 3:
        return None
    return round(linear_regression(across, up).slope, 3)


def rounded_mean(values: Sequence[float]) -> float:
    """Their mean with two decimals."""
    return round(mean(values), 2)


def shown(value: float | None, what: str = "{:.2f}") -> str:
    """A number of a table, or a dash."""
    return "-" if value is None else what.format(value)
