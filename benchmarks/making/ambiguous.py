"""Sixty pictures whose clues have several solutions: 36 drawings, 24 random ones, 10x10 to 40x40.

Drawings of this project are seldom ambiguous, so these are typical difficulties of puzzle makers:
outlines of them, the same ones with a background of stars, patterns, and a photograph in one
colour. All are made from the bundled puzzles and from seeds; a drawing with one solution is
omitted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import nonosat
from nonosat.puzzles.nonogram.data import Nonogram, from_grid

sys.path.insert(0, str(Path(__file__).parent.parent))
from common import BUNDLED, ROOT

MOST = 40  # rows and columns
STARS = 0.04  # share of the empty cells
NUM_OUTLINES, NUM_SKIES, NUM_PATTERNS, NUM_PHOTOGRAPHS = 16, 10, 6, 4
PATTERNS = (("pentagrid", 20), ("pentagrid", 40), ("primes", 15), ("primes", 25), ("primes", 40))
RANDOM = ((10, 0.4, 1), (15, 0.5, 1), (20, 0.4, 1), (25, 0.4, 1), (25, 0.5, 1), (30, 0.5, 1))
RANDOM += ((30, 0.6, 1), (40, 0.5, 1), (40, 0.6, 1), (15, 0.35, 2), (20, 0.5, 2), (30, 0.35, 2))
SEEDS = 2  # of each kind of random picture


def pictures() -> Iterator[Nonogram]:
    """Yield all sixty, each with an id and its picture as the goal."""
    kinds = (outlines(), NUM_OUTLINES), (skies(), NUM_SKIES), (patterns(), NUM_PATTERNS)
    for puzzles, number in (*kinds, (photographs(), NUM_PHOTOGRAPHS)):
        taken = list(islice(filter(is_ambiguous, puzzles), number))
        assert len(taken) == number, "there are fewer than there were"
        yield from taken
    yield from noise()


def is_ambiguous(puzzle: Nonogram) -> bool:
    """Return True if the puzzle has several solutions."""
    return nonosat.check(puzzle).verdict is nonosat.Verdict.MULTIPLE


def drawings() -> Iterator[Nonogram]:
    """Yield the bundled drawings, or the middle of large ones."""
    for name in ("pictures.jsonl", "colour.jsonl"):
        for puzzle in nonosat.load_all(BUNDLED / name):
            grid = nonosat.solve(puzzle).solution
            top, left = (max((side - MOST) // 2, 0) for side in (grid.height, grid.width))
            width = min(grid.width, MOST)
            rows = [grid.row(row)[left : left + width] for row in range(grid.height)]
            middle = rows[top : top + MOST]
            cells = b"".join(middle)
            yield _puzzle(puzzle, nonosat.Grid(len(middle), width, cells), "")


def outlines() -> Iterator[Nonogram]:
    """Yield each drawing reduced to the cells next to another colour."""
    for puzzle in drawings():
        grid = puzzle.goal
        cells = bytearray(grid.cells)
        for row in range(grid.height):
            for column in range(grid.width):
                around = ((row - 1, column), (row + 1, column), (row, column - 1))
                beside = {
                    grid[at] if 0 <= at[0] < grid.height and 0 <= at[1] < grid.width else 0
                    for at in (*around, (row, column + 1))
                }
                if beside == {grid[row, column]}:
                    cells[row * grid.width + column] = 0
        yield _puzzle(puzzle, nonosat.Grid(grid.height, grid.width, bytes(cells)), "outline")


def skies() -> Iterator[Nonogram]:
    """Yield each drawing with a background of stars."""
    for puzzle in drawings():
        rng = Random(f"stars {puzzle.about.id}")
        cells = bytes(cell or rng.random() < STARS for cell in puzzle.goal.cells)
        yield _puzzle(puzzle, nonosat.Grid(puzzle.height, puzzle.width, cells), "stars")


def patterns() -> Iterator[Nonogram]:
    """Yield patterns, and the middle of a wide one."""
    for name, size in PATTERNS:
        yield nonosat.generate_pattern(name, size).about_with(id=f"{name}-{size}")
    yield nonosat.generate_pattern("sierpinski", 20).about_with(id="sierpinski-20")


def photographs() -> Iterator[Nonogram]:
    """Yield the README's face in black and white."""
    for columns, edges in ((20, 0), (25, 0), (25, 0.5), (30, 1)):
        made = nonosat.from_image(
            ROOT / "benchmarks" / "sheets" / "face.jpg", columns=columns, edges=edges
        )
        yield made.about_with(id=f"face-{columns}-{edges}")


def noise() -> Iterator[Nonogram]:
    """Yield the first seeds of each kind that have several solutions."""
    for side, density, colours in RANDOM:
        made = (
            nonosat.generate_nonogram(side, side, density, seed, colours=colours).about_with(
                id=f"random-{side}-{density}-{colours}-{seed}"
            )
            for seed in range(1000)
        )
        yield from islice(filter(is_ambiguous, made), SEEDS)


def _puzzle(puzzle: Nonogram, grid: nonosat.Grid, kind: str) -> Nonogram:
    """Return the puzzle of a picture that was derived from another one."""
    made = from_grid(grid, puzzle.colours)
    name = puzzle.about.id + (kind and f"-{kind}")
    return replace(made, about=replace(puzzle.about, id=name))
