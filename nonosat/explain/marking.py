"""Puzzles with marks: what a person has filled in becomes given.

Invariant: the solutions of the marked puzzle are those of the puzzle that agree with every mark.
Linear in the size of the board.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nonosat.errors import FormatError, PuzzleError, UnsupportedError
from nonosat.families import name_of
from nonosat.formats import knight, queens
from nonosat.grid import UNKNOWN

_ABLE = "knight, nonogram and queens"


def marked(puzzle: Any, data: bytes) -> Any:
    """Return the puzzle with the marks of a file as given values.

    Args:
        puzzle: A nonogram, a board of queens or of a knight.
        data: The file's content: a state as `hint` reads it, or a board as the commands `queens`
            and `knight` read it.

    Raises:
        FormatError: The file is no state of the puzzle, or a mark contradicts a given value.
        UnsupportedError: The puzzle is of another family.
    """
    family = name_of(puzzle)
    try:
        if family == "nonogram":
            from nonosat.explain.nonogram.given import read_state

            state = read_state(data, puzzle)
            cells = enumerate(state.cells)
            found = [(*divmod(at, state.width), cell) for at, cell in cells if cell != UNKNOWN]
            return replace(puzzle, given=tuple(dict.fromkeys((*puzzle.given, *found))))
        if family == "queens":
            given, blocked = queens.marks(data, puzzle.n, "Q")
            return replace(
                puzzle,
                given=tuple(dict.fromkeys((*puzzle.given, *given))),
                blocked=tuple(dict.fromkeys((*puzzle.blocked, *blocked))),
            )
        if family == "knight":
            holes, given_numbers = knight.marks(data, puzzle.rows, puzzle.columns, puzzle.closed)
            return replace(
                puzzle,
                holes=tuple(dict.fromkeys((*puzzle.holes, *holes))),
                given=tuple(dict.fromkeys((*puzzle.given, *given_numbers))),
            )
    except PuzzleError as error:
        raise FormatError(f"marks that contradict the puzzle: {error}") from error
    raise UnsupportedError(
        f"marks are given for the families {_ABLE}; this puzzle is of the family {family}"
    )
