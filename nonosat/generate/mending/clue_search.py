"""The fewest clues to change so that a puzzle has one solution.

Of an unsolvable puzzle the fewest clues are taken away that leave it a solution: clues that
contradict each other name what is to be hit. Then, for the solution that was found first, the
fewest of its clues are added that no other solution has, too: each other solution names the clues
that it lacks. A clue that was taken away is changed to what the solution has, which counts once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import closing
from typing import Any

from nonosat.core import seams
from nonosat.core.errors import LimitReached
from nonosat.core.limits import Watch
from nonosat.core.plugins import Answer, PlacedClue, Puzzle
from nonosat.core.result import Verdict
from nonosat.explain.smallest import grown, irreducible
from nonosat.generate.mending.clue_result import ClueRepair
from nonosat.generate.mending.hitting import Fewest
from nonosat.processes.guard import left_of
from nonosat.questions.clue_asker import ClueAsker, clues_of
from nonosat.solving import pipeline

KEPT = "what is kept cannot be mended"
HOPELESS = "whatever clues are taken away, there is no solution"
ALIKE = "another solution has the same clues in every cell"


class ClueSearch:
    """The work on one puzzle, and what it has come to.

    Args:
        puzzle: Of a family that says what clues are in clauses, and which ones a solution has.
        kept: Cells whose clues, or blanks, stay.
        most: Look for no repair that changes more clues; None is without end.
        watch: Ends it.
    """

    def __init__(
        self, puzzle: Puzzle, kept: Collection[int], most: int | None, watch: Watch
    ) -> None:
        self._puzzle, self._kept, self._most, self._watch = puzzle, kept, most, watch
        self._clues = clues_of(puzzle)
        self._solution: Any = None
        self._taken: tuple[PlacedClue, ...] = ()
        self._changed: tuple[PlacedClue, ...] = ()
        self._added: tuple[PlacedClue, ...] | None = None
        self._least, self._reason = 0, ""

    def work(self) -> None:
        """Find the repair; LimitReached where a limit is hit."""
        result = pipeline.solve(self._puzzle, **left_of(self._watch))
        if result.verdict is Verdict.UNKNOWN:
            raise LimitReached(result.reason)
        if result.solutions:
            self._solution = result.solutions[0]
        else:
            self._take_away()
        if self._solution is not None:
            self._add()

    def _is_kept(self, clue: PlacedClue) -> bool:
        row, column, *_ = clue
        return row * self._puzzle.width + column in self._kept

    def _asked(self, asker: ClueAsker, lits: Sequence[int]) -> Answer:
        """SAT or UNSAT."""
        answer = asker.ask(lits)
        if answer is Answer.UNKNOWN:  # the engine's clock may be ahead of the watch
            raise self._watch.limit()
        return answer

    def _take_away(self) -> None:
        """Take the fewest clues away that leave a solution."""
        seams.doing("fewest clues to take away")
        own = list(self._clues.of(self._puzzle))
        with closing(ClueAsker(self._puzzle, own, self._watch)) as asker:
            free = {lit for clue, lit in asker.lits.items() if not self._is_kept(clue)}
            every = [*asker.lits.values()]

            def missed(taken: Collection[int]) -> frozenset[int] | None:
                left = [lit for lit in every if lit not in taken]
                if self._asked(asker, left) is Answer.SAT:
                    return None
                blamed = sorted(asker.oracle.failed())
                core = irreducible(blamed, lambda some: self._asked(asker, some) is Answer.UNSAT)
                if not (missing := free.intersection(core)):
                    self._reason = KEPT if core else HOPELESS
                return frozenset(missing)

            search = Fewest(missed, self._watch)
            search.work(self._most)
            self._least = search.least
            if (found := self._small_enough(search)) is None:
                return
            self._asked(asker, [lit for lit in every if lit not in found])
            self._solution, self._taken = asker.solution(), tuple(asker.clues_of(found))

    def _add(self) -> None:
        """Add the fewest clues that leave no other solution."""
        seams.doing("fewest clues to add")
        places = {clue[:2] for clue in self._taken}
        assert self._clues.shown is not None
        shown = list(self._clues.shown(self._puzzle, self._solution))
        own = [clue for clue in self._clues.of(self._puzzle) if clue not in self._taken]
        changed = (clue for clue in shown if clue[:2] in places)
        self._changed = tuple(clue for clue in changed if clue not in own)
        base = {*own, *self._changed}
        new = [clue for clue in shown if clue not in base]
        with closing(ClueAsker(self._puzzle, [*base, *new], self._watch)) as asker:
            every = [asker.lits[clue] for clue in new]  # also what is kept blank
            lits = [asker.lits[clue] for clue in new if not self._is_kept(clue)]
            always = [asker.lits[clue] for clue in base]

            def ask(some: Sequence[int]) -> Answer:
                return self._asked(asker, [*always, *some])

            def held() -> set[int]:
                return asker.held().intersection(lits)

            def missed(chosen: Collection[int]) -> frozenset[int] | None:
                if ask(sorted(chosen)) is Answer.UNSAT:
                    return None
                mine = grown(asker, lits, {*chosen}, held, ask)
                return frozenset(lits) - mine

            ask(every)
            if asker.solution() != self._solution:
                self._reason = ALIKE
                return
            asker.leave_out()
            search = Fewest(missed, self._watch)
            try:
                search.work(None if self._most is None else self._most - len(self._taken))
            finally:
                self._least = len(self._taken) + search.least
                if (found := self._small_enough(search)) is not None:
                    self._added = tuple(asker.clues_of(found))
            if search.is_hopeless:
                self._reason = ALIKE if ask(every) is Answer.SAT else KEPT

    def _small_enough(self, search: Fewest) -> frozenset[int] | None:
        """What a search has found, unless it is more than was asked for."""
        if search.is_hopeless:
            self._least = 0
        most = None if self._most is None else self._most - len(self._taken)
        if search.best is None or (most is not None and len(search.best) > most):
            return None
        return search.best

    def result(self, reason: str, seconds: float) -> ClueRepair:
        """What was found so far."""
        is_repaired = self._added is not None
        return ClueRepair(
            self._puzzle,
            self._solution,
            self._taken if is_repaired else (),
            tuple(sorted({*self._changed, *self._added})) if self._added is not None else (),
            is_repaired,
            self._least,
            not reason,
            reason=reason or ("" if is_repaired else self._reason),
            seconds=seconds,
            limits=self._watch.limits,
        )
