"""A board as a graph with two sides, through all of whose vertices one ring leads.

A closed tour is such a ring. An open tour becomes one by vertices beyond the board: one is joined
to every square where the tour may begin, another to every square where it may end, and both to each
other through one or two vertices more, which have no other edges. Every edge leads from one side,
which is a colour on the board, to the other, and every vertex has two edges of the ring.

Invariant: every tour takes all edges that are taken, and none that has been dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

BEFORE, BEHIND = -1, -2  # the vertices beyond the board, and those between them
BETWEEN = (-3, -4)

Moves = Mapping[int, Collection[int]]  # by square those a move away


class Part(NamedTuple):
    """Squares that a tour of their own has to visit.

    Args:
        moves: The squares, each with those a move away.
        odd: Squares of one of the two colours, these and maybe others.
        begins, ends: Squares where the tour may begin and end; None for a closed tour.
    """

    moves: Moves
    odd: frozenset[int]
    begins: frozenset[int] | None
    ends: frozenset[int] | None

    def num_of_colours(self) -> tuple[int, int]:
        """How many squares are odd, and how many are even."""
        num_odd = sum(square in self.odd for square in self.moves)
        return num_odd, len(self.moves) - num_odd

    def by_colour(self) -> tuple[frozenset[int], frozenset[int]] | None:
        """Where an open tour may begin and end, by colours; None where they allow no tour.

        The way back is a tour as well: where both ends may be on squares of either colour, the
        tour is taken to begin on an odd one.
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


class Step(NamedTuple):
    """A conclusion about edges.

    Args:
        why: "must" where a vertex has two edges left, which are taken; "full" where it has two that
            are taken, so that its others are dropped; "early" where an edge would close a path of
            taken edges to a ring without some vertices; "count" where the first so many vertices
            of one side need as many edges as there can be (`counting`): those to the second
            side's others are taken, and those of the first side's others to them dropped.
        vertices: The vertex and the two; for "early" both ends of the path; for "count" all
            vertices, in an order.
        stages: For "count" after how many vertices that holds, each time.
    """

    why: str
    vertices: tuple[int, ...]
    stages: tuple[int, ...] = ()


class Ring:
    """What is known of the edges.

    Args:
        part: Its squares.
        ends: For an open tour the squares where it may begin and those where it may end, by colour.

    Attributes:
        is_closed: Whether there is nothing beyond the board.
        ways: By vertex the others to which edges lead that may be taken.
        taken: By vertex the others to which edges lead that are taken.
        odd: The vertices of one side.
        steps: The conclusions so far.
    """

    def __init__(self, part: Part, ends: tuple[Iterable[int], Iterable[int]] | None) -> None:
        self.is_closed = ends is None
        self.ways = {square: set(near) for square, near in part.moves.items()}
        self.odd = {square for square in part.moves if square in part.odd}
        if ends is not None:
            self._go_round(*map(set, ends))
        self.taken: dict[int, set[int]] = {vertex: set() for vertex in self.ways}
        self.steps: list[Step] = []
        self._dropped: dict[int, dict[int, int]] = {}  # by vertex others, each with its step
        self._step_of: dict[tuple[int, int], int] = {}  # of edges that are taken, both ways
        self._rank: dict[tuple[int, int], int] = {}  # of the same, the order in which they were
        self._num_taken_at: dict[int, int] = {}  # by step that found a path, when it did
        self._other_end = {vertex: vertex for vertex in self.ways}  # of its path of taken edges
        self._changed = deque(self.ways)

    def _go_round(self, begins: set[int], ends: set[int]) -> None:
        """Join the ends of an open tour beyond the board."""
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
        """The others to which edges lead of which nothing is known."""
        return self.ways[vertex] - self.taken[vertex]

    def needs(self, vertex: int) -> int:
        """How many more edges it has."""
        return 2 - len(self.taken[vertex])

    def settle(self) -> int | None:
        """Conclude from degrees and from paths of taken edges what follows.

        Returns:
            A vertex that is left with fewer than two edges; None without one.
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
        self.steps.append(Step(why, vertices))
        return len(self.steps) - 1

    def take(self, one: int, other: int, step: int) -> None:
        """An edge is taken, by the step of that number; drop what then cannot be."""
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
        """An edge is not taken, by the step of that number."""
        self.ways[one].discard(other)
        self.ways[other].discard(one)
        self._dropped.setdefault(one, {})[other] = step
        self._dropped.setdefault(other, {})[one] = step
        self._changed += (one, other)

    def steps_to(self, vertex: int) -> tuple[Step, ...]:
        """The steps by which a vertex has lost its edges, no others among them."""
        needed = set[int]()
        pending = [*self._dropped.get(vertex, {}).values()]
        while pending:
            number = pending.pop()
            if number not in needed:
                needed.add(number)
                pending += self._needed_for(number)
        return tuple(self.steps[number] for number in sorted(needed))

    def _needed_for(self, number: int) -> Iterable[int]:
        """The steps before it on which a step rests."""
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
        """The steps that have taken the edges of the path between two vertices, up to a step."""
        before, at, most = first, first, self._num_taken_at[number]
        while at != last:
            (to,) = (
                other
                for other in self.taken[at]
                if other != before and self._rank[at, other] < most
            )
            yield self._step_of[at, to]
            before, at = at, to
