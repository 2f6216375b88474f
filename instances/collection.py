"""The complete collection: the files and their puzzles in order."""

from __future__ import annotations

from collections.abc import Sequence

import dominoes
import families
import scenes
import special
import structured
import unique
from drawings import DRAWINGS
from drawings_colour import DRAWINGS as COLOUR_DRAWINGS
from entry import Entry, clued
from random_pictures import Recipe, picture
from random_recipes import RECIPES

from nonosat.generate import patterns
from nonosat.generate.canvas import art_grid, negative
from nonosat.generate.structured import staircase


def collection() -> dict[str, Sequence[Entry]]:
    """Return the entries by the name of their file."""
    return {
        "pictures.jsonl": _pictures(),
        "colour.jsonl": _colour(),
        "mathematics.jsonl": _mathematics(),
        "hard.jsonl": _hard(),
        "domino.jsonl": dominoes.entries(),
        "structured.jsonl": structured.entries(),
        "random.jsonl": [_random(recipe) for recipe in RECIPES],
        "unique.jsonl": unique.entries(),
        "special.jsonl": special.entries(),
        "slitherlink.jsonl": families.slitherlinks(),
        "queens.jsonl": families.queens(),
        "knight.jsonl": families.knights(),
    }


def _pictures() -> list[Entry]:
    drawn = [clued(name, title, art_grid(art), "drawn by hand") for name, title, art in DRAWINGS]
    castle = clued("castle", "Castle by moonlight", scenes.castle(), "painted with shapes")
    return [*drawn, castle]


def _colour() -> list[Entry]:
    drawn = [
        clued(name, title, art_grid(art, letters), "drawn by hand", letters=letters)
        for name, title, letters, art in COLOUR_DRAWINGS
    ]
    painted = (
        ("balloon", "Hot-air balloon", scenes.balloon(), scenes.BALLOON_INKS),
        ("rainbow", "Rainbow", scenes.rainbow(), scenes.RAINBOW_INKS),
        ("island", "Island at sunset", scenes.island(), scenes.ISLAND_INKS),
    )
    origin = "painted with shapes"
    steps = staircase(8, colours=2)
    return [
        *drawn,
        *(clued(name, title, grid, origin, letters=inks) for name, title, grid, inks in painted),
        clued("steps-colour", "Steps, red and blue", steps, "construction", letters="rb"),
    ]


def _mathematics() -> list[Entry]:
    gun = patterns.glider_gun(40, 150)
    pictures = (
        ("mandelbrot", "Mandelbrot set", patterns.mandelbrot(49, 60)),
        ("hilbert", "Hilbert's curve", patterns.hilbert(4)),
        ("dragon", "Dragon curve", patterns.dragon(9)),
        ("spirograph", "Spirograph", patterns.spirograph(61, 0.3, 0.25, 3)),
        ("glider-gun", "Glider gun after 150 generations", gun),
        ("glider-gun-dark", "Glider gun at night", negative(gun)),
        ("moire", "Moire rings", patterns.moire(45, 3, 6)),
        ("moire-fine", "Moire rings, finer", patterns.moire(41, 2, 5)),
        ("truchet", "Truchet tiles", patterns.truchet(6, 1, 7)),
        ("truchet-probing", "Truchet tiles for probing", patterns.truchet(5, 1, 8)),
        ("pentagrid", "Five directions", patterns.pentagrid(36, 5.5)),
        ("pentagrid-wide", "Five directions, wider", patterns.pentagrid(41, 5)),
        ("primes", "Prime spiral", patterns.prime_spiral(21)),
        ("primes-dark", "Prime spiral at night", negative(patterns.prime_spiral(31))),
        ("pascal-dark", "Pascal's triangle at night", negative(patterns.sierpinski(5))),
        ("carpet", "Sierpinski's carpet", patterns.carpet(3)),
        ("rule-30", "Rule 30", patterns.rule_30(28)),
        ("rose-5", "Rose of five petals", patterns.rose(35, 5)),
        ("rose-6", "Rose of six petals", patterns.rose(41, 6)),
    )
    return [clued(name, title, grid, "mathematics") for name, title, grid in pictures]


def _hard() -> list[Entry]:
    pictures = (
        ("steps-4", "Staircase of 4 dominoes", staircase(4)),
        ("steps-8", "Staircase of 8 dominoes", staircase(8)),
        ("steps-10", "Staircase of 10 dominoes", staircase(10)),
        ("steps-long", "Staircase with long arms", staircase(8, (4,))),
        ("steps-mixed", "Staircase of mixed arms", staircase(10, (3, 4, 5))),
        ("pascal-16", "Pascal's triangle, odd numbers", patterns.sierpinski(4)),
        ("pascal-32", "Pascal's triangle, 32 rows", patterns.sierpinski(5)),
        ("triangles-24", "Sierpinski triangles", patterns.triangles(3)),
        ("knot", "Plaited knot", patterns.knot(3, 4)),
        ("knot-fine", "Plaited knot, finer", patterns.knot(3, 4, 5, 1)),
        ("knot-wide", "Plaited knot, wider", patterns.knot(3, 4, 7, 2)),
    )
    return [clued(name, title, grid, "construction") for name, title, grid in pictures]


def _random(recipe: Recipe) -> Entry:
    colours = f", {recipe.colours} colours" if recipe.colours > 1 else ""
    flips = f" and {len(recipe.flips)} flips" if recipe.flips else ""
    return clued(
        f"random-{recipe.height}-{recipe.seed}",
        f"Random {recipe.height} x {recipe.width} at {recipe.density:.0%}{colours}",
        picture(recipe),
        f"seed {recipe.seed}{flips}",
        letters="rgb"[: recipe.colours] if recipe.colours > 1 else "",
    )
