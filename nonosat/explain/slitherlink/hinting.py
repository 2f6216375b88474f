"""Next easiest step of a Slitherlink, or the edges that contradict its clues.

A learning search first decides if the state is right. If it is not, edges whose values are in no
solution are wrong, and a small set of edges that together contradict the clues is returned.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from nonosat.core.errors import PuzzleError
from nonosat.core.grid import UNKNOWN
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.core.wording import listed, sentence
from nonosat.explain.hinting import Hint, hinted
from nonosat.explain.minimal_sets import Minimality, irreducible
from nonosat.explain.slitherlink.guessing import GuessOracle
from nonosat.explain.slitherlink.knowledge import Impossible
from nonosat.explain.slitherlink.solver import Solver
from nonosat.explain.slitherlink.wording import ON, SHOWN
from nonosat.puzzles.slitherlink.edges import Edges
from nonosat.puzzles.slitherlink.rules import OPEN

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.slitherlink import Slitherlink

CONFLICTS = 3000  # of the search for errors of a state; a step is returned even after them
Pair = tuple[int, int]  # an edge and its value


def hint_within(puzzle: Slitherlink, given: Edges | None, watch: Watch) -> Hint:
    """Return the next easiest step, or the errors, within the limits of a watch.

    Args:
        puzzle: The puzzle.
        given: The known edges; None for the puzzle's given edges.
        watch: Limits of the search.

    Raises:
        PuzzleError: The state is not one of this puzzle.
    """
    given = given or Edges.given(puzzle)
    if not isinstance(given, Edges) or (given.height, given.width) != (puzzle.height, puzzle.width):
        raise PuzzleError(f"the state is {given!r}, expected Edges of {puzzle.size}")
    return hinted(puzzle, given, _HintSearch(puzzle, given, watch), watch)


class _HintSearch:
    """Search for a hint; results are fields of a `Hint`."""

    def __init__(self, puzzle: Slitherlink, given: Edges, watch: Watch) -> None:
        self._watch = watch
        self._pairs = [pair for pair in enumerate(given.values) if pair[1] != UNKNOWN]
        self._puzzle = puzzle
        self._solver: Solver | None = None
        self._oracle: GuessOracle | None = None

    def close(self) -> None:
        """Free the engines."""
        if self._solver is not None:
            self._solver.guesser.close()
        if self._oracle is not None:
            self._oracle.close()

    def work(self) -> dict[str, Any]:
        """Find the hint; raise LimitReached at a limit."""
        solver = Solver(self._puzzle, self._watch, self._pairs)
        self._solver, self._lattice, self._words = (
            solver,
            solver.known.lattice,
            solver.wording.words,
        )
        self._oracle = GuessOracle(self._puzzle, self._watch)
        possible = self._oracle.query(self._pairs, CONFLICTS)
        if possible is not Answer.UNSAT:
            # The steps may find a contradiction that the search did not reach.
            with suppress(Impossible):
                return self._next(solver, is_sure=possible is Answer.SAT)
        return self._contradicted(self._oracle)

    def _next(self, solver: Solver, *, is_sure: bool) -> dict[str, Any]:
        step = next(solver.steps(), None)
        if step is not None:
            message = step.sentence
            if not is_sure:
                message += f" (A search of {CONFLICTS} conflicts did not determine whether any "
                message += "solution agrees with the marks.)"
            return {"sentence": message, "step": step, "is_sure": is_sure}
        num_open = solver.known.states.count(OPEN)
        if num_open:
            text = sentence(f"no step is left: two solutions differ in each of {num_open} edges")
            return {"sentence": text, "verdict": Verdict.MULTIPLE}
        return {"sentence": "The board is complete and right.", "verdict": Verdict.SOLVED}

    def _contradicted(self, oracle: GuessOracle) -> dict[str, Any]:
        """Return the hint about edges that contradict the clues: wrong ones, and a small set."""
        if oracle.query(()) is Answer.UNSAT:
            text = "The puzzle has no solution, with or without the marks."
            return {"sentence": text, "verdict": Verdict.UNSOLVABLE}
        solution = oracle.edges()
        unlike = [(at, value) for at, value in self._pairs if solution[at] != value]
        wrong = [pair for pair in unlike if oracle.query([pair]) is Answer.UNSAT]
        if wrong:
            conflict, minimality = wrong[:1], Minimality.SMALLEST
            message = self._wrong(wrong)
        else:
            conflict, minimality = self._fewest(oracle), Minimality.IRREDUCIBLE
            message = sentence(f"the clues cannot be satisfied if {self._words.outcome(conflict)}")
        return {
            "sentence": message,
            "wrong": tuple(self._lattice.mark(*pair) for pair in wrong),
            "conflict": tuple(self._lattice.mark(*pair) for pair in conflict),
            "minimality": minimality,
        }

    def _fewest(self, oracle: GuessOracle) -> list[Pair]:
        """Return known edges that together contradict the clues, and of which all are needed."""
        return irreducible(self._pairs, lambda pairs: oracle.query(pairs) is Answer.UNSAT)

    def _wrong(self, wrong: list[Pair]) -> str:
        """Return a sentence about wrong marks and their edges: "Two marks are wrong: ..."."""
        parts = [f"{self._words.edge(edge)} is not {ON[value]}" for edge, value in wrong[:SHOWN]]
        if more := len(wrong) - SHOWN:
            parts += [f"{more} more"] if more > 0 else []
        count = "one mark is" if len(wrong) == 1 else f"{len(wrong)} marks are"
        return sentence(f"{count} wrong: {listed(parts)}")
