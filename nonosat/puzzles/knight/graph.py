"""The board as a graph: its squares by place (row * columns + column), an edge for each move."""

from __future__ import annotations

from collections.abc import Container, Iterator
from math import inf
from typing import TYPE_CHECKING

from nonosat.core.limits import polled

if TYPE_CHECKING:
    from nonosat.puzzles.knight.data import Knight

STEPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


class Squares:
    """Squares of a board that the tour visits.

    Attributes:
        places: Places of these squares, ascending.
        holes: Places of the holes.
    """

    def __init__(self, puzzle: Knight) -> None:
        self._rows, self._columns = puzzle.rows, puzzle.columns
        self.holes = frozenset(row * puzzle.columns + column for row, column in puzzle.holes)
        every = range(puzzle.rows * puzzle.columns)
        self.places = [place for place in polled(every) if place not in self.holes]

    def __contains__(self, place: object) -> bool:
        return (
            isinstance(place, int)
            and 0 <= place < self._rows * self._columns
            and place not in self.holes
        )

    def near(self, place: int) -> list[int]:
        """Return the squares to visit that are a move away, in their order."""
        rows, columns = self._rows, self._columns
        row, column = divmod(place, columns)
        found = (
            (row + down) * columns + column + right
            for down, right in STEPS
            if 0 <= row + down < rows and 0 <= column + right < columns
        )
        return [place for place in found if place not in self.holes]

    def edges(self) -> Iterator[tuple[int, int]]:
        """Return every move once, from the lower place to the higher."""
        return (
            (one, other) for one in polled(self.places) for other in self.near(one) if one < other
        )

    def distances(self, start: int, over: Container[int], most: float = inf) -> dict[int, int]:
        """Return the distance in moves from `start` of each square within `most` moves.

        Paths lead through squares of `over` only.
        """
        found = {start: 0}
        waiting = [start]
        for place in polled(waiting):
            if found[place] >= most:
                break
            for other in self.near(place):
                if other not in found and other in over:
                    found[other] = found[place] + 1
                    waiting.append(other)
        return found
