"""Triddlers in formats with six groups of clues, one at each side of the outline.

A lane is labelled at one of its ends: rows at the left, lanes / at the top, lanes \\ at the bottom.
So the numbers of clues are the lengths of the sides, which are the outline. Linear in the clues.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nonosat.core.about import About
from nonosat.core.errors import PuzzleError
from nonosat.core.model import Clue
from nonosat.formats._text import of_file
from nonosat.puzzles.lanes import LaneNonogram, triddler
from nonosat.puzzles.nonogram.data import Colour

CLOCKWISE = ("top", "topright", "bottomright", "bottom", "bottomleft", "topleft")
_BY_LANE = ("topleft", "bottomleft", "top", "topright", "bottom", "bottomright")


def of_sides(
    sides: Mapping[str, Sequence[Clue]], colours: tuple[Colour, ...], about: About, line: int
) -> LaneNonogram:
    """Return the triddler with these clues; the lanes of a direction ascend from left to right.

    Raises:
        FormatError: No outline has sides of these lengths; names `line`, the first of the puzzle.
    """
    try:
        shape = triddler(*(len(sides[side]) for side in CLOCKWISE))
        clues = tuple(clue for side in _BY_LANE for clue in sides[side])
        return LaneNonogram(shape, clues, colours, about=about)
    except PuzzleError as error:
        raise of_file(error, line) from error


def sides_of(puzzle: LaneNonogram) -> dict[str, Sequence[Clue]]:
    """Return the clues at each side of a triddler."""
    lengths = dict(zip(CLOCKWISE, puzzle.shape.parts, strict=True))
    clues: dict[str, Sequence[Clue]] = {}
    start = 0
    for side in _BY_LANE:
        clues[side] = puzzle.clues[start : start + lengths[side]]
        start += lengths[side]
    return clues
