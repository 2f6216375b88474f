"""Is this a tour of that board? Shares no code with the model, the methods or the native core.

Linear in the board: every number once, every step one or two rows on and two or one columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.errors import counted, rows_by_columns

if TYPE_CHECKING:
    from nonosat.puzzles.knight.data import Knight, Tour


def refutation(puzzle: Knight, tour: Tour) -> str | None:
    """Why `tour` is not a solution of `puzzle`, or None when it is one."""
    if (tour.rows, tour.columns) != (puzzle.rows, puzzle.columns):
        return (
            f"the tour is on {rows_by_columns(tour.rows, tour.columns)}, "
            f"the puzzle on {puzzle.rows} x {puzzle.columns}"
        )
    holes = {row * puzzle.columns + column for row, column in puzzle.holes}
    where: list[int | None] = [None] * (len(tour.numbers) - len(holes))
    for place, number in enumerate(tour.numbers):
        square = divmod(place, tour.columns)
        if place in holes:
            if number != 0:
                return f"{square} is a hole and has the number {number}"
        elif not 1 <= number <= len(where):
            return f"{square} has the number {number}, expected 1 to {len(where)}"
        elif (before := where[number - 1]) is not None:
            return f"{divmod(before, tour.columns)} and {square} both have the number {number}"
        else:
            where[number - 1] = place
    return _wrong_given(puzzle, tour) or _wrong_step(puzzle, [at for at in where if at is not None])


def _wrong_given(puzzle: Knight, tour: Tour) -> str | None:
    if puzzle.start is not None and tour[puzzle.start] != 1:
        return f"the tour is to start on {puzzle.start}, which has the number {tour[puzzle.start]}"
    for row, column, number in puzzle.given:
        if tour[row, column] != number:
            return f"({row}, {column}) has the number {tour[row, column]}, given is {number}"
    return None


def _wrong_step(puzzle: Knight, path: list[int]) -> str | None:
    """The first step that is no knight's move; `path` has the places in their order."""
    columns = puzzle.columns
    squares = [divmod(place, columns) for place in path]
    if puzzle.closed:
        if len(squares) < 4:
            return f"{counted(len(squares), 'square')}, a closed tour has 4 at least"
        squares.append(squares[0])
    row, column = squares[0]
    for index, (next_row, next_column) in enumerate(squares[1:], start=1):
        down, right = abs(next_row - row), abs(next_column - column)
        if (down, right) != (1, 2) and (down, right) != (2, 1):
            to = index % len(path) + 1
            return (
                f"from number {index} on {(row, column)} to number {to} on "
                f"{(next_row, next_column)} is no knight's move"
            )
        row, column = next_row, next_column
    return None
