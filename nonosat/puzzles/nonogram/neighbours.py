"""Cheap candidates for a second solution, made from a first one.

Two ways: mirror images under which the clues do not change, and 2x2 switches (two filled and two
empty corners of a rectangle change places, the commonest ambiguity of drawn puzzles). Whatever is
yielded is only a candidate: the caller verifies it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain

from nonosat.grid import Grid
from nonosat.puzzles.nonogram.data import Nonogram


def neighbours(puzzle: Nonogram, grid: Grid) -> Iterator[Grid]:
    """Candidates for a solution other than `grid`, none of them equal to it."""
    for candidate in chain(_mirrored(puzzle, grid), _switched(puzzle, grid)):
        if candidate.cells != grid.cells:
            yield candidate


def _mirrored(puzzle: Nonogram, grid: Grid) -> Iterator[Grid]:
    """Images of `grid` under the symmetries that the clues have."""
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


def _moves(line: bytes) -> Iterator[tuple[int, int]]:
    """(from, to) pairs of one filled cell that leave the runs of a mono line as they are.

    Either a run slides by one cell, or a run of length 1 goes elsewhere among its equals.
    """
    length = len(line)
    padded = b"\0" + line + b"\0\0"  # padded[i + 1] is cell i
    start = line.find(1)
    while start >= 0:
        end = line.find(0, start)
        end = length if end < 0 else end
        if end < length and not padded[end + 2]:
            yield start, end
        if start > 0 and not (start > 1 and line[start - 2]):
            yield end - 1, start - 1
        if end - start == 1:
            yield from _jumps(padded, start)
        start = line.find(1, end)


def _jumps(padded: bytes, single: int) -> Iterator[tuple[int, int]]:
    """Places further than one cell where the run of length 1 at `single` may go."""
    for step in (1, -1):
        at = single + 2 * step
        while 0 <= at < len(padded) - 3:
            if padded[at + 1]:
                if padded[at + 1 + step]:
                    break  # a longer run: the order of lengths would change
            elif not (padded[at] or padded[at + 2]):
                yield single, at
            at += step


def _switched(puzzle: Nonogram, grid: Grid) -> Iterator[Grid]:
    """`grid` with (a, c), (b, d) filled and (a, d), (b, c) empty exchanged, for rows a and b."""
    if len(puzzle.colours) > 1:
        return
    rows_by_move: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in range(grid.height):
        for move in _moves(grid.row(row)):
            rows_by_move[move].append(row)
    column_moves = cache(lambda column: frozenset(_moves(grid.column(column))))
    for (source, target), rows in rows_by_move.items():
        if source > target:
            continue
        for one in rows:
            for other in rows_by_move.get((target, source), ()):
                downwards, upwards = (one, other), (other, one)
                if downwards in column_moves(source) and upwards in column_moves(target):
                    cells = bytearray(grid.cells)
                    for row in downwards:
                        for column in (source, target):
                            cells[row * grid.width + column] ^= 1
                    yield Grid(grid.height, grid.width, bytes(cells))
