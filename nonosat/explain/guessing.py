"""A guess: where no argument with one assumption settles a cell, a search has the word.

A solution of the puzzle says which value to guess; of the cells that would settle most by line
reasoning the first one is taken whose opposite a short search refutes. Where none is refuted, a
longer search tries the one that settles most. Budgets are conflicts, so that all of it is
deterministic. A cell whose opposite has a solution is open for good: the puzzle is not unique.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nonosat import _core, pipeline
from nonosat.explain.asker import Asker
from nonosat.explain.knowledge import Contradiction, Knowledge
from nonosat.grid import UNKNOWN, Grid
from nonosat.plugins import Answer
from nonosat.result import Verdict

if TYPE_CHECKING:
    from nonosat.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

NUM_TRIED = 8  # cells whose opposite a short search tries to refute
SHORT, LONG = 200, 5000  # conflicts


class Guess(NamedTuple):
    """A value that agrees with a solution.

    Args:
        place: Where.
        value: Which.
        conflicts: What the search was allowed.
        is_proven: Whether it refuted the opposite.
    """

    place: int
    value: int
    conflicts: int
    is_proven: bool


class Guesser:
    """Guesses about a puzzle.

    Attributes:
        solution: One that agrees with all guesses, once it was asked for.
        disputed: Places in which some two solutions differ.
    """

    def __init__(self, puzzle: Nonogram, watch: Watch) -> None:
        self.solution: Grid | None = None
        self.disputed: set[int] = set()
        self._puzzle = puzzle
        self._watch = watch
        self._asker: Asker | None = None
        self._told = 0

    def next(self, known: Knowledge, board: _core.Board) -> Guess | None:
        """The next guess; None where all open cells are disputed.

        Raises:
            Contradiction: There is no solution with what is known.
        """
        cells = self._solved(known).cells
        asker = self._informed(known)
        while places := [place for place in known.open_places() if place not in self.disputed]:
            for place, budget in self._candidates(places, cells, board):
                answer = asker.ask([*asker.selectors, asker.is_not(place, cells[place])], budget)
                if answer is Answer.UNSAT:
                    return Guess(place, cells[place], budget, True)
                if answer is Answer.SAT:
                    self._dispute(cells, asker.cells())
                    break
            else:
                return Guess(place, cells[place], budget, False)
        return None

    def _solved(self, known: Knowledge) -> Grid:
        """A solution that agrees with what is known."""
        if self.solution is None or not agrees(self.solution.cells, known):
            self.solution = solution_of(self._puzzle, known, self._watch)
        if self.solution is None:
            raise Contradiction("a search finds no solution")
        return self.solution

    def _informed(self, known: Knowledge) -> Asker:
        """The engine, told what is known."""
        if self._asker is None:
            self._asker = Asker(self._puzzle, self._watch)
            self._asker.tell(self._asker.selectors)
        settled = ((place, value) for place, value in enumerate(known.cells) if value != UNKNOWN)
        self._asker.tell(lit for pair in settled for lit in self._asker.is_value(*pair))
        return self._asker

    def _candidates(
        self, places: list[int], cells: bytes, board: _core.Board
    ) -> list[tuple[int, int]]:
        """Cells to try with their budgets: those that settle most, shortly, then the first."""
        scores = []
        for place in places:
            self._watch.check()
            trial = board.copy()
            trial.assign(place, cells[place])
            trial.propagate(self._watch.remaining_s(), self._watch.poll)
            scores.append((trial.cells().count(UNKNOWN), place))
        best = [place for _, place in sorted(scores)[:NUM_TRIED]]
        return [*((place, SHORT) for place in best), (best[0], LONG)]

    def _dispute(self, cells: bytes, others: bytes) -> None:
        pairs = enumerate(zip(cells, others, strict=True))
        self.disputed |= {place for place, (mine, yours) in pairs if mine != yours}

    def close(self) -> None:
        """Free the engine."""
        if self._asker is not None:
            self._asker.close()
            self._asker = None


def agrees(cells: bytes, known: Knowledge) -> bool:
    """Whether a solution has only values that are left."""
    return all(known.may_be(place, value) for place, value in enumerate(cells))


def solution_of(puzzle: Nonogram, known: Knowledge, watch: Watch) -> Grid | None:
    """A solution that agrees with all settled cells; None where there is none.

    Raises:
        LimitReached: The watch ended it.
    """
    from dataclasses import replace

    settled = enumerate(known.cells)
    given = tuple((*divmod(at, puzzle.width), value) for at, value in settled if value != UNKNOWN)
    remaining = watch.remaining_s()
    if remaining == 0:
        raise watch.limit()
    result = pipeline.solve(
        replace(puzzle, given=given, goal=None),
        time_limit_s=remaining,
        memory_limit_mib=watch.limits.memory_mib,
    )
    if result.verdict is Verdict.UNKNOWN:
        raise watch.limit()
    return result.solutions[0] if result.solutions else None
