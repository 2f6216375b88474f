"""Textures of seeded random pictures other than plain noise.

Invariant: a texture depends only on its arguments, on every machine: pseudo-random numbers are
drawn row by row, and no step depends on machine-specific rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Filling = Callable[[int, int], bool]  # True if the cell (row, column) is filled
Texture = Callable[[int, int, float, Random], Filling]  # of height, width and density


def _noise(height: int, width: int, density: float, rng: Random) -> list[list[bool]]:
    return [[rng.random() < density for _ in range(width)] for _ in range(height)]


def slope(height: int, width: int, density: float, rng: Random) -> Filling:
    """Return noise a third sparser than `density` at the left and a third denser at the right."""
    draws = [[rng.random() for _ in range(width)] for _ in range(height)]
    return lambda row, column: draws[row][column] * 3 * width < density * 2 * (width + column)


def weave(height: int, width: int, density: float, rng: Random) -> Filling:
    """Return noise with every second cell of every second row inverted: short runs everywhere."""
    cells = _noise(height, width, density, rng)
    return lambda row, column: cells[row][column] != (row % 2 == column % 2 == 0)


def blobs(height: int, width: int, density: float, rng: Random) -> Filling:
    """Return a filling by comparison of the noise in the 3 x 3 around a cell with a draw."""
    cells = _noise(height, width, density, rng)
    draws = [[rng.randrange(1, 9) for _ in range(width)] for _ in range(height)]

    def filled(row: int, column: int) -> bool:
        near = [
            cells[r][c]
            for r in range(max(0, row - 1), min(height, row + 2))
            for c in range(max(0, column - 1), min(width, column + 2))
        ]
        return sum(near) * 9 > draws[row][column] * len(near)

    return filled


def mirror(height: int, width: int, density: float, rng: Random) -> Filling:
    """Return noise with a right half that mirrors the left one."""
    cells = _noise(height, width, density, rng)
    return lambda row, column: cells[row][min(column, width - 1 - column)]


def transpose(height: int, width: int, density: float, rng: Random) -> Filling:
    """Return noise that is symmetric about the diagonal."""
    size = max(height, width)
    cells = _noise(size, size, density, rng)
    return lambda row, column: cells[min(row, column)][max(row, column)]


TEXTURES: dict[str, Texture] = {
    texture.__name__: texture for texture in (slope, weave, blobs, mirror, transpose)
}
