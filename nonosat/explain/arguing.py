"""What the easiest technique sees in one line, remembered.

Pictures that differ in a few cells have most of their lines in common: to rate one after the other
takes a third of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from nonosat.explain.knowledge import Removal, implied_in
from nonosat.explain.rules import RULES, sight_of
from nonosat.grid import UNKNOWN
from nonosat.model import Clue

LONGEST = 100  # cells of a line that is remembered: long ones take much memory


class Argued(NamedTuple):
    """What the easiest technique sees in a line, wherever the line is.

    Args:
        technique: Its name.
        score: Smaller is easier.
        removals: What it takes away, as (position in the line, value).
        told: The step in words, as in `rules.Found`.
    """

    technique: str
    score: int
    removals: Sequence[Removal]
    told: str


def argued(clue: Clue, planes: tuple[bytes, ...]) -> Argued | None:
    """What the easiest technique sees in a line; None where the line has no placement.

    Args:
        clue: Of the line.
        planes: By value one byte a cell: whether the cell may have it.
    """
    argue = _remembered if len(planes[0]) <= LONGEST else _remembered.__wrapped__
    return argue(clue, planes)


@lru_cache(4096)
def _remembered(clue: Clue, planes: tuple[bytes, ...]) -> Argued | None:
    removals = implied_in(clue, planes)
    if not removals:
        return None if removals is None else Argued("", 0, (), "")
    values = [
        [value for value, plane in enumerate(planes) if plane[at]] for at in range(len(planes[0]))
    ]
    cells = bytes(its[0] if len(its) == 1 else UNKNOWN for its in values)
    technique, told = (
        "complete line",
        "all placements of {line} that fit the known cells agree: {so}",
    )
    sight = sight_of(clue, cells, list(planes))
    for name, rule in RULES.items():
        if found := rule(sight):
            technique, told = name, found.told
            removals = [
                (at, other)
                for at, value in found.values.items()
                for other in values[at]
                if other != value
            ]
            break
    slack = len(cells) - sum(block.length or 1 for block in clue) - max(len(clue) - 1, 0)
    score = min(cells.count(UNKNOWN), slack)
    return Argued(technique, score, removals, told)
