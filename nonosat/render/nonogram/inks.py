"""Inks for a picture of which nobody says what its colours are."""

from __future__ import annotations

from nonosat.grid import SYMBOLS, UNKNOWN, Grid
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram

# Told apart by most people (Okabe, Ito, 2008), without the yellow that is hard to see on white.
_INKS = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def bare(grid: Grid) -> Nonogram:
    """A puzzle without clues that has the grid's size and as many inks as it needs."""
    number = max((cell for cell in grid.cells if cell != UNKNOWN), default=0)
    inks = (Colour(SYMBOLS[k], _INKS[(k - 1) % len(_INKS)]) for k in range(1, number + 1))
    clues = ((),) * grid.height, ((),) * grid.width
    return Nonogram(*clues, colours=tuple(inks) or (BLACK,))
