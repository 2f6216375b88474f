"""Queens anywhere on the board: the second method of document 004.

Every empty square of the whole board is tried in row-major order: a queen is placed if none
attacks it, and the search recurses until there are n. As the order of queens is not fixed, k
queens are placed in up to k! orders: 25 944 calls to the first placement of 8 queens, 125 072 of
10. The document prints one placement; for another one the board has to be changed, which is the
origin of given queens.

Corrected: given queens are checked (in the document two that attack each other count as a
solution), and if there is no placement, that is reported; the document prints an empty board.
Added: blocked squares.

Source: document 004, "Giải thuật vét cạn Python" (the n queens problem), section 2.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import combinations, product

from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.queens.data import Placement, Queens

MOST = 10  # queens that are not given


def limit(puzzle: Queens) -> str | None:
    """Return a message if there are too many queens to place, or None."""
    if (missing := puzzle.n - len(puzzle.given)) <= MOST:
        return None
    return (
        f"{missing} queens to be placed, expected at most {MOST}: 10 take 125,072 calls, and each "
        "further one up to as many times more as there are squares"
    )


def solve(puzzle: Queens, watch: Watch, seed: int = 0) -> Generator[Placement, None, Ending]:
    """Yield the first placement found."""
    del seed
    n = puzzle.n
    board = [[0] * n for _ in range(n)]
    for row, column in puzzle.given:
        board[row][column] = 1
    calls = 0

    def possible(d: int, c: int) -> bool:
        """Return True if no queen of the board attacks the square."""
        return not any(
            board[i][j] and (i == d or j == c or c - d == j - i or c + d == j + i)
            for i, j in product(range(n), repeat=2)
        )

    def place() -> bool:
        """Fill the board up to n queens; on failure return False and leave it unchanged."""
        nonlocal calls
        calls += 1
        if sum(map(sum, board)) == n:
            return True
        for d, c in product(range(n), repeat=2):
            watch.check()
            if not board[d][c] and (d, c) not in blocked and possible(d, c):
                board[d][c] = 1
                if place():
                    return True
                board[d][c] = 0
        return False

    blocked = {*puzzle.blocked}
    if not _is_sound(puzzle) or not place():
        return Ending(True, detail={"calls": calls})
    yield Placement(tuple(row.index(1) for row in board))
    return Ending(False, "the method ends with its first placement", {"calls": calls})


def _is_sound(puzzle: Queens) -> bool:
    """Return True if the given queens are on free squares and do not attack each other."""
    if {*puzzle.given} & {*puzzle.blocked}:
        return False
    return not any(
        i == d or j == c or abs(i - d) == abs(j - c)
        for (i, j), (d, c) in combinations(puzzle.given, 2)
    )


PLUGIN = Study(
    family="queens",
    summary="any free square of the whole board next; the first solution only",
    source="document 004, section 2 (solve and possible), corrected",
    largest=f"{MOST} queens that are not given",
    limit=limit,
    solve=solve,
)
