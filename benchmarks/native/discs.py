"""Large smooth pictures that line solving alone completes.

White discs of many sizes are painted on a filled square, until at least a quarter of it is white.
Line solving decides most cells of such a picture; cells that it leaves open are filled and the
clues are computed again, until none is open. Decided cells keep their value and open ones stay
filled, so this terminates, and the result is line-solvable.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import isqrt

from common import board_of

from nonosat import Grid
from nonosat.board.presolve import OPEN
from nonosat.puzzles.nonogram import Nonogram, from_grid, refutation


@dataclass(frozen=True, slots=True)
class Texture:
    """Number of discs, and their radii in thousandths of the side, so that a picture scales."""

    num: int
    radii: tuple[int, int]


COARSE = Texture(2000, (3, 10))  # at 2000 x 2000: 21 blocks per row
FINE = Texture(5000, (2, 7))  # 34 blocks per row


def picture(side: int, texture: Texture, seed: int = 1) -> bytes:
    """Return the cells, row by row, before they are made line-solvable."""
    rng = random.Random(seed)
    cells = bytearray(b"\1") * side**2
    for _ in range(texture.num):
        row, column = rng.randrange(side), rng.randrange(side)
        least, most = (side * radius // 1000 for radius in texture.radii)
        _paint_white(cells, side, row, column, rng.randint(least, most))
    return bytes(cells)


def _paint_white(cells: bytearray, side: int, row: int, column: int, radius: int) -> None:
    for r in range(max(0, row - radius), min(side, row + radius + 1)):
        half = isqrt(radius**2 - (r - row) ** 2)
        start, stop = max(0, column - half), min(side, column + half + 1)
        cells[r * side + start : r * side + stop] = bytes(stop - start)


def line_solvable(side: int, texture: Texture, seed: int = 1) -> tuple[Nonogram, int]:
    """Return a line-solvable puzzle, and the number of cells filled to make it so."""
    drawn = cells = picture(side, texture, seed)
    while True:
        puzzle = from_grid(Grid(side, side, cells))
        board = board_of(puzzle)
        assert board.propagate(), "the clues of a picture do not contradict each other"
        known = board.cells()
        if OPEN not in known:
            break
        cells = known.replace(bytes([OPEN]), b"\1")
    assert known == cells
    assert refutation(puzzle, Grid(side, side, known)) is None
    return puzzle, cells.count(1) - drawn.count(1)
