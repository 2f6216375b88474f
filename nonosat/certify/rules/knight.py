"""The rules of a knight's tour: one loop through all squares, or, with given numbers, an order.

If no number except the first and the last is given, a tour is a loop. Its edges are the moves; an
open tour continues from its last square to an extra vertex "behind", from there to a vertex
"ahead", and back to its first square.

With other numbers a tour is an order: a variable means "this square has this number". It exists if
the square has the right colour and can be reached in time from the given number before and to the
one after it. In a closed tour the first number follows the last one. If given numbers leave the
direction of a closed tour open (there are two of them, half the tour apart), each loop would have
two orders. It is then numbered so that the square after the first given one precedes, row by row,
the one before that.

A move changes the colour of the square. So a closed tour has as many squares of one colour as of
the other; an open one begins and ends on the colour that has one more, or on different ones if both
have as many. That follows from the rules and is added as redundant clauses, because counting is
hard for clauses.

Invariant: the variables that distinguish solutions (`blocked_on`) are the moves of the tour, or the
numbers of its squares; each tour has exactly one assignment of them.

Size: linear in the moves; for an order one variable for each number and each square within reach of
it, and some clauses and literals for each move between two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from nonosat.certify.rules import Statement
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import polled
from nonosat.core.model import TRUE, Clause, Count, Loop, Model
from nonosat.puzzles.knight.data import Knight, Square, Tour

MAX_SQUARES = 250_000  # a million moves
MAX_PLACES = 4_000_000  # variables
_JUMPS = [(d, r) for d in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(d) != abs(r)]

Place = tuple[int, Square]  # a number, and a square that may have it


def colour(square: Square) -> int:
    """Return the colour of a square, 0 or 1; a move changes it."""
    return (square[0] + square[1]) % 2


class KnightBoard:
    """The squares that a knight may visit.

    Attributes:
        squares: Row by row, without the holes.
        excess: Number of squares of colour 0 minus number of squares of colour 1.
    """

    def __init__(self, puzzle: Knight) -> None:
        holes = {*puzzle.holes}
        every = (
            (row, column) for row in polled(range(puzzle.rows)) for column in range(puzzle.columns)
        )
        self.squares: list[Square] = [square for square in every if square not in holes]
        self._is_there = {*self.squares}
        self.excess = sum(1 - 2 * colour(square) for square in self.squares)

    def near(self, square: Square) -> list[Square]:
        """Return the squares that are a move away, in their order."""
        row, column = square
        found = ((row + down, column + right) for down, right in _JUMPS)
        return [other for other in found if other in self._is_there]

    def moves(self) -> Iterator[tuple[Square, Square]]:
        """Yield every pair of squares that are a move apart once, the smaller one first."""
        return (
            (one, other) for one in polled(self.squares) for other in self.near(one) if one < other
        )

    def distances(self, start: Square, most: int) -> dict[Square, int]:
        """Return the distance in moves from a square to each square at most `most` moves away."""
        found = {start: 0}
        reached = [start]
        for square in reached:
            if found[square] == most:
                break
            for other in self.near(square):
                if other not in found:
                    found[other] = found[square] + 1
                    reached.append(other)
        return found


def model_of(puzzle: Knight) -> Model:
    """Return the model of a tour: one loop, or an order of the squares if numbers require it.

    Raises:
        UnsupportedError: The board is too large.
    """
    if puzzle.num_squares > MAX_SQUARES:
        raise UnsupportedError(
            f"the formula of {puzzle.num_squares:,} squares would be too large, expected at most "
            f"{MAX_SQUARES:,}"
        )
    board = KnightBoard(puzzle)
    return _loop(puzzle, board) if _is_loop(puzzle) else _order(puzzle, board)


def true_in(puzzle: Knight, tour: Tour) -> Iterator[int]:
    """Yield the variables that a tour makes true."""
    board = KnightBoard(puzzle)
    if not _is_loop(puzzle):
        return _numbers_in(puzzle, board, tour)
    squares = tour.squares()
    steps = [*pairwise(squares)]
    steps += [(squares[-1], squares[0])] if puzzle.closed else []
    moves = {(min(step), max(step)) for step in steps}
    ends = () if puzzle.closed else ((squares[0],), (squares[-1],))
    edges = _edges(puzzle, board)
    found = [var for var, move in enumerate(edges.moves, start=1) if move in moves]
    first = 1 + len(edges.moves)
    for squares_of_end, end in zip((edges.first, edges.last), ends, strict=False):
        found += [var for var, one in enumerate(squares_of_end, start=first) if one in end]
        first += len(squares_of_end)
    return iter(found)


def _is_loop(puzzle: Knight) -> bool:
    """Return True if the tour can be modelled as a loop, without the step numbers of squares.

    The given numbers of an open tour must be on its first or last square. A closed tour may be
    numbered from any square, so a single given number does not restrict it.
    """
    if puzzle.closed:
        return len(puzzle.numbered) < 2
    return {number for _, _, number in puzzle.numbered} <= {1, puzzle.num_squares}


class _PossibleEdges(NamedTuple):
    """Possible edges of the loop, in the order of the variables.

    Args:
        moves: Pairs of squares.
        first, last: Squares where an open tour may begin and end.
    """

    moves: list[tuple[Square, Square]]
    first: list[Square]
    last: list[Square]


def _edges(puzzle: Knight, board: KnightBoard) -> _PossibleEdges:
    if puzzle.closed:
        return _PossibleEdges([*board.moves()], [], [])
    given = {number: (row, column) for row, column, number in puzzle.numbered}
    fits = [
        square
        for square in board.squares
        if board.excess == 0 or colour(square) == (board.excess < 0)
    ]
    first, last = (
        [square for square in fits if given.get(number, square) == square]
        for number in (1, puzzle.num_squares)
    )
    return _PossibleEdges([*board.moves()], first, last)


def _loop(puzzle: Knight, board: KnightBoard) -> Model:
    vertices = {square: vertex for vertex, square in enumerate(board.squares)}
    edges = _edges(puzzle, board)
    joined = [(vertices[one], vertices[other]) for one, other in edges.moves]
    ahead, behind = len(vertices), len(vertices) + 1
    joined += [(vertices[square], ahead) for square in edges.first]
    joined += [(vertices[square], behind) for square in edges.last]
    text = range(1, len(joined) + 1)
    every = [(one, other, lit) for lit, (one, other) in zip(text, joined, strict=True)]
    if not puzzle.closed:
        every.append((behind, ahead, TRUE))
    return Model(
        num_vars=len(joined) + 1,
        clauses=tuple(_colours(puzzle, board, edges)),
        loops=(Loop(len(vertices) + 2 * (not puzzle.closed), tuple(every), spanning=True),),
        blocked_on=text,
        blocked_by_true=True,
    )


def _colours(puzzle: Knight, board: KnightBoard, edges: _PossibleEdges) -> Iterator[Clause]:
    """Yield clauses on colours; the last variable means "the tour begins on colour 1"."""
    if abs(board.excess) > (not puzzle.closed):
        yield Clause(())
    if puzzle.closed or board.excess:
        return
    first = 1 + len(edges.moves)
    last = first + len(edges.first)
    begins = last + len(edges.last)
    for edge, square in enumerate(edges.first, start=first):
        yield Clause((-edge, begins if colour(square) else -begins))
    for edge, square in enumerate(edges.last, start=last):
        yield Clause((-edge, -begins if colour(square) else begins))


# An order


def _order(puzzle: Knight, board: KnightBoard) -> Model:
    """Return a model: one number per square, one square per number, moves between neighbours.

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


def _numbers_in(puzzle: Knight, board: KnightBoard, tour: Tour) -> Iterator[int]:
    """Yield the variables of a tour's numbers, in the direction that the rules require."""
    numbers = {square: tour[square] for square in board.squares}
    if (pivot := _pivot(puzzle)) is not None:
        by_number = {number: square for square, number in numbers.items()}
        if not _is_forward(*(by_number[k] for k in _around(puzzle, pivot))):
            turned = {square: 2 * pivot - number for square, number in numbers.items()}
            numbers = {square: _cyclic(puzzle, number) for square, number in turned.items()}
    places = enumerate(_places(puzzle, board), start=1)
    return (var for var, (number, square) in places if numbers[square] == number)


def _cyclic(puzzle: Knight, number: int) -> int:
    """Return the number of a closed tour reduced to the range from 1."""
    return 1 + (number - 1) % puzzle.num_squares


def _around(puzzle: Knight, pivot: int) -> tuple[int, int]:
    """Return the numbers before and after a number of a closed tour."""
    return _cyclic(puzzle, pivot - 1), _cyclic(puzzle, pivot + 1)


def _pivot(puzzle: Knight) -> int | None:
    """Return the first given number if given numbers leave the direction open; else None."""
    numbers = [number for _, _, number in puzzle.numbered]
    if not puzzle.closed or any(2 * (k - numbers[0]) % puzzle.num_squares for k in numbers):
        return None
    return numbers[0]


def _is_forward(before: Square, after: Square) -> bool:
    return after < before


def _places(puzzle: Knight, board: KnightBoard) -> list[Place]:
    """Return the number and square of each variable, in their order.

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


def _reachable(puzzle: Knight, board: KnightBoard) -> Iterator[Place]:
    given = {number: (row, column) for row, column, number in puzzle.numbered}
    yield from given.items()
    taken, parity = {*given.values()}, _parity(puzzle)
    for before, after in _gaps(puzzle):
        first, last = before or 0, after or puzzle.num_squares + 1
        # Distances from the given number before and to the one after; empty without one.
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
    """Return consecutive pairs of given numbers; in a closed tour the first follows the last.

    The first number is then increased by the length of the tour.
    """
    numbers = sorted(number for _, _, number in puzzle.numbered)
    if puzzle.closed:
        return pairwise([*numbers, numbers[0] + puzzle.num_squares])
    return pairwise([None, *numbers, None])


def _parity(puzzle: Knight) -> int:
    """Return (colour + number) % 2, which is the same for all squares of a tour."""
    row, column, number = puzzle.numbered[0]
    return (colour((row, column)) + number) % 2


def _is_balanced(puzzle: Knight, board: KnightBoard) -> bool:
    """Return True if as many squares have the colour of odd numbers as there are odd numbers."""
    size, colour_of_odd = puzzle.num_squares, (_parity(puzzle) + 1) % 2
    num_odd = (size + (-board.excess if colour_of_odd else board.excess)) // 2
    if puzzle.closed and (size % 2 or size < 4):
        return False
    return num_odd == (size + 1) // 2


def _steps(puzzle: Knight, board: KnightBoard, var: dict[Place, int]) -> Iterator[Clause]:
    """Encode that the numbers after and before the number of a square are a move away."""
    near = {square: board.near(square) for square in board.squares}
    for (number, square), lit in var.items():
        for other in (number + 1, number - 1):
            if puzzle.closed:
                other = _cyclic(puzzle, other)
            elif not 1 <= other <= puzzle.num_squares:
                continue
            places = ((other, there) for there in near[square])
            yield Clause((-lit, *(var[place] for place in places if place in var)))


def _direction(puzzle: Knight, board: KnightBoard, var: dict[Place, int]) -> Iterator[Clause]:
    """Exclude the order of a loop that runs backward."""
    if (pivot := _pivot(puzzle)) is None:
        return
    number_before, number_after = _around(puzzle, pivot)
    for before in board.squares:
        for after in board.squares:
            places = (number_before, before), (number_after, after)
            if not _is_forward(before, after) and all(place in var for place in places):
                yield Clause(tuple(-var[place] for place in places))


RULES = Statement(Knight, model_of, true_in)
