"""Thinning of strokes on a board to lines one cell wide, and removal of specks.

Source: T. Y. Zhang and C. Y. Suen, A fast parallel algorithm for thinning digital patterns (1984).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nonosat.core.limits import polled

_AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # clockwise
_FEWEST = 3  # cells of a stroke


class Bitmap(NamedTuple):
    """Filled cells of a board, row by row."""

    height: int
    width: int
    filled: list[bool]

    def around(self, at: int) -> list[int]:
        """Return the neighbours of a cell, clockwise from above; -1 outside the board."""
        row, column = divmod(at, self.width)
        return [
            (row + down) * self.width + column + right
            if 0 <= row + down < self.height and 0 <= column + right < self.width
            else -1
            for down, right in _AROUND
        ]


def thinned(board: Bitmap, kept: Sequence[bool]) -> Bitmap:
    """Return the board with strokes one cell wide; cells marked to be kept are unchanged."""
    filled = list(board.filled)
    places = {at: board.around(at) for at, is_filled in enumerate(polled(filled)) if is_filled}
    loose = [at for at in places if not kept[at]]
    has_changed = True
    while has_changed:
        has_changed = False
        for first, second in (((0, 2, 4), (2, 4, 6)), ((0, 2, 6), (0, 4, 6))):
            gone = []
            for at in polled(loose):
                ring = [place >= 0 and filled[place] for place in places[at]]
                ends = sum(not a and b for a, b in zip(ring, [*ring[1:], ring[0]], strict=True))
                if (
                    ends == 1
                    and 2 <= sum(ring) <= 6
                    and not all(ring[place] for place in first)
                    and not all(ring[place] for place in second)
                ):
                    gone.append(at)
            for at in gone:
                filled[at] = False
            has_changed |= bool(gone)
            loose = [at for at in loose if filled[at]]
    return Bitmap(board.height, board.width, filled)


def despeckled(board: Bitmap, sure: Sequence[bool]) -> Bitmap:
    """Return the board without components of one or two cells that are not certain to be filled."""
    filled = list(board.filled)
    for piece in pieces(board):
        if len(piece) < _FEWEST and not any(sure[at] for at in piece):
            for at in piece:
                filled[at] = False
    return Bitmap(board.height, board.width, filled)


def pieces(board: Bitmap) -> Iterator[list[int]]:
    """Return the connected components of the filled cells, diagonal contact included."""
    seen = [not is_filled for is_filled in board.filled]
    for start in polled(range(len(seen))):
        if seen[start]:
            continue
        seen[start] = True
        piece = [start]
        for at in polled(piece):
            for place in board.around(at):
                if place >= 0 and not seen[place]:
                    seen[place] = True
                    piece.append(place)
        yield piece
