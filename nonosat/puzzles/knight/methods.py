"""Tour methods of the family: construction, Warnsdorff's rule, rotations, searches.

Most of these methods prove nothing if they find no tour. Two can prove that there is none:
backtracking, on boards with at most about 36 squares, where it finds every tour; and local search,
on most boards with given numbers that have no tour.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import pairwise
from math import inf

from nonosat import _core
from nonosat.core.errors import counted
from nonosat.core.limits import Watch
from nonosat.core.plugins import Ending
from nonosat.puzzles.knight.counting import MOST_COUNTED, Matching
from nonosat.puzzles.knight.data import Knight, Tour, tour_of
from nonosat.puzzles.knight.graph import Squares
from nonosat.puzzles.knight.model import colour_of_odd
from nonosat.puzzles.knight.parts import board_of
from nonosat.puzzles.knight.ring import BEFORE, BETWEEN, Ring, SubTour
from nonosat.puzzles.knight.segments import SHORT

ENGINE = "learn"
NUMBERS_ENGINE = "cadical195"  # with given numbers; `learn` solves about as many (KNIGHT.md)
SMALL = 36  # squares up to which backtracking is the first method for all tours
WORK = 5_000_000  # squares visited by attempts at Warnsdorff's rule
MOST_ATTEMPTS = 2_000
LEAST_ATTEMPTS = 12
FIRST_STEPS = 100_000  # squares entered: most boards of 8 x 8 with given numbers need less
MOST_SEARCHED = 10_000  # limit of squares for local search: it finds tours of some hundred
ROTATIONS = 100_000  # of an attempt
ROTATED_ATTEMPTS = 4
COUNTED = 50_000_000  # squares entered to count tours with given numbers: some seconds
BUDGET = 1_000_000  # squares entered between two polls of backtracking
SEARCH_WORK = 30_000  # of local search, times the square of the number of squares without numbers
MOST_SEARCH_WORK = 20_000_000_000  # about nanoseconds
MAX_SEED = 2**64
BYTES_OF_SEARCH = 6_500  # a square: up to 2000 penalties, 100 candidates, 170 opened steps
# A square of the whole-board check: 50 variables with clauses, and a number a square.
BYTES_OF_WHOLE = 30_000 + 4 * _core.KNIGHT_MOST_WHOLE
BYTES_OF_RINGS = 3_000  # a square, for the sets of matched moves
BYTES = 100  # a square, for native work, a tour with its numbers, and its verification

Method = Callable[[Knight, Watch, int], Generator[Tour, None, Ending]]


def auto(puzzle: Knight, max_solutions: int | None) -> Sequence[str]:
    """Return the methods and engines in the order in which they are tried."""
    if max_solutions != 1 and puzzle.num_squares <= SMALL:
        return ("backtracking",)
    if _fixed_start(puzzle) is None:
        return ("first-steps", "local-search", NUMBERS_ENGINE)
    if puzzle.holes:
        largest = puzzle.num_squares > MOST_COUNTED
        return ("first-steps", "warnsdorff" if largest else "rotations", ENGINE)
    return ("construction", "warnsdorff", ENGINE)


def construction(puzzle: Knight, watch: Watch, seed: int) -> Generator[Tour, None, Ending]:
    """Yield one tour of a board without holes, from tours of small blocks, in linear time."""
    start = _fixed_start(puzzle)
    watch.reserve(puzzle.num_squares * BYTES)
    if start is None or puzzle.holes:
        return Ending(False, "construction takes no holes, and no given number but the first move")
    path = _places(
        _core.knight_construct(
            puzzle.rows,
            puzzle.columns,
            puzzle.closed,
            start,
            seed % MAX_SEED,
            watch.remaining_s(),
            watch.poll,
        ),
        watch,
    )
    if not path:
        return Ending(False, "construction knows no tour of this board from this start")
    yield tour_of(puzzle, path)
    return Ending(False, "construction makes one tour")


def warnsdorff(puzzle: Knight, watch: Watch, seed: int) -> Generator[Tour, None, Ending]:
    """Yield one tour by Warnsdorff's rule (move to the square with the fewest exits)."""
    fixed = _fixed_start(puzzle)
    if fixed is None:
        return Ending(False, "Warnsdorff's rule takes no given number but the first move")
    watch.reserve(puzzle.num_squares * BYTES)
    board, starts = _native(puzzle), _starts(puzzle)
    most = min(max(LEAST_ATTEMPTS, WORK // puzzle.num_squares), MOST_ATTEMPTS)
    for attempt in range(most):
        start = fixed if fixed >= 0 else starts[attempt * len(starts) // most]
        ties = TIES[attempt] if attempt < len(TIES) else _core.Ties.RANDOM
        number = (seed * MOST_ATTEMPTS + attempt) % MAX_SEED
        found = board.warnsdorff(
            start, puzzle.closed, ties, number, watch.remaining_s(), watch.poll
        )
        if path := _places(found, watch):
            yield tour_of(puzzle, path)
            return Ending(False, "Warnsdorff's rule makes one tour", {"attempts": attempt + 1})
    return Ending(False, f"{most} attempts ended in blind alleys", {"attempts": most})


TIES = (_core.Ties.ORDER, _core.Ties.OUTER)


def rotations(puzzle: Knight, watch: Watch, seed: int) -> Generator[Tour, None, Ending]:
    """Yield one tour: join a path and rings that cover all squares, by rotations of the path."""
    fixed = _fixed_start(puzzle)
    if fixed is None:
        return Ending(False, "rotations take no given number but the first move")
    if puzzle.num_squares > MOST_COUNTED:
        return Ending(False, f"rotations take at most {MOST_COUNTED} squares")
    watch.reserve(puzzle.num_squares * BYTES_OF_RINGS)
    board = board_of(puzzle, Squares(puzzle))
    if fixed >= 0 and not puzzle.closed and puzzle.num_squares > 1:  # it cannot also end there
        board = board._replace(begins=frozenset((fixed,)), ends=frozenset(board.moves) - {fixed})
    lists = _path_and_rings(board)
    if lists is None:
        return Ending(False, "no way was found to give every square two moves")
    for attempt in range(ROTATED_ATTEMPTS):
        found = _native(puzzle).rotated(
            lists,
            start_fixed=fixed >= 0 and not puzzle.closed,
            closed=puzzle.closed,
            seed=(seed * ROTATED_ATTEMPTS + attempt) % MAX_SEED,
            most=ROTATIONS,
            remaining_s=watch.remaining_s(),
            poll=watch.poll,
        )
        if path := _places(found, watch):
            yield tour_of(puzzle, path)
            return Ending(False, "rotations make one tour", {"attempts": attempt + 1})
    every = f"{ROTATED_ATTEMPTS} attempts of {ROTATIONS} rotations"
    return Ending(False, f"{every} came to no tour", {"attempts": ROTATED_ATTEMPTS})


def _path_and_rings(board: SubTour) -> list[list[int]] | None:
    """Return a path and rings that together visit all squares once; None if there are none.

    The path comes first; for a closed tour it is the longest ring. Each is a list of places.

    Args:
        board: The squares of a tour.
    """
    ends = None if board.begins is None else board.by_colour()
    if board.begins is not None and ends is None:
        return None
    ring = Ring(board, ends)
    matching = Matching(ring)
    if matching.scarce():
        return None
    seen = set[int]()
    found = []
    for first in [BEFORE, *ring.ways] if ends else ring.ways:
        if first in seen:
            continue
        at, before, squares = first, BETWEEN[0], list[int]()
        while at not in seen:
            seen.add(at)
            squares += [at] if at >= 0 else []
            before, at = at, next(to for to in sorted(matching.partners(at)) if to != before)
        if squares:
            found.append(squares)
    if ends is None:
        found.sort(key=len, reverse=True)
    return found


def backtracking(puzzle: Knight, watch: Watch, seed: int) -> Generator[Tour, None, Ending]:
    """Yield every tour, by exact depth-first search with look-ahead; for small boards."""
    del seed
    return (yield from _search(puzzle, watch, inf))


def first_steps(puzzle: Knight, watch: Watch, seed: int) -> Generator[Tour, None, Ending]:
    """Yield tours by backtracking until 100 000 squares have been entered, some milliseconds."""
    del seed
    return (yield from _search(puzzle, watch, FIRST_STEPS))


def _search(puzzle: Knight, watch: Watch, most: float) -> Generator[Tour, None, Ending]:
    """Yield tours by the exact search, for about `most` squares entered."""
    search = _exact(puzzle)
    is_exhausted, num_tours = yield from every_tour(puzzle, search, watch, most)
    how = "found no tour" if is_exhausted else "has not ended"
    reason = f"a search that entered {counted(search.num_calls, 'square')} {how}"
    has_reason = num_tours == 0 or not is_exhausted
    return Ending(is_exhausted, reason if has_reason else "", {"calls": search.num_calls})


def count(puzzle: Knight, watch: Watch, jobs: int = 1) -> tuple[int, bool] | None:
    """Count the tours by the exact search, which given numbers keep short.

    Used for boards with given numbers, whose models have variables other than edges, so that the
    counter of loops cannot process them edge by edge.

    Args:
        puzzle: The board; None is returned for a board without such numbers, and for one on which
            the search does not end after entering `COUNTED` squares.
        watch: Limits of the search.
        jobs: Has no effect: the search has one thread.

    Returns:
        The number and True, or a lower bound and False if a limit is reached.
    """
    del jobs
    inner = [k for _, _, k in puzzle.numbered if puzzle.closed or 1 < k < puzzle.num_squares]
    if len(inner) <= puzzle.closed:
        return None
    search, num_tours = _exact(puzzle), 0
    while search.num_calls < COUNTED:
        outcome = search.next(BUDGET, watch.remaining_s(), watch.poll)
        if outcome is None or outcome == _core.TourOutcome.EXHAUSTED:
            return num_tours, outcome is not None
        num_tours += outcome == _core.TourOutcome.SOLUTION
    return None


def _exact(puzzle: Knight) -> _core.TourSearch:
    """Return a native search that finds all tours of a puzzle."""
    numbered = [(row * puzzle.columns + column, k) for row, column, k in puzzle.numbered]
    starts, first = _starts(puzzle), 1
    is_halved = False
    if puzzle.closed:
        if numbered:  # numbers are cyclic: the search begins at the lowest given one
            starts, first = [numbered[0][0]], numbered[0][1]
        else:
            starts = starts[:1]
        steps = {k - first for _, k in numbered}
        is_halved = steps <= {0, puzzle.num_squares / 2}  # the same in either direction
    return _core.TourSearch(
        _native(puzzle),
        starts,
        [(place, k - first) for place, k in numbered],
        closed=puzzle.closed,
        halved=is_halved,
        guided=True,
    )


def local_search(puzzle: Knight, watch: Watch, seed: int) -> Generator[Tour, None, Ending]:
    """Yield one tour with given numbers that are close together (`native/knight/completion.hpp`).

    A check of the whole board comes first, which finds most boards without a tour.
    """
    numbered = [(row * puzzle.columns + column, k - 1) for row, column, k in puzzle.numbered]
    gaps = (other - one - 1 for one, other in pairwise(_given_numbers(puzzle)))
    if puzzle.num_squares > MOST_SEARCHED:
        return Ending(False, f"local search takes at most {MOST_SEARCHED} squares")
    if not numbered or max(gaps, default=0) > SHORT:
        return Ending(
            False, f"local search takes given numbers with {SHORT} numbers between them at most"
        )
    num_whole = min(puzzle.num_squares, _core.KNIGHT_MOST_WHOLE)
    watch.reserve(puzzle.num_squares * BYTES_OF_SEARCH + num_whole * BYTES_OF_WHOLE)
    num_open = puzzle.num_squares - len(numbered)
    found = _native(puzzle).complete(
        numbered,
        puzzle.closed,
        seed % MAX_SEED,
        min(SEARCH_WORK * num_open**2, MOST_SEARCH_WORK),
        watch.remaining_s(),
        watch.poll,
    )
    if found is None:
        raise watch.limit()
    outcome, path = found
    if outcome == _core.TourOutcome.EXHAUSTED:
        return Ending(True, "no squares are left that fit all numbers between given ones")
    if outcome == _core.TourOutcome.BUDGET:
        return Ending(False, "local search found no tour in its time")
    yield tour_of(puzzle, _places(path, watch))
    return Ending(False, "local search makes one tour")


def _given_numbers(puzzle: Knight) -> list[int]:
    """Return the given numbers in order, between the numbers before and after an open tour.

    For a closed tour the first given number is repeated at the end, a round later.
    """
    numbers = [k for _, _, k in puzzle.numbered]
    if puzzle.closed:
        return [*numbers, *(k + puzzle.num_squares for k in numbers[:1])]
    return [0, *numbers, puzzle.num_squares + 1]


def every_tour(
    puzzle: Knight, search: _core.TourSearch, watch: Watch, most: float = inf
) -> Generator[Tour, None, tuple[bool, int]]:
    """Yield the tours that a native search finds, until it has entered `most` squares.

    Returns:
        True if there are no more, and the number of tours.
    """
    num_tours = 0
    while search.num_calls < most:
        budget = int(min(BUDGET, most - search.num_calls))
        outcome = watch.result_of(search.next, budget)
        if outcome == _core.TourOutcome.EXHAUSTED:
            return True, num_tours
        if outcome == _core.TourOutcome.SOLUTION:
            num_tours += 1
            yield tour_of(puzzle, _places(search.path(), watch))
    return False, num_tours


METHODS: Mapping[str, Method] = {
    "construction": construction,
    "warnsdorff": warnsdorff,
    "rotations": rotations,
    "backtracking": backtracking,
    "first-steps": first_steps,
    "local-search": local_search,
}


def _fixed_start(puzzle: Knight) -> int | None:
    """Return the place of the tour's first square, -1 for any; None if other numbers are given.

    A closed tour can be numbered from any square, an open one from either end.
    """
    if not puzzle.numbered:
        return -1
    row, column, number = puzzle.numbered[0]
    is_end = number in (1, puzzle.num_squares) or puzzle.closed
    return row * puzzle.columns + column if len(puzzle.numbered) == 1 and is_end else None


def _starts(puzzle: Knight) -> list[int]:
    """Return the squares at which the colours allow a tour to begin."""
    squares = Squares(puzzle)
    if puzzle.start is not None:
        return [puzzle.start[0] * puzzle.columns + puzzle.start[1]]
    odd = colour_of_odd(puzzle, squares)
    if odd is None:
        return squares.places
    return [place for place in squares.places if sum(divmod(place, puzzle.columns)) % 2 == odd]


def _native(puzzle: Knight) -> _core.KnightBoard:
    holes = [row * puzzle.columns + column for row, column in puzzle.holes]
    return _core.KnightBoard(puzzle.rows, puzzle.columns, holes)


def _places(path: bytes | None, watch: Watch) -> array[int]:
    """Return the places of a path from native code; raise LimitReached if the code was stopped."""
    if path is None:
        raise watch.limit()
    places = array("i")
    places.frombytes(path)
    return places
