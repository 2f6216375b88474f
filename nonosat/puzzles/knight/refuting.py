"""Why a board with holes has no tour, where degrees, counting or passages show it.

A part of the board is taken apart at squares without which it falls in two: each side then is a
part with a tour of its own, that begins or ends beside that square. What remains is a ring
(`ring`), on which moves are taken and dropped until nothing follows any more: by the degrees of
its vertices, by rings that would close too early, and by counting one colour against the other
(`counting`). That is sound, not complete: a board of which nothing is said here may have no tour.

Each round takes time linear in the moves but for the augmenting paths of counting.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from nonosat.puzzles.knight.counting import Matching, Scarce
from nonosat.puzzles.knight.parts import parts, passages, within
from nonosat.puzzles.knight.ring import Part, Ring, Step

MOST_HANGING = 24  # passages among which parts that hang on one square are looked for
MOST_TRIED = 8  # passages, until one says on which side the tour begins


@dataclass(frozen=True, slots=True)
class Lost:
    """A vertex that is left with fewer than two edges."""

    vertex: int


@dataclass(frozen=True, slots=True)
class Uneven:
    """The squares of the part are not as even in colour as a tour has them, or cannot be so
    where it has to begin and to end."""


@dataclass(frozen=True, slots=True)
class Apart:
    """More parts than a tour can visit.

    Args:
        without: The square that is taken away; None for none.
        parts: The squares of each.
    """

    without: int | None
    parts: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Stranded:
    """A square through which alone a tour would get in and out of squares among which it neither
    begins nor ends."""

    passage: int
    beyond: frozenset[int]


@dataclass(frozen=True, slots=True)
class Hanging:
    """More than two sets of squares that a tour can come to, and not go on from.

    Args:
        parts: Of each the one square that leads there, and the squares; no two have one in common.
    """

    parts: tuple[tuple[int, frozenset[int]], ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A square through which a tour comes into a part, or goes from it.

    Args:
        square: It is not one of the part.
        part: The part that lies on one of its two sides.
        is_first: Whether the tour visits the part before the square.
    """

    square: int
    part: Part
    is_first: bool


@dataclass(frozen=True, slots=True)
class Refutation:
    """A proof that a part of the board has no tour.

    Args:
        whole: The board.
        passages: From the whole board to the part, each inside the part of the one before it.
        steps: What follows in that part, one from another.
        last: The contradiction.
    """

    whole: Part
    passages: tuple[Passage, ...]
    steps: tuple[Step, ...]
    last: Lost | Scarce | Uneven | Apart | Stranded | Hanging

    @property
    def part(self) -> Part:
        """The part that has no tour."""
        return self.passages[-1].part if self.passages else self.whole


def refutation_of(whole: Part) -> Refutation | None:
    """A proof that the board has no tour, or None where none was found."""
    pieces = parts(whole.moves)
    if len(pieces) > 1:
        return Refutation(whole, (), (), Apart(None, tuple(map(frozenset, pieces))))
    if whole.begins is not None and (hanging := _hanging(whole)):
        return Refutation(whole, (), (), hanging)
    pending: list[tuple[Passage, ...]] = [()]
    while pending:
        through = pending.pop()
        part = through[-1].part if through else whole
        found = _taken_apart(part)
        if isinstance(found, Apart | Stranded):
            return Refutation(whole, through, (), found)
        if found is not None:
            pending += [(*through, passage) for passage in found]
        elif (refuted := _on_ring(part)) is not None:
            return Refutation(whole, through, *refuted)
    return None


def _hanging(part: Part) -> Hanging | None:
    """Three parts of which each hangs on one square; None where there are fewer, or many others."""
    found = [*islice(passages(part.moves), MOST_HANGING)]
    hanging: list[tuple[int, frozenset[int]]] = []
    for square in found:
        for piece in map(frozenset, parts(part.moves, without=square)):
            if piece.isdisjoint(found):
                hanging.append((square, piece))
    return Hanging(tuple(hanging[:3])) if len(hanging) > 2 else None


def _taken_apart(part: Part) -> Apart | Stranded | tuple[Passage, Passage] | None:
    """The two sides of a passage; None where there is no passage, or none says which is first."""
    for square in islice(passages(part.moves), MOST_TRIED):
        pieces = parts(part.moves, without=square)
        if part.begins is None or len(pieces) > 2:
            return Apart(square, tuple(map(frozenset, pieces)))
        found = _sides(part, square, *map(frozenset, pieces))
        if found is not None:
            return found
    return None


def _sides(
    part: Part, square: int, one: frozenset[int], other: frozenset[int]
) -> Apart | Stranded | tuple[Passage, Passage] | None:
    """What a tour visits before a passage and after it; None where either side may be first."""
    begins, ends = part.begins, part.ends
    assert begins is not None
    assert ends is not None
    for beyond in (one, other):
        if not beyond & (begins | ends):
            return Stranded(square, beyond)
    orders = [
        (first, second)
        for first, second in ((one, other), (other, one))
        if first & begins and second & ends
    ]
    if not orders:  # the tour begins or ends on the passage itself, and one side is left out
        return Apart(square, (one, other))
    if len(orders) > 1 and begins != ends:
        return None
    first, second = orders[0]
    near = frozenset(part.moves[square])
    before = Part(within(part.moves, sorted(first)), part.odd, begins & first, near & first)
    after = Part(within(part.moves, sorted(second)), part.odd, near & second, ends & second)
    return Passage(square, before, True), Passage(square, after, False)


def _on_ring(part: Part) -> tuple[tuple[Step, ...], Lost | Scarce | Uneven | Apart] | None:
    """The steps to a contradiction, and that; None where none is found."""
    num_odd, num_even = part.num_of_colours()
    ends = None if part.begins is None else part.by_colour()
    if (part.begins is None and num_odd != num_even) or (part.begins is not None and not ends):
        return (), Uneven()
    ring = Ring(part, ends)
    if scarce := Matching(ring).scarce():
        return (), scarce
    while True:
        if (vertex := ring.settle()) is not None:
            return ring.steps_to(vertex), Lost(vertex)
        matching = Matching(ring)
        if scarce := matching.scarce():
            return tuple(ring.steps), scarce
        if not matching.conclude():
            break
    left = {square: [at for at in ring.ways[square] if at >= 0] for square in part.moves}
    pieces = parts(left)
    if len(pieces) > 1:
        return tuple(ring.steps), Apart(None, tuple(map(frozenset, pieces)))
    for square in islice(passages(left), MOST_TRIED):
        pieces = parts(left, without=square)
        if ring.is_closed or len(pieces) > 2:
            return tuple(ring.steps), Apart(square, tuple(map(frozenset, pieces)))
    return None
