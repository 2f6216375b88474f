"""A repaired puzzle in the form for display."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple


class Version(NamedTuple):
    """A repaired puzzle.

    Args:
        puzzle: Puzzle with one solution.
        solution: The only solution.
        marked: Places (row, column) that were changed.
        words: The changes in words.
    """

    puzzle: Any
    solution: Any
    marked: Collection[tuple[int, ...]]
    words: str
