"""A path and rings of moves that share out all squares: where a tour by rotations begins.

Every square gets two moves, by the matching of `counting`. For an open tour the ring that leads
beyond the board is the path.
"""

from __future__ import annotations

from nonosat.puzzles.knight.counting import Matching
from nonosat.puzzles.knight.ring import BEFORE, BETWEEN, Part, Ring


def path_and_rings(board: Part) -> list[list[int]] | None:
    """The path, then the rings, in the order of their moves; None where there are none.

    For a closed tour the longest ring is the path.

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
