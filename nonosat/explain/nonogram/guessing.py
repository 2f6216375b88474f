"""Guesses, for cells that no argument with a single assumption settles.

A guess states that a cell does not have a value. Searches try to refute assumptions (a cell has a
value) one after the other, with a small budget at first. An assumption is tried early if its
opposite rules out many values. (Assumptions that rule out many values themselves are refuted more
often, but each settles little: that took 8 to 60 times as many guesses, and two to twelve times the
time.) If a search finds a solution instead, the values of that solution are not tried any more. If
every assumption is in some solution, the open cells stay open. If no search ends within its budget,
the guess follows a solution of the whole puzzle. Budgets are counted in conflicts, so the guesses
are deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import left_of
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge, Removal
from nonosat.solving import pipeline

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

# Order of assumptions, conflicts of a search, and number of searches that may end without result.
ROUNDS = (("gain", 50, 32), ("product", 50, 96), ("gain", 500, 2), ("product", 500, 12))


class Guess(NamedTuple):
    """A value that a cell does not have.

    Args:
        place: The cell.
        value: The value.
        conflicts: The budget of the search.
        is_proven: True if the search refuted the value. If False, the search did not end, and a
            known solution has another value in this cell.
    """

    place: int
    value: int
    conflicts: int
    is_proven: bool


class Guesser:
    """Source of guesses about a puzzle; its engine keeps learnt clauses between searches."""

    def __init__(self, puzzle: Nonogram, watch: Watch) -> None:
        self._puzzle = puzzle
        self._watch = watch
        self._engine: ClueOracle | None = None
        self._removed: set[Removal] = set()
        self._solutions: list[bytes] = []

    def next(self, known: Knowledge, assumptions: Sequence[tuple[int, int, int]]) -> Guess | None:
        """Return the next guess; None if some two solutions differ in every open cell.

        Args:
            known: The known values.
            assumptions: (place, value, gain) for every open cell and value: the gain is the number
                of values that line propagation rules out if the cell has the value.

        Raises:
            Impossible: No solution agrees with `known`.
        """
        engine = self._informed(known)
        self._solutions = [cells for cells in self._solutions if agrees(cells, known)]
        held = {pair for cells in self._solutions for pair in enumerate(cells)}
        ranked = _ranked(assumptions)
        for order, conflicts, num_searches in ROUNDS:
            for pair in ranked[order]:
                if pair in held:
                    continue
                answer = engine.query(engine.is_value(*pair), conflicts)
                if answer is Answer.UNSAT:
                    return Guess(*pair, conflicts, True)
                if answer is Answer.SAT:
                    held |= self._found(engine.cells())
                elif (num_searches := num_searches - 1) == 0:
                    break
            else:
                if held.issuperset(ranked[order]):
                    return None
        if not self._solutions:
            held |= self._found(self._solved(known).cells)
        return Guess(*next(pair for pair in ranked["gain"] if pair not in held), conflicts, False)

    def _found(self, cells: bytes) -> set[tuple[int, int]]:
        """Store a solution and return its (place, value) pairs."""
        self._solutions.append(cells)
        return set(enumerate(cells))

    def _solved(self, known: Knowledge) -> Grid:
        """Return a solution that agrees with `known`."""
        solution = solution_of(self._puzzle, known, self._watch)
        if solution is None:
            raise Impossible("a search finds no solution")
        return solution

    def _informed(self, known: Knowledge) -> ClueOracle:
        """Return the engine after adding all values that are known now."""
        if self._engine is None:
            self._engine = ClueOracle(self._puzzle, self._watch)
            self._engine.oracle.fix(self._engine.selectors)
        news = [gone for gone in known.removed() if gone not in self._removed]
        self._removed.update(news)
        self._engine.oracle.fix(self._engine.is_not(*gone) for gone in news)
        return self._engine

    def close(self) -> None:
        """Free the engine."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None


def _ranked(assumptions: Sequence[tuple[int, int, int]]) -> dict[str, list[tuple[int, int]]]:
    """Return assumptions (place, value) in two orders, "gain" and "product", best first.

    Gains are the numbers in `assumptions`. "gain" orders by the smallest gain of another value of
    the cell, "product" by the product of this and the assumption's own gain.
    """
    of_place: dict[int, list[tuple[int, int]]] = {}
    for place, value, num_gone in assumptions:
        of_place.setdefault(place, []).append((value, num_gone))
    gains = [
        (min(gone for other, gone in values if other != value), num_gone, place, value)
        for place, values in of_place.items()
        for value, num_gone in values
    ]
    orders = {"gain": lambda one: (-one[0], one), "product": lambda one: (-one[0] * one[1], one)}
    return {name: [one[2:] for one in sorted(gains, key=key)] for name, key in orders.items()}


def agrees(cells: bytes, known: Knowledge) -> bool:
    """True if the cells have only values that `known` does not rule out."""
    return all(known.may_be(place, value) for place, value in enumerate(cells))


def solution_of(puzzle: Nonogram, known: Knowledge, watch: Watch) -> Grid | None:
    """Return a solution that agrees with all decided cells; None if there is none.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    settled = enumerate(known.cells)
    given = tuple((*divmod(at, puzzle.width), value) for at, value in settled if value != UNKNOWN)
    result = pipeline.solve(replace(puzzle, given=given, goal=None), **left_of(watch))
    if result.verdict is Verdict.UNKNOWN:
        raise watch.limit()
    return result.solutions[0] if result.solutions else None
