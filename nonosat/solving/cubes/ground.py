"""What a tree of cubes stands on: how a cube is looked at, and what its literals are called.

There are two grounds, a board of lines (`on_board`) and any other model (`on_model`). With how a
cube is told (`put`) they are all in which cubes of the two differ; `grounds` chooses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from nonosat.solving.cubes.tree import Cube


@dataclass(frozen=True, slots=True)
class Seen:
    """What look-ahead has come to below a cube.

    Args:
        is_refuted: Nothing lies in the cube.
        branch: The literal to branch on; 0 where there is none, or no time to find one.
        num_open: How much is open; of two leaves the one with more is branched on.
        lessons: See `tree.Node`.
        state: What the ground wants to know when it looks further down.
    """

    is_refuted: bool
    branch: int = 0
    num_open: int = 0
    lessons: tuple[tuple[int, int], ...] = ()
    state: Any = None


class Ground(ABC):
    """One model, of which nothing is propagated yet.

    Attributes:
        num_probes: Literals that were tried so far.
    """

    num_probes = 0

    @abstractmethod
    def look(self, cube: Cube, above: Any) -> Seen:
        """Look ahead below a cube; what comes out depends on the model and the cube alone.

        Args:
            cube: Empty at the root.
            above: The `Seen.state` of the node above; None at the root.

        Raises:
            LimitReached: The watch ended it.
        """

    @abstractmethod
    def named(self, lit: int) -> list[int]:
        """What a literal to branch on is called in JSON; `cover` says what that means."""
