"""The knight's tour by backtracking: the method of document 001, with its order of moves.

From the start, the moves of the document's table are tried in turn, each from the square to which
it leads; a square without a continuation is undone. The 8 x 8 board takes 8,250,733 calls. Every
further tour is found in the same way, so a board is exhausted in the end; the calls to the first
one and in all are counted. The order is exactly the document's, without look-ahead, but the
recursion is that of the native search, which makes 60 million calls a second.

Corrected: the first index is the row and the second the column, as in the document's code, not
"x the column" as in its text; a full board is detected once, on entering a square; a
start from which there is no tour stays marked. Added: a limit, and reasons that need no search (a
start on the smaller colour of an odd board would never come to an end). Closed tours, holes and
given numbers are for the method's successors.

Source: document 001, "Knight's tour" (backtracking), with its tables xMove and yMove.
"""

from __future__ import annotations

from collections.abc import Generator

from nonosat import _core
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.knight.data import Knight, Tour
from nonosat.puzzles.knight.methods import every_tour

MOST = 64  # squares


def limit(puzzle: Knight) -> str | None:
    """Return a message if the method does not support the board, else None."""
    if puzzle.closed or puzzle.holes or puzzle.given:
        return "closed tours, holes and given numbers are beyond it; it takes a board and a start"
    if puzzle.num_squares <= MOST:
        return None
    return (
        f"{puzzle.num_squares} squares, expected at most {MOST}: 8 x 8 take 8,250,733 calls from "
        "the corner, 9 x 8 take 130,192,313, and 9 x 9 are not done after 600,000,000"
    )


def solve(puzzle: Knight, watch: Watch, seed: int = 0) -> Generator[Tour, None, Ending]:
    """Yield all tours from the start; the first one is the document's."""
    del seed
    row, column = puzzle.start or (0, 0)
    board = _core.KnightBoard(puzzle.rows, puzzle.columns, [])
    starts = [row * puzzle.columns + column]
    search = _core.TourSearch(board, starts, [], closed=False, halved=False, guided=False)
    yield from every_tour(puzzle, search, watch)
    is_all = puzzle.start is not None
    reason = "" if is_all else "it starts from one corner; give another start for the other tours"
    return Ending(is_all, reason, {"calls": search.num_calls})


PLUGIN = Study(
    family="knight",
    summary="the document's backtracking, from its corner if no start is given",
    source="document 001 (dfs and isSafe, xMove and yMove), corrected",
    largest=f"{MOST} squares, open tours without holes and given numbers",
    limit=limit,
    solve=solve,
)
