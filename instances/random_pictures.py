"""Seeded random pictures, and their repair until the clues have one solution.

A recipe is all there is to a picture: size, density, seed and the cells flipped afterwards. The
flips were found once by `repair` (`python instances/make.py --repair ...`) and are kept in the
recipe, so drawing the picture needs no solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from canvas import Point

from nonosat.grid import Grid

MAX_FLIPS = 200  # a repair that needs more has little of the random picture left


@dataclass(frozen=True, slots=True)
class Recipe:
    """A random picture: every cell has one of `colours` with probability `density`.

    A flip empties a filled cell and gives an empty one the first colour.
    """

    height: int
    width: int
    density: float
    seed: int
    flips: tuple[Point, ...] = ()
    colours: int = 1


def picture(recipe: Recipe) -> Grid:
    """The picture that a recipe stands for."""
    rng = Random(recipe.seed)
    cells = bytearray(
        rng.randint(1, recipe.colours) if rng.random() < recipe.density else 0
        for _ in range(recipe.height * recipe.width)
    )
    for row, column in recipe.flips:
        cells[row * recipe.width + column] = 0 if cells[row * recipe.width + column] else 1
    return Grid(recipe.height, recipe.width, bytes(cells))


def repair(recipe: Recipe, other: Callable[[Grid], Grid | None]) -> Recipe | None:
    """Flip disputed cells one by one until the clues of the picture allow nothing else.

    Args:
        recipe: Where to start.
        other: A second solution of the clues of a picture, None when there is none.

    Returns:
        The recipe with its flips, or None after `MAX_FLIPS` of them.
    """
    rng = Random(recipe.seed)
    for _ in range(MAX_FLIPS):
        current = picture(recipe)
        rival = other(current)
        if rival is None:
            return recipe
        flipped = {*recipe.flips} ^ {rng.choice(current.differences(rival))}
        recipe = replace(recipe, flips=tuple(sorted(flipped)))
    return None
