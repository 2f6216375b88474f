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


def _nonograms(**asked: Any) -> Callable[[], Any]:
    def strategy() -> Any:
        from nonosat.testing import strategies

        return strategies.puzzles(**asked)

    return strategy


SORTS = (
    Sort("nonogram", "any", 10, _nonograms()),
    Sort("nonogram", "black and white", 6, _nonograms(max_colours=1, blotted=False)),
)
