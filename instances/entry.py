"""What every part of the collection hands to `make.py`: a puzzle and where it comes from."""

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
    """What the index says of a puzzle that takes too long to be decided each time."""

    verdict: str
    kind: str  # its class


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of the collection; `origin` says in a few words how it came about."""

    puzzle: Any
    origin: str
    record: Record | None = None


def about(name: str, title: str) -> About:
    """Metadata of a puzzle of this collection."""
    return About(id=name, title=title, license=LICENCE, source=SOURCE)


def palette(letters: str) -> Sequence[Colour]:
    """The inks that letters stand for; none are the usual black."""
    return [Colour(letter, INKS[letter]) for letter in letters] or [BLACK]


def clued(name: str, title: str, grid: Grid, origin: str, *, letters: str = "") -> Entry:
    """The puzzle whose clues describe a picture. The picture itself is not given away."""
    whole = from_grid(grid, palette(letters))
    puzzle = Nonogram(whole.rows, whole.columns, whole.colours, about=about(name, title))
    return Entry(puzzle, origin)
