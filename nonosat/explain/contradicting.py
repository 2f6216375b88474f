"""Contradictory clues of a puzzle: entry point for all families, and their search.

Families other than nonograms name their clues (`plugins.Clues`). The search starts with all clues,
or, if the family's `obstacle` gives an obvious reason, with a subset for which it gives one, too.
An engine refutes this set, and `minimal_sets` minimizes it. If a board has no solution even without
clues, its clues are not reported as contradictory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from nonosat.clauses.sinks import Buffer
from nonosat.core import families
from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import left_of, watch_of
from nonosat.core.plugins import Answer, Clues, Engine, PlacedClue, Puzzle
from nonosat.core.result import Verdict
from nonosat.core.scope import run_limited
from nonosat.explain.minimal_sets import Core, Minimality, SmallestMus, irreducible
from nonosat.explain.nonogram import contradictions as of_lines
from nonosat.explain.nonogram.contradictions import Contradiction
from nonosat.explain.nonogram.soft_constraints import CONFLICTS
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.questions.clue_engine import ClueEngine
from nonosat.solving import pipeline
from nonosat.solving.oracle import Oracle

if TYPE_CHECKING:
    from nonosat.core.limits import Watch

LARGE = 40_000  # cells; on a larger board a reason found without search suffices
A_SOLVE = 200_000  # propagations that one solved puzzle counts for


def contradiction(
    puzzle: Puzzle, *, time_limit_s: float | None = None, memory_limit_mib: int | None = None
) -> Contradiction:
    """Find the fewest clues of a puzzle that contradict each other.

        >>> found = nonosat.contradiction(nonosat.nonogram([[2], [0]], [[1], [2]]))
        >>> found.lines
        (1, 3)
        >>> found.repaired
        ('1 in row 2 (clue 0)', '1 in column 2 (clue 2)')
        >>> nonosat.contradiction(nonosat.slitherlink(["03", "3."])).members
        ('row 1, column 1 (clue 0)', 'row 1, column 2 (clue 3)')

    `print(*found.report(), sep="\\n")` prints the contradiction, for a nonogram step by step.

    Args:
        puzzle: A nonogram, or a puzzle of a family that names its clues: a Slitherlink, queens, a
            knight's tour.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        A smallest set, proven up to `minimal_sets.MOST_PROVEN` members; else an irreducible
        one; or, if a limit ends the search, one that suffices.

    Raises:
        NotAPuzzleError: It is not a puzzle; the message names valid inputs.
        UnsupportedError: A puzzle of a family that does not name its clues, or limits out of range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    if not has_contradictions(puzzle):
        name = families.name_of(puzzle)
        raise UnsupportedError(
            f"contradictions are for families that name their clues; this puzzle is of the family "
            f"{name}"
        )
    watch = watch_of(time_limit_s, memory_limit_mib)
    return contradiction_within(puzzle, watch, is_unsolvable=False)


def has_contradictions(puzzle: Puzzle) -> bool:
    """True if the puzzle's family supports `contradiction`."""
    return families.name_of(puzzle) == "nonogram" or families.family_of(puzzle).clues is not None


def contradiction_within(puzzle: Puzzle, watch: Watch, *, is_unsolvable: bool) -> Contradiction:
    """Find the fewest contradictory clues, as `contradiction` does, within the limits of a watch.

    With `is_unsolvable` the puzzle is known to have no solution; otherwise this is decided first.
    """
    if (clues := families.family_of(puzzle).clues) is None:
        assert isinstance(puzzle, Nonogram)
        return of_lines.contradiction_within(puzzle, watch, is_unsolvable=is_unsolvable)
    started = perf_counter()
    search = _ContradictionSearch(puzzle, clues, watch, is_unsolvable)
    limit = run_limited(watch, search.work)
    seconds = perf_counter() - started
    return replace(search.found, reason=limit, seconds=seconds, limits=watch.limits)


class _ContradictionSearch:
    """Search for the contradictory clues of a puzzle other than a nonogram.

    Attributes:
        found: The result so far.
    """

    def __init__(self, puzzle: Puzzle, clues: Clues, watch: Watch, is_unsolvable: bool) -> None:
        self._puzzle, self._clues, self._watch = puzzle, clues, watch
        self._family = families.family_of(puzzle)
        self._every = list(clues.of(puzzle))
        verdict = Verdict.UNSOLVABLE if is_unsolvable else Verdict.UNKNOWN
        self.found = Contradiction(puzzle, verdict)

    def work(self) -> None:
        """Find the contradiction; raise LimitReached at a limit."""
        if self.found.verdict is Verdict.UNKNOWN:
            result = pipeline.solve(self._puzzle, **left_of(self._watch))
            if result.verdict is Verdict.UNKNOWN:
                raise self._watch.limit()
            if result.solutions:
                self.found = replace(self.found, verdict=Verdict.SOLVED)
                return
        self.found = replace(self.found, verdict=Verdict.UNSOLVABLE)
        seen = self._without_search()
        if self.found.at_sight and (not seen or self._puzzle.height * self._puzzle.width > LARGE):
            self._take(seen, Minimality.SUFFICIENT if seen else Minimality.SMALLEST)
            return
        engine = self._engine_of_clues()
        try:
            core = self._core(engine, seen)
            self._take(engine.clues_of(core.lits), core.minimality)
        finally:
            engine.close()
        self._watch.check()

    def _take(self, clues: Sequence[PlacedClue], minimality: Minimality) -> None:
        cells = tuple((row, column, value) for row, column, value in sorted(clues))
        self.found = replace(self.found, cells=cells, minimality=minimality)

    def _without_search(self) -> list[PlacedClue]:
        """Return few clues for which the family has an obvious reason, and store this reason.

        If there is no such reason, return all clues.
        """
        if not self._obstacle(self._every):
            return self._every
        seen = irreducible(self._every, lambda some: bool(self._obstacle(some)))
        self.found = replace(self.found, at_sight=self._obstacle(seen))
        return seen

    def _obstacle(self, some: Sequence[PlacedClue]) -> str:
        self._watch.check()
        return self._family.obstacle(self._clues.with_only(self._puzzle, some)) or ""

    def _engine_of_clues(self) -> ClueEngine | ResolveOracle:
        if self._clues.clauses is None or self._clues.shown is None:
            return ResolveOracle(self._puzzle, self._clues, self._every, self._watch)
        return ClueEngine(self._puzzle, self._every, self._watch)

    def _core(self, engine: ClueEngine | ResolveOracle, seen: Sequence[PlacedClue]) -> Core:
        """Return a smallest contradictory set of clues, searched from the set `seen`."""
        lits, start = [*engine.lits.values()], {engine.lits[clue] for clue in seen}
        if len(start) == len(lits) and engine.query(lits, CONFLICTS) is Answer.UNSAT:
            start = {*engine.oracle.failed()}
        lits.sort(key=start.__contains__)  # likely members come last
        search = SmallestMus(engine, lits, self._watch, start=frozenset(start))
        return search.core()


class ResolveOracle:
    """Oracle that decides if some of the clues can hold together, by solving a puzzle with them.

    It serves families that cannot express a clue as clauses.

    Args:
        puzzle: The puzzle.
        clues: Clue functions of its family.
        every: All clues that can be assumed.
        watch: Limits of every query.

    Attributes:
        oracle: The engine.
        lits: Literal of each clue, in order.
    """

    def __init__(
        self, puzzle: Puzzle, clues: Clues, every: Sequence[PlacedClue], watch: Watch
    ) -> None:
        self._puzzle, self._clues, self._watch = puzzle, clues, watch
        self.lits = {clue: lit for lit, clue in enumerate(every, start=1)}
        self._clue_of = {lit: clue for clue, lit in self.lits.items()}
        self._engine = _FreshEngine(len(every), self._solved)
        self.oracle = Oracle("pipeline", self._engine, len(every), watch)

    def query(self, assumptions: Sequence[int], budget: int | None = None) -> Answer:
        """Decide if there is a solution with the assumed clues; UNKNOWN if no solver decides it.

        Raises:
            LimitReached: A limit of the watch is reached.
        """
        return self.oracle.solve(assumptions, budget)

    def _solved(self, chosen: frozenset[int]) -> Answer:
        self._watch.check()
        puzzle = self._clues.with_only(self._puzzle, self.clues_of(chosen))
        result = pipeline.solve(puzzle, **left_of(self._watch))
        if result.verdict is Verdict.UNKNOWN:
            return Answer.UNKNOWN
        return Answer.SAT if result.solutions else Answer.UNSAT

    def held(self) -> set[int]:
        """Return the literals of the clues that hold together, by the last query; after SAT."""
        return set(self._engine.failed())

    def clues_of(self, lits: Iterable[int]) -> list[PlacedClue]:
        """Return the clues with these literals, in the order of `every`."""
        return [self._clue_of[lit] for lit in sorted(lits)]

    def close(self) -> None:
        """Free the engine."""
        self.oracle.close()


class _FreshEngine(Buffer, Engine):
    """Engine with clues as variables; each query solves a new puzzle with the assumed clues.

    Answers are reused: subsets of a satisfiable set are satisfiable, and supersets of an
    unsatisfiable one are unsatisfiable. A clause is a choice: if the negation of its first literal
    is assumed, one of the clues after it is added.

    Args:
        num_vars: Number of clues.
        solved: Function that solves the puzzle with the clues of a set.
    """

    def __init__(self, num_vars: int, solved: Callable[[frozenset[int]], Answer]) -> None:
        super().__init__(num_vars)
        self._solved = solved
        self._can, self._cannot = list[frozenset[int]](), list[frozenset[int]]()
        self._choices: dict[int, Sequence[int]] = {}  # by literal, the literals of its clause
        self._last = frozenset[int]()
        self._work = 0

    def add(self, clause: Sequence[int]) -> None:
        if len(clause) > 1:
            self._choices[-clause[0]] = clause[1:]

    def solve(self, assumptions: Sequence[int], watch: Watch, budget: int | None = None) -> Answer:
        """Solve with the assumed clues and, if there is a choice, with one of its clues.

        UNKNOWN instead of UNSAT after a choice, because clues were tried one at a time only.
        """
        chosen = frozenset(lit for lit in assumptions if lit not in self._choices)
        choices = [self._choices[lit] for lit in assumptions if lit in self._choices]
        if not choices:
            return self._answer(chosen)
        assert len(choices) == 1
        answers = (self._answer(chosen | {lit}) for lit in choices[0])
        return next((one for one in answers if one is Answer.SAT), Answer.UNKNOWN)

    def _answer(self, chosen: frozenset[int]) -> Answer:
        self._last = chosen
        if any(chosen <= other for other in self._can):
            return Answer.SAT
        if any(other <= chosen for other in self._cannot):
            return Answer.UNSAT
        answer = self._solved(chosen)
        self._work += A_SOLVE
        if answer is not Answer.UNKNOWN:
            (self._can if answer is Answer.SAT else self._cannot).append(chosen)
        return answer

    def values(self) -> bytes:
        """Return no values, because `failed` returns the clues of the last query."""
        return b""

    def failed(self) -> list[int]:
        """Return the clues of the last query."""
        return [*self._last]

    def statistics(self) -> dict[str, int]:
        return {"propagations": self._work}

    def close(self) -> None:
        """Do nothing: there is nothing to free."""
