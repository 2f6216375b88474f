"""Is this a tour of that board? Shares no code with the model, the methods or the native core.

Linear in the board: every number once, every step one or two rows on and two or one columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.errors import counted, rows_by_columns
from nonosat.wording import cell_text

if TYPE_CHECKING:
    from nonosat.puzzles.knight.data import Knight, Tour


def refutation(puzzle: Knight, tour: Tour) -> str | None:
    """Why `tour` is not a solution of `puzzle`, or None when it is one."""
    if (tour.rows, tour.columns) != (puzzle.rows, puzzle.columns):
        return (
            f"the tour is on {rows_by_columns(tour.rows, tour.columns)}, "
            f"the puzzle on {rows_by_columns(puzzle.rows, puzzle.columns)}"
        )
    holes = {row * puzzle.columns + column for row, column in puzzle.holes}
    where: list[int | None] = [None] * (len(tour.numbers) - len(holes))
    for place, number in enumerate(tour.numbers):
        square = cell_text(*divmod(place, tour.columns))
        if place in holes:
            if number != 0:
                return f"the square in {square} is a hole and has the number {number}"
        elif not 1 <= number <= len(where):
            return f"the square in {square} has the number {number}, expected 1 to {len(where)}"
        elif (before := where[number - 1]) is not None:
            other = cell_text(*divmod(before, tour.columns))
            return f"the squares in {other} and in {square} both have the number {number}"
        else:
            where[number - 1] = place
    return _wrong_given(puzzle, tour) or _wrong_step(puzzle, [at for at in where if at is not None])


def _wrong_given(puzzle: Knight, tour: Tour) -> str | None:
    if puzzle.start is not None and tour[puzzle.start] != 1:
        where, number = cell_text(*puzzle.start), tour[puzzle.start]
        return f"the tour is to start in {where}, which has the number {number}"
    for row, column, number in puzzle.given:
        if tour[row, column] != number:
            where = cell_text(row, column)
            return (
                f"the square in {where} has the number {tour[row, column]}, but {number} is given"
            )
    return None


def _wrong_step(puzzle: Knight, path: list[int]) -> str | None:
    """The first step that is no knight's move; `path` has the places in their order."""
    columns = puzzle.columns
    squares = [divmod(place, columns) for place in path]
    if puzzle.closed:
        if len(squares) < 4:
            squares_text = counted(len(squares), "square")
            return f"the tour has {squares_text}, a closed tour has at least 4"
        squares.append(squares[0])
    row, column = squares[0]
    for index, (next_row, next_column) in enumerate(squares[1:], start=1):
        down, right = abs(next_row - row), abs(next_column - column)
        if (down, right) != (1, 2) and (down, right) != (2, 1):
            to = index % len(path) + 1
            return (
                f"from number {index} in {cell_text(row, column)} to number {to} in "
                f"{cell_text(next_row, next_column)} is no knight's move"
            )
        row, column = next_row, next_column
    return None
