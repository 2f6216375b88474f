"""Interface to the model that a tree of cubes splits: look-ahead, and names of literals.

There are two implementations, for a board of lines and for any other model. They differ in
look-ahead, names and the addition of a cube (`put`); `grounds` chooses one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from nonosat.solving.cubes.tree import Cube


@dataclass(frozen=True, slots=True)
class LookAheadResult:
    """Result of look-ahead below a cube.

    Args:
        is_refuted: True if the cube has no solution.
        branch: Literal to branch on; 0 if there is none, or no time to find one.
        num_open: Number of open cells or variables; the leaf with most is split first.
        lessons: See `tree.Node`.
        state: Data for look-ahead at the children.
    """

    is_refuted: bool
    branch: int = 0
    num_open: int = 0
    lessons: tuple[tuple[int, int], ...] = ()
    state: Any = None


class Ground(ABC):
    """A model that a tree of cubes splits, before any propagation, with its look-ahead.

    Attributes:
        num_probes: Number of literals tried so far.
    """

    num_probes = 0

    @abstractmethod
    def look_ahead(self, cube: Cube, above: Any) -> LookAheadResult:
        """Probe literals under a cube; the result depends on the model and the cube alone.

        Args:
            cube: Empty at the root.
            above: The `LookAheadResult.state` of the parent; None at the root.

        Raises:
            LimitReached: The watch ended it.
        """

    @abstractmethod
    def named(self, lit: int) -> list[int]:
        """Return the name of a branching literal in JSON, as described in `cover`."""
