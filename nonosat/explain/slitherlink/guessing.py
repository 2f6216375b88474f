"""A guess, for edges that no argument decides: a learning search refutes one of the two values.

The search finds a solution first; edges that another solution has otherwise stay open. An edge
comes early when a look ahead on its value in that solution leads far. Questions have small budgets
at first, counted in conflicts, so the guesses are the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from nonosat.core.plugins import Answer
from nonosat.core.result import Options
from nonosat.explain.slitherlink.knowledge import Impossible
from nonosat.puzzles import slitherlink
from nonosat.puzzles.slitherlink.rules import OPEN
from nonosat.solving.choices import choices_of
from nonosat.solving.oracle import Oracle

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.slitherlink import Slitherlink

ENGINE = "learn"  # keeps what it has learnt while cuts are added, in this process
BUDGETS = (20, 200, 2_000, None)  # conflicts of a question


class GuessOracle:
    """An engine that knows the puzzle.

    Args:
        puzzle: The puzzle.
        watch: Ends every question.
    """

    def __init__(self, puzzle: Slitherlink, watch: Watch) -> None:
        self._watch = watch
        model = slitherlink.build(puzzle)
        self.num_edges = len(model.blocked_on or ())
        self._oracle = Oracle.of(model, ENGINE, watch, choices_of(Options(), puzzle.family))

    def ask(self, pairs: Iterable[tuple[int, int]], budget: int | None = None) -> Answer:
        """Whether a solution has these values of edges; UNKNOWN after `budget` conflicts.

        Raises:
            LimitReached: The watch ended it.
        """
        lits = [edge + 1 if value else -1 - edge for edge, value in pairs]
        answer = self._oracle.solve(lits, budget)
        if answer is Answer.UNKNOWN:
            self._watch.check()
            if budget is None:
                raise self._watch.limit()
        return answer

    def tell(self, edge: int, value: int) -> None:
        """An edge has this value in all that is asked about from now on."""
        self._oracle.fix([edge + 1 if value else -1 - edge])

    def edges(self) -> bytes:
        """After SAT: a byte an edge."""
        return self._oracle.values()[1 : self.num_edges + 1]

    def close(self) -> None:
        """Free the engine."""
        self._oracle.close()


class Guesser:
    """Guesses about a puzzle; its engine keeps what it learns from one to the next."""

    def __init__(self, puzzle: Slitherlink, watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._asker: GuessOracle | None = None
        self._told = set[int]()
        self._solution: bytes | None = None
        self._differ = set[int]()  # edges that differ in two solutions

    def next(self, states: bytearray, gain: Callable[[int, int], int]) -> tuple[int, int] | None:
        """An open edge with the value that it has in all solutions; None where none has one.

        Args:
            states: What is known, which holds in all solutions that count.
            gain: How much follows from an edge with a value, as far as that is known.

        Raises:
            Impossible: There is no solution.
        """
        asker = self._informed(states)
        if self._solution is None:
            if asker.ask(()) is Answer.UNSAT:
                raise Impossible("a complete search finds no path")
            self._solution = asker.edges()
        solution = self._solution
        wanted = [(edge, solution[edge]) for edge in self._undecided(states)]
        wanted.sort(key=lambda pair: (-gain(*pair), pair))
        for budget in BUDGETS:
            for edge, value in wanted:
                if edge in self._differ:
                    continue
                answer = asker.ask([(edge, 1 - value)], budget)
                if answer is Answer.UNSAT:
                    return edge, value
                if answer is Answer.SAT:
                    pairs = enumerate(zip(asker.edges(), solution, strict=True))
                    self._differ.update(at for at, (mine, yours) in pairs if mine != yours)
        return None

    def _undecided(self, states: bytearray) -> Iterator[int]:
        return (
            edge
            for edge, state in enumerate(states[:-1])
            if state == OPEN and edge not in self._differ
        )

    def _informed(self, states: bytearray) -> GuessOracle:
        """The engine, told what is known."""
        if self._asker is None:
            self._asker = GuessOracle(self._puzzle, self._watch)
        for edge, state in enumerate(states[:-1]):
            if state != OPEN and edge not in self._told:
                self._asker.tell(edge, state)
                self._told.add(edge)
        return self._asker

    def close(self) -> None:
        """Free the engine."""
        if self._asker is not None:
            self._asker.close()
            self._asker = None
