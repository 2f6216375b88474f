"""A proof that a board has no tour, as a sentence for people that names squares."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set

from nonosat.core.errors import counted
from nonosat.core.wording import cell_text, cells_text, listed
from nonosat.puzzles.knight.counting import Scarce
from nonosat.puzzles.knight.refuting import Apart, Hanging, Lost, Refutation, Stranded, Uneven
from nonosat.puzzles.knight.ring import Step

MOST_SQUARES = 6  # of a list
MOST_STEPS = 6  # that are told one by one


def told(refutation: Refutation, columns: int) -> str:
    """The sentence, without a full stop.

    Args:
        refutation: The proof.
        columns: How many columns the board has.
    """
    return _Telling(refutation, columns).text()


class _Telling:
    def __init__(self, refutation: Refutation, columns: int) -> None:
        self._proof = refutation
        self._part = refutation.part
        self._columns = columns

    def text(self) -> str:
        return f"{self._where()}{self._how()}{self._what()}"

    def _at(self, vertex: int) -> str:
        return cell_text(*divmod(vertex, self._columns))

    def _squares(self, squares: Iterable[int]) -> str:
        """ "row 1, column 2 and row 3, column 4"."""
        return listed([self._at(square) for square in sorted(squares)])

    def _named(self, squares: Collection[int]) -> str:
        """ "row 1, column 2", "the 3 squares 1,2 3,4 5,6"."""
        if len(squares) == 1:
            return self._squares(squares)
        places = [divmod(square, self._columns) for square in sorted(squares)]
        return f"the {len(squares)} squares {cells_text(places, MOST_SQUARES)}"

    def _where(self) -> str:
        """Which part of the board it is about, where that is not the whole."""
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
        """What follows first."""
        steps = self._proof.steps
        if not steps:
            return ""
        texts = [self._step(step) for step in steps]
        if len(steps) <= MOST_STEPS and all(texts):
            return f"{'; '.join(texts)}; so "
        return (
            f"{counted(len(steps), 'conclusion')}, one from another, by squares with two moves "
            "left, early rings and numbers of moves, leave so few moves that "
        )

    def _step(self, step: Step) -> str:
        """A step in words; "" where it takes too many."""
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
        if isinstance(last, Lost):
            return self._lost(last.vertex)
        if isinstance(last, Scarce):
            return self._scarce(last)
        if isinstance(last, Uneven):
            return self._uneven()
        if isinstance(last, Stranded):
            return (
                f"only {self._at(last.passage)} leads to {self._named(last.beyond)}, and the tour "
                "neither begins nor ends there"
            )
        if isinstance(last, Hanging):
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

    def _apart(self, last: Apart) -> str:
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

    def _scarce(self, last: Scarce) -> str:
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
        """How many ends of the tour may be on some squares."""
        if self._part.begins is None or not (ends := self._part.by_colour()):
            return 0
        found = [one & squares for one in ends]
        is_same = len(found[0] | found[1]) == 1  # on one square there is one end
        return min(sum(map(bool, found)), 1 if is_same else 2)
