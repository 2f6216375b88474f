"""Queens row by row: the first method of document 004, recursion over the rows.

`possible(row, column)` checks the queens above; `place(row)` tries the columns from left to
right. All placements come in lexicographic order, as the document prints them: 2057 calls for the
92 of 8 queens, and about six times as many for each queen more.

Corrected: `n = 0` has one placement, the empty one, and no row after the last is entered; the list
that is printed is the local one, not a global one. Added: given queens and blocked squares.

Source: document 004, "Giải thuật vét cạn Python" (the n queens problem), section 1.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending, Study
from nonosat.puzzles.queens.data import Placement, Queens

MOST = 28  # queens; 30 take 56 million calls to the first placement, some minutes


def limit(puzzle: Queens) -> str | None:
    """Return a message if there are too many queens, or None."""
    if puzzle.n <= MOST:
        return None
    return f"{puzzle.n} queens, expected at most {MOST}: 30 take 56 million calls to the first one"


def solve(puzzle: Queens, watch: Watch, seed: int = 0) -> Generator[Placement, None, Ending]:
    """Yield all placements."""
    del seed
    n, blocked = puzzle.n, {*puzzle.blocked}
    given = [{column for row, column in puzzle.given if row == i} for i in range(n)]
    a = [-1] * n  # a[i] = j: the queen of row i is in column j
    calls = 0

    def possible(d: int, c: int) -> bool:
        """Return True if no queen above row d attacks its column c, and the square is allowed."""
        if (d, c) in blocked or not given[d] <= {c}:
            return False
        return all(a[i] != c and c - d != a[i] - i and c + d != a[i] + i for i in range(d))

    def gen(i: int) -> Iterator[Placement]:
        """Yield every completion when the rows above i are filled."""
        nonlocal calls
        calls += 1
        watch.check()
        if i == n:
            yield Placement(tuple(a))
            return
        for j in range(n):
            if possible(i, j):
                a[i] = j
                yield from gen(i + 1)

    yield from gen(0)
    return Ending(True, detail={"calls": calls})


PLUGIN = Study(
    family="queens",
    summary="row by row, each column tried from left to right; every solution, in order",
    source="document 004, section 1 (gen and possible), corrected",
    largest=f"{MOST} queens",
    limit=limit,
    solve=solve,
)
