"""Entry of the collection, as passed to `make.py`: a puzzle and its origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from drawings_colour import INKS

from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram.data import BLACK, About, Colour, Nonogram, from_grid

LICENCE = "CC0-1.0"
SOURCE = "nonosat instances/make.py"


@dataclass(frozen=True, slots=True)
class Record:
    """Index data of a puzzle that takes too long to be decided each time."""

    verdict: str
    kind: str  # its class


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of the collection, with a few words on its origin."""

    puzzle: Any
    origin: str
    record: Record | None = None


def about(name: str, title: str) -> About:
    """Return metadata of a puzzle of this collection."""
    return About(id=name, title=title, license=LICENCE, source=SOURCE)


def palette(letters: str) -> Sequence[Colour]:
    """Return the inks of the letters; the default black for none."""
    return [Colour(letter, INKS[letter]) for letter in letters] or [BLACK]


def clued(name: str, title: str, grid: Grid, origin: str, *, letters: str = "") -> Entry:
    """Return the puzzle with the clues of a picture, without the picture itself."""
    whole = from_grid(grid, palette(letters))
    puzzle = Nonogram(whole.rows, whole.columns, whole.colours, about=about(name, title))
    return Entry(puzzle, origin)
