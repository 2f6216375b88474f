"""Lines for checks of encodings and formulations: literals, fillings, known cells.

A line's open cells are the variables 1 .. cells, colour by colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from nonosat.core.model import FALSE, TRUE, Line, OpenClue, is_plain
from nonosat.testing import oracles


def planes(length: int, num_colours: int) -> tuple[range, ...]:
    """Return the variables of an open line, colour by colour."""
    return tuple(range(1 + k * length, 1 + (k + 1) * length) for k in range(num_colours))


def lits_of(values: Sequence[int], cells: Sequence[Sequence[int]]) -> frozenset[int]:
    """Return the literals that state that the cells have these values."""
    return frozenset(
        lit if value == colour else -lit
        for colour, plane in enumerate(cells, start=1)
        for value, lit in zip(values, plane, strict=True)
    )


@cache
def fillings(clue: OpenClue, length: int, num_colours: int = 1) -> tuple[bytes, ...]:
    """Return every filling of an open line."""
    if is_plain(clue):
        return tuple(oracles.fillings(clue, length))
    return tuple(oracles.open_fillings(clue, length, num_colours))


def with_knowledge(
    clue: OpenClue, known: Sequence[frozenset[int]], num_colours: int, feasible_starts: bool = True
) -> Line:
    """Return a line with constants for known cells; other literals keep their variables."""
    cells = [list(plane) for plane in planes(len(known), num_colours)]
    for place, values in enumerate(known):
        for colour, plane in enumerate(cells, start=1):
            if values == {colour}:
                plane[place] = TRUE
            elif colour not in values:
                plane[place] = FALSE
    filled = frozenset(place for place, values in enumerate(known) if 0 not in values)
    return Line(tuple(map(tuple, cells)), clue, filled, feasible_starts)
