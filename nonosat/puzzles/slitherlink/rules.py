"""The 15 rules of document 002, one function each, on the neighbourhood of a clue or a corner.

The rules are independent of boards. The view of a clue, by number (O is its own cell):

           4     6            edges 0 .. 3: above, right, below, left of the cell
           |     |            corners 0 .. 3: above left, above right, below right, below left
      5 -- 0 -0- 1 -- 7       edges 4 .. 11: the two at corner k that lead away, 4 + 2k and 5 + 2k
           |     |            edges 12 .. 19: of the cell diagonally beyond corner k the two at its
           3  O  1            own far corner, 12 + 2k and 13 + 2k
           |     |
     11 -- 3 -2- 2 -- 8       An edge is `IN` the path, `OUT` of it or `OPEN`; beyond the board all
           |     |            are OUT.
          10     9

At a corner A of the cell, `inner(A)` are the two edges that belong to the cell, and `outer(A)` the
two that lead away from it. C is the corner opposite A; B and D are the other two. A is blocked if
both outer edges are OUT; the path enters at A if one of them is IN and the other OUT.

Invariant: the conclusion of a rule holds in every solution that agrees with the view; it may repeat
known edges. A rule takes constant time.

Source: document 002 (Slitherlink, problem THSL of the Vietnam Online Judge), with rule 4 guarded
(the loop may go around two threes alone) and rule 12 at its full strength.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

OUT, IN, OPEN = 0, 1, 2

Conclusion = tuple[int, int]  # (number of an edge in the view, IN or OUT)


class View(NamedTuple):
    """Neighbourhood of a clue.

    Args:
        clue: Number of the clue.
        edges: States of edges 0 .. 11. Conclusions may also concern edges 12 .. 19.
        beside: The clues above, right, below and left; None if there is none.
        diagonal: The clues beyond the corners 0 .. 3.
        guarded: True if rule 4 may be used: a loop around only two threes leaves another three
            or a two unsatisfied, and the board has one.
    """

    clue: int
    edges: Sequence[int]
    beside: tuple[int | None, ...] = (None,) * 4
    diagonal: tuple[int | None, ...] = (None,) * 4
    guarded: bool = False


def as_read(view: View) -> View:
    """Return a view without the data that no rule uses, for use as a key.

    Only rules for a three use clues of neighbours, and only threes and ones.
    """
    if view.clue != 3:
        return View(view.clue, view.edges)
    beside = tuple(clue if clue == 3 and view.guarded else None for clue in view.beside)
    diagonal = tuple(clue if clue in (1, 3) else None for clue in view.diagonal)
    return View(3, view.edges, beside, diagonal, view.guarded)


def inner(corner: int) -> tuple[int, int]:
    """Return the two edges of the cell at a corner."""
    return (corner - 1) % 4, corner


def outer(corner: int) -> tuple[int, int]:
    """Return the two edges that lead away from the cell at a corner."""
    return 4 + 2 * corner, 5 + 2 * corner


def far(corner: int) -> tuple[int, int]:
    """Return the two edges at the far corner of the cell diagonally beyond a corner."""
    return 12 + 2 * corner, 13 + 2 * corner


def opposite(corner: int) -> int:
    """Return the corner C diagonally across the cell."""
    return (corner + 2) % 4


def _states(view: View, pair: tuple[int, int]) -> tuple[int, int]:
    return view.edges[pair[0]], view.edges[pair[1]]


def blocked(view: View, corner: int) -> bool:
    """True if both outer edges of a corner are OUT."""
    return _states(view, outer(corner)) == (OUT, OUT)


def entered(view: View, corner: int) -> bool:
    """True if one outer edge of a corner is IN and the other OUT."""
    return sorted(_states(view, outer(corner))) == [OUT, IN]


def _all(edges: Sequence[int], value: int) -> Iterator[Conclusion]:
    return ((edge, value) for edge in edges)


def _other(view: View, pair: tuple[int, int]) -> Iterator[Conclusion]:
    """Yield the conclusions of "exactly one of two edges is IN": if one is OUT, the other is IN."""
    for one, other in (pair, pair[::-1]):
        if view.edges[one] == OUT:
            yield other, IN


# On clues


def zero(view: View) -> Iterator[Conclusion]:
    """Rule 1. Clue 0: its four edges are OUT."""
    if view.clue == 0:
        yield from _all(range(4), OUT)


def no_choice(view: View) -> Iterator[Conclusion]:
    """Rule 2. Clue N with exactly N edges that are not OUT: all of those are IN."""
    left = [edge for edge in range(4) if view.edges[edge] != OUT]
    if len(left) == view.clue:
        yield from _all(left, IN)


def satisfied(view: View) -> Iterator[Conclusion]:
    """Rule 3. Clue N with exactly N edges IN: the others are OUT."""
    if sum(view.edges[edge] == IN for edge in range(4)) == view.clue:
        yield from ((edge, OUT) for edge in range(4) if view.edges[edge] != IN)


def adjacent_threes(view: View) -> Iterator[Conclusion]:
    """Rule 4, guarded. Two threes side by side: their shared edge and the two parallel to it are
    IN; each of the threes concludes this of the shared edge and of its own far one.

    Without the shared edge, the loop is the rectangle around the two, which the guard rules out.
    """
    if view.clue == 3 and view.guarded:
        for side, clue in enumerate(view.beside):
            if clue == 3:
                yield from _all((side, (side + 2) % 4), IN)


def diagonal_threes(view: View) -> Iterator[Conclusion]:
    """Rule 5. Two threes with only a corner S in common: the two edges of each at its corner
    opposite S are IN.
    """
    if view.clue == 3:
        for corner, clue in enumerate(view.diagonal):
            if clue == 3:
                yield from _all(inner(opposite(corner)), IN)


def three_blocked(view: View) -> Iterator[Conclusion]:
    """Rule 9. Clue 3, A blocked: both inner edges of A are IN."""
    if view.clue == 3:
        for a in range(4):
            if blocked(view, a):
                yield from _all(inner(a), IN)


def two_blocked(view: View) -> Iterator[Conclusion]:
    """Rule 10. Clue 2, A blocked: the path comes through both neighbouring corners, so if one outer
    edge of B (or D) is OUT, the other one is IN.
    """
    if view.clue == 2:
        for a in range(4):
            if blocked(view, a):
                for b in ((a + 1) % 4, (a - 1) % 4):
                    yield from _other(view, outer(b))


def one_blocked(view: View) -> Iterator[Conclusion]:
    """Rule 11. Clue 1, A blocked: both inner edges of A are OUT."""
    if view.clue == 1:
        for a in range(4):
            if blocked(view, a):
                yield from _all(inner(a), OUT)


def three_entered(view: View) -> Iterator[Conclusion]:
    """Rule 12. Clue 3, the path enters at A: both inner edges of C are IN.

    At its full strength: one outer edge of A that is IN suffices, and the other one is OUT.
    """
    if view.clue == 3:
        for a in range(4):
            for one, other in (outer(a), outer(a)[::-1]):
                if view.edges[one] == IN:
                    yield from _all(inner(opposite(a)), IN)
                    yield other, OUT


def three_sees_one(view: View) -> Iterator[Conclusion]:
    """Rule 13. Clue 3 and clue 1 with only a corner S in common, the corner of the 3 opposite S
    blocked: the two edges of the 1 at its corner opposite S are OUT.
    """
    if view.clue == 3:
        for s, clue in enumerate(view.diagonal):
            if clue == 1 and blocked(view, opposite(s)):
                yield from _all(far(s), OUT)


def two_entered(view: View) -> Iterator[Conclusion]:
    """Rule 14, for inner edges. Clue 2, the path enters at A: if one inner edge of C is OUT,
    the other one is IN.
    """
    if view.clue == 2:
        for a in range(4):
            if entered(view, a):
                yield from _other(view, inner(opposite(a)))


def two_left(view: View) -> Iterator[Conclusion]:
    """Rule 14, for outer edges. Clue 2, the path enters at A: if one outer edge of C is OUT,
    the other one is IN.
    """
    if view.clue == 2:
        for a in range(4):
            if entered(view, a):
                yield from _other(view, outer(opposite(a)))


def one_entered(view: View) -> Iterator[Conclusion]:
    """Rule 15. Clue 1, the path enters at A: both inner edges of C are OUT."""
    if view.clue == 1:
        for a in range(4):
            if entered(view, a):
                yield from _all(inner(opposite(a)), OUT)


# On corners, whose four edges are given in any order


def goes_on(edges: Sequence[int]) -> Iterator[Conclusion]:
    """Rule 6. A corner with one edge IN and only one left that is not OUT: that one is IN."""
    if edges.count(IN) == 1 and edges.count(OUT) == 2:
        yield from _all([place for place, state in enumerate(edges) if state == OPEN], IN)


def passed(edges: Sequence[int]) -> Iterator[Conclusion]:
    """Rule 7. A corner with two edges IN: the other two are OUT."""
    if edges.count(IN) >= 2:
        ways = [place for place, state in enumerate(edges) if state == IN]
        yield from ((place, OUT) for place in range(4) if place not in ways[:2])


def dead_end(edges: Sequence[int]) -> Iterator[Conclusion]:
    """Rule 8. A corner with three edges OUT: the fourth is OUT."""
    if edges.count(OUT) >= 3:
        yield from _all([place for place, state in enumerate(edges) if state != OUT], OUT)


class Rule(NamedTuple):
    """A rule with its number in the document and its own name."""

    number: int
    apply: Callable[..., Iterator[Conclusion]]

    @property
    def name(self) -> str:
        """Name of the function, with hyphens."""
        return self.apply.__name__.replace("_", "-")

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


OF_CLUES = (
    Rule(1, zero),
    Rule(2, no_choice),
    Rule(3, satisfied),
    Rule(4, adjacent_threes),
    Rule(5, diagonal_threes),
    Rule(9, three_blocked),
    Rule(10, two_blocked),
    Rule(11, one_blocked),
    Rule(12, three_entered),
    Rule(13, three_sees_one),
    Rule(14, two_entered),
    Rule(14, two_left),
    Rule(15, one_entered),
)
OF_CORNERS = (Rule(6, goes_on), Rule(7, passed), Rule(8, dead_end))
RULES = tuple(sorted((*OF_CLUES, *OF_CORNERS), key=lambda rule: rule.number))
