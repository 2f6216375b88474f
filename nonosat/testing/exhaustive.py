"""All solutions of a small puzzle, by brute force, to decide disagreements of solvers.

Models, encodings, engines and the families' own methods are not used: each family has a short
generator of candidates here, and its verifier selects the solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nonosat.core.families import family_of
from nonosat.core.grid import Grid
from nonosat.core.limits import checkpoint
from nonosat.core.plugins import Puzzle
from nonosat.puzzles.knight import Knight, Tour, tour_of
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.queens import Placement, Queens
from nonosat.puzzles.ranges import RangeNonogram
from nonosat.puzzles.slitherlink import Path, Slitherlink
from nonosat.testing import oracles

Vertex = tuple[int, int]

_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def every_solution(puzzle: Puzzle) -> Iterator[Any] | None:
    """Return an iterator over all solutions without repetition; None if the puzzle is too large."""
    for kind, (most, candidates) in _FAMILIES.items():
        if isinstance(puzzle, kind) and puzzle.height * puzzle.width <= most:
            refutation = family_of(puzzle).refutation
            return (one for one in candidates(puzzle) if not refutation(puzzle, one))
    return None


def _pictures(puzzle: Nonogram) -> Iterator[Grid]:
    """Yield pictures cell by cell, along the lines' automata."""
    for cells in oracles.solutions(puzzle):
        yield Grid(puzzle.height, puzzle.width, cells)


def _open_pictures(puzzle: RangeNonogram) -> Iterator[Grid]:
    """Yield pictures row by row; every column is the beginning of a filling."""
    colours = len(puzzle.colours)
    rows = [[*oracles.open_fillings(clue, puzzle.width, colours)] for clue in puzzle.rows]
    begun = [
        {one[:end] for one in oracles.open_fillings(clue, puzzle.height, colours) for end in ends}
        for ends in [range(puzzle.height + 1)]
        for clue in puzzle.columns
    ]

    def extend(columns: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
        checkpoint()
        if (row := len(columns[0])) == puzzle.height:
            yield columns
            return
        for cells in rows[row]:
            longer = tuple(one + bytes([cell]) for one, cell in zip(columns, cells, strict=True))
            if all(one in some for one, some in zip(longer, begun, strict=True)):
                yield from extend(longer)

    for columns in extend((b"",) * puzzle.width):
        cells = bytes(column[row] for row in range(puzzle.height) for column in columns)
        yield Grid(puzzle.height, puzzle.width, cells)


def _placements(puzzle: Queens) -> Iterator[Placement]:
    """Yield placements row by row, on squares that no queen above attacks."""

    def extend(columns: tuple[int, ...]) -> Iterator[Placement]:
        checkpoint()
        if (row := len(columns)) == puzzle.n:
            yield Placement(columns)
            return
        for column in range(puzzle.n):
            if all(abs(column - one) not in (0, row - at) for at, one in enumerate(columns)):
                yield from extend((*columns, column))

    return extend(())


def _tours(puzzle: Knight) -> Iterator[Tour]:
    """Yield tours jump by jump from every square; closed ones from one square, in one direction."""
    board = {(row, column) for row in range(puzzle.rows) for column in range(puzzle.columns)}
    board -= {*puzzle.holes}
    place = {square: square[0] * puzzle.columns + square[1] for square in board}

    def extend(path: tuple[Vertex, ...]) -> Iterator[Tour]:
        checkpoint()
        if len(path) == len(board):
            if not puzzle.closed:
                numbers = {place[square]: number for number, square in enumerate(path, start=1)}
                cells = range(puzzle.rows * puzzle.columns)
                yield Tour(puzzle.rows, puzzle.columns, tuple(numbers.get(at, 0) for at in cells))
            elif path[1:2] <= path[-1:]:
                yield tour_of(puzzle, [place[square] for square in path])
            return
        row, column = path[-1]
        for down, right in _JUMPS:
            if (there := (row + down, column + right)) in board and there not in path:
                yield from extend((*path, there))

    for first in sorted(board)[: 1 if puzzle.closed else None]:
        yield from extend((first,))


def _paths(puzzle: Slitherlink) -> Iterator[Path]:
    """Yield every simple closed walk over the corners, from its first corner."""
    height, width = puzzle.height, puzzle.width

    def edge(one: Vertex, other: Vertex) -> int:
        (row, column), is_across = min(one, other), one[0] == other[0]
        if is_across:
            return row * width + column
        return (height + 1) * width + row * (width + 1) + column

    def extend(walk: tuple[Vertex, ...]) -> Iterator[tuple[Vertex, ...]]:
        checkpoint()
        for down, right in _STEPS:
            there = (walk[-1][0] + down, walk[-1][1] + right)
            if there == walk[0] and len(walk) > 2:
                yield walk
            on_board = 0 <= there[0] <= height and 0 <= there[1] <= width
            if on_board and there > walk[0] and there not in walk:
                yield from extend((*walk, there))

    for start in ((row, column) for row in range(height) for column in range(width)):
        # to the right first, to fix the direction
        for walk in extend((start, (start[0], start[1] + 1))):
            chosen = {edge(*pair) for pair in zip(walk, (*walk[1:], start), strict=True)}
            num_edges = 2 * height * width + height + width
            yield Path(height, width, bytes(at in chosen for at in range(num_edges)))


# By class of puzzles: maximum number of cells, and generator of candidates.
_FAMILIES: dict[type, tuple[int, Callable[[Any], Iterator[Any]]]] = {
    Nonogram: (64, _pictures),
    RangeNonogram: (25, _open_pictures),
    Queens: (64, _placements),
    Knight: (20, _tours),
    Slitherlink: (20, _paths),
}
