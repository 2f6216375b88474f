"""Leaves of a tree of cubes, decided in parallel in processes that can be killed.

Leaves are submitted from left to right. A cube that has used up its conflicts is split again, and
its parts get larger budgets. The first split depends on the puzzle alone. So does the whole tree if
every cube has a fresh engine; if processes keep their engines, it depends on their number and on
timing which cubes are split again. If a process dies, its cube is repeated
(`nonosat.processes.tools`).

Invariant: after the end of `outcomes`, every submitted leaf has been decided.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable
from heapq import heappop, heappush
from typing import Any

from nonosat.core.errors import NonosatError
from nonosat.core.limits import POLL_EVERY_S, Watch
from nonosat.processes.places import pool_of
from nonosat.processes.pools import Pool
from nonosat.processes.system import num_cores
from nonosat.processes.tools import Call, Calls
from nonosat.processes.worker import serve
from nonosat.solving.cubes.ground import Ground, LookAheadResult
from nonosat.solving.cubes.tree import LOOK_AHEAD, Cube, CubeTree

# Splitting by look-ahead: repeatedly branch on the open leaf with the most open cells or variables.
#
# Look-ahead has a budget of work, so that the tree depends on the puzzle alone (`ground`).
#
# Source: the measure is that of March; Heule and van Maanen, "Look-Ahead Based SAT Solvers"
# (Handbook of Satisfiability, 2009); Heule, Kullmann, Wieringa, Biere, "Cube and Conquer" (HVC
# 2011).


class Splitter:
    """Builder of a tree of cubes.

    Args:
        ground: The look-ahead.

    Attributes:
        tree: The tree so far. Its leaves are refuted or open.
    """

    def __init__(self, ground: Ground) -> None:
        self.tree = CubeTree()
        self._ground = ground
        self._leaves: dict[int, LookAheadResult] = {}  # leaves that can be branched on
        self._extend(0, None)

    def split(self, index: int, most: int) -> list[int]:
        """Split an open leaf into up to `most` open cubes.

        Args:
            index: Index of the leaf.
            most: Maximum number of cubes; 1 leaves it unchanged.

        Returns:
            The open leaves below the node, from left to right; empty if look-ahead refuted all.
        """
        heap: list[tuple[int, int]] = []
        num_closed = int(self._sort_in(index, heap))
        while heap and len(heap) + num_closed < most:
            _, chosen = heappop(heap)
            num_closed += sum(self._sort_in(child, heap) for child in self._branch(chosen))
        return [leaf for leaf in self.tree.leaves(index) if not self.tree.nodes[leaf].ended_by]

    def can_split(self, index: int) -> bool:
        """Return True if the leaf has a branching literal."""
        return index in self._leaves

    def forget(self, index: int) -> None:
        """Free the data of a leaf that will not be split."""
        self._leaves.pop(index, None)

    def _sort_in(self, index: int, heap: list[tuple[int, int]]) -> bool:
        """Push a node on `heap` if it can be split; return True if it is open, but cannot."""
        if leaf := self._leaves.get(index):
            heappush(heap, (-leaf.num_open, index))
            return False
        return not self.tree.nodes[index].ended_by

    def _branch(self, index: int) -> tuple[int, int]:
        leaf = self._leaves.pop(index)
        children = self.tree.branch(index, leaf.branch)
        for child in children:
            self._extend(child, leaf.state)
        return children

    def _extend(self, index: int, above: Any) -> None:
        """Look ahead at a new node; store that it is refuted, or its branching literal, if any."""
        node, seen = self.tree.nodes[index], self._ground.look_ahead(self.tree.cube(index), above)
        node.lessons = seen.lessons
        if seen.is_refuted:
            node.ended_by = LOOK_AHEAD
        elif seen.branch:
            self._leaves[index] = seen


BUDGET = 20_000  # conflicts of a cube from the first split
GROWTH = 2  # factor for the parts of a cube
PARTS = 2  # parts of a cube that is split again


class Leaves:
    """Leaves of one puzzle's tree, which is split on construction.

    Args:
        ground: The look-ahead.
        num_cubes: Number of open leaves of the first split.
        query: Returns the call that a process makes for a cube and a budget of conflicts.
        watch: Limits of all work. Its memory limit holds for each process.
        has_refuted: True to submit leaves that look-ahead has refuted as well.
        known: Returns the recorded outcome of a cube under a budget, or None.
        serve: Serves calls in the processes of this machine, which are copies of this one if it can
            be copied.

    Attributes:
        tree: The branches.
        num_first: Number of open leaves after the first split.
    """

    def __init__(
        self,
        ground: Ground,
        num_cubes: int,
        query: Callable[[Cube, int], Call],
        watch: Watch,
        has_refuted: bool = False,
        known: Callable[[Cube, int], Any] = lambda _cube, _budget: None,
        serve: Callable[[Any], None] = serve,
    ) -> None:
        self._query = query
        self._watch = watch
        self._has_refuted = has_refuted
        self._known = known
        self._serve = serve
        self._found_before: deque[tuple[int, Any]] = deque()
        self._pool: Pool[Call] | None = None
        self._generations: dict[int, int] = {}  # number of repeated splits above each leaf
        self._splitter = Splitter(ground)
        self.tree = self._splitter.tree
        self.num_first = len(self._splitter.split(0, num_cubes))

    def outcomes(
        self, jobs: int | None, cluster: str | None
    ) -> Generator[tuple[int, Any], None, None]:
        """Yield leaves with their outcomes; the caller passes each to `end`, `again` or `split`.

        Args:
            jobs: Number of processes here; None for the number of cores.
            cluster: See `pool_of`.

        Raises:
            LimitReached: A limit ended it.
            BackendError: A cube's process died twice.
        """
        work = Calls(self._watch.limits.memory_mib, None if cluster else self._serve)
        self._pool = pool_of(jobs or num_cores(), cluster, work)
        try:
            self._hand_out(self._below(0), 0)
            while self._generations:
                self._watch.check()
                if self._found_before:
                    yield self._found_before.popleft()
                    continue
                ended = self._pool.done(min(POLL_EVERY_S, self._watch.step_s()))
                for done in ended:
                    if isinstance(done.outcome, NonosatError):
                        raise done.outcome
                    yield done.number, done.outcome
        finally:
            self._pool.close()

    def budget(self, leaf: int) -> int:
        """Return the budget of conflicts of a submitted leaf."""
        is_last = not self._splitter.can_split(leaf)
        return sys.maxsize if is_last else BUDGET * GROWTH ** self._generations[leaf]

    def end(self, leaf: int) -> None:
        """Mark a leaf as decided."""
        del self._generations[leaf]
        self._splitter.forget(leaf)

    def again(self, leaf: int) -> None:
        """Submit a leaf once more, with the same budget, to find further solutions."""
        self._hand_out([leaf], self._generations.pop(leaf))

    def split(self, leaf: int) -> None:
        """Submit the parts of a leaf that has used up its budget."""
        generation = self._generations.pop(leaf) + 1
        self._splitter.split(leaf, PARTS)
        self._hand_out(self._below(leaf), generation)

    def _below(self, index: int) -> list[int]:
        leaves, nodes = self.tree.leaves(index), self.tree.nodes
        return [leaf for leaf in leaves if self._has_refuted or not nodes[leaf].ended_by]

    def _hand_out(self, leaves: Iterable[int], generation: int) -> None:
        assert self._pool is not None
        for leaf in leaves:
            self._generations[leaf] = generation
            cube, budget = self.tree.cube(leaf), self.budget(leaf)
            if (outcome := self._known(cube, budget)) is not None:
                self._found_before.append((leaf, outcome))
                continue
            self._pool.submit(leaf, (self._query(cube, budget),))
