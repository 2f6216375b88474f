"""The Python face of native line propagation: what one line's clue says of its cells and blocks.

Complete: a value stays possible exactly when some placement of the blocks supports it. O(b log n)
operations on n-bit words for a line of n cells and b blocks (native/line.hpp has the method).
"""

from __future__ import annotations

from typing import NamedTuple

from nonosat.model import Line


class Domain(NamedTuple):
    """Where a block can stand, ascending: its first cell, and its last cell."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]


def domains(line: Line) -> tuple[Domain, ...] | None:
    """Feasible positions of every block of `line`, given what its cells say.

    A cell literal TRUE or FALSE and a position in `line.filled` are knowledge; every other
    literal is open.

    Returns:
        A domain a block, each value in it used by some placement; None when there is no placement.
    """
    raise NotImplementedError
