"""Sorts of puzzles that a campaign draws, each by a strategy of `nonosat.testing.strategies`.

A chunk holds puzzles of one sort. Most are small, so that many ways answer them at once and brute
force can; large ones come now and then, without the slow ways.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sort:
    """What a chunk holds.

    Args:
        family: Whose puzzles.
        name: Of the sort.
        weight: How often it comes, against the others.
        strategy: Gives the strategy; imports hypothesis.
        count: Puzzles in a chunk.
        is_large: Whether slow ways are left out, and brute force.
    """

    family: str
    name: str
    weight: int
    strategy: Callable[[], Any]
    count: int = 25
    is_large: bool = False


def _by(strategy: str, **asked: Any) -> Callable[[], Any]:
    """A strategy of the kit by its name."""

    def made() -> Any:
        from nonosat.testing import strategies

        return getattr(strategies, strategy)(**asked)

    return made


PLAIN = {"max_colours": 1, "unknown": False, "given": False}  # what every program understands
SORTS = (
    Sort("nonogram", "any", 4, _by("puzzles")),
    Sort("nonogram", "unique", 4, _by("unique_puzzles")),
    Sort("nonogram", "multiple", 6, _by("multiple_puzzles")),
    Sort("nonogram", "unsolvable", 4, _by("unsolvable_puzzles")),
    Sort("nonogram", "hard", 4, _by("hard_puzzles", max_cells=100)),
    Sort("nonogram", "plain-unique", 3, _by("unique_puzzles", **PLAIN)),
    Sort("nonogram", "plain-multiple", 3, _by("multiple_puzzles", **PLAIN)),
    Sort("slitherlink", "any", 4, _by("slitherlinks")),
    Sort("queens", "any", 3, _by("queens")),
    Sort("knight", "any", 3, _by("knights")),
    Sort("nonogram", "large", 2, _by("puzzles", max_cells=900), 8, True),
    Sort("nonogram", "large-hard", 2, _by("hard_puzzles", max_cells=1600), 8, True),
)
