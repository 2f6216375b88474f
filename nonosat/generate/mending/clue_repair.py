"""Repair of a puzzle by its clues: the fewest to change so that it has one solution.

First, if the puzzle is unsolvable, the fewest clues are removed that leave a solution: sets of
contradictory clues are the sets to be hit. Then, for the first solution found, the fewest of its
clues are added that exclude all other solutions: each other solution gives the set of clues that it
violates. A clue that was removed is replaced by that of the solution, which counts as one change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from nonosat.core.errors import LimitReached, counted
from nonosat.core.families import family_of, solution_of
from nonosat.core.limits import Watch, left_of
from nonosat.core.plugins import Answer, PlacedClue, Puzzle
from nonosat.core.presenting import Data, Scene
from nonosat.core.result import Verdict
from nonosat.explain.minimal_sets import ImplicitHittingSet, grown, irreducible
from nonosat.generate.mending.version import Version
from nonosat.questions.clue_engine import ClueEngine, clues_of
from nonosat.questions.reply import Reply
from nonosat.solving import pipeline

KEPT = "no repair is possible with the kept cells"
HOPELESS = "there is no solution, whichever clues are removed"
ALIKE = "another solution has the same clues in every cell"


@dataclass(frozen=True, slots=True, repr=False)
class ClueRepair(Reply):
    """The fewest clues to add so that a puzzle has one solution; other fields as in `Reply`.

        >>> found = nonosat.repair(nonosat.slitherlink(["3.", ".."]))
        >>> found
        <ClueRepair: slitherlink: 2 rows x 2 columns: 1 clue to add, fewer are not enough>
        >>> nonosat.ClueRepair.from_data(found.to_data()) == found
        True

    Args:
        solution: Solution of the repaired puzzle: the first that was found; None if none is known.
        taken: Contradictory clues that are removed: row, column, value.
        added: Clues of the solution that are added, including replacements of removed clues.
        is_repaired: True if the puzzle with these changes has one solution.
        least: Proved lower bound on the clues that a repair for this solution changes.
        is_complete: True if no limit was reached.
    """

    solution: Any = None
    taken: tuple[PlacedClue, ...] = ()
    added: tuple[PlacedClue, ...] = ()
    is_repaired: bool = False
    least: int = 0
    is_complete: bool = True

    @property
    def num_changes(self) -> int:
        """Number of places whose clue is removed, changed or added."""
        return len({clue[:2] for clue in (*self.taken, *self.added)})

    @property
    def is_smallest(self) -> bool:
        """True if no repair for this solution changes fewer clues."""
        return self.is_repaired and self.num_changes <= self.least

    def repaired(self) -> list[Any]:
        """Return a list of the repaired puzzle, empty if there is none."""
        if not self.is_repaired:
            return []
        clues = clues_of(self.puzzle)
        kept = [clue for clue in clues.of(self.puzzle) if clue not in self.taken]
        return [clues.with_only(self.puzzle, [*kept, *self.added])]

    def versions(self, most: int) -> list[Version]:
        """Return the repaired puzzle for display, with up to `most` of its changes in words."""
        marked = sorted({clue[:2] for clue in (*self.taken, *self.added)})
        return [
            Version(puzzle, self.solution, marked, self.changes_in_words(most))
            for puzzle in self.repaired()
        ]

    def changes_in_words(self, most: int = 20) -> str:
        """Return the changes as words: "row 1, column 2 (clue 3) added"."""
        clues = clues_of(self.puzzle)
        texts = [f"{clues.told(self.puzzle, one)} removed" for one in self.taken]
        texts += [f"{clues.told(self.puzzle, one)} added" for one in self.added]
        more = [f"and {len(texts) - most} more"] if len(texts) > most else []
        return "; ".join([*texts[:most], *more])

    def description(self) -> str:
        """Return a sentence with the number of changed clues and its proved bound."""
        if not self.is_repaired:
            if not self.is_complete:
                return f"no repair yet; at least {counted(self.least, 'change')} needed"
            requested = "" if self.solution is None else " for the solution that was found first"
            fewer = f" that changes fewer than {counted(self.least, 'clue')}" if self.least else ""
            return f"there is no repair{requested}{fewer}"
        if not self.num_changes:
            return "nothing to change"
        num = self.num_changes
        does = "change" if self.taken else "add"
        fewer = "fewer are not enough" if self.is_smallest else f"at least {self.least} are needed"
        return f"{counted(num, 'clue')} to {does}, {fewer}"

    def scene(self) -> Scene:
        """Return the repaired puzzle and its solution with changed clues marked."""
        for puzzle, solution, marked, _ in self.versions(0):
            return Scene(puzzle, solution, marked, self.in_a_line())
        return Scene(self.puzzle, self.solution, caption=self.in_a_line())

    def found_data(self) -> Data:
        """Return the solution, the removed clues and the added clues as JSON data."""
        family, solution = family_of(self.puzzle), self.solution
        text = None if solution is None else family.solution_data(self.puzzle, solution)
        repair = {"taken": [*map(list, self.taken)], "added": [*map(list, self.added)]}
        return {
            "solution": text,
            "repairs": [repair] if self.is_repaired else [],
            "least": self.least,
            "complete": self.is_complete,
        }

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return the fields read from the data of `found_data`."""
        text, repairs = data["solution"], data["repairs"]
        taken: tuple[PlacedClue, ...] = ()
        added: tuple[PlacedClue, ...] = ()
        if repairs:
            taken, added = (_clues(repairs[0][name]) for name in ("taken", "added"))
        return {
            "solution": None if text is None else solution_of(puzzle, text),
            "taken": taken,
            "added": added,
            "is_repaired": bool(repairs),
            "least": int(data["least"]),
            "is_complete": bool(data["complete"]),
        }


def _clues(data: Any) -> tuple[PlacedClue, ...]:
    return tuple(tuple(map(int, clue)) for clue in data)


class ClueSearch:
    """Search for the repair of one puzzle, and its results so far.

    Args:
        puzzle: Puzzle of a family that defines its clues as clauses and the clues of a solution.
        kept: Cells whose clue, or blank, stays.
        most: Maximum number of changed clues; None is without limit.
        watch: Watch that ends the search.
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
        """Find the repair, which `result` returns.

        Raises:
            LimitReached: A limit was reached.
        """
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

    def _answer(self, engine: ClueEngine, lits: Sequence[int]) -> Answer:
        """Return SAT or UNSAT; raise LimitReached for UNKNOWN."""
        answer = engine.query(lits)
        if answer is Answer.UNKNOWN:  # the engine's clock may be ahead of the watch
            raise self._watch.limit()
        return answer

    def _take_away(self) -> None:
        """Remove the fewest clues so that a solution remains."""
        self._watch.doing("fewest clues to remove")
        own = list(self._clues.of(self._puzzle))
        with closing(ClueEngine(self._puzzle, own, self._watch)) as engine:
            free = {lit for clue, lit in engine.lits.items() if not self._is_kept(clue)}
            every = [*engine.lits.values()]

            def missed(taken: Collection[int]) -> frozenset[int] | None:
                left = [lit for lit in every if lit not in taken]
                if self._answer(engine, left) is Answer.SAT:
                    return None
                failed = sorted(engine.oracle.failed())
                core = irreducible(failed, lambda some: self._answer(engine, some) is Answer.UNSAT)
                if not (missing := free.intersection(core)):
                    self._reason = KEPT if core else HOPELESS
                return frozenset(missing)

            search = ImplicitHittingSet(missed, self._watch)
            search.work(self._most)
            self._least = search.least
            if (found := self._small_enough(search)) is None:
                return
            self._answer(engine, [lit for lit in every if lit not in found])
            self._solution, self._taken = engine.solution(), tuple(engine.clues_of(found))

    def _add(self) -> None:
        """Add the fewest clues that exclude all other solutions."""
        self._watch.doing("fewest clues to add")
        places = {clue[:2] for clue in self._taken}
        assert self._clues.shown is not None
        shown = list(self._clues.shown(self._puzzle, self._solution))
        own = [clue for clue in self._clues.of(self._puzzle) if clue not in self._taken]
        changed = (clue for clue in shown if clue[:2] in places)
        self._changed = tuple(clue for clue in changed if clue not in own)
        base = {*own, *self._changed}
        new = [clue for clue in shown if clue not in base]
        with closing(ClueEngine(self._puzzle, [*base, *new], self._watch)) as engine:
            every = [engine.lits[clue] for clue in new]  # including the cells that are kept blank
            lits = [engine.lits[clue] for clue in new if not self._is_kept(clue)]
            always = [engine.lits[clue] for clue in base]

            def query(some: Sequence[int]) -> Answer:
                return self._answer(engine, [*always, *some])

            def held() -> set[int]:
                return engine.held().intersection(lits)

            def missed(chosen: Collection[int]) -> frozenset[int] | None:
                if query(sorted(chosen)) is Answer.UNSAT:
                    return None
                mine = grown(engine, lits, {*chosen}, held, query)
                return frozenset(lits) - mine

            query(every)
            if engine.solution() != self._solution:
                self._reason = ALIKE
                return
            engine.leave_out()
            search = ImplicitHittingSet(missed, self._watch)
            try:
                search.work(None if self._most is None else self._most - len(self._taken))
            finally:
                self._least = len(self._taken) + search.least
                if (found := self._small_enough(search)) is not None:
                    self._added = tuple(engine.clues_of(found))
            if search.is_hopeless:
                self._reason = ALIKE if query(every) is Answer.SAT else KEPT

    def _small_enough(self, search: ImplicitHittingSet) -> frozenset[int] | None:
        """Return the smallest set of a search, or None if it exceeds the maximum."""
        if search.is_hopeless:
            self._least = 0
        most = None if self._most is None else self._most - len(self._taken)
        if search.best is None or (most is not None and len(search.best) > most):
            return None
        return search.best

    def result(self, reason: str, seconds: float) -> ClueRepair:
        """Return the results so far."""
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
