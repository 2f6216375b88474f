"""Enough moves for all squares? Both sides of a ring counted against each other, by a flow.

Every vertex needs two edges. Those that need them on one side and those that give them on the other
are matched, an edge once: a matching of that kind that serves all is found by augmenting paths, or
there is a set that needs more edges than there can be, the set that can be reached from one that is
not served. Where all are served, an edge that leads from one strongly connected part of the
residual graph to another is in all such matchings or in none (J.-C. Regin, "A filtering algorithm
for constraints of difference in CSPs", AAAI 1994, with two in place of one).

A path takes time linear in the moves; hardly any is needed after a first greedy round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from nonosat.puzzles.knight.ring import Ring, Step

MOST_COUNTED = 20_000  # squares of a board whose moves are counted: about a second


class Scarce(NamedTuple):
    """Vertices of one side that need more edges than there are.

    Args:
        served: The vertices.
        serving: Those of the other side that give as many as they can; all others give what
            edges lead to them.
    """

    served: frozenset[int]
    serving: frozenset[int]


class Matching:
    """As many free edges of a ring as can be, each vertex with no more than it needs.

    Args:
        ring: Nothing more follows from its degrees.
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
        """A greedy matching: those with the least choice choose first (Karp, Sipser 1981)."""
        room, choice = self._room, {vertex: set(near) for vertex, near in self._free.items()}
        waiting = [(len(choice[vertex]) - room[vertex], vertex) for vertex in choice]
        heapify(waiting)
        while waiting:
            slack, one = heappop(waiting)
            if not room[one] or slack != len(choice[one]) - room[one]:
                continue  # served, or it waits again with less choice
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
        """Serve vertices once more, each along a path of edges in turn out of and in the matching.

        Paths grow from all of them at once, and from each until it is served; they do not meet.

        Returns:
            Whether any is served.
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
        """The edges of a path change places: those in the matching go, the others come."""
        self._room[root] -= 1
        self._room[last] -= 1
        is_new = True
        while last != root:
            one = came_from[last]
            change = set.add if is_new else set.discard
            change(self._of[one], last)
            change(self._of[last], one)
            last, is_new = one, not is_new

    def scarce(self) -> Scarce | None:
        """The smallest set found of vertices that cannot all be served; None without any."""
        found = (self._reached(vertex) for vertex, missing in self._room.items() if missing)
        return min(found, key=lambda scarce: len(scarce.served), default=None)

    def _reached(self, root: int) -> Scarce:
        served, serving = {root}, set[int]()
        waiting = [root]
        for one in waiting:
            for other in self._free[one] - self._of[one] - serving:
                serving.add(other)
                more = self._of[other] - served
                served |= more
                waiting += more
        return Scarce(frozenset(served), frozenset(serving))

    def partners(self, vertex: int) -> set[int]:
        """The others that it is matched with, or has taken edges to."""
        return self._of[vertex] | self._ring.taken[vertex]

    def conclude(self) -> bool:
        """Take the free edges that every such matching has, and drop those that none has.

        Every vertex is served.

        Returns:
            Whether there are any.
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
            ring.steps.append(Step("count", tuple(vertices), tuple(begins[1:])))
        for one, other in crossing:
            if other in ring.free(one):
                change = ring.take if other in self._of[one] else ring.drop
                change(one, other, step)
        return bool(crossing)

    def _parts(self) -> Iterator[list[int]]:
        """The strongly connected parts of the residual graph, each after those that it leads to.

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
        """Where edges lead that may come into the matching, or go from it."""
        if vertex in self._ring.odd:
            return self._free[vertex] - self._of[vertex]
        return self._of[vertex]
