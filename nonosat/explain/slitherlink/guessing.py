"""Guesses, for edges that no argument decides: a learning search refutes one of the two values.

The search finds a solution first; edges that differ in another solution stay open. An edge
comes early if a look-ahead on its value in that solution has many consequences. Queries have small
budgets at first, counted in conflicts, so the guesses are deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from nonosat.core.families import family_of
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

ENGINE = "learn"  # keeps learnt clauses while cuts are added, in this process
BUDGETS = (20, 200, 2_000, None)  # conflicts of a query


class GuessOracle:
    """Incremental engine over a puzzle's model.

    Args:
        puzzle: The puzzle.
        watch: Limits of every query.
    """

    def __init__(self, puzzle: Slitherlink, watch: Watch) -> None:
        self._watch = watch
        model = slitherlink.build(puzzle)
        self.num_edges = len(model.blocked_on or ())
        self._oracle = Oracle.of(model, ENGINE, watch, choices_of(Options(), family_of(puzzle)))

    def query(self, pairs: Iterable[tuple[int, int]], budget: int | None = None) -> Answer:
        """Decide if a solution has these values of edges; UNKNOWN after `budget` conflicts.

        Raises:
            LimitReached: A limit of the watch is reached.
        """
        lits = [edge + 1 if value else -1 - edge for edge, value in pairs]
        answer = self._oracle.solve(lits, budget)
        if answer is Answer.UNKNOWN:
            self._watch.check()
            if budget is None:
                raise self._watch.limit()
        return answer

    def fix(self, edge: int, value: int) -> None:
        """Fix an edge to this value in all later queries."""
        self._oracle.fix([edge + 1 if value else -1 - edge])

    def edges(self) -> bytes:
        """Return the solution after SAT: the value of each edge."""
        return self._oracle.values()[1 : self.num_edges + 1]

    def close(self) -> None:
        """Free the engine."""
        self._oracle.close()


class Guesser:
    """Source of guesses about a puzzle; its engine keeps learnt clauses between guesses."""

    def __init__(self, puzzle: Slitherlink, watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._oracle: GuessOracle | None = None
        self._fixed = set[int]()
        self._solution: bytes | None = None
        self._differ = set[int]()  # edges that differ in two solutions

    def next(self, states: bytearray, gain: Callable[[int, int], int]) -> tuple[int, int] | None:
        """Return an open edge with its value in all solutions; None if there is none.

        Args:
            states: The value of each edge, or OPEN; only solutions with the known values count.
            gain: Function that returns the number of consequences that look-ahead finds for an
                edge with a value.

        Raises:
            Impossible: There is no solution.
        """
        oracle = self._informed(states)
        if self._solution is None:
            if oracle.query(()) is Answer.UNSAT:
                raise Impossible("a complete search finds no path")
            self._solution = oracle.edges()
        solution = self._solution
        candidates = [(edge, solution[edge]) for edge in self._undecided(states)]
        candidates.sort(key=lambda pair: (-gain(*pair), pair))
        for budget in BUDGETS:
            for edge, value in candidates:
                if edge in self._differ:
                    continue
                answer = oracle.query([(edge, 1 - value)], budget)
                if answer is Answer.UNSAT:
                    return edge, value
                if answer is Answer.SAT:
                    pairs = enumerate(zip(oracle.edges(), solution, strict=True))
                    self._differ.update(at for at, (mine, yours) in pairs if mine != yours)
        return None

    def _undecided(self, states: bytearray) -> Iterator[int]:
        return (
            edge
            for edge, state in enumerate(states[:-1])
            if state == OPEN and edge not in self._differ
        )

    def _informed(self, states: bytearray) -> GuessOracle:
        """Return the engine after adding all edges that are known now."""
        if self._oracle is None:
            self._oracle = GuessOracle(self._puzzle, self._watch)
        for edge, state in enumerate(states[:-1]):
            if state != OPEN and edge not in self._fixed:
                self._oracle.fix(edge, state)
                self._fixed.add(edge)
        return self._oracle

    def close(self) -> None:
        """Free the engine."""
        if self._oracle is not None:
            self._oracle.close()
            self._oracle = None
