"""A painter of lines that is quicker than the documents' and gives the same cells.

Counts of cells and of line solves do not depend on how a line is painted, as all complete painters
agree (a test holds that this one does).
"""

from __future__ import annotations

from functools import cache

from nonosat.study._automata import automaton_of, values_left
from nonosat.study._lines import UNKNOWN, Lengths, Tick

_automaton = cache(automaton_of)


def painted(cells: bytes, lengths: Lengths, tick: Tick) -> bytes | None:
    """The line with every cell that all its placements share; None where there is none."""
    tick()
    left = values_left(_automaton(lengths), cells)
    if left is None:
        return None
    return bytes(min(values) if len(values) == 1 else UNKNOWN for values in left)
