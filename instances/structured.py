"""The class `structured`: families with one solution that is connected over the whole board.

`nonosat.generate.structured` generates them. Two sizes per family: one that clause learning proves
unique in about a second, and a larger one, which mostly only prices solve. Their verdicts are
recorded; a test (`tests/test_generate_structured.py`) computes all of them again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from entry import LICENCE, SOURCE, Entry, Record

from nonosat.generate.structured import generate_structured
from nonosat.puzzles.nonogram.data import Nonogram

KIND = "structured"
# The staircases of dominoes are in a separate file.
SIZES: Mapping[str, tuple[int, ...]] = {
    "combs": (8, 16),
    "spirals": (6, 10),
    "interleaved": (6, 12),
    "swapped": (4, 6),
    "coloured": (8, 16),
    "unknown-lengths": (8, 16),
    "beside-noise": (8, 14),
    "knights": (8, 16),
    "trominoes": (5, 6),
    "mirrored": (6, 12),
    "diamonds": (4, 8),
}


def entry(family: str, n: int) -> Entry:
    """Return the puzzle of a family with n shapes, which has one solution."""
    puzzle: Nonogram = generate_structured(family, n)
    about = replace(puzzle.about, license=LICENCE, source=SOURCE)
    return Entry(replace(puzzle, about=about), "construction", Record("unique", KIND))


def entries() -> list[Entry]:
    """Return all entries."""
    return [entry(family, n) for family, sizes in SIZES.items() for n in sizes]
