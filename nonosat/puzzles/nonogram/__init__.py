"""Nonogram family: rows and columns of a board as `Line` constraints (`RowsAndColumns`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nonosat import _core
from nonosat.core.about import About
from nonosat.core.errors import counted
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clause, Clue, Model, OneColourEach, RowsAndColumns
from nonosat.core.plugins import Family
from nonosat.core.wording import line_with_clue
from nonosat.puzzles.nonogram.data import (
    BLACK,
    WHITE,
    Colour,
    Nonogram,
    check_size,
    clue_of,
    from_grid,
    mono,
)
from nonosat.puzzles.nonogram.verify import refutation

__all__ = [
    "BLACK",
    "PLUGIN",
    "WHITE",
    "About",
    "Block",
    "Clue",
    "Colour",
    "Nonogram",
    "build",
    "check_size",
    "clue_of",
    "decode",
    "fast_path",
    "from_grid",
    "mono",
    "neighbours",
    "obstacle",
    "refutation",
    "solution_data",
    "solution_from_data",
    "to_data",
]


_SMALL = 1024  # cells of a board whose lines are propagated in some microseconds
_FIRST = 16  # neighbours in the first batch


def obstacle(puzzle: Nonogram) -> str | None:
    """Return a reason, from the clues alone, why the puzzle has no solution; None without one."""
    height, width = puzzle.height, puzzle.width
    filled = []
    for first, clues, length in ((0, puzzle.rows, width), (height, puzzle.columns, height)):
        least, by_colour = _core.clue_sizes(clues, len(puzzle.colours))
        filled.append(by_colour)
        if max(least) > length:
            line = next(line for line, needed in enumerate(least) if needed > length)
            named = line_with_clue(first + line, height, clues[line], puzzle.signs)
            cells = counted(least[line], "cell")
            return f"{named} needs at least {cells}, it has {length}"
    for colour, (by_rows, by_columns) in enumerate(zip(*filled, strict=True)):
        if -1 not in (by_rows, by_columns) and by_rows != by_columns:
            ink = puzzle.colours[colour - 1]
            kind = "" if len(puzzle.colours) == 1 else f" of colour {ink.key!r}"
            return f"the rows fill {counted(by_rows, 'cell')}{kind}, the columns {by_columns}"
    return None


def fast_path(puzzle: Nonogram) -> Grid | None:
    """Return the picture of a small puzzle that line propagation solves; None for others."""
    height, width = puzzle.height, puzzle.width
    if height * width > _SMALL or puzzle.given:
        return None
    cells = _core.forced_cells(len(puzzle.colours), puzzle.rows, puzzle.columns)
    return None if cells is None else Grid(height, width, cells)


def build(puzzle: Nonogram) -> Model:
    """Return the model of a puzzle: a `Line` for each row and column, rows first."""
    num_colours = len(puzzle.colours)
    size = puzzle.height * puzzle.width
    units = []
    for row, column, colour in polled(puzzle.given):
        cell = 1 + row * puzzle.width + column
        for k in range(1, num_colours + 1):
            lit = cell + (k - 1) * size
            units.append(Clause((lit if k == colour else -lit,)))
    return Model(
        num_vars=num_colours * size,
        lines=RowsAndColumns(puzzle.rows, puzzle.columns, num_colours),
        counts=OneColourEach(size, num_colours),
        clauses=tuple(units),
    )


def neighbours(puzzle: Nonogram, grid: Grid) -> Iterator[Grid]:
    """Yield solutions close to the solution `grid`, found in growing batches.

    They are its images under symmetries of the clues, then those with a 2x2 switch: two corners of
    a rectangle in one colour change places with two empty ones, the commonest ambiguity of drawn
    puzzles (native/strategy/neighbours.hpp). Values of given cells are not verified.
    """
    board = _core.Board(len(puzzle.colours), puzzle.rows, puzzle.columns)
    most, given = _FIRST, 0
    while True:
        found = _core.neighbours(board, grid.cells, most)
        for cells in found[given:]:
            yield Grid(grid.height, grid.width, cells)
        if len(found) < most:
            return
        most, given = 16 * most, most


def decode(puzzle: Nonogram, values: bytes) -> Grid:
    """Return the picture of `values`: values[v] is 1 if variable v is true (index 0 unused)."""
    size = puzzle.height * puzzle.width
    if len(puzzle.colours) == 1:
        return Grid(puzzle.height, puzzle.width, values[1 : 1 + size])
    # A cell has at most one colour, so the sum of the planes in base 256 never carries.
    total = sum(
        (k + 1) * int.from_bytes(values[1 + k * size : 1 + (k + 1) * size], "little")
        for k in range(len(puzzle.colours))
    )
    return Grid(puzzle.height, puzzle.width, total.to_bytes(size, "little"))


def solution_data(puzzle: Nonogram, grid: Grid) -> list[str]:
    """Return the rows of a picture, with the puzzle's symbols."""
    return grid.lines(puzzle.symbols)


def solution_from_data(puzzle: Nonogram, rows: Sequence[str]) -> Grid:
    """Return the picture from the rows that `solution_data` returns."""
    return Grid.of_rows(rows, puzzle.symbols)


def to_data(puzzle: Nonogram) -> dict[str, Any]:
    """Return the constraints as JSON data; colours are numbers, independent of their appearance."""
    return {
        "colors": len(puzzle.colours),
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "given": tuple(sorted(puzzle.given)),
    }


PLUGIN = Family(
    summary="paint-by-number pictures, with colours and blocks of unknown length",
    build=build,
    decode=decode,
    refutation=refutation,
    to_data=to_data,
    obstacle=obstacle,
    fast_path=fast_path,
    solution_data=solution_data,
    solution_from_data=solution_from_data,
    legend=lambda puzzle: puzzle.legend,
    goal=lambda puzzle: puzzle.goal,
    neighbours=neighbours,
    part="cell",
)
