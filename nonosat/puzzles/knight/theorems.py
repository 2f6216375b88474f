"""Reasons why a board has no tour that need no search: theorems, colours, distances, holes.

A board without holes has an open or a closed tour exactly where these say nothing about its size;
that takes time linear in the given numbers. Boards with holes are refuted by `refuting`, up to
`MOST_COUNTED` squares: in practice some 40 microseconds a square, in the worst case a flow for each
square.
Sources: A. J. Schwenk, "Which rectangular chessboards have a knight's tour?" (1991) for closed
tours; P. Cull and J. De Curtz, "Knight's tour revisited" (1978) for open ones. Both agree with a
SAT solver on all boards up to 7 x 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from nonosat.core.errors import counted
from nonosat.core.wording import cell_text
from nonosat.puzzles.knight.counting import MOST_COUNTED
from nonosat.puzzles.knight.graph import Squares
from nonosat.puzzles.knight.parts import Ends, board_of, ends_of
from nonosat.puzzles.knight.refuting import refutation_of
from nonosat.puzzles.knight.telling import told

if TYPE_CHECKING:
    from nonosat.puzzles.knight.data import Given, Knight


def obstacle(puzzle: Knight) -> str | None:
    """A reason why the puzzle has no solution, visible without search; None without one."""
    return next(_obstacles(puzzle), None)


def _obstacles(puzzle: Knight) -> Iterator[str]:
    yield from _of_size(puzzle)
    yield from _of_colours(puzzle)
    yield from _of_numbers(puzzle)
    if puzzle.holes:
        yield from _of_holes(puzzle)


def has_closed_tour(rows: int, columns: int) -> bool:
    """Whether a board without holes has a closed tour (Schwenk 1991)."""
    short, long = sorted((rows, columns))
    is_odd = short % 2 == 1 and long % 2 == 1
    return not (is_odd or short in (1, 2, 4) or (short == 3 and long in (4, 6, 8)))


def has_open_tour(rows: int, columns: int) -> bool:
    """Whether a board without holes has an open tour from some square (Cull, De Curtz 1978)."""
    short, long = sorted((rows, columns))
    if short == 3:
        return long == 4 or long >= 7
    return short >= 5 or (short == 4 and long >= 5) or long == 1


def _of_size(puzzle: Knight) -> Iterator[str]:
    rows, columns = puzzle.rows, puzzle.columns
    if puzzle.closed and puzzle.num_squares < 4:
        yield f"a closed tour has 4 squares at least, the board has {puzzle.num_squares}"
    if puzzle.holes:
        return
    if puzzle.closed and rows * columns % 2 == 0 and not has_closed_tour(rows, columns):
        yield f"no board of {rows} x {columns} squares has a closed tour (theorem of Schwenk, 1991)"
    if not puzzle.closed and not has_open_tour(rows, columns):
        yield f"no board of {rows} x {columns} squares has a tour (theorem of Cull, De Curtz, 1978)"


def _num_of_colour(puzzle: Knight) -> list[int]:
    """Squares to visit by colour: those whose row and column make an even sum, then the others."""
    total = puzzle.rows * puzzle.columns
    counts = [total - total // 2, total // 2]
    for row, column in puzzle.holes:
        counts[(row + column) % 2] -= 1
    return counts


def _of_colours(puzzle: Knight) -> Iterator[str]:
    """Every move changes the colour of the square."""
    even, odd = _num_of_colour(puzzle)
    most, least = counted(max(even, odd), "square"), min(even, odd)
    counts = f"the board has {most} of one colour and {least} of the other"
    if puzzle.closed and even != odd:
        yield f"a closed tour visits both colours equally often, {counts}"
    if abs(even - odd) > 1:
        yield f"the squares of a tour alternate in colour, {counts}"
    if even != odd:
        for row, column, number in puzzle.numbered:
            if (row + column + number) % 2 == (even > odd):
                continue
            yield (
                f"{counts}: odd numbers stand on the first of these colours, "
                f"but the square in {cell_text(row, column)} has the number {number}"
            )


def _of_numbers(puzzle: Knight) -> Iterator[str]:
    """From one given number to the next there must be time for the knight's way."""
    given = list(puzzle.numbered)
    pairs = list(pairwise(given))
    if puzzle.closed and len(given) > 1:
        row, column, number = given[0]
        pairs.append((given[-1], (row, column, number + puzzle.num_squares)))
    for one, other in pairs:
        yield from _too_far(puzzle, one, other)


def _too_far(puzzle: Knight, one: Given, other: Given) -> Iterator[str]:
    moves = other[2] - one[2]
    needed = least_moves(other[0] - one[0], other[1] - one[1])
    if needed <= moves and (needed - moves) % 2 == 0:
        return
    number = (other[2] - 1) % puzzle.num_squares + 1
    kind = "an odd number" if needed % 2 else "an even number"
    wanted = f"at least {needed}" if needed > moves else kind
    yield (
        f"from number {one[2]} in {cell_text(*one[:2])} to number {number} in "
        f"{cell_text(*other[:2])} there {'is' if moves == 1 else 'are'} {counted(moves, 'move')}, "
        f"but the knight's way takes {wanted}"
    )


def least_moves(down: int, right: int) -> int:
    """The knight's distance on a board without edges; never more than on any other board."""
    short, long = sorted((abs(down), abs(right)))
    if (short, long) in ((0, 1), (2, 2)):
        return 3 if long == 1 else 4
    gap = long - short
    return gap - 2 * ((gap - short) // (3 if short > gap else 4))


def _of_holes(puzzle: Knight) -> Iterator[str]:
    """Squares that cannot be entered and left, and what no way through all squares allows."""
    squares = Squares(puzzle)
    if len(squares.places) == 1:
        return
    ends = []
    least = 2 if puzzle.closed else 1
    for place in squares.places:
        num_near = len(squares.near(place))
        square = cell_text(*divmod(place, puzzle.columns))
        if num_near < least:
            near = f"only {num_near}" if num_near else "none"
            yield f"from {square} the tour needs {counted(least, 'move')}, there is {near}"
        if num_near == 1:
            ends.append(square)
    if len(ends) > 2:
        three = "; ".join(ends[:3])
        yield f"each of three squares ({three}) has a single move, but a tour has two ends"
    if len(squares.places) <= MOST_COUNTED:
        if reason := _refuted(replace(puzzle, start=None, given=()), ends_of(puzzle, squares)):
            yield reason
    else:
        yield from _unconnected(puzzle, squares)


@lru_cache(64)  # whoever looks for clues that contradict each other asks for the same board
def _refuted(bare: Knight, ends: Ends) -> str:
    """A proof in words that no tour leads from and to such squares; "" where none is found."""
    begins, last = ends
    found = refutation_of(board_of(bare, Squares(bare))._replace(begins=begins, ends=last))
    return "" if found is None else told(found, bare.columns)


def _unconnected(puzzle: Knight, squares: Squares) -> Iterator[str]:
    first = squares.places[0]
    reached = squares.distances(first, squares)
    for place in squares.places:
        if place not in reached:
            one, other = (cell_text(*divmod(at, puzzle.columns)) for at in (first, place))
            yield f"no moves lead from {one} to {other}"
