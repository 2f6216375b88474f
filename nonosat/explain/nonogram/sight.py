"""Contradictions of one or two members, found without any search; linear in the board.

A clue alone may be too long for its line. A row and a column share one cell, so they contradict
each other only where they leave it no value; a clue and a given cell only where the clue rules the
value out. Parallel lines, and given cells, never do. So where nothing is found here, a
contradiction has at least three members.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.explain.minimality import Minimality
from nonosat.explain.nonogram.members import Fewest

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.explain.nonogram.knowledge import Knowledge
    from nonosat.explain.nonogram.members import Pair

LEAST = 3  # members of a contradiction where nothing is found


def seen(board: Knowledge, given: list[Pair], watch: Watch) -> Fewest | None:
    """One or two members that cannot hold, None where there are none.

    Args:
        board: Knows the clues; nothing else is known.
        given: Given cells with their values.
        watch: Ends it.

    Raises:
        LimitReached: The watch ended it.
    """
    by_rows: dict[int, set[int]] = {}  # by place the values that its row rules out
    by_columns: dict[int, set[int]] = {}
    for line in range(len(board.clues)):
        watch.check()
        removals = board.implied(line)
        if removals is None:
            return _fewest((line,))
        gone = by_rows if line < board.height else by_columns
        for place, value in removals:
            gone.setdefault(place, set()).add(value)
    for place, values in by_rows.items():
        if len(values | by_columns.get(place, set())) == board.num_values:
            return _fewest(board.through(place))
    for place, value in given:
        for line, gone in zip(board.through(place), (by_rows, by_columns), strict=True):
            if value in gone.get(place, ()):
                return _fewest((line,), ((place, value),))
    return None


def _fewest(lines: tuple[int, ...], pairs: tuple[Pair, ...] = ()) -> Fewest:
    return Fewest(lines, pairs, Minimality.SMALLEST)
