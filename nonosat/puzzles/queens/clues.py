"""The clues of a queens problem: squares where a queen stands (1), or none may stand (0)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nonosat.core.plugins import Clues, PlacedClue
from nonosat.core.wording import cell_text
from nonosat.puzzles.queens.data import Placement, Queens


def of(puzzle: Queens) -> list[PlacedClue]:
    """The given queens, then the blocked squares."""
    given: list[PlacedClue] = [(*square, 1) for square in puzzle.given]
    return [*given, *((*square, 0) for square in puzzle.blocked)]


def with_only(puzzle: Queens, clues: Sequence[PlacedClue]) -> Queens:
    """The board with these queens and blocked squares alone."""
    given, blocked = (
        tuple((row, column) for row, column, value in clues if value == wanted) for wanted in (1, 0)
    )
    return replace(puzzle, given=given, blocked=blocked)


def told(puzzle: Queens, clue: PlacedClue) -> str:
    """ "the queen given in row 1, column 2", "the square blocked in row 1, column 2"."""
    del puzzle
    row, column, value = clue
    return f"the {'queen given' if value else 'square blocked'} in {cell_text(row, column)}"


def clauses(puzzle: Queens, clue: PlacedClue) -> list[list[int]]:
    """A queen stands there, or none does."""
    row, column, value = clue
    var = 1 + row * puzzle.n + column
    return [[var if value else -var]]


def shown(puzzle: Queens, placement: Placement) -> list[PlacedClue]:
    """The queens, and those of the puzzle's blocked squares that stay free.

    Further blocked squares are left out: a queen in the same row says more.
    """
    queens = placement.columns
    free = [(row, column, 0) for row, column in puzzle.blocked if queens[row] != column]
    return [*((row, column, 1) for row, column in enumerate(queens)), *free]


CLUES = Clues(of=of, with_only=with_only, told=told, clauses=clauses, shown=shown)
