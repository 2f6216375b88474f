"""Board as a graph, and its articulation squares, which divide it into parts.

Everything is linear in the moves.

Source: J. Hopcroft, R. Tarjan, "Efficient algorithms for graph manipulation" (1973).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from nonosat.puzzles.knight.data import Knight
from nonosat.puzzles.knight.graph import Squares
from nonosat.puzzles.knight.model import possible_at
from nonosat.puzzles.knight.ring import Moves, SubTour

Ends = tuple[frozenset[int] | None, frozenset[int] | None]  # first, last squares; None: closed


def board_of(puzzle: Knight, squares: Squares) -> SubTour:
    """Return the whole board as a `SubTour`."""
    moves = {place: squares.near(place) for place in squares.places}
    odd = frozenset(place for place in moves if sum(divmod(place, puzzle.columns)) % 2)
    return SubTour(moves, odd, *ends_of(puzzle, squares))


def ends_of(puzzle: Knight, squares: Squares) -> Ends:
    """Return the possible first and last squares of a tour of the whole board."""
    if puzzle.closed:
        return None, None
    begins, ends = (possible_at(puzzle, squares, number) for number in (1, puzzle.num_squares))
    return frozenset(begins), frozenset(ends)


def parts(moves: Moves, without: int | None = None) -> list[list[int]]:
    """Return the connected components of squares, as lists that begin with the first square.

    Args:
        moves: The squares, each with those a move away.
        without: A square that is left out.
    """
    seen = {without}
    found = []
    for first in moves:
        if first in seen:
            continue
        seen.add(first)
        part = [first]
        for square in part:
            for other in moves[square]:
                if other not in seen:
                    seen.add(other)
                    part.append(other)
        found.append(part)
    return found


def passages(moves: Moves) -> list[int]:
    """Return the articulation squares; first those that divide the board most evenly.

    Args:
        moves: Squares that are connected, each with those a move away.
    """
    num_squares = len(moves)
    most_even: dict[int, int] = {}  # number of squares on the smaller side of each
    for square, num_beyond in _beyond(moves):
        even = min(num_beyond, num_squares - 1 - num_beyond)
        most_even[square] = max(even, most_even.get(square, 0))
    return sorted(most_even, key=lambda square: (-most_even[square], square))


def _beyond(moves: Moves) -> Iterator[tuple[int, int]]:
    """Yield (articulation square, number of squares of a part that it cuts off).

    A square occurs once for each part that it cuts off from the first square.
    """
    root = next(iter(moves))
    number, low, size = {root: 0}, {root: 0}, {root: 1}
    num_below_root = 0
    pending: list[tuple[int, int, Iterator[int]]] = [(root, root, iter(moves[root]))]
    while pending:
        square, above, others = pending[-1]
        for other in others:
            if other not in number:
                number[other] = low[other] = len(number)
                size[other] = 1
                pending.append((other, square, iter(moves[other])))
                break
            if other != above:
                low[square] = min(low[square], number[other])
        else:
            pending.pop()
            if square == root:
                break
            size[above] += size[square]
            low[above] = min(low[above], low[square])
            if above == root:
                num_below_root += 1
                if num_below_root > 1:  # else the root is only the beginning of the search
                    yield root, size[square]
            elif low[square] >= number[above]:
                yield above, size[square]


def within(moves: Moves, squares: Collection[int]) -> dict[int, list[int]]:
    """Return the moves among some squares."""
    chosen = set(squares)
    return {square: [other for other in moves[square] if other in chosen] for square in squares}
