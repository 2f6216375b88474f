"""Encoding of given numbers over the edges of a loop through all squares.

Stops are squares with given numbers, and the ends of an open tour; they divide the tour into
segments. If more than one segment is longer than a move, every square that is no stop gets one
label: a number, on a short segment, or a long segment as a whole. A chosen edge joins squares of
one long segment or of successive labels, stops included; a square with a number has a neighbour
with the previous number and one with the next; a number is on one square, and a long segment on as
many squares of each colour as its numbers require. Then the stops have their numbers: a chain of
chosen edges that enters a segment can leave it only at its other end, so the segments are in their
order and have their lengths.

Segments of at most `SHORT` numbers are short. Longer ones would have a quadratic number of labels;
without numbers on the short ones, cuts that exclude loops from them are found one by one (a
closed tour of 12 x 12 with four given numbers: 700 cuts and 10 s, against none and 0.03 s).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import polled
from nonosat.core.model import Clause, Count
from nonosat.puzzles.knight.graph import Squares

SHORT = 60
MAX_LABELS = 400_000  # variables; there are about 16 clauses for each
MAX_REACHED = 2_000_000  # squares within reach of a segment's ends, over all segments


class NumberedVertex(NamedTuple):
    """A vertex of the loop and its number in the tour: a stop."""

    vertex: int
    number: int


class Label(NamedTuple):
    """The numbers `first` to `last` of a tour: one number, or those of a long segment."""

    first: int
    last: int

    def num_of_colour(self, is_odd: bool) -> int:
        """Return the number of odd numbers among them, or of even ones."""
        return len(range(self.first + (self.first % 2 != is_odd), self.last + 1, 2))


@dataclass(slots=True)
class Segments:
    """Variables and constraints that the encoding adds to the model of the loop."""

    num_vars: int = 0
    clauses: list[Clause] = field(default_factory=list)
    counts: list[Count] = field(default_factory=list)


class Chessboard(NamedTuple):
    """Board with the colours that labels need.

    Args:
        squares: The squares of the board.
        columns: Number of columns.
        odd: The colour (row plus column modulo 2) of odd numbers, if numbers are given.
    """

    squares: Squares
    columns: int
    odd: int | None

    def is_odd(self, place: int) -> bool:
        """True if the square has an odd number."""
        return sum(divmod(place, self.columns)) % 2 == self.odd


def segments(
    board: Chessboard, edges: Sequence[tuple[int, int]], stops: Sequence[NumberedVertex]
) -> Segments:
    """Return variables and constraints that make the loop visit the stops at their numbers.

    Args:
        board: The squares; a stop that is not among them is an end of an open tour.
        edges: Edges of the loop; edge i is variable 1 + i.
        stops: The stops by number; those of a closed tour begin and end with the same vertex.

    Raises:
        UnsupportedError: There would be more than `MAX_LABELS` labels of squares.
    """
    found = Segments()
    found.clauses += _between_stops(edges, stops)
    long = [pair for pair in pairwise(stops) if pair[1].number - pair[0].number > 1]
    if len(long) < 2:
        return found
    labels = _labels(board, stops, long, len(edges))
    found.num_vars = sum(map(len, labels.values()))
    found.counts += (Count(tuple(of_square.values()), 1, 1) for of_square in labels.values())
    found.counts += _lengths(board, labels, long)
    at = _by_number(stops, long)
    found.clauses += _next_to_each_other(board, labels, at)
    beside = _beside(at)
    for lit, (one, other) in enumerate(polled(edges), start=1):
        found.clauses += _along(lit, one, other, labels, beside)
        found.clauses += _along(lit, other, one, labels, beside)
    return found


def _between_stops(
    edges: Sequence[tuple[int, int]], stops: Sequence[NumberedVertex]
) -> Iterator[Clause]:
    """Yield clauses: an edge between stops is chosen exactly if their numbers are successive."""
    known = {stop.vertex for stop in stops}
    following = {
        frozenset((one.vertex, other.vertex))
        for one, other in pairwise(stops)
        if other.number == one.number + 1
    }
    for lit, edge in enumerate(polled(edges), start=1):
        if edge[0] in known and edge[1] in known:
            yield Clause((lit if frozenset(edge) in following else -lit,))


def _of_segment(one: NumberedVertex, other: NumberedVertex) -> list[Label]:
    """Return the labels of the squares between two stops: a label each, or one for a long way."""
    first, last = one.number + 1, other.number - 1
    if last - first >= SHORT:
        return [Label(first, last)]
    return [Label(number, number) for number in range(first, last + 1)]


def _labels(
    board: Chessboard,
    stops: Sequence[NumberedVertex],
    long: Sequence[tuple[NumberedVertex, NumberedVertex]],
    first: int,
) -> dict[int, dict[Label, int]]:
    """Map each square that is no stop to its possible labels, and these to variables after `first`.

    A label is possible if distances and colours of squares allow it.
    """
    free = set(board.squares.places).difference(stop.vertex for stop in stops)
    everywhere = dict.fromkeys(free, 1)
    labels: dict[int, dict[Label, int]] = {place: {} for place in sorted(free)}
    num_labels = 0
    most = len(board.squares.places)
    lengths = (other.number - one.number for one, other in long)
    if sum(min(most, 8 * length**2) for length in lengths) > MAX_REACHED:
        raise _too_many()
    for one, other in polled(long):
        there, back = (
            board.squares.distances(stop.vertex, free, other.number - one.number)
            if stop.vertex in board.squares
            else everywhere
            for stop in (one, other)
        )
        for place in polled(sorted(there.keys() & back.keys() & free)):
            # Earliest and latest number of the square, by its distance from both stops.
            early, late = one.number + there[place], other.number - back[place]
            for label in _of_segment(one, other):
                if label.last < early or late < label.first:
                    continue
                if early <= late and label.num_of_colour(board.is_odd(place)):
                    num_labels += 1
                    labels[place][label] = first + num_labels
        if num_labels > MAX_LABELS:
            raise _too_many()
    return labels


def _too_many() -> UnsupportedError:
    return UnsupportedError(
        "the given numbers leave too many ways of placing the others on squares, expected at most "
        f"{MAX_LABELS}; give more numbers or take a smaller board"
    )


def _lengths(
    board: Chessboard,
    labels: Mapping[int, dict[Label, int]],
    long: Iterable[tuple[NumberedVertex, NumberedVertex]],
) -> Iterator[Count]:
    """Yield counts: each label is on as many squares of each colour as it has such numbers."""
    found: dict[tuple[Label, bool], list[int]] = {
        (label, is_odd): []
        for pair in long
        for label in _of_segment(*pair)
        for is_odd in (False, True)
    }
    for place, of_square in polled(labels.items()):
        for label, lit in of_square.items():
            found[label, board.is_odd(place)].append(lit)
    for (label, is_odd), lits in polled(found.items()):
        needed = label.num_of_colour(is_odd)
        if lits or needed:
            yield Count(tuple(lits), needed, needed)


def _by_number(
    stops: Sequence[NumberedVertex], long: Iterable[tuple[NumberedVertex, NumberedVertex]]
) -> dict[int, int | Label]:
    """Map numbers, ascending, to their stop or label; of a long segment only its first and last."""
    at: dict[int, int | Label] = {stop.number: stop.vertex for stop in stops}
    for pair in long:
        for label in _of_segment(*pair):
            at[label.first] = at[label.last] = label
    return {number: at[number] for number in sorted(at)}


def _next_to_each_other(
    board: Chessboard, labels: Mapping[int, dict[Label, int]], at: Mapping[int, int | Label]
) -> Iterator[Clause]:
    """Yield clauses: a square with a number has neighbours with the previous and the next number.

    The edges imply that once they are decided; these clauses propagate earlier. Without
    them engines fail from 20 x 20 on (KNIGHT.md).
    """
    for place, of_square in polled(labels.items()):
        near = [labels[other] for other in board.squares.near(place) if other in labels]
        for label, has in of_square.items():
            if label.first == label.last:
                for number in (label.first - 1, label.first + 1):
                    following = at[number]
                    if isinstance(following, Label):
                        lits = (other[following] for other in near if following in other)
                        yield Clause((-has, *lits))


def _beside(at: Mapping[int, int | Label]) -> dict[int | Label, set[int | Label]]:
    """Return labels and stops that may be successive on the tour; a long label follows itself."""
    found: dict[int | Label, set[int | Label]] = {what: set() for what in at.values()}
    for one, other in pairwise(at.values()):
        found[one].add(other)
        found[other].add(one)
    return found


def _along(
    lit: int,
    one: int,
    other: int,
    labels: Mapping[int, dict[Label, int]],
    beside: Mapping[int | Label, set[int | Label]],
) -> Iterator[Clause]:
    """Yield clauses: if the edge is chosen, the label of `other` follows or precedes that of `one`.

    The labels of an edge's ends are equal in a long segment, else successive.
    """
    if one in labels:
        for label, has in labels[one].items():
            if other in labels:
                yield Clause((-lit, -has, *_among(beside[label], labels[other])))
            elif other not in beside[label]:
                yield Clause((-lit, -has))
    elif other in labels:
        yield Clause((-lit, *_among(beside[one], labels[other])))


def _among(needed: Iterable[int | Label], labels: Mapping[Label, int]) -> list[int]:
    """Return the variables of those among the `needed` labels that a square can have."""
    return sorted(labels[label] for label in needed if label in labels)  # type: ignore[index]  # squares
