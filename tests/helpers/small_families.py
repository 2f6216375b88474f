"""Solutions of small boards of families other than nonograms, by plain enumeration.

Clues are checked against solutions here, without a model, by separate code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import Any

import nonosat
from nonosat.core.plugins import PlacedClue
from nonosat.puzzles.slitherlink import BLANK, around, refutation

Clued = dict[frozenset[PlacedClue], Any]  # solutions by clues


@cache
def paths(height: int, width: int) -> tuple[nonosat.Path, ...]:
    """Loops on a lattice."""
    blank = nonosat.Slitherlink(height, width, bytes([BLANK]) * (height * width))
    every = (around(height, width, cells) for cells in product((0, 1), repeat=height * width))
    return tuple(path for path in every if refutation(blank, path) is None)


def numbers(path: nonosat.Path) -> frozenset[PlacedClue]:
    """Clue of each cell, by the cells inside."""
    inside = path.inside()
    cells = {divmod(at, path.width): value for at, value in enumerate(inside)}
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return frozenset(
        (row, column, sum(cells.get((row + i, column + j), 0) != value for i, j in steps))
        for (row, column), value in cells.items()
    )


@cache
def queens(n: int) -> tuple[frozenset[PlacedClue], ...]:
    """Return a byte a square for each placement: 1 if a queen is on it, else 0."""
    lines = range(n)
    return tuple(
        frozenset((row, column, int(columns[row] == column)) for row in lines for column in lines)
        for columns in permutations(lines)
        if len({row + columns[row] for row in lines}) == n
        and len({row - columns[row] for row in lines}) == n
    )


@cache
def tours(rows: int, columns: int) -> tuple[frozenset[PlacedClue], ...]:
    """Numbered squares of each open tour."""
    jumps = [(i, j) for i, j in product((-2, -1, 1, 2), repeat=2) if abs(i) != abs(j)]

    def from_here(way: list[tuple[int, int]]) -> Iterator[frozenset[PlacedClue]]:
        if len(way) == rows * columns:
            yield frozenset((*square, number) for number, square in enumerate(way, start=1))
        row, column = way[-1]
        for i, j in jumps:
            square = row + i, column + j
            if square not in way and 0 <= square[0] < rows and 0 <= square[1] < columns:
                yield from from_here([*way, square])

    starts = product(range(rows), range(columns))
    return tuple(tour for start in starts for tour in from_here([start]))
