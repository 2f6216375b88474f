"""Verifier of tours. Shares no code with the model, the methods or the native core.

Linear in the board: checks that every number occurs once, and that every step is a knight's move.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from nonosat.core.errors import counted, rows_by_columns
from nonosat.core.limits import polled
from nonosat.core.wording import cell_text

if TYPE_CHECKING:
    from nonosat.puzzles.knight.data import Knight, Tour


def refutation(puzzle: Knight, tour: Tour) -> str | None:
    """Return why `tour` is not a solution of `puzzle`, or None if it is one."""
    if (tour.rows, tour.columns) != (puzzle.rows, puzzle.columns):
        return (
            f"the tour is on {rows_by_columns(tour.rows, tour.columns)}, "
            f"the puzzle on {rows_by_columns(puzzle.rows, puzzle.columns)}"
        )
    holes = {row * puzzle.columns + column for row, column in puzzle.holes}
    where: list[int | None] = [None] * (len(tour.numbers) - len(holes))
    for place, number in enumerate(polled(tour.numbers)):
        if place not in holes and 1 <= number <= len(where) and where[number - 1] is None:
            where[number - 1] = place
        elif place not in holes or number != 0:
            return _wrong_number(tour, place, place in holes, where)
    return _wrong_given(puzzle, tour) or _wrong_step(puzzle, [at for at in where if at is not None])


def _wrong_number(tour: Tour, place: int, is_hole: bool, where: list[int | None]) -> str:
    """Return why a square's number is wrong; `where` has the place of each earlier number."""
    square, number = cell_text(*divmod(place, tour.columns)), tour.numbers[place]
    if is_hole:
        return f"the square in {square} is a hole and has the number {number}"
    if 1 <= number <= len(where) and (before := where[number - 1]) is not None:
        other = cell_text(*divmod(before, tour.columns))
        return f"the squares in {other} and in {square} both have the number {number}"
    return f"the square in {square} has the number {number}, expected 1 to {len(where)}"


def _wrong_given(puzzle: Knight, tour: Tour) -> str | None:
    if puzzle.start is not None and tour[puzzle.start] != 1:
        where, number = cell_text(*puzzle.start), tour[puzzle.start]
        return f"the tour is to start in {where}, which has the number {number}"
    for row, column, number in polled(puzzle.given):
        if tour[row, column] != number:
            where = cell_text(row, column)
            return (
                f"the square in {where} has the number {tour[row, column]}, but {number} is given"
            )
    return None


def _wrong_step(puzzle: Knight, path: list[int]) -> str | None:
    """Return the first step that is no knight's move, in words; `path` has places by number."""
    columns = puzzle.columns
    if puzzle.closed and len(path) < 4:
        squares_text = counted(len(path), "square")
        return f"the tour has {squares_text}, a closed tour has at least 4"
    row, column = divmod(path[0], columns)
    for index, place in enumerate(polled(chain(path[1:], path[: puzzle.closed])), start=1):
        next_row, next_column = divmod(place, columns)
        down, right = abs(next_row - row), abs(next_column - column)
        if (down, right) != (1, 2) and (down, right) != (2, 1):
            to = index % len(path) + 1
            return (
                f"from number {index} in {cell_text(row, column)} to number {to} in "
                f"{cell_text(next_row, next_column)} is not a knight's move"
            )
        row, column = next_row, next_column
    return None
