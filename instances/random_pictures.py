"""Seeded random pictures, with cells flipped so that the clues have one solution.

A recipe determines a picture: size, density, seed, texture and the flipped cells. The flips were
computed once (by `python instances/recorded.py flips`) and are stored in the recipe, so generating
the picture needs no solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from textures import TEXTURES

from nonosat.core.grid import Grid
from nonosat.generate.canvas import Point


@dataclass(frozen=True, slots=True)
class Recipe:
    """A random picture: every cell has one of `colours` with probability `density`.

    A flip empties a filled cell and gives an empty one the first colour. Textures other than noise
    have one colour, and `density` is that of the underlying noise.
    """

    height: int
    width: int
    density: float
    seed: int
    flips: tuple[Point, ...] = ()
    colours: int = 1
    texture: str = "noise"


def picture(recipe: Recipe) -> Grid:
    """Return the picture of a recipe."""
    cells = _noise(recipe) if recipe.texture == "noise" else _textured(recipe)
    for row, column in recipe.flips:
        cells[row * recipe.width + column] = 0 if cells[row * recipe.width + column] else 1
    return Grid(recipe.height, recipe.width, bytes(cells))


def _noise(recipe: Recipe) -> bytearray:
    rng = Random(recipe.seed)
    return bytearray(
        rng.randint(1, recipe.colours) if rng.random() < recipe.density else 0
        for _ in range(recipe.height * recipe.width)
    )


def _textured(recipe: Recipe) -> bytearray:
    texture = TEXTURES[recipe.texture]
    filled = texture(recipe.height, recipe.width, recipe.density, Random(recipe.seed))
    return bytearray(
        filled(row, column) for row in range(recipe.height) for column in range(recipe.width)
    )
