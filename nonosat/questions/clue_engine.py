"""Engine that has the rules of a puzzle, and some of its clues, one selector literal per clue.

A clue holds if its literal is assumed. So the failed core of an UNSAT answer names the clues that
it depends on. Solutions are decoded, and verified against the assumed clues.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from nonosat.core.families import family_of
from nonosat.core.plugins import Answer, Clues, PlacedClue, Puzzle
from nonosat.core.result import Options
from nonosat.questions.place_assignment import distinguishing
from nonosat.solving.choices import choices_of
from nonosat.solving.oracle import Oracle
from nonosat.solving.solve_log import SolveLog

if TYPE_CHECKING:
    from nonosat.core.limits import Watch

ENGINE = "learn"  # keeps learnt clauses while cuts are added, in this process


class ClueEngine:
    """Incremental engine over the rules of a puzzle, and some clues.

    Args:
        puzzle: Puzzle of a family that defines the clauses of a clue, and the clues of a solution.
        clues: All clues that can be assumed, each once.
        watch: Limits of every query.

    Attributes:
        oracle: The engine.
        lits: Selector literal of each clue, in order.
    """

    def __init__(self, puzzle: Puzzle, clues: Sequence[PlacedClue], watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._family = family_of(puzzle)
        self._clues = clues_of(puzzle)
        self._model = self._family.build(self._clues.with_only(puzzle, ()))
        self._requested: Sequence[int] = ()
        choices = choices_of(Options(), self._family)
        self.oracle = Oracle.of(self._model, ENGINE, watch, choices)
        try:
            self.lits = dict(zip(clues, count(self.oracle.new_vars(len(clues)))))
            self._clue_of = {lit: clue for clue, lit in self.lits.items()}
            self._add_clues()
        except BaseException:
            self.close()
            raise

    def _add_clues(self) -> None:
        """Add the clauses of each clue under its literal."""
        clauses_of = self._clues.clauses
        assert clauses_of is not None
        for clue, lit in self.lits.items():
            self._watch.check()
            for clause in clauses_of(self._puzzle, clue):
                self.oracle.add([-lit, *clause])

    def query(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Decide if there is a solution under these literals; UNKNOWN after `budget` conflicts.

        Raises:
            LimitReached: A limit of the watch is reached.
        """
        self._watch.check()
        self._requested = list(assumptions)
        answer = self.oracle.solve(self._requested, budget)
        if answer is Answer.UNKNOWN:
            self._watch.check()
        return answer

    def solution(self) -> Any:
        """Return the verified solution after SAT.

        Raises:
            RefutedError: The solution violates a clue that was assumed.
        """
        chosen = self.clues_of(self._requested)
        log = SolveLog(self._clues.with_only(self._puzzle, chosen), self._family)
        values = self.oracle.values()[: self._model.num_vars + 1]
        return log.decoded(self.oracle.suspects, values)

    def leave_out(self) -> None:
        """Block the solution after SAT."""
        values = self.oracle.values()
        self.oracle.block([var if values[var] else -var for var in distinguishing(self._model)])

    def held(self) -> set[int]:
        """Return, after SAT, the literals of all clues that the solution satisfies."""
        assert self._clues.shown is not None
        shown = self._clues.shown(self._puzzle, self.solution())
        return {self.lits[clue] for clue in shown if clue in self.lits}

    def clues_of(self, lits: Iterable[int]) -> list[PlacedClue]:
        """Return the clues that these literals select, in the order of `clues`."""
        return [self._clue_of[lit] for lit in sorted(lits) if lit in self._clue_of]

    def close(self) -> None:
        """Free the engine."""
        self.oracle.close()


def clues_of(puzzle: Puzzle) -> Clues:
    """Return the clue functions of a puzzle's family; it must have clues."""
    clues = family_of(puzzle).clues
    assert clues is not None
    return clues
