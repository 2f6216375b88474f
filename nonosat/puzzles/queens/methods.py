"""Methods for queens alone: a formula for one solution, native backtracking for all of them.

Neither needs the model. Backtracking keeps a row's columns and diagonals as bits of a machine word
(`native/queens/`), so it serves up to 64 queens; its memory does not grow with what it finds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from nonosat import _core
from nonosat.errors import UnsupportedError
from nonosat.limits import Watch
from nonosat.plugins import Ending
from nonosat.puzzles.queens.construction import columns
from nonosat.puzzles.queens.data import Placement, Queens

MAX_SEARCHED = 64
BATCH, STEPS = 256, 1_000_000  # placements and steps, some milliseconds, between two looks


def construction(puzzle: Queens, watch: Watch, seed: int = 0) -> Generator[Placement, None, Ending]:
    """A formula, and what turning and mirroring the board makes of it; any number of queens."""
    del seed
    if puzzle.given or puzzle.blocked:
        return Ending(False, "the construction knows no given queens and no blocked squares")
    n, seen = puzzle.n, set()
    if n not in (2, 3):
        for image in _images(tuple(columns(n))):
            watch.check()
            if image not in seen:
                seen.add(image)
                yield Placement(image)
    return Ending(True) if n <= 4 else Ending(False, "the construction makes no further ones")


def _images(upright: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The eight symmetric placements, some of them perhaps equal."""
    turned = sorted(range(len(upright)), key=upright.__getitem__)
    for placed in (upright, tuple(turned)):
        mirrored = tuple(len(placed) - 1 - column for column in placed)
        yield from (placed, placed[::-1], mirrored, mirrored[::-1])


def backtracking(puzzle: Queens, watch: Watch, seed: int = 0) -> Generator[Placement, None, Ending]:
    """All placements in lexicographic order, row by row over bits; up to 64 queens."""
    del seed
    search = _core.QueensSearch(_words(puzzle))
    while not search.is_exhausted:
        watch.check()
        yield from map(Placement, map(tuple, search.next(BATCH, STEPS)))
    return Ending(True, detail={"nodes": search.num_nodes})


def count(puzzle: Queens, watch: Watch) -> tuple[int, bool]:
    """How many placements there are; False with a lower bound where the watch ended it."""
    counter = _core.QueensCount(_words(puzzle))
    is_exact = counter.run(watch.remaining_s(), watch.poll)
    return counter.total, is_exact


def free_squares(puzzle: Queens) -> list[int]:
    """By row, as bits, the columns that are not blocked and not attacked by a given queen."""
    n = puzzle.n
    free = [(1 << n) - 1] * n
    for row, column in puzzle.given:
        square = 1 << column
        for other in range(n):
            away = abs(other - row)
            free[other] &= ~(square | square << away | square >> away) if away else square
    for row, column in puzzle.blocked:
        free[row] &= ~(1 << column)
    return free


def _words(puzzle: Queens) -> list[int]:
    """The same for native code, which keeps a row in a machine word.

    Raises:
        UnsupportedError: More than 64 queens.
    """
    if puzzle.n > MAX_SEARCHED:
        raise UnsupportedError(
            f"backtracking places up to {MAX_SEARCHED} queens, found {puzzle.n}; use learn or cpsat"
        )
    return free_squares(puzzle)
