"""Methods for queens only: a formula for one solution, native searches for one or all of them.

None needs the model. Backtracking stores a row's columns and diagonals as bits of a machine word
(`native/queens/`), so it supports up to 64 queens; its memory does not grow with its solutions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, suppress
from functools import partial

from nonosat import _core
from nonosat.core.errors import LimitReached, UnsupportedError
from nonosat.core.limits import Watch, polled
from nonosat.core.plugins import Ending
from nonosat.processes.threads import Threads
from nonosat.puzzles.queens.construction import columns
from nonosat.puzzles.queens.data import Placement, Queens
from nonosat.puzzles.queens.reasons import breaks, free_squares

MAX_SEARCHED = 64
MAX_COMPLETED = 2_000  # queens for which `fewest-first` stores a board of bytes
PUT = 10  # queens that it places for each square: 0.1 s for 40 rows, 3 s for 200
MAX_COUNTED_ALONE = 12  # queens whose count takes less time than starting threads
BATCH, STEPS = 256, 1_000_000  # placements and steps, some milliseconds, between two polls
SLICES = 50
NUM_SYMMETRIES = 8
POLL_EVERY = 1_000  # pairs of rows between two polls of the watch


def construction(puzzle: Queens, watch: Watch, seed: int = 0) -> Generator[Placement, None, Ending]:
    """Yield the placement that a formula gives, and its images under turns and reflections."""
    del seed
    if puzzle.given or puzzle.blocked:
        return Ending(False, "the construction knows no given queens and no blocked squares")
    n, seen = puzzle.n, set()
    if n not in (2, 3):
        for image in images(tuple(columns(n))):
            watch.check()
            if image not in seen:
                seen.add(image)
                yield Placement(image)
    return Ending(True) if n <= 4 else Ending(False, "the construction makes no further ones")


def images(upright: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the eight images of a placement under turns and reflections; some may be equal."""
    turned = sorted(range(len(upright)), key=upright.__getitem__)
    for placed in (upright, tuple(turned)):
        mirrored = tuple(len(placed) - 1 - column for column in polled(placed))
        yield from (placed, placed[::-1], mirrored, mirrored[::-1])


def backtracking(puzzle: Queens, watch: Watch, seed: int = 0) -> Generator[Placement, None, Ending]:
    """Yield all placements in lexicographic order, row by row over bits; up to 64 queens."""
    del seed
    search = _core.QueensSearch(_words(puzzle))
    while not search.is_exhausted:
        watch.check()
        yield from map(Placement, map(tuple, search.next(BATCH, STEPS)))
    return Ending(True, detail={"nodes": search.num_nodes})


def fewest_first(puzzle: Queens, watch: Watch, seed: int = 0) -> Generator[Placement, None, Ending]:
    """Yield placements by a search of the line with the fewest free squares; up to 2,000 queens.

    It also refutes boards whose clues leave no placement for a simple reason, and those with few
    open squares. It may find the same placement again and never proves that there is no further
    one.
    """
    if puzzle.n > MAX_COMPLETED:
        raise UnsupportedError(
            f"fewest-first places up to {MAX_COMPLETED} queens, found {puzzle.n}; without given "
            "queens and blocked squares the construction places any number"
        )
    if reason := breaks(puzzle, watch):
        return Ending(True, reason)
    search = _core.QueensCompletion(puzzle.n, _bytes(puzzle), seed % 2**64)
    seen: set[Placement] = set()
    while True:
        ended = search.next(PUT * max(puzzle.n, 1) ** 2, watch.remaining_s(), watch.poll)
        watch.check()
        found = Placement(tuple(search.columns))
        if ended is not _core.Completed.SOLUTION or found in seen:
            break
        seen.add(found)
        yield found
    detail = {"placed": search.num_placed}
    if ended is _core.Completed.EXHAUSTED and not seen:
        return Ending(True, detail=detail)
    reason = f"fewest-first gives up after {search.num_placed:,} queens put down"
    return Ending(False, reason, detail)


def count(puzzle: Queens, watch: Watch, jobs: int = 1) -> tuple[int, bool] | None:
    """Count the placements; return False with a lower bound if a limit is reached.

    Args:
        puzzle: The board; None is returned for more than 64 queens, or if backtracking finds no
            placement soon.
        watch: Limits of the count.
        jobs: Threads, each of which counts one part of the board after another.
    """
    if puzzle.n > MAX_SEARCHED:
        return None
    words = free_squares(puzzle)
    if not can_backtrack(words, watch):
        return None
    counter = _core.QueensCount(words)
    if jobs == 1 or puzzle.n <= MAX_COUNTED_ALONE:
        is_exact = counter.run(watch.remaining_s(), watch.poll)
        return counter.total, is_exact
    parts = [_core.QueensCount(words, part) for part in range(counter.num_parts)]
    num_done = 0
    with suppress(LimitReached), closing(Threads[None](jobs, watch)) as threads:
        for part in parts:
            threads.submit(None, partial(part.run, watch.remaining_s(), threads.watch.poll))
        for _ in parts:
            num_done += threads.next()[1]
    return sum(part.total for part in parts), num_done == len(parts)


def can_backtrack(words: list[int], watch: Watch) -> bool:
    """Return True if backtracking finds a placement, or ends, in some tenths of a second.

    Rows are taken in their order: with 70 % of 40 x 40 squares blocked none is found in 20 s.
    """
    search = _core.QueensSearch(words)

    def has_come() -> bool:  # counting reports the limit
        return bool(search.next(1, STEPS)) or search.is_exhausted or watch.poll()

    return any(has_come() for _ in range(SLICES))


def _words(puzzle: Queens) -> list[int]:
    """Return `free_squares` for native code, which stores a row in a machine word.

    Raises:
        UnsupportedError: More than 64 queens.
    """
    if puzzle.n > MAX_SEARCHED:
        raise UnsupportedError(
            f"backtracking places up to {MAX_SEARCHED} queens, found {puzzle.n}; use learn or cpsat"
        )
    return free_squares(puzzle)


def _bytes(puzzle: Queens) -> bytes:
    """Return a byte per square, row-major: 0 if no queen is possible there."""
    n = puzzle.n
    rows = (f"{free:0{n}b}"[::-1].encode() for free in free_squares(puzzle))
    return b"".join(rows).translate(bytes.maketrans(b"01", b"\x00\x01")) if n else b""


# Placements up to the eight symmetries of the square: four turns and four reflections.
#
# Two placements of a board are of one class if a symmetry maps one to the other. Classes consist of
# placements of that board only: given queens and blocked squares do not move, so a class can have
# fewer than eight members though none of them is symmetric.
#
# On a board that all symmetries map to itself the number of classes is the mean over the symmetries
# of the number of placements that each keeps (Cauchy, Frobenius, Burnside). No reflection keeps a
# placement of two queens or more, because a queen and its image would attack each other. Half turns
# are searched a pair of rows at a time, in about the square root of the time of the whole count. On
# any other board native code lists the placements and counts those that no image on the board
# precedes.


def count_classes(puzzle: Queens, watch: Watch, jobs: int = 1) -> tuple[int, int, bool] | None:
    """Count placements, and classes of placements.

    Args:
        puzzle: The board.
        watch: Limits of the count.
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
    """Return True if no symmetric image that solves the puzzle precedes the placement."""
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
    """Yield every placement that a half turn maps to itself.

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
        if num_entered % POLL_EVERY == 0:
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
