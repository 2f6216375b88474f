"""Checker of proofs that a knight has no tour: step by step, from the squares alone.

It shares no code with the search for such proofs, only their data types.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, pairwise

from nonosat.puzzles.knight.counting import EdgeShortage
from nonosat.puzzles.knight.refuting import (
    CutSquare,
    DeadEnd,
    DeadEndRegions,
    Refutation,
    TooManyParts,
    UnbalancedColours,
)
from nonosat.puzzles.knight.ring import BEFORE, BEHIND, BETWEEN, EdgeConclusion

Near = dict[int, set[int]]


class ContradictionError(Exception):
    """An edge that every tour takes and no tour can take: the proof ended early."""


def holds(
    proof: Refutation,
    columns: int,
    squares: Collection[int],
    begins: Collection[int] | None,
    ends: Collection[int] | None,
) -> bool:
    """True if the proof shows that no tour of these squares begins and ends as given.

    Args:
        proof: The proof.
        columns: Number of columns of the board.
        squares: The squares to visit, row * columns + column.
        begins, ends: Possible first and last squares of an open tour; None for a closed one.
    """
    here = Here(columns, set(squares), begins, ends)
    for passage in proof.passages:
        inside = set(passage.part.moves)
        here = here.beyond(passage.square, inside, passage.is_first)
    if not proof.steps and not isinstance(proof.last, DeadEnd | EdgeShortage):
        return here.shows(proof.last, here.near)
    lines = Lines(here)
    try:
        for step in proof.steps:
            lines.go_on(step)
    except ContradictionError:
        return True
    if isinstance(proof.last, DeadEnd):
        return len(lines.ways[proof.last.vertex]) < 2
    if isinstance(proof.last, EdgeShortage):
        return lines.are_scarce(proof.last)
    return here.shows(proof.last, {square: lines.ways[square] for square in here.squares})


class Here:
    """Squares with a tour of their own."""

    def __init__(
        self,
        columns: int,
        squares: set[int],
        begins: Collection[int] | None,
        ends: Collection[int] | None,
    ) -> None:
        self.columns, self.squares = columns, squares
        self.is_closed = begins is None
        self.begins, self.ends = set(begins or ()), set(ends or ())
        self.near: Near = {square: set() for square in squares}
        for one, other in combinations(squares, 2):
            rows = abs(one // columns - other // columns)
            if rows * abs(one % columns - other % columns) == 2:
                self.near[one].add(other)
                self.near[other].add(one)

    def colour(self, square: int) -> int:
        return (square // self.columns + square % self.columns) % 2

    def beyond(self, square: int, inside: set[int], is_first: bool) -> Here:
        """One of two sides of a square, with the tour that a tour of all squares makes there."""
        outside = self.squares - inside - {square}
        assert not self.is_closed
        assert inside
        assert outside
        assert inside < self.squares
        assert square not in inside
        assert self.near_to(inside) == self.near_to(outside) == {square}
        first, second = (inside, outside) if is_first else (outside, inside)
        could_turn = self.begins & second and self.ends & first
        assert not could_turn or self.begins == self.ends
        beside = self.near[square] & inside
        begins, ends = (self.begins & inside, beside) if is_first else (beside, self.ends & inside)
        return Here(self.columns, inside, begins, ends)

    def near_to(self, part: Collection[int], near: Near | None = None) -> set[int]:
        """Squares outside a part to which moves lead."""
        near = near or self.near
        return {other for square in part for other in near[square] if other >= 0} - set(part)

    def shows(self, last: object, near: Near) -> bool:
        if isinstance(last, UnbalancedColours):
            return not any(map(self._alternates, (0, 1)))
        if isinstance(last, CutSquare):
            is_left = not last.beyond & (self.begins | self.ends) and not self.is_closed
            return is_left and self.near_to(last.beyond) <= {last.passage}
        if isinstance(last, DeadEndRegions):
            return self._hang(last)
        assert isinstance(last, TooManyParts)
        gone = {last.without} - {None}
        whole = self.squares - gone
        assert set().union(*last.parts) == whole
        assert sum(map(len, last.parts)) == len(whole)
        if not all(part and self.near_to(part, near) <= gone for part in last.parts):
            return False
        most = 1 if self.is_closed or not gone else 2
        if gone and not self.is_closed and (self.begins <= gone or self.ends <= gone):
            most = 1
        return len(last.parts) > most

    def _hang(self, last: DeadEndRegions) -> bool:
        assert not self.is_closed
        parts = [part for _, part in last.parts]
        is_disjoint = all(one.isdisjoint(other) for one, other in combinations(parts, 2))
        return (
            is_disjoint
            and len(parts) > 2
            and all(
                part and square not in part and self.near_to(part) <= {square}
                for square, part in last.parts
            )
        )

    def _alternates(self, first: int) -> bool:
        """True if colours permit a path through the squares that begins with this colour."""
        colours = [(first + number) % 2 for number in range(len(self.squares))]
        if sorted(colours) != sorted(map(self.colour, self.squares)):
            return False
        if self.is_closed:
            return colours[0] != colours[-1]
        begins = {square for square in self.begins if self.colour(square) == colours[0]}
        ends = {square for square in self.ends if self.colour(square) == colours[-1]}
        return any(one != other or len(colours) == 1 for one in begins for other in ends)


class Lines:
    """The edges of a ring through squares and, for an open tour, vertices beyond the board."""

    def __init__(self, here: Here) -> None:
        self.ways: Near = {square: set(near) for square, near in here.near.items()}
        self.taken: set[frozenset[int]] = set()
        self.side = {square: here.colour(square) for square in here.squares}
        if not here.is_closed:
            self._go_round(here)

    def _go_round(self, here: Here) -> None:
        colours = [*self.side.values()]
        num_odd, is_even = sum(colours), len(colours) % 2 == 0
        # The reversed path is a tour as well: if its ends may be anywhere, it begins on colour 1.
        for first in (1, 0):
            last = 1 - first if is_even else first
            begins = {square for square in here.begins if here.colour(square) == first}
            ends = {square for square in here.ends if here.colour(square) == last}
            if begins and ends and (is_even or first == (2 * num_odd > len(colours))):
                break
        beyond = [BEFORE, BETWEEN[0], *BETWEEN[1:][:is_even], BEHIND]
        self.ways |= {vertex: set() for vertex in beyond}
        for vertex, squares in ((BEFORE, begins), (BEHIND, ends)):
            for square in squares:
                self.join(vertex, square)
        for one, other in pairwise(beyond):
            self.join(one, other)
        self.side |= {BEFORE: 1 - first, BETWEEN[0]: first, BETWEEN[1]: 1 - first, BEHIND: 1 - last}

    def join(self, one: int, other: int) -> None:
        self.ways[one].add(other)
        self.ways[other].add(one)

    def go_on(self, step: EdgeConclusion) -> None:
        if step.why == "count":
            self._count(step)
            return
        if step.why == "early":
            one, other = step.vertices
            assert 2 < len(self._path(one, other)) < len(self.ways)
            self.drop(one, other)
            return
        vertex, *others = step.vertices
        assert len(set(others)) == 2
        if step.why == "must":
            assert self.ways[vertex] == set(others)
            self.taken |= {frozenset((vertex, other)) for other in others}
            return
        assert step.why == "full"
        assert all(frozenset((vertex, other)) in self.taken for other in others)
        for other in self.ways[vertex] - set(others):
            self.drop(vertex, other)

    def drop(self, one: int, other: int) -> None:
        if frozenset((one, other)) in self.taken:
            raise ContradictionError
        self.ways[one].discard(other)
        self.ways[other].discard(one)

    def _path(self, one: int, other: int) -> list[int]:
        """Vertices of a path of taken edges between two vertices, without a third one."""
        came_from, waiting = {one: one}, [one]
        for at in waiting:
            for edge in self.taken - {frozenset((one, other))}:
                if at in edge:
                    (to,) = edge - {at}
                    if to not in came_from:
                        came_from[to] = at
                        waiting.append(to)
        path = [other]
        while path[-1] != one:
            path.append(came_from[path[-1]])
        return path

    def free(self, vertex: int) -> set[int]:
        return {at for at in self.ways[vertex] if frozenset((vertex, at)) not in self.taken}

    def surplus(self, served: Collection[int], serving: Collection[int]) -> int:
        """Return the number of missing free edges that some vertices of one side need."""
        sides = {self.side[vertex] for vertex in served}
        assert len(sides | {1 - self.side[vertex] for vertex in serving}) <= 1
        others = sum(len(self.free(vertex) - set(serving)) for vertex in served)
        return sum(map(self._needs, served)) - sum(map(self._needs, serving)) - others

    def _needs(self, vertex: int) -> int:
        return 2 - sum(vertex in edge for edge in self.taken)

    def are_scarce(self, last: EdgeShortage) -> bool:
        return self.surplus(last.served, last.serving) > 0

    def _count(self, step: EdgeConclusion) -> None:
        takes, drops = set(), set()
        for length in step.stages:
            inside = set(step.vertices[:length])
            chosen = {vertex for vertex in inside if self.side[vertex]}
            giving = inside - chosen
            assert self.surplus(chosen, giving) == 0
            takes |= {(one, to) for one in chosen for to in self.free(one) - giving}
            drops |= {(one, to) for one in giving for to in self.free(one) - chosen}
        self.taken |= {frozenset(edge) for edge in takes}
        for edge in drops:
            self.drop(*edge)
