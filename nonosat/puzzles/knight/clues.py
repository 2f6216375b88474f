"""The clues of a knight's tour, one by one: squares with the number of their move.

Where a tour is numbered from follows from its numbers. So the model has other variables with other
numbers, and none that says "this square has that number".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nonosat.core.plugins import Clues, PlacedClue
from nonosat.core.wording import cell_text
from nonosat.puzzles.knight.data import Knight


def of(puzzle: Knight) -> Sequence[PlacedClue]:
    """Row, column and number of each square whose number is given."""
    return puzzle.numbered


def with_only(puzzle: Knight, clues: Sequence[PlacedClue]) -> Knight:
    """The board with these numbers alone."""
    given = tuple((row, column, number) for row, column, number in clues)
    return replace(puzzle, start=None, given=given)


def told(puzzle: Knight, clue: PlacedClue) -> str:
    """ "the number 4 in row 1, column 2"."""
    del puzzle
    row, column, number = clue
    return f"the number {number} in {cell_text(row, column)}"


CLUES = Clues(of=of, with_only=with_only, told=told)
