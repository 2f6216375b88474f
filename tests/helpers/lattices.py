"""All loops of small lattices, by enumeration, and their clues."""

from __future__ import annotations

from functools import cache
from itertools import compress

from nonosat.puzzles.slitherlink import BLANK, Slitherlink
from nonosat.testing import loops


class Board:
    """Lattice around height x width cells, and all of its loops.

    Attributes:
        places: Its edges (row, column, row, column), in the order of `Path.edges`.
        every: Its loops, a byte an edge.
    """

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        loop = loops.board(height, width)
        self.places = [(*divmod(u, width + 1), *divmod(v, width + 1)) for u, v, _ in loop.edges]
        found = loops.cycles(loop)
        self.every = sorted(bytes(at in one for at in range(len(loop.edges))) for one in found)
        self._clues = {edges: self._counted(edges) for edges in self.every}

    def _counted(self, edges: bytes) -> bytes:
        on = {place for place, value in zip(self.places, edges, strict=True) if value}
        counts = (
            ((r, c, r, c + 1) in on)
            + ((r + 1, c, r + 1, c + 1) in on)
            + ((r, c, r + 1, c) in on)
            + ((r, c + 1, r + 1, c + 1) in on)
            for r in range(self.height)
            for c in range(self.width)
        )
        return bytes(counts)

    def clues_of(self, edges: bytes) -> bytes:
        """Return the number of chosen edges of each cell in a loop of `every`."""
        return self._clues[edges]

    def solutions(self, puzzle: Slitherlink) -> set[bytes]:
        """Loops that satisfy a puzzle's clues."""
        is_given = [clue != BLANK for clue in puzzle.clues]
        given = bytes(compress(puzzle.clues, is_given))
        pairs = self._clues.items()
        return {edges for edges, clues in pairs if bytes(compress(clues, is_given)) == given}


@cache
def board_of(height: int, width: int) -> Board:
    """Return a cached board, which must not be changed: its loops are enumerated once."""
    return Board(height, width)
