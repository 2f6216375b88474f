"""Splitting by look-ahead: the open leaf of which most is open is branched on, again and again.

Look-ahead has a budget of work, so that the tree depends on the puzzle alone (`ground`).

Source: the measure is that of March; Heule and van Maanen, "Look-Ahead Based SAT Solvers" (Handbook
of Satisfiability, 2009); Heule, Kullmann, Wieringa, Biere, "Cube and Conquer" (HVC 2011).
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from nonosat.solving.cubes.ground import Ground, Seen
from nonosat.solving.cubes.tree import LOOK_AHEAD, Tree


class Splitter:
    """Grows a tree of cubes.

    Args:
        ground: What is split.

    Attributes:
        tree: So far. Its leaves are refuted, or open.
    """

    def __init__(self, ground: Ground) -> None:
        self.tree = Tree()
        self._ground = ground
        self._leaves: dict[int, Seen] = {}  # those that can be branched on
        self._look_from(0, None)

    def split(self, index: int, most: int) -> list[int]:
        """Split an open leaf into cubes that are open, so many if there are.

        Args:
            index: Of the leaf.
            most: How many; 1 leaves it as it is.

        Returns:
            The open leaves below, from left to right; none where look-ahead has refuted them all.
        """
        heap: list[tuple[int, int]] = []
        num_closed = int(self._sort_in(index, heap))
        while heap and len(heap) + num_closed < most:
            _, chosen = heappop(heap)
            num_closed += sum(self._sort_in(child, heap) for child in self._branch(chosen))
        return [leaf for leaf in self.tree.leaves(index) if not self.tree.nodes[leaf].ended_by]

    def can_split(self, index: int) -> bool:
        """Whether there is something to branch on in the leaf."""
        return index in self._leaves

    def forget(self, index: int) -> None:
        """A leaf will not be split."""
        self._leaves.pop(index, None)

    def _sort_in(self, index: int, heap: list[tuple[int, int]]) -> bool:
        """Whether the node is open without a branch: all is known, or there is no time to look."""
        if leaf := self._leaves.get(index):
            heappush(heap, (-leaf.num_open, index))
            return False
        return not self.tree.nodes[index].ended_by

    def _branch(self, index: int) -> tuple[int, int]:
        leaf = self._leaves.pop(index)
        children = self.tree.branch(index, leaf.branch)
        for child in children:
            self._look_from(child, leaf.state)
        return children

    def _look_from(self, index: int, above: Any) -> None:
        """Look at a new node: it is refuted, or open with something to branch on or not."""
        node, seen = self.tree.nodes[index], self._ground.look(self.tree.cube(index), above)
        node.lessons = seen.lessons
        if seen.is_refuted:
            node.ended_by = LOOK_AHEAD
        elif seen.branch:
            self._leaves[index] = seen
