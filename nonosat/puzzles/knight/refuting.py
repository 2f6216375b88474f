"""Refutation of boards with holes by degrees, counting or articulation squares.

A board is divided at its articulation squares (squares whose removal disconnects it). Each side is
then a part with its own tour, which begins or ends next to that square. A part that cannot be
divided must have a Hamiltonian ring (`ring`). Its moves are taken (they are in every ring) or
dropped (in none) until a fixpoint: by the degrees of the vertices, because a smaller ring must not
close, and by counting one colour against the other (`counting`). The method is sound, not complete:
a board that is not refuted here may have no tour.

Each round takes time linear in the moves, except the augmenting paths of counting.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from nonosat.puzzles.knight.counting import EdgeShortage, Matching
from nonosat.puzzles.knight.parts import parts, passages, within
from nonosat.puzzles.knight.ring import EdgeConclusion, Ring, SubTour

MOST_HANGING = 24  # passages tested for parts that are attached to one square
MOST_TRIED = 8  # passages tested until one determines the side on which the tour begins


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """A vertex that is left with fewer than two edges."""

    vertex: int


@dataclass(frozen=True, slots=True)
class UnbalancedColours:
    """The part has more squares of one colour than a tour with its possible ends can visit."""


@dataclass(frozen=True, slots=True)
class TooManyParts:
    """More parts than a tour can visit.

    Args:
        without: The square that is removed; None for none.
        parts: The squares of each part.
    """

    without: int | None
    parts: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class CutSquare:
    """A square `passage` that alone leads to the squares `beyond`.

    A tour that neither begins nor ends beyond it would have to visit it twice.
    """

    passage: int
    beyond: frozenset[int]


@dataclass(frozen=True, slots=True)
class DeadEndRegions:
    """Three disjoint sets of squares that a tour can enter but not leave: a tour has two ends.

    Args:
        parts: For each set (the only square that leads to it, the set).
    """

    parts: tuple[tuple[int, frozenset[int]], ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A square through which a tour enters or leaves a part.

    Args:
        square: The square, which is not in the part.
        part: The part on one of the two sides of the square.
        is_first: True if the tour visits the part before the square.
    """

    square: int
    part: SubTour
    is_first: bool


@dataclass(frozen=True, slots=True)
class Refutation:
    """A proof that a part of the board has no tour.

    Args:
        whole: The board.
        passages: From the whole board to the part, each inside the part of the previous one.
        steps: Conclusions in that part, in order.
        last: The contradiction.
    """

    whole: SubTour
    passages: tuple[Passage, ...]
    steps: tuple[EdgeConclusion, ...]
    last: DeadEnd | EdgeShortage | UnbalancedColours | TooManyParts | CutSquare | DeadEndRegions

    @property
    def part(self) -> SubTour:
        """The part that has no tour."""
        return self.passages[-1].part if self.passages else self.whole


def refutation_of(whole: SubTour) -> Refutation | None:
    """Return a proof that the board has no tour, or None if none was found."""
    pieces = parts(whole.moves)
    if len(pieces) > 1:
        return Refutation(whole, (), (), TooManyParts(None, tuple(map(frozenset, pieces))))
    if whole.begins is not None and (hanging := _hanging(whole)):
        return Refutation(whole, (), (), hanging)
    pending: list[tuple[Passage, ...]] = [()]
    while pending:
        through = pending.pop()
        part = through[-1].part if through else whole
        found = _taken_apart(part)
        if isinstance(found, TooManyParts | CutSquare):
            return Refutation(whole, through, (), found)
        if found is not None:
            pending += [(*through, passage) for passage in found]
        elif (refuted := _on_ring(part)) is not None:
            return Refutation(whole, through, *refuted)
    return None


def _hanging(part: SubTour) -> DeadEndRegions | None:
    """Return three dead ends of a board; None if fewer are found.

    A dead end is attached to the rest of the board by a single square (a passage). A tour has only
    two ends, so three dead ends refute the board.
    """
    found = [*islice(passages(part.moves), MOST_HANGING)]
    hanging: list[tuple[int, frozenset[int]]] = []
    for square in found:
        for piece in map(frozenset, parts(part.moves, without=square)):
            if piece.isdisjoint(found):
                hanging.append((square, piece))
    return DeadEndRegions(tuple(hanging[:3])) if len(hanging) > 2 else None


def _taken_apart(part: SubTour) -> TooManyParts | CutSquare | tuple[Passage, Passage] | None:
    """Divide a part at an articulation square; return its two sides, or a refutation.

    Return None if there is no such square, or if at each of them either side may be visited
    first.
    """
    for square in islice(passages(part.moves), MOST_TRIED):
        pieces = parts(part.moves, without=square)
        if part.begins is None or len(pieces) > 2:
            return TooManyParts(square, tuple(map(frozenset, pieces)))
        found = _sides(part, square, *map(frozenset, pieces))
        if found is not None:
            return found
    return None


def _sides(
    part: SubTour, square: int, one: frozenset[int], other: frozenset[int]
) -> TooManyParts | CutSquare | tuple[Passage, Passage] | None:
    """Return the parts visited before and after a square that divides a part, or a refutation.

    Return None if either side may be visited first.
    """
    begins, ends = part.begins, part.ends
    assert begins is not None
    assert ends is not None
    for beyond in (one, other):
        if not beyond & (begins | ends):
            return CutSquare(square, beyond)
    orders = [
        (first, second)
        for first, second in ((one, other), (other, one))
        if first & begins and second & ends
    ]
    if not orders:  # the tour begins or ends on the passage itself, and misses one side
        return TooManyParts(square, (one, other))
    if len(orders) > 1 and begins != ends:
        return None
    first, second = orders[0]
    near = frozenset(part.moves[square])
    before = SubTour(within(part.moves, sorted(first)), part.odd, begins & first, near & first)
    after = SubTour(within(part.moves, sorted(second)), part.odd, near & second, ends & second)
    return Passage(square, before, True), Passage(square, after, False)


def _on_ring(
    part: SubTour,
) -> (
    tuple[tuple[EdgeConclusion, ...], DeadEnd | EdgeShortage | UnbalancedColours | TooManyParts]
    | None
):
    """Return (steps, contradiction) by deductions on a part's ring; None if none is found."""
    num_odd, num_even = part.num_of_colours()
    ends = None if part.begins is None else part.by_colour()
    if (part.begins is None and num_odd != num_even) or (part.begins is not None and not ends):
        return (), UnbalancedColours()
    ring = Ring(part, ends)
    if scarce := Matching(ring).scarce():
        return (), scarce
    while True:
        if (vertex := ring.settle()) is not None:
            return ring.steps_to(vertex), DeadEnd(vertex)
        matching = Matching(ring)
        if scarce := matching.scarce():
            return tuple(ring.steps), scarce
        if not matching.conclude():
            break
    left = {square: [at for at in ring.ways[square] if at >= 0] for square in part.moves}
    pieces = parts(left)
    if len(pieces) > 1:
        return tuple(ring.steps), TooManyParts(None, tuple(map(frozenset, pieces)))
    for square in islice(passages(left), MOST_TRIED):
        pieces = parts(left, without=square)
        if ring.is_closed or len(pieces) > 2:
            return tuple(ring.steps), TooManyParts(square, tuple(map(frozenset, pieces)))
    return None
