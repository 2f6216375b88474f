"""A repaired puzzle as people are shown it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple


class Version(NamedTuple):
    """A repaired puzzle.

    Args:
        puzzle: What has one solution.
        solution: That solution.
        marked: Places (row, column) that were changed.
        words: What was changed in them.
    """

    puzzle: Any
    solution: Any
    marked: Collection[tuple[int, ...]]
    words: str
