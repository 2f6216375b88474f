"""The rules of a knight's tour of which numbers are given: which square has which number.

A variable says "this square has this number". There is one where the square can be reached in time
from the given number before and to the one after it, and has the right colour: a move changes it.
A closed tour goes on from its last number with the first one.

Where given numbers do not tell in which direction a closed tour runs (there are two of them, half
the tour apart), each loop would have two orders. It is then numbered so that the square after the
first given one comes, row by row, before the one ahead of that.

Invariant: the solutions are the tours, each once. Size: a variable for each number and each square
within reach of it, some clauses and literals for each move between two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from nonosat.certify.rules.board import Board, colour
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import Clause, Count, Model
from nonosat.puzzles.knight.data import Knight, Square, Tour

MAX_PLACES = 4_000_000  # variables

Place = tuple[int, Square]  # a number, and a square that may have it


def model_of(puzzle: Knight, board: Board) -> Model:
    """One number a square, one square a number, a move from each number to the next.

    Raises:
        UnsupportedError: So many squares are within reach that the formula would be too large.
    """
    var = {place: index for index, place in enumerate(_places(puzzle, board), start=1)}
    by_square: dict[Square, list[int]] = {square: [] for square in board.squares}
    by_number: dict[int, list[int]] = {k: [] for k in range(1, puzzle.num_squares + 1)}
    for (number, square), lit in var.items():
        by_square[square].append(lit)
        by_number[number].append(lit)
    each = (*by_square.values(), *by_number.values())
    clauses = [*_steps(puzzle, board, var), *_direction(puzzle, board, var)]
    if not _is_balanced(puzzle, board):
        clauses.append(Clause(()))
    return Model(
        num_vars=len(var),
        counts=tuple(Count(tuple(lits), 1, 1) for lits in each),
        clauses=tuple(clauses),
        blocked_on=range(1, len(var) + 1),
        blocked_by_true=True,
    )


def true_in(puzzle: Knight, board: Board, tour: Tour) -> Iterator[int]:
    """The numbers of a tour, in the direction that the rules have."""
    numbers = {square: tour[square] for square in board.squares}
    if (pivot := _pivot(puzzle)) is not None:
        by_number = {number: square for square, number in numbers.items()}
        if not _is_forward(*(by_number[k] for k in _around(puzzle, pivot))):
            turned = {square: 2 * pivot - number for square, number in numbers.items()}
            numbers = {square: _cyclic(puzzle, number) for square, number in turned.items()}
    places = enumerate(_places(puzzle, board), start=1)
    return (var for var, (number, square) in places if numbers[square] == number)


def _cyclic(puzzle: Knight, number: int) -> int:
    """The number from 1 on that a number of a closed tour stands for."""
    return 1 + (number - 1) % puzzle.num_squares


def _around(puzzle: Knight, pivot: int) -> tuple[int, int]:
    """The numbers before and after one of a closed tour."""
    return _cyclic(puzzle, pivot - 1), _cyclic(puzzle, pivot + 1)


def _pivot(puzzle: Knight) -> int | None:
    """The first given number, where given numbers leave the direction open; else None."""
    numbers = [number for _, _, number in puzzle.numbered]
    if not puzzle.closed or any(2 * (k - numbers[0]) % puzzle.num_squares for k in numbers):
        return None
    return numbers[0]


def _is_forward(before: Square, after: Square) -> bool:
    return after < before


def _places(puzzle: Knight, board: Board) -> list[Place]:
    """What the variables say, in their order.

    Raises:
        UnsupportedError: There are more than `MAX_PLACES`.
    """
    found = list(islice(_reachable(puzzle, board), MAX_PLACES + 1))
    if len(found) > MAX_PLACES:
        raise UnsupportedError(
            f"the formula would have more than {MAX_PLACES:,} variables, one for each number and "
            "each square within reach of it; give more numbers, or take a smaller board"
        )
    return found


def _reachable(puzzle: Knight, board: Board) -> Iterator[Place]:
    given = {number: (row, column) for row, column, number in puzzle.numbered}
    yield from given.items()
    taken, parity = {*given.values()}, _parity(puzzle)
    for before, after in _gaps(puzzle):
        first, last = before or 0, after or puzzle.num_squares + 1
        # How far it is from the given number before, and to the one after: nothing, without one.
        behind = board.distances(given[before], last - first) if before else {}
        ahead = board.distances(given[_cyclic(puzzle, after)], last - first) if after else {}
        near = behind.keys() & ahead.keys() if before and after else behind.keys() | ahead.keys()
        squares = sorted(near - taken)
        for number in range(first + 1, last):
            for square in squares:
                fits = (colour(square) + number) % 2 == parity
                in_time = behind.get(square, 0) <= number - first
                if fits and in_time and ahead.get(square, 0) <= last - number:
                    yield _cyclic(puzzle, number), square


def _gaps(puzzle: Knight) -> Iterator[tuple[int | None, int | None]]:
    """Given numbers one after the other; a closed tour's last one comes before its first one.

    That one's number is then beyond the last number of the tour.
    """
    numbers = sorted(number for _, _, number in puzzle.numbered)
    if puzzle.closed:
        return pairwise([*numbers, numbers[0] + puzzle.num_squares])
    return pairwise([None, *numbers, None])


def _parity(puzzle: Knight) -> int:
    """Of colour and number together, for every square."""
    row, column, number = puzzle.numbered[0]
    return (colour((row, column)) + number) % 2


def _is_balanced(puzzle: Knight, board: Board) -> bool:
    """Whether there are as many squares of a colour as numbers that need one of it."""
    size, colour_of_odd = puzzle.num_squares, (_parity(puzzle) + 1) % 2
    num_odd = (size + (-board.excess if colour_of_odd else board.excess)) // 2
    if puzzle.closed and (size % 2 or size < 4):
        return False
    return num_odd == (size + 1) // 2


def _steps(puzzle: Knight, board: Board, var: dict[Place, int]) -> Iterator[Clause]:
    """Where a number is, the next one is a move away, and the one before it."""
    near = {square: board.near(square) for square in board.squares}
    for (number, square), lit in var.items():
        for other in (number + 1, number - 1):
            if puzzle.closed:
                other = _cyclic(puzzle, other)
            elif not 1 <= other <= puzzle.num_squares:
                continue
            places = ((other, there) for there in near[square])
            yield Clause((-lit, *(var[place] for place in places if place in var)))


def _direction(puzzle: Knight, board: Board, var: dict[Place, int]) -> Iterator[Clause]:
    """Of the two orders of a loop, the one that goes forward."""
    if (pivot := _pivot(puzzle)) is None:
        return
    number_before, number_after = _around(puzzle, pivot)
    for before in board.squares:
        for after in board.squares:
            places = (number_before, before), (number_after, after)
            if not _is_forward(before, after) and all(place in var for place in places):
                yield Clause(tuple(-var[place] for place in places))
