"""Reasons without search why a board has no tour: theorems, colours, distances, holes.

For a board without holes and given numbers, the reasons are complete: it has a tour if and only if
no reason is found. They take time linear in the given numbers. Boards with holes are refuted by
`refuting`, up to `MOST_COUNTED` squares: in practice some 40 microseconds a square, in the worst
case a flow for each square.

Sources: A. J. Schwenk, "Which rectangular chessboards have a knight's tour?" (1991) for closed
tours; P. Cull and J. De Curtz, "Knight's tour revisited" (1978) for open ones. Both agree with a
SAT solver on all boards up to 7 x 10.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from nonosat.core.errors import counted
from nonosat.core.wording import cell_text, cells_text, listed
from nonosat.puzzles.knight.counting import MOST_COUNTED, EdgeShortage
from nonosat.puzzles.knight.graph import Squares
from nonosat.puzzles.knight.parts import Ends, board_of, ends_of
from nonosat.puzzles.knight.refuting import (
    CutSquare,
    DeadEnd,
    DeadEndRegions,
    Refutation,
    TooManyParts,
    UnbalancedColours,
    refutation_of,
)
from nonosat.puzzles.knight.ring import EdgeConclusion

if TYPE_CHECKING:
    from nonosat.puzzles.knight.data import Given, Knight


_MOST_SQUARES = 6  # of a list
_MOST_STEPS = 6  # listed one by one


def obstacle(puzzle: Knight) -> str | None:
    """Return a reason, found without search, why the puzzle has no solution; None without one."""
    return next(_obstacles(puzzle), None)


def _obstacles(puzzle: Knight) -> Iterator[str]:
    yield from _of_size(puzzle)
    yield from _of_colours(puzzle)
    yield from _of_numbers(puzzle)
    if puzzle.holes:
        yield from _of_holes(puzzle)


def has_closed_tour(rows: int, columns: int) -> bool:
    """True if a board without holes has a closed tour (Schwenk 1991)."""
    short, long = sorted((rows, columns))
    is_odd = short % 2 == 1 and long % 2 == 1
    return not (is_odd or short in (1, 2, 4) or (short == 3 and long in (4, 6, 8)))


def has_open_tour(rows: int, columns: int) -> bool:
    """True if a board without holes has an open tour from some square (Cull, De Curtz 1978)."""
    short, long = sorted((rows, columns))
    if short == 3:
        return long == 4 or long >= 7
    return short >= 5 or (short == 4 and long >= 5) or long == 1


def _of_size(puzzle: Knight) -> Iterator[str]:
    rows, columns = puzzle.rows, puzzle.columns
    if puzzle.closed and puzzle.num_squares < 4:
        yield f"a closed tour has 4 squares at least, the board has {puzzle.num_squares}"
    if puzzle.holes:
        return
    if puzzle.closed and rows * columns % 2 == 0 and not has_closed_tour(rows, columns):
        yield f"no board of {rows} x {columns} squares has a closed tour (theorem of Schwenk, 1991)"
    if not puzzle.closed and not has_open_tour(rows, columns):
        yield f"no board of {rows} x {columns} squares has a tour (theorem of Cull, De Curtz, 1978)"


def _num_of_colour(puzzle: Knight) -> list[int]:
    """Return the numbers of squares to visit with row plus column even, and odd."""
    total = puzzle.rows * puzzle.columns
    counts = [total - total // 2, total // 2]
    for row, column in puzzle.holes:
        counts[(row + column) % 2] -= 1
    return counts


def _of_colours(puzzle: Knight) -> Iterator[str]:
    """Yield reasons from the colours of squares, which alternate along a tour."""
    even, odd = _num_of_colour(puzzle)
    most, least = counted(max(even, odd), "square"), min(even, odd)
    counts = f"the board has {most} of one colour and {least} of the other"
    if puzzle.closed and even != odd:
        yield f"a closed tour visits both colours equally often, {counts}"
    if abs(even - odd) > 1:
        yield f"the squares of a tour alternate in colour, {counts}"
    if even != odd:
        for row, column, number in puzzle.numbered:
            if (row + column + number) % 2 == (even > odd):
                continue
            yield (
                f"{counts}: odd numbers are on the first of these colours, "
                f"but the square in {cell_text(row, column)} has the number {number}"
            )


def _of_numbers(puzzle: Knight) -> Iterator[str]:
    """Yield pairs of given numbers that are closer than the squares' distance in moves."""
    given = list(puzzle.numbered)
    pairs = list(pairwise(given))
    if puzzle.closed and len(given) > 1:
        row, column, number = given[0]
        pairs.append((given[-1], (row, column, number + puzzle.num_squares)))
    for one, other in pairs:
        yield from _too_far(puzzle, one, other)


def _too_far(puzzle: Knight, one: Given, other: Given) -> Iterator[str]:
    moves = other[2] - one[2]
    needed = least_moves(other[0] - one[0], other[1] - one[1])
    if needed <= moves and (needed - moves) % 2 == 0:
        return
    number = (other[2] - 1) % puzzle.num_squares + 1
    kind = "an odd number" if needed % 2 else "an even number"
    condition = f"at least {needed}" if needed > moves else kind
    yield (
        f"from number {one[2]} in {cell_text(*one[:2])} to number {number} in "
        f"{cell_text(*other[:2])} there {'is' if moves == 1 else 'are'} {counted(moves, 'move')}, "
        f"but the knight's way takes {condition}"
    )


def least_moves(down: int, right: int) -> int:
    """Return the knight's distance on an infinite board, a lower bound for any other board."""
    short, long = sorted((abs(down), abs(right)))
    if (short, long) in ((0, 1), (2, 2)):
        return 3 if long == 1 else 4
    gap = long - short
    return gap - 2 * ((gap - short) // (3 if short > gap else 4))


def _of_holes(puzzle: Knight) -> Iterator[str]:
    """Yield reasons from squares with too few moves, and from refutations of the whole board."""
    squares = Squares(puzzle)
    if len(squares.places) == 1:
        return
    ends = []
    least = 2 if puzzle.closed else 1
    for place in squares.places:
        num_near = len(squares.near(place))
        square = cell_text(*divmod(place, puzzle.columns))
        if num_near < least:
            near = f"only {num_near}" if num_near else "none"
            yield f"from {square} the tour needs {counted(least, 'move')}, there is {near}"
        if num_near == 1:
            ends.append(square)
    if len(ends) > 2:
        three = "; ".join(ends[:3])
        yield f"each of three squares ({three}) has a single move, but a tour has two ends"
    if len(squares.places) <= MOST_COUNTED:
        if reason := _refuted(replace(puzzle, start=None, given=()), ends_of(puzzle, squares)):
            yield reason
    else:
        yield from _unconnected(puzzle, squares)


@lru_cache(64)  # the search for clues that contradict each other queries the same board
def _refuted(bare: Knight, ends: Ends) -> str:
    """Return a proof in words that no tour has such ends; "" if none is found."""
    begins, last = ends
    found = refutation_of(board_of(bare, Squares(bare))._replace(begins=begins, ends=last))
    return "" if found is None else _description(found, bare.columns)


def _unconnected(puzzle: Knight, squares: Squares) -> Iterator[str]:
    first = squares.places[0]
    reached = squares.distances(first, squares)
    for place in squares.places:
        if place not in reached:
            one, other = (cell_text(*divmod(at, puzzle.columns)) for at in (first, place))
            yield f"no moves lead from {one} to {other}"


# Proofs as sentences that name squares


def _description(refutation: Refutation, columns: int) -> str:
    """Return the sentence of a proof, without a full stop.

    Args:
        refutation: The proof.
        columns: Number of columns of the board.
    """
    return _ProofText(refutation, columns).text()


class _ProofText:
    def __init__(self, refutation: Refutation, columns: int) -> None:
        self._proof = refutation
        self._part = refutation.part
        self._columns = columns

    def text(self) -> str:
        return f"{self._where()}{self._how()}{self._what()}"

    def _at(self, vertex: int) -> str:
        return cell_text(*divmod(vertex, self._columns))

    def _squares(self, squares: Iterable[int]) -> str:
        """Return squares in words: "row 1, column 2 and row 3, column 4"."""
        return listed([self._at(square) for square in sorted(squares)])

    def _named(self, squares: Collection[int]) -> str:
        """Return squares briefly: "row 1, column 2", "the 3 squares 1,2 3,4 5,6"."""
        if len(squares) == 1:
            return self._squares(squares)
        places = [divmod(square, self._columns) for square in sorted(squares)]
        return f"the {len(squares)} squares {cells_text(places, _MOST_SQUARES)}"

    def _where(self) -> str:
        """Return a description of the part of the board; "" for the whole board."""
        squares = [self._at(passage.square) for passage in self._proof.passages]
        if not squares:
            return ""
        here = self._named(self._part.moves.keys())
        if len(squares) == 1:
            return f"only {squares[0]} leads to {here}, so a tour visits them one after the other; "
        return (
            f"the board, and what is left of it, falls apart at {listed(squares)}, so a tour "
            f"visits {here} one after the other; "
        )

    def _how(self) -> str:
        """Return the proof's steps in words."""
        steps = self._proof.steps
        if not steps:
            return ""
        texts = [self._step(step) for step in steps]
        if len(steps) <= _MOST_STEPS and all(texts):
            return f"{'; '.join(texts)}; so "
        return (
            f"{counted(len(steps), 'conclusion')}, one from another, by squares with two moves "
            "left, early rings and numbers of moves, leave so few moves that "
        )

    def _step(self, step: EdgeConclusion) -> str:
        """Return a step in words; "" if it is too long."""
        if step.why == "count":
            return ""
        vertex, *others = step.vertices
        squares = [self._at(other) for other in others if other >= 0]
        if not squares or (vertex < 0 and step.why != "must"):
            return ""
        if step.why == "early":
            return f"a move from {self._at(vertex)} to {squares[0]} would close a ring too early"
        if vertex < 0:
            return f"{squares[0]} is an end of the tour"
        if len(squares) < 2:
            return f"{self._at(vertex)} is an end of the tour"
        if step.why == "full":
            return f"{self._at(vertex)} has its two moves, to {listed(squares)}"
        return f"{self._at(vertex)} needs its two moves to {listed(squares)}"

    def _what(self) -> str:
        last = self._proof.last
        if isinstance(last, DeadEnd):
            return self._lost(last.vertex)
        if isinstance(last, EdgeShortage):
            return self._scarce(last)
        if isinstance(last, UnbalancedColours):
            return self._uneven()
        if isinstance(last, CutSquare):
            return (
                f"only {self._at(last.passage)} leads to {self._named(last.beyond)}, and the tour "
                "neither begins nor ends there"
            )
        if isinstance(last, DeadEndRegions):
            hanging = [f"{self._named(part)} by {self._at(at)}" for at, part in last.parts]
            return (
                f"by one square alone moves lead to {', and '.join(hanging)}; a tour begins or "
                "ends in each of these parts, but has two ends"
            )
        return self._apart(last)

    def _lost(self, vertex: int) -> str:
        if vertex < 0:
            return "no square is left for an end of the tour"
        return f"{self._at(vertex)} has fewer than two moves left"

    def _uneven(self) -> str:
        num_odd, num_even = self._part.num_of_colours()
        more = counted(max(num_odd, num_even), "square")
        colours = f"with {more} of one colour and {min(num_odd, num_even)} of the other"
        if abs(num_odd - num_even) > 1:
            return f"{colours} it cannot alternate in colour"
        on = "on the other" if num_odd == num_even else "there, too"
        return (
            f"{colours} it would begin on the first colour and end {on}, but the moves to and from "
            "these squares do not allow that"
        )

    def _apart(self, last: TooManyParts) -> str:
        one, other, *_ = firsts = [self._at(min(part)) for part in last.parts]
        if last.without is None:
            return f"no moves lead from {one} to {other}"
        without = f"without {self._at(last.without)}"
        if self._part.begins is None:
            return f"{without} no moves lead from {one} to {other}: there is no second way back"
        if len(firsts) == 2:
            return f"{without}, where it begins or ends, no moves lead from {one} to {other}"
        return (
            f"{without} no moves lead from one to another of {listed(firsts)}, and a tour passes "
            "there only once"
        )

    def _scarce(self, last: EdgeShortage) -> str:
        served = {vertex for vertex in last.served if vertex >= 0}
        serving = {vertex for vertex in last.serving if vertex >= 0}
        if self._proof.steps or not served:
            return f"{self._named(served or serving)} cannot all have two moves"
        moves = self._part.moves
        num_others = sum(len(set(moves[square]) - serving) for square in served)
        most = self._most_ends(served)
        least = 0 if self._part.begins is None else 2 - self._most_ends(moves.keys() - serving)
        needed, possible = 2 * len(served) - most, 2 * len(serving) - least + num_others
        assert needed > possible
        text = (
            f"{self._named(served)} need{'s' * (len(served) == 1)} "
            f"{'at least ' if most else ''}{counted(needed, 'move')}, but there "
            f"{'is' if possible == 1 else 'are'} at most {possible}"
        )
        if not serving:
            return text
        each = "each of " if len(serving) > 1 else ""
        ends = ", fewer at an end of the tour" if least else ""
        others = f", and {num_others} to others" if num_others else ""
        return f"{text}: two at {each}{self._named(serving)}{ends}{others}"

    def _most_ends(self, squares: Set[int]) -> int:
        """Return the maximum number of ends that the tour can have on some squares: 0, 1 or 2."""
        if self._part.begins is None or not (ends := self._part.by_colour()):
            return 0
        found = [one & squares for one in ends]
        is_same = len(found[0] | found[1]) == 1  # on one square there is one end
        return min(sum(map(bool, found)), 1 if is_same else 2)
