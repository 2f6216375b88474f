"""Seeded random pictures, with cells flipped so that the clues have one solution.

A recipe is all there is to a picture: size, density, seed, texture and the cells flipped
afterwards. The flips were found once (`python instances/recorded.py flips` finds such) and are kept
in the recipe, so drawing the picture needs no solver.
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

    A flip empties a filled cell and gives an empty one the first colour. Textures other than
    noise have one colour, and `density` is that of the noise that they are made of.
    """

    height: int
    width: int
    density: float
    seed: int
    flips: tuple[Point, ...] = ()
    colours: int = 1
    texture: str = "noise"


def picture(recipe: Recipe) -> Grid:
    """The picture that a recipe stands for."""
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
