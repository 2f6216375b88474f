"""Inks for a picture of which nobody says what its colours are."""

from __future__ import annotations

from nonosat.grid import SYMBOLS, UNKNOWN, Grid
from nonosat.puzzles.nonogram.data import BLACK, INKS, Colour, Nonogram


def bare(grid: Grid) -> Nonogram:
    """A puzzle without clues that has the grid's size and as many inks as it needs."""
    number = max((cell for cell in grid.cells if cell != UNKNOWN), default=0)
    inks = (Colour(SYMBOLS[k], INKS[(k - 1) % len(INKS)].rgb) for k in range(1, number + 1))
    clues = ((),) * grid.height, ((),) * grid.width
    return Nonogram(*clues, colours=tuple(inks) or (BLACK,))
