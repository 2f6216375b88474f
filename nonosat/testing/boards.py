"""Brute force for the boards of the other families: every loop, placement and tour is tried.

Loops are found by walks on the lattice, queens are placed row by row, tours are extended square by
square. No model, rule or generator is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from nonosat.core.errors import NotAPuzzleError, UnsupportedError, counted, shown
from nonosat.core.limits import checkpoint
from nonosat.core.plugins import Puzzle
from nonosat.puzzles.knight.data import Knight, Tour
from nonosat.puzzles.queens.data import Placement, Queens
from nonosat.puzzles.slitherlink.data import BLANK, Path, Slitherlink
from nonosat.testing import loops

Square = tuple[int, int]
MOST_CELLS = 16  # of a Slitherlink: 4x4 has 9349 loops, 5x5 over a million
MOST_QUEENS = 12  # 14200 placements
MOST_SQUARES = 20  # of a knight's board


def check_kind(puzzle: Puzzle, kind: type) -> None:
    """Raise NotAPuzzleError unless the argument is a puzzle of this kind."""
    if not isinstance(puzzle, kind):
        raise NotAPuzzleError(f"{shown(puzzle)} is no {kind.__name__}, expected one")


def _refuse(found: int, most: int, what: str) -> None:
    """Raise UnsupportedError if enumeration would take hours."""
    if found > most:
        raise UnsupportedError(
            f"{counted(found, what)}, brute force is for at most {most}; nonosat.solutions takes "
            "larger boards"
        )


# Slitherlink


def slitherlink_solutions(puzzle: Slitherlink) -> set[Path]:
    """Return the solutions of a Slitherlink, by enumeration of all loops of its lattice.

    Exponential in the number of cells: immediate up to 12 cells, a second for 16, once for each
    size.

    Args:
        puzzle: A board of at most `MOST_CELLS` cells.

    Raises:
        NotAPuzzleError: The argument is not a Slitherlink.
        UnsupportedError: The board is larger.
    """
    check_kind(puzzle, Slitherlink)
    _refuse(puzzle.height * puzzle.width, MOST_CELLS, "cell")
    return set(paths_of(puzzle))


def paths_of(puzzle: Slitherlink) -> Iterator[Path]:
    """Yield the solutions of a Slitherlink of any size."""
    texts = [(cell, clue) for cell, clue in enumerate(puzzle.clues) if clue != BLANK]
    paths = all_paths(puzzle.height, puzzle.width)
    given = puzzle.given_edges()
    for path, clues in zip(paths, _all_clues(puzzle.height, puzzle.width), strict=True):
        if all(clues[cell] == clue for cell, clue in texts) and all(
            path.edges[edge] == value for edge, value in given
        ):
            yield path


@cache
def all_paths(height: int, width: int) -> tuple[Path, ...]:
    """Return every loop on the lattice of a board; exponential in its cells."""
    lattice = loops.board(height, width)
    found = loops.cycles(lattice)
    size = len(lattice.edges)
    return tuple(Path(height, width, bytes(e in cycle for e in range(size))) for cycle in found)


@cache
def _all_clues(height: int, width: int) -> tuple[bytes, ...]:
    """Return for every loop on the lattice of a board the clues that fit it, a byte per cell."""
    return tuple(map(clues_of, all_paths(height, width)))


def clues_of(path: Path) -> bytes:
    """Return the number of sides on the path for each cell."""
    return bytes(
        path.horizontal(row)[column]
        + path.horizontal(row + 1)[column]
        + sum(path.vertical(row)[column : column + 2])
        for row in range(path.height)
        for column in range(path.width)
    )


# Queens


def queens_solutions(puzzle: Queens) -> list[Placement]:
    """Return all placements of n queens, in lexicographic order.

    Row by row, each queen is compared with all before it: immediate up to 8 queens, minutes for 12.

    Args:
        puzzle: A board of at most `MOST_QUEENS` queens.

    Raises:
        NotAPuzzleError: The argument is not a queens puzzle.
        UnsupportedError: The board is larger.
    """
    check_kind(puzzle, Queens)
    _refuse(puzzle.n, MOST_QUEENS, "queen")
    return list(placements_of(puzzle))


def placements_of(puzzle: Queens) -> Iterator[Placement]:
    """Yield the placements of n queens, in lexicographic order."""
    given, blocked = {*puzzle.given}, {*puzzle.blocked}

    def place(columns: tuple[int, ...]) -> Iterator[Placement]:
        checkpoint()
        row = len(columns)
        if row == puzzle.n:
            if given <= {*enumerate(columns)}:
                yield Placement(columns)
            return
        for column in range(puzzle.n):
            is_attacked = any(
                other == column or abs(other - column) == row - above
                for above, other in enumerate(columns)
            )
            if not is_attacked and (row, column) not in blocked:
                yield from place((*columns, column))

    return place(())


# Knights


def is_move(one: Square, other: Square) -> bool:
    """Return True if the squares are a knight's move apart."""
    return abs(one[0] - other[0]) * abs(one[1] - other[1]) == 2


def _walks(squares: list[Square], starts: list[Square]) -> Iterator[list[Square]]:
    """Yield every walk over all squares by knight's moves, without any heuristic."""
    near = {one: [other for other in squares if is_move(one, other)] for one in squares}

    def go_on(path: list[Square], left: set[Square]) -> Iterator[list[Square]]:
        checkpoint()
        if not left:
            yield list(path)
        for square in near[path[-1]]:
            if square in left:
                yield from go_on([*path, square], left - {square})

    for start in starts:
        yield from go_on([start], set(squares) - {start})


def knight_solutions(puzzle: Knight) -> list[Tour]:
    """Return all tours; of a closed one only the canonical numbering.

    Exponential in the number of squares: a second for 16 of them, a minute for 20.

    Args:
        puzzle: A board of at most `MOST_SQUARES` squares to visit.

    Raises:
        NotAPuzzleError: The argument is not a knight's tour puzzle.
        UnsupportedError: The board is larger.
    """
    check_kind(puzzle, Knight)
    _refuse(puzzle.num_squares, MOST_SQUARES, "square")
    return list(tours_of(puzzle))


def tours_of(puzzle: Knight) -> Iterator[Tour]:
    """Yield all tours; each closed one in its canonical numbering."""
    every = product(range(puzzle.rows), range(puzzle.columns))
    squares = [square for square in every if square not in puzzle.holes]
    for walk in _walks(squares, squares[:1] if puzzle.closed else squares):
        numberings = [walk]
        if puzzle.closed:
            if len(walk) < 4 or not is_move(walk[0], walk[-1]) or walk[1] > walk[-1]:
                continue  # not closed, or the same tour as in the other direction
            ways = (walk, walk[::-1])
            numberings = [way[at:] + way[:at] for way in ways for at in range(len(way))]
        if fitting := [one for one in numberings if _fits(puzzle, one)]:
            yield _numbered(puzzle, min(fitting, key=lambda one: _rank(puzzle, one)))


def _fits(puzzle: Knight, walk: list[Square]) -> bool:
    numbers = {square: number for number, square in enumerate(walk, start=1)}
    return all(numbers[row, column] == number for row, column, number in puzzle.numbered)


def _rank(puzzle: Knight, walk: list[Square]) -> tuple[Square, Square]:
    """Return a sort key; of all numberings of a closed tour the canonical one has the least."""
    lowest = min((number for _, _, number in puzzle.numbered), default=1)
    return walk[lowest - 1], walk[lowest % len(walk)]


def _numbered(puzzle: Knight, walk: list[Square]) -> Tour:
    numbers = {square: number for number, square in enumerate(walk, start=1)}
    every = product(range(puzzle.rows), range(puzzle.columns))
    return Tour(puzzle.rows, puzzle.columns, tuple(numbers.get(square, 0) for square in every))
