"""Placements up to the eight symmetries of the square: four turns and four reflections.

Two placements of a board are of one class if a symmetry maps one to the other. Classes are of the
placements of that board alone: given queens and blocked squares do not move, so a class can have
fewer than eight members though none of them is symmetric.

On a board that all symmetries map to itself the number of classes is the mean over the symmetries
of the number of placements that each keeps (Cauchy, Frobenius, Burnside). No reflection keeps a
placement of two queens or more, because a queen and its image would attack each other. Half turns
are searched a pair of rows at a time, in about the square root of the time of the whole count. On
any other board native code lists the placements and counts those that no image on the board
precedes.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonosat import _core
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Watch
from nonosat.puzzles.queens.data import Placement, Queens
from nonosat.puzzles.queens.methods import MAX_SEARCHED, can_backtrack, count, images
from nonosat.puzzles.queens.reasons import free_squares

STEPS = 1_000_000  # rows that native code enters between two looks at the watch
NUM_SYMMETRIES = 8
LOOK_EVERY = 1_000  # pairs of rows between two looks at the watch


def count_classes(puzzle: Queens, watch: Watch, jobs: int = 1) -> tuple[int, int, bool] | None:
    """Count placements, and classes of placements.

    Args:
        puzzle: The board.
        watch: Ends the count.
        jobs: Threads of a count of a board that all symmetries map to itself.

    Returns:
        The number of placements, the number of classes, and True; lower bounds and False if a limit
        was hit. None for a board on which backtracking does not find a placement soon, and for
        more than `MAX_SEARCHED` queens.
    """
    if puzzle.n > MAX_SEARCHED:
        return None
    words = free_squares(puzzle)
    if puzzle.n > 1 and not _is_symmetric(words):
        return _listed(words, watch) if can_backtrack(words, watch) else None
    found = count(puzzle, watch, jobs)
    if found is None:
        return None
    number, is_exact = found
    least = -(-number // NUM_SYMMETRIES)
    if not is_exact:
        return number, least, False
    if puzzle.n < 2:
        return number, number, True
    halves = quarters = 0
    try:
        for placement in _half_turned(words, watch):
            halves += 1
            quarters += _is_quarter_turned(placement)
    except LimitReached:
        return number, least, False
    return number, (number + halves + 2 * quarters) // NUM_SYMMETRIES, True


def is_first(puzzle: Queens, placement: Placement) -> bool:
    """Return True for the lexicographically first placement of its class."""
    columns = placement.columns
    return not any(
        image < columns
        and all(image[row] == column for row, column in puzzle.given)
        and all(image[row] != column for row, column in puzzle.blocked)
        for image in images(columns)
    )


def _listed(words: list[int], watch: Watch) -> tuple[int, int, bool]:
    search = _core.QueensSearch(words)
    number = classes = 0
    while not search.is_exhausted:
        if watch.poll():
            return number, classes, False
        placements, firsts = search.next_classes(STEPS)
        number, classes = number + placements, classes + firsts
    return number, classes, True


def _is_symmetric(words: list[int]) -> bool:
    """Return True if all symmetries map the free squares to themselves."""
    side = range(len(words))
    return all(
        words[i] >> j & 1 == words[j] >> i & 1 == words[i] >> (len(words) - 1 - j) & 1
        for i in side
        for j in side
    )


def _half_turned(words: list[int], watch: Watch) -> Iterator[list[int]]:
    """Yield every placement that a half turn keeps.

    Squares of the first half of the rows are tried; the image of each holds a queen as well.
    """
    n, middle = len(words), len(words) // 2
    columns = [0] * n
    taken = falling = rising = 0  # columns; diagonals by column minus row, by column plus row
    if n % 2:
        if not words[middle] >> middle & 1:
            return
        columns[middle] = middle
        taken, falling, rising = 1 << middle, 1 << n, 1 << 2 * middle
    num_entered = 0

    def extended(row: int, taken: int, falling: int, rising: int) -> Iterator[list[int]]:
        nonlocal num_entered
        num_entered += 1
        if num_entered % LOOK_EVERY == 0:
            watch.check()
        if row == middle:
            yield columns
            return
        other = n - 1 - row
        for column in range(n):
            image = n - 1 - column
            mine = 1 << (n + column - row), 1 << (column + row)
            if (
                not words[row] >> column & words[other] >> image & 1
                or taken >> column & 1
                or falling & mine[0]
                or rising & mine[1]
                or column in (row, other)  # the image is on the same diagonal
            ):
                continue
            columns[row], columns[other] = column, image
            yield from extended(
                row + 1,
                taken | 1 << column | 1 << image,
                falling | mine[0] | 1 << (n + image - other),
                rising | mine[1] | 1 << (image + other),
            )

    yield from extended(0, taken, falling, rising)


def _is_quarter_turned(columns: list[int]) -> bool:
    last = len(columns) - 1
    return all(columns[column] == last - row for row, column in enumerate(columns))
