"""Proof by counting that a bipartite graph has no Hamiltonian ring (`ring.py`).

In a ring every vertex has two edges. This module selects edges so that every vertex has two: a
matching with two partners per vertex. A vertex with two selected edges is served. Augmenting paths
find a matching that serves all vertices, or a set of vertices that needs more edges than exist
(the vertices reachable from an unserved one). If all vertices are served, an edge between different
strongly connected components of the residual graph is in all such matchings or in none (J.-C.
Regin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994, with two partners
in place of one).

A path takes time linear in the moves; hardly any path is needed after a first greedy round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from nonosat.puzzles.knight.ring import EdgeConclusion, Ring

MOST_COUNTED = 20_000  # squares of a board whose moves are counted: about a second


class EdgeShortage(NamedTuple):
    """Vertices of one side that together need more edges than there are.

    Args:
        served: These vertices.
        serving: Vertices of the other side that contribute as many edges as they need; other
            vertices of that side contribute all their edges to `served`.
    """

    served: frozenset[int]
    serving: frozenset[int]


class Matching:
    """Maximum matching of a ring's undecided edges, in which no vertex has more than it needs.

    Args:
        ring: A ring for which `Ring.settle` has reached its fixpoint.
    """

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self._free = {vertex: ring.free(vertex) for vertex in ring.ways}
        self._room = {vertex: ring.needs(vertex) for vertex in ring.ways}
        self._of: dict[int, set[int]] = {vertex: set() for vertex in ring.ways}
        self._serve_the_poorest_first()
        ones = [vertex for vertex in ring.ways if vertex in ring.odd]
        while self._augment(one for one in ones if self._room[one]):
            pass

    def _serve_the_poorest_first(self) -> None:
        """Make a greedy matching; vertices with the fewest spare edges come first.

        Source: Karp, Sipser, "Maximum matchings in sparse random graphs" (1981).
        """
        room, choice = self._room, {vertex: set(near) for vertex, near in self._free.items()}
        waiting = [(len(choice[vertex]) - room[vertex], vertex) for vertex in choice]
        heapify(waiting)
        while waiting:
            slack, one = heappop(waiting)
            if not room[one] or slack != len(choice[one]) - room[one]:
                continue  # served, or queued again with less choice
            others = sorted(choice[one], key=lambda at: len(choice[at]) - room[at])
            for other in others[: room[one]]:
                self._match(one, other)
                choice[one].discard(other)
                choice[other].discard(one)
                if not room[other]:
                    for near in choice[other]:
                        choice[near].discard(other)
                        heappush(waiting, (len(choice[near]) - room[near], near))
                    choice[other].clear()
            for other in choice[one]:
                choice[other].discard(one)
                heappush(waiting, (len(choice[other]) - room[other], other))
            choice[one].clear()

    def _match(self, one: int, other: int) -> None:
        self._of[one].add(other)
        self._of[other].add(one)
        self._room[one] -= 1
        self._room[other] -= 1

    def _augment(self, roots: Iterable[int]) -> bool:
        """Enlarge the matching along disjoint augmenting paths.

        The paths grow from all roots at once. A path ends at a vertex that has room for one more
        edge; its root then has one more edge in the matching (it is served).

        Returns:
            True if the matching has grown.
        """
        came_from = {root: root for root in roots}
        root_of = dict(came_from)
        waiting, served = [*came_from], set[int]()
        for one in waiting:
            root = root_of[one]
            if root in served:
                continue
            for other in self._free[one] - self._of[one]:
                if other in came_from:
                    continue
                came_from[other] = one
                if self._room[other]:
                    self._turn_round(root, other, came_from)
                    served.add(root)
                    break
                for again in self._of[other]:
                    if again not in came_from:
                        came_from[again] = other
                        root_of[again] = root
                        waiting.append(again)
        return bool(served)

    def _turn_round(self, root: int, last: int, came_from: dict[int, int]) -> None:
        """Flip the edges of an alternating path."""
        self._room[root] -= 1
        self._room[last] -= 1
        is_new = True
        while last != root:
            one = came_from[last]
            change = set.add if is_new else set.discard
            change(self._of[one], last)
            change(self._of[last], one)
            last, is_new = one, not is_new

    def scarce(self) -> EdgeShortage | None:
        """Return the smallest set that was found of vertices that cannot all get enough edges.

        Return None if all vertices have enough edges.
        """
        found = (self._reached(vertex) for vertex, missing in self._room.items() if missing)
        return min(found, key=lambda scarce: len(scarce.served), default=None)

    def _reached(self, root: int) -> EdgeShortage:
        served, serving = {root}, set[int]()
        waiting = [root]
        for one in waiting:
            for other in self._free[one] - self._of[one] - serving:
                serving.add(other)
                more = self._of[other] - served
                served |= more
                waiting += more
        return EdgeShortage(frozenset(served), frozenset(serving))

    def partners(self, vertex: int) -> set[int]:
        """Return the neighbours of a vertex by matched edges and by taken edges of the ring."""
        return self._of[vertex] | self._ring.taken[vertex]

    def conclude(self) -> bool:
        """Take the undecided edges that every complete matching has; drop those that none has.

        Every vertex must be served.

        Returns:
            True if an edge was taken or dropped.
        """
        ring, stage_of = self._ring, dict[int, int]()
        vertices, begins = list[int](), list[int]()
        for stage, part in enumerate(self._parts()):
            stage_of.update(dict.fromkeys(part, stage))
            begins.append(len(vertices))
            vertices += part
        crossing = [
            (one, other)
            for one in vertices
            if one in ring.odd
            for other in sorted(self._free[one])
            if stage_of[one] != stage_of[other]
        ]
        step = len(ring.steps)
        if crossing:
            ring.steps.append(EdgeConclusion("count", tuple(vertices), tuple(begins[1:])))
        for one, other in crossing:
            if other in ring.free(one):
                change = ring.take if other in self._of[one] else ring.drop
                change(one, other, step)
        return bool(crossing)

    def _parts(self) -> Iterator[list[int]]:
        """Yield the strongly connected components of the residual graph, successors first.

        R. Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion.
        """
        number, low, left = dict[int, int](), dict[int, int](), list[int]()
        is_left = set[int]()
        for root in self._free:
            pending: list[tuple[int, Iterator[int]]] = []
            if root not in number:
                pending.append((root, iter(())))
            while pending:
                vertex, ways = pending[-1]
                if vertex not in number:
                    number[vertex] = low[vertex] = len(number)
                    left.append(vertex)
                    is_left.add(vertex)
                    ways = iter(self._residual(vertex))
                    pending[-1] = (vertex, ways)
                for other in ways:
                    if other not in number:
                        pending.append((other, iter(())))
                        break
                    if other in is_left:
                        low[vertex] = min(low[vertex], number[other])
                else:
                    pending.pop()
                    if pending:
                        above = pending[-1][0]
                        low[above] = min(low[above], low[vertex])
                    if low[vertex] == number[vertex]:
                        part = [left.pop()]
                        while part[-1] != vertex:
                            part.append(left.pop())
                        is_left.difference_update(part)
                        yield part

    def _residual(self, vertex: int) -> set[int]:
        """Return the successors of a vertex in the residual graph."""
        if vertex in self._ring.odd:
            return self._free[vertex] - self._of[vertex]
        return self._of[vertex]
