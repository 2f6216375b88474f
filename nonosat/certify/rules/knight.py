"""The rules of a knight's tour: one loop through all squares, or, with given numbers, an order.

Where no number is given but the first and the last, a tour is a loop. Its edges are the moves; an
open tour goes on from its last square to a vertex "behind", from there to a vertex "ahead", and
back to its first square. With other numbers a tour is an order: see `certify.rules.numbered`.

A move changes the colour of the square. So a closed tour has as many squares of one colour as of
the other; an open one begins and ends on the colour that has one more, or, where both have as many,
on different ones. That follows from the rules, and is said beside them because clauses count badly.

Invariant: the told variables of a solution are the moves of a tour. Linear in the moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from nonosat.certify.rules import numbered
from nonosat.certify.rules.board import Board, colour
from nonosat.core.errors import UnsupportedError
from nonosat.core.model import TRUE, Clause, Loop, Model
from nonosat.puzzles.knight.data import Knight, Square, Tour

MAX_SQUARES = 250_000  # a million moves


def model_of(puzzle: Knight) -> Model:
    """A loop, or an order.

    Raises:
        UnsupportedError: The board is too large.
    """
    if puzzle.num_squares > MAX_SQUARES:
        raise UnsupportedError(
            f"the formula of {puzzle.num_squares:,} squares would be too large, expected at most "
            f"{MAX_SQUARES:,}"
        )
    board = Board(puzzle)
    return _loop(puzzle, board) if _is_loop(puzzle) else numbered.model_of(puzzle, board)


def true_in(puzzle: Knight, tour: Tour) -> Iterator[int]:
    """What a tour makes true."""
    board = Board(puzzle)
    if not _is_loop(puzzle):
        return numbered.true_in(puzzle, board, tour)
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
    """Whether given numbers say no more than where a tour begins and ends.

    A closed tour may be numbered from any square: a single number says nothing.
    """
    if puzzle.closed:
        return len(puzzle.numbered) < 2
    return {number for _, _, number in puzzle.numbered} <= {1, puzzle.num_squares}


class _Edges(NamedTuple):
    """What may be on the loop, in the order of the variables.

    Args:
        moves: Pairs of squares.
        first, last: Squares where an open tour may begin and end.
    """

    moves: list[tuple[Square, Square]]
    first: list[Square]
    last: list[Square]


def _edges(puzzle: Knight, board: Board) -> _Edges:
    if puzzle.closed:
        return _Edges([*board.moves()], [], [])
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
    return _Edges([*board.moves()], first, last)


def _loop(puzzle: Knight, board: Board) -> Model:
    vertices = {square: vertex for vertex, square in enumerate(board.squares)}
    edges = _edges(puzzle, board)
    joined = [(vertices[one], vertices[other]) for one, other in edges.moves]
    ahead, behind = len(vertices), len(vertices) + 1
    joined += [(vertices[square], ahead) for square in edges.first]
    joined += [(vertices[square], behind) for square in edges.last]
    told = range(1, len(joined) + 1)
    every = [(one, other, lit) for lit, (one, other) in zip(told, joined, strict=True)]
    if not puzzle.closed:
        every.append((behind, ahead, TRUE))
    return Model(
        num_vars=len(joined) + 1,
        clauses=tuple(_colours(puzzle, board, edges)),
        loops=(Loop(len(vertices) + 2 * (not puzzle.closed), tuple(every), spanning=True),),
        blocked_on=told,
        blocked_by_true=True,
    )


def _colours(puzzle: Knight, board: Board, edges: _Edges) -> Iterator[Clause]:
    """What moves say of colours; the variable behind the edges says "it begins on colour 1"."""
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
