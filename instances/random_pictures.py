"""Seeded random pictures, and their repair until the clues have one solution.

A recipe is all there is to a picture: size, density, seed, texture and the cells flipped
afterwards. The flips were found once by `repair` (the command is `instances/repair.py`) and are
kept in the recipe, so drawing the picture needs no solver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from textures import TEXTURES

from nonosat.generate.canvas import Point
from nonosat.grid import Grid

MAX_FLIPS = 200  # a repair that needs more has little of the random picture left

# Sets of cells of a picture, apart from each other: flipping all cells of a set gives another
# solution of the picture's clues. None when that could not be decided.
Disputes = Callable[[Grid], Sequence[Sequence[Point]] | None]


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


def repair(recipe: Recipe, disputes: Disputes, attempt: int = 0) -> Recipe | None:
    """Flip one cell of every dispute, again and again, until there is none.

    Args:
        recipe: Where to start.
        disputes: What other solutions the clues of a picture have.
        attempt: Another number picks other cells.

    Returns:
        The recipe with its flips; None after `MAX_FLIPS` rounds, or when `disputes` gave up.
    """
    rng = Random(recipe.seed + (attempt << 32))
    for _ in range(MAX_FLIPS):
        found = disputes(picture(recipe))
        if found is None:
            return None
        if not found:
            return recipe
        flipped = {*recipe.flips} ^ {rng.choice(cells) for cells in found}
        recipe = replace(recipe, flips=tuple(sorted(flipped)))
    return None
