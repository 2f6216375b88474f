"""The squares of a knight's board, and which of them are a move apart."""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.puzzles.knight.data import Knight, Square

_JUMPS = [(d, r) for d in (-2, -1, 1, 2) for r in (-2, -1, 1, 2) if abs(d) != abs(r)]


def colour(square: Square) -> int:
    """0 or 1; a move changes it."""
    return (square[0] + square[1]) % 2


class Board:
    """What a knight may visit.

    Attributes:
        squares: Row by row, without the holes.
        excess: How many more squares of colour 0 there are than of colour 1.
    """

    def __init__(self, puzzle: Knight) -> None:
        holes = {*puzzle.holes}
        every = ((row, column) for row in range(puzzle.rows) for column in range(puzzle.columns))
        self.squares: list[Square] = [square for square in every if square not in holes]
        self._is_there = {*self.squares}
        self.excess = sum(1 - 2 * colour(square) for square in self.squares)

    def near(self, square: Square) -> list[Square]:
        """The squares that are a move away, in their order."""
        row, column = square
        found = ((row + down, column + right) for down, right in _JUMPS)
        return [other for other in found if other in self._is_there]

    def moves(self) -> Iterator[tuple[Square, Square]]:
        """Every pair of squares that are a move apart, once, the first of both ahead."""
        return ((one, other) for one in self.squares for other in self.near(one) if one < other)

    def distances(self, start: Square, most: int) -> dict[Square, int]:
        """Moves from a square to each that so many suffice for."""
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
