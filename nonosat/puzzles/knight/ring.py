"""Board as a bipartite graph with a Hamiltonian ring, for deductions on its edges.

A closed tour is such a ring. An open tour becomes one by vertices beyond the board: one is joined
to every possible first square, another to every possible last square, and both to each other
through one or two further vertices, which have no other edges. Every edge joins the two sides,
which are colours on the board, and every vertex has two edges of the ring.

Invariant: every tour contains all edges that are taken, and no edge that has been dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

BEFORE, BEHIND = -1, -2  # the vertices beyond the board, and those between them
BETWEEN = (-3, -4)

Moves = Mapping[int, Collection[int]]  # maps a square to those a move away


class SubTour(NamedTuple):
    """A part of the board that must have a tour of its own.

    Args:
        moves: The squares, each with those a move away.
        odd: Squares of one of the two colours: all of the part, and maybe others.
        begins, ends: Possible first and last squares; None for a closed tour.
    """

    moves: Moves
    odd: frozenset[int]
    begins: frozenset[int] | None
    ends: frozenset[int] | None

    def num_of_colours(self) -> tuple[int, int]:
        """Return the numbers of odd and of even squares."""
        num_odd = sum(square in self.odd for square in self.moves)
        return num_odd, len(self.moves) - num_odd

    def by_colour(self) -> tuple[frozenset[int], frozenset[int]] | None:
        """Return possible first and last squares, restricted by colour; None if there is no tour.

        The reversed path is a tour as well: if both ends may be on squares of either colour, the
        tour begins on an odd one.
        """
        assert self.begins is not None
        assert self.ends is not None
        num_odd, num_even = self.num_of_colours()
        if abs(num_odd - num_even) > 1:
            return None
        firsts = [self.begins & self.odd, self.begins - self.odd]
        lasts = [self.ends & self.odd, self.ends - self.odd]
        if num_odd == num_even:
            lasts.reverse()
        pairs = list(zip(firsts, lasts, strict=True))
        if num_odd != num_even:
            pairs = pairs[:1] if num_odd > num_even else pairs[1:]
        is_single = len(self.moves) == 1  # else it begins and ends on different squares
        pairs = [(a, b) for a, b in pairs if a and b and (is_single or len(a | b) > 1)]
        assert len(pairs) < 2 or self.begins == self.ends
        return pairs[0] if pairs else None


class EdgeConclusion(NamedTuple):
    """A conclusion about edges of the ring, with its reason.

    Args:
        why: "must" if a vertex has two edges left, which are taken; "full" if two are taken, so
            that its others are dropped; "early" if an edge would close a path of taken edges
            to a ring without some vertices; "count" if the first vertices of one side, up to a
            stage, need all edges that they can get (`counting`), which decides other edges.
        vertices: For "must" and "full" the vertex and its two neighbours; for "early" both ends
            of the path; for "count" all vertices, in an order.
        stages: For "count" each number of first vertices for which this holds.
    """

    why: str
    vertices: tuple[int, ...]
    stages: tuple[int, ...] = ()


class Ring:
    """A ring, with deductions which edges every tour has and which none has.

    Args:
        part: The squares of the ring.
        ends: For an open tour (possible first squares, possible last squares), by colour.

    Attributes:
        is_closed: True if there are no vertices beyond the board.
        ways: Maps a vertex to its neighbours by edges that may be taken.
        taken: Maps a vertex to its neighbours by edges that are taken.
        odd: The vertices of one side.
        steps: The conclusions so far.
    """

    def __init__(self, part: SubTour, ends: tuple[Iterable[int], Iterable[int]] | None) -> None:
        self.is_closed = ends is None
        self.ways = {square: set(near) for square, near in part.moves.items()}
        self.odd = {square for square in part.moves if square in part.odd}
        if ends is not None:
            self._go_round(*map(set, ends))
        self.taken: dict[int, set[int]] = {vertex: set() for vertex in self.ways}
        self.steps: list[EdgeConclusion] = []
        self._dropped: dict[int, dict[int, int]] = {}  # neighbours, each with the step
        self._step_of: dict[tuple[int, int], int] = {}  # of taken edges, both directions
        self._rank: dict[tuple[int, int], int] = {}  # of the same, their order
        self._num_taken_at: dict[int, int] = {}  # number of taken edges when a step found a path
        self._other_end = {vertex: vertex for vertex in self.ways}  # of its path of taken edges
        self._changed = deque(self.ways)

    def _go_round(self, begins: set[int], ends: set[int]) -> None:
        """Add the vertices beyond the board by which an open tour becomes a ring."""
        between = BETWEEN[: 1 + (len(self.ways) % 2 == 0)]
        for vertex in (BEFORE, *between, BEHIND):
            self.ways[vertex] = set()
        for vertex, near in ((BEFORE, begins), (BEHIND, ends)):
            for square in near:
                self._join(vertex, square)
            if not near & self.odd:
                self.odd.add(vertex)
        for one, other in pairwise((BEFORE, *between, BEHIND)):
            self._join(one, other)
            if one not in self.odd:
                self.odd.add(other)

    def _join(self, one: int, other: int) -> None:
        self.ways[one].add(other)
        self.ways[other].add(one)

    def free(self, vertex: int) -> set[int]:
        """Return the neighbours of a vertex by edges that are neither taken nor dropped."""
        return self.ways[vertex] - self.taken[vertex]

    def needs(self, vertex: int) -> int:
        """Return the number of edges that the vertex still needs: two less the taken ones."""
        return 2 - len(self.taken[vertex])

    def settle(self) -> int | None:
        """Propagate degrees and paths of taken edges.

        Returns:
            A vertex that is left with fewer than two edges; None if there is none.
        """
        while self._changed:
            vertex = self._changed.popleft()
            if len(self.ways[vertex]) < 2:
                return vertex
            if len(self.ways[vertex]) == 2 and self.needs(vertex):
                step = self._conclude("must", vertex, *sorted(self.ways[vertex]))
                for other in sorted(self.free(vertex)):
                    if other in self.ways[vertex]:
                        self.take(vertex, other, step)
        return None

    def _conclude(self, why: str, *vertices: int) -> int:
        self.steps.append(EdgeConclusion(why, vertices))
        return len(self.steps) - 1

    def take(self, one: int, other: int, step: int) -> None:
        """Take an edge, for the reason of step number `step`, and drop edges that this excludes."""
        ends = self._other_end[one], self._other_end[other]
        self.taken[one].add(other)
        self.taken[other].add(one)
        self._step_of[one, other] = self._step_of[other, one] = step
        self._rank[one, other] = self._rank[other, one] = len(self._rank) // 2
        self._other_end[ends[0]], self._other_end[ends[1]] = ends[1], ends[0]
        for vertex in (one, other):
            if not self.needs(vertex) and (more := self.free(vertex)):
                step = self._conclude("full", vertex, *sorted(self.taken[vertex]))
                for near in more:
                    self.drop(vertex, near, step)
        num_taken = len(self._rank) // 2
        if ends[1] in self.free(ends[0]) and num_taken < len(self.ways) - 1:
            step = self._conclude("early", *ends)
            self._num_taken_at[step] = num_taken
            self.drop(*ends, step)

    def drop(self, one: int, other: int, step: int) -> None:
        """Drop an edge, for the reason of step number `step`."""
        self.ways[one].discard(other)
        self.ways[other].discard(one)
        self._dropped.setdefault(one, {})[other] = step
        self._dropped.setdefault(other, {})[one] = step
        self._changed += (one, other)

    def steps_to(self, vertex: int) -> tuple[EdgeConclusion, ...]:
        """Return only those steps by which a vertex has lost its edges."""
        needed = set[int]()
        pending = [*self._dropped.get(vertex, {}).values()]
        while pending:
            number = pending.pop()
            if number not in needed:
                needed.add(number)
                pending += self._needed_for(number)
        return tuple(self.steps[number] for number in sorted(needed))

    def _needed_for(self, number: int) -> Iterable[int]:
        """Return the earlier steps on which a step depends."""
        step = self.steps[number]
        if step.why == "count":
            return range(number)
        vertex = step.vertices[0]
        if step.why == "must":
            found = self._dropped.get(vertex, {}).values()
            return [earlier for earlier in found if earlier < number]
        if step.why == "full":
            return [self._step_of[vertex, other] for other in self.taken[vertex]]
        return self._along(step.vertices[0], step.vertices[1], number)

    def _along(self, first: int, last: int, number: int) -> Iterable[int]:
        """Yield the steps before `number` that took the edges of the path between two vertices."""
        before, at, most = first, first, self._num_taken_at[number]
        while at != last:
            (to,) = (
                other
                for other in self.taken[at]
                if other != before and self._rank[at, other] < most
            )
            yield self._step_of[at, to]
            before, at = at, to
