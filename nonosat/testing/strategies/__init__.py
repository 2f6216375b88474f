"""Hypothesis strategies for puzzles, and for all that a solver of them meets."""

from __future__ import annotations

try:
    import hypothesis as hypothesis
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "nonosat.testing.strategies needs hypothesis; pip install 'nonosat[testing]' installs it",
        name="hypothesis",
    ) from missing

from nonosat.testing.strategies.classes import (
    hard_puzzles,
    multiple_puzzles,
    unique_puzzles,
    unsolvable_puzzles,
)
from nonosat.testing.strategies.lines import PartialLine, clues, lines, partial_lines
from nonosat.testing.strategies.nonograms import puzzles
from nonosat.testing.strategies.pictures import (
    LETTERS,
    abouts,
    backgrounds,
    colour_sets,
    grids,
    states,
    texts,
)

__all__ = [
    "LETTERS",
    "PartialLine",
    "abouts",
    "backgrounds",
    "clues",
    "colour_sets",
    "grids",
    "hard_puzzles",
    "lines",
    "multiple_puzzles",
    "partial_lines",
    "puzzles",
    "states",
    "texts",
    "unique_puzzles",
    "unsolvable_puzzles",
]
