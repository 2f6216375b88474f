"""Cheap candidates for a second solution, made from a first one.

Two kinds: mirror images under which the clues do not change, and 2x2 switches (two corners of a
rectangle in one colour and two empty ones are exchanged, the commonest ambiguity of drawn puzzles).
The caller must verify each candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from nonosat import _core
from nonosat.core.grid import Grid
from nonosat.puzzles.nonogram.data import Nonogram

_FIRST = 16  # switches in the first batch


def neighbours(puzzle: Nonogram, grid: Grid) -> Iterator[Grid]:
    """Yield candidates for a solution other than `grid`, none of them equal to it."""
    for candidate in chain(_mirrored(puzzle, grid), _switched(grid)):
        if candidate.cells != grid.cells:
            yield candidate


def _mirrored(puzzle: Nonogram, grid: Grid) -> Iterator[Grid]:
    """Yield images of `grid` under the symmetries of the clues."""
    height, width, cells = grid.height, grid.width, grid.cells
    turned_rows = tuple(clue[::-1] for clue in puzzle.rows)
    turned_columns = tuple(clue[::-1] for clue in puzzle.columns)
    if puzzle.rows == turned_rows and puzzle.columns == puzzle.columns[::-1]:
        yield Grid(height, width, b"".join(grid.row(row)[::-1] for row in range(height)))
    if puzzle.columns == turned_columns and puzzle.rows == puzzle.rows[::-1]:
        yield Grid(height, width, b"".join(grid.row(row) for row in reversed(range(height))))
    if puzzle.rows == turned_rows[::-1] and puzzle.columns == turned_columns[::-1]:
        yield Grid(height, width, cells[::-1])
    if puzzle.rows == puzzle.columns:
        yield Grid(height, width, b"".join(grid.column(column) for column in range(width)))
    if puzzle.rows == turned_columns[::-1] and puzzle.columns == turned_rows[::-1]:
        columns = (grid.column(column)[::-1] for column in reversed(range(width)))
        yield Grid(height, width, b"".join(columns))


def _switched(grid: Grid) -> Iterator[Grid]:
    """Yield `grid` with (a, c), (b, d) of one colour and (a, d), (b, c) empty exchanged."""
    for one, other, source, target in _switches(grid):
        cells = bytearray(grid.cells)
        for row in (one, other):
            left, right = row * grid.width + source, row * grid.width + target
            cells[left], cells[right] = cells[right], cells[left]
        yield Grid(grid.height, grid.width, bytes(cells))


def _switches(grid: Grid) -> Iterator[tuple[int, ...]]:
    """Yield rows and columns of the switches, in growing batches, since few callers need all."""
    most, given = _FIRST, 0
    while True:
        found = _core.switches(grid.cells, grid.height, grid.width, most)
        parts = (found[4 * given + part :: 4] for part in range(4))
        yield from zip(*parts, strict=True)
        if len(found) < 4 * most:
            return
        most, given = 16 * most, most
