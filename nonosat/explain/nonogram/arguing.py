"""What the easiest technique sees in one line, worked out as far as somebody wants to know.

Techniques are tried one after the other, from the easiest. Most lines change again before it is
their turn, so that only the first of them are ever tried. What has been found is remembered:
pictures that differ in a few cells have most of their lines in common, and to rate one after the
other takes a third of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from nonosat.core.grid import UNKNOWN
from nonosat.core.model import Clue
from nonosat.explain.nonogram.knowledge import Removal, implied_in
from nonosat.explain.nonogram.rules import RULES, sight_of
from nonosat.explain.nonogram.step import TECHNIQUES

LONGEST = 100  # cells of a line that is remembered: long ones take much memory
RANK = {name: rank for rank, name in enumerate(TECHNIQUES)}
_COMPLETE = "complete line"
_ALL_AGREE = "all placements of {line} that fit the known cells agree: {so}"
_IN_ORDER = (*RULES, _COMPLETE)


class Argued(NamedTuple):
    """What the easiest technique sees in a line, wherever the line is.

    Args:
        technique: Its name.
        removals: What it takes away, as (position in the line, value).
        told: The step in words, as in `rules.Found`.
    """

    technique: str
    removals: Sequence[Removal]
    told: str


class Arguing:
    """A line that allows a step.

    Args:
        clue: Of the line.
        planes: By value one byte a cell: whether the cell may have it.
        cells: One byte a cell: the only value that it may have, or `UNKNOWN`.

    Attributes:
        removals: All that the clue rules out; None where the line has no placement.
        order: How easy the step is, smaller is easier; at least this, until `found` is there. Ties
            are for the caller.
        found: The step, once it is known.
    """

    def __init__(self, clue: Clue, planes: tuple[bytes, ...], cells: bytes) -> None:
        self._line = (clue, planes, cells)
        self._is_remembered = len(cells) <= LONGEST
        implied = _implied if self._is_remembered else _implied.__wrapped__
        self.removals = implied(clue, planes)
        self.found: Argued | None = None
        slack = len(cells) - sum(block.length or 1 for block in clue) - max(len(clue) - 1, 0)
        self._score = min(cells.count(UNKNOWN), slack)
        self._num_tried = 0
        self._rate(self.removals or ())

    def _rate(self, removals: Sequence[Removal]) -> None:
        self.order = (RANK[_IN_ORDER[self._num_tried]], self._score, -len(removals))

    def advance(self) -> None:
        """Try the next technique."""
        assert self.removals
        technique = _IN_ORDER[self._num_tried]
        if technique == _COMPLETE:
            self.found = Argued(technique, self.removals, _ALL_AGREE)
            return
        tried = _tried if self._is_remembered else _tried.__wrapped__
        self.found = tried(technique, *self._line)
        if self.found is None:
            self._num_tried += 1
        self._rate(self.removals if self.found is None else self.found.removals)


@lru_cache(4096)
def _implied(clue: Clue, planes: tuple[bytes, ...]) -> Sequence[Removal] | None:
    return implied_in(clue, planes)


@lru_cache(4096)
def _tried(technique: str, clue: Clue, planes: tuple[bytes, ...], cells: bytes) -> Argued | None:
    """What a technique sees in a line; None for nothing."""
    found = RULES[technique](sight_of(clue, cells, list(planes)))
    if found is None:
        return None
    removals = [
        (at, other)
        for at, value in found.values.items()
        for other, plane in enumerate(planes)
        if plane[at] and other != value
    ]
    return Argued(technique, removals, found.told)
