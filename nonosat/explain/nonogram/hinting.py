"""Next easiest step of a nonogram, or the marks that contradict its clues.

A line that cannot be completed is reported first, since it is easy to verify.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nonosat.board.presolve import presolved
from nonosat.core.errors import LimitReached
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.plugins import Answer
from nonosat.core.result import Verdict
from nonosat.core.wording import sentence
from nonosat.explain.data import line_of
from nonosat.explain.hinting import Hint, hinted
from nonosat.explain.minimal_sets import Minimality
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.explain.nonogram.contradictions import contradiction_within
from nonosat.explain.nonogram.given import known_cells, with_given
from nonosat.explain.nonogram.guessing import solution_of
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge, task_of
from nonosat.explain.nonogram.soft_constraints import Pair, SoftConstraints
from nonosat.explain.nonogram.solver import Solver, needed
from nonosat.explain.nonogram.step import Cell, Step
from nonosat.explain.nonogram.words import Words
from nonosat.puzzles.nonogram.grids import grid_of
from nonosat.questions.partial import first_broken

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

# Budgets of the search that decides if a state is right; a step is returned even after them.
PROBE_WORK = 100_000_000  # units of native work, about a nanosecond each
CONFLICTS = 3000


def hint_within(puzzle: Nonogram, given: Grid | None, watch: Watch) -> Hint:
    """Return the next easiest step, or the errors, within the limits of a watch.

    Args:
        puzzle: The puzzle.
        given: The state; None is the last state that is saved in the puzzle, or an empty board.
        watch: Limits of the search.

    Raises:
        PuzzleError: The state is not one of this puzzle.
    """
    if given is None:
        nothing = Grid.unknown(puzzle.height, puzzle.width)
        given = puzzle.saved[-1] if puzzle.saved else nothing
    given = grid_of(given, puzzle, name="the state", has_unknown=True)
    return hinted(puzzle, given, _HintSearch(puzzle, given, watch), watch)


class _HintSearch:
    """Search for a hint; results are fields of a `Hint`."""

    def __init__(self, puzzle: Nonogram, given: Grid, watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._words = Words(puzzle)
        self._given = given
        self._start = Knowledge(puzzle)
        self._opened: ClueOracle | None = None

    @cached_property
    def _pairs(self) -> list[Pair]:
        """The known places of the state, with their values."""
        return [*known_cells(self._given)]

    def close(self) -> None:
        """Free the engine."""
        if self._opened is not None:
            self._opened.close()

    def work(self) -> dict[str, Any]:
        """Find the hint; raise LimitReached at a limit."""
        if against := [pair for pair in self._pairs if not self._start.may_be(*pair)]:
            return self._against(against)
        known = self._start.copy()
        known.apply(gone for pair in self._pairs for gone in known.settling(*pair))
        possible = self._possible(known)
        if possible is not Answer.UNSAT:
            # The steps may find a contradiction that the search did not reach.
            with suppress(Impossible):
                return self._next(known, is_sure=possible is Answer.SAT)
        broken = first_broken(with_given(self._puzzle, self._given))
        return self._contradicted(broken and line_of(self._puzzle, broken.place))

    def _possible(self, known: Knowledge) -> Answer:
        """Decide if some solution agrees with the state, by a short search."""
        task = task_of(self._puzzle, known, self._watch)
        run = presolved(task, self._watch, work=PROBE_WORK)
        if not all(done.is_consistent for done in run):
            return Answer.UNSAT
        assert task.board is not None
        if task.board.is_complete:
            return Answer.SAT
        engine = self._engine()
        lits = [lit for pair in self._pairs for lit in engine.is_value(*pair)]
        return engine.query([*engine.selectors, *lits], CONFLICTS)

    def _next(self, known: Knowledge, *, is_sure: bool) -> dict[str, Any]:
        """Return the next step that settles a cell, and the steps before it that it depends on."""
        solver = Solver(self._puzzle, self._watch, known)
        steps: list[Step] = []
        try:
            for step in solver.steps():
                steps.append(step)
                if step.settled:
                    return self._step(steps, known, is_sure)
        finally:
            solver.guesser.close()
        if num_open := known.cells.count(UNKNOWN):
            left = f"in each of the {num_open} open cells" if num_open > 1 else "in the open cell"
            text = sentence(f"no step is left: two solutions differ {left}")
            return {"sentence": text, "verdict": Verdict.MULTIPLE}
        return {"sentence": "The board is complete and right.", "verdict": Verdict.SOLVED}

    def _step(self, steps: list[Step], known: Knowledge, is_sure: bool) -> dict[str, Any]:
        """Return the hint for the last of `steps`, with the earlier steps that it needs."""
        step = steps[-1]
        places = [row * known.width + column for row, column, _ in step.settled]
        *before, _ = needed(steps, known, places)
        text = " ".join(each.sentence for each in (*before, step))
        if not is_sure:
            text += f" (A search of {CONFLICTS} conflicts did not determine whether any solution "
            text += "agrees with the marks.)"
        return {"sentence": text, "step": step, "before": tuple(before), "is_sure": is_sure}

    # Contradictions

    def _unsolvable(self) -> dict[str, Any]:
        """Return the hint of a puzzle without a solution."""
        why = contradiction_within(self._puzzle, self._watch, is_unsolvable=True)
        return {
            "sentence": "The puzzle has no solution, with or without the marks.",
            "verdict": Verdict.UNSOLVABLE,
            "contradiction": why,
        }

    def _cells(self, pairs: list[Pair]) -> tuple[Cell, ...]:
        return tuple((*divmod(place, self._puzzle.width), value) for place, value in pairs)

    def _engine(self) -> ClueOracle:
        if self._opened is None:
            self._opened = ClueOracle(self._puzzle, self._watch)
        return self._opened

    def _against(self, pairs: list[Pair]) -> dict[str, Any]:
        """Return the hint for marks that contradict given cells, or for an unsolvable puzzle."""
        with suppress(LimitReached):  # the contradiction is reported even after a limit
            if solution_of(self._puzzle, self._start, self._watch) is None:
                return self._unsolvable()
        cells = self._cells(pairs)
        return {
            "sentence": f"The puzzle gives these cells other values. {self._words.wrong(pairs)}",
            "wrong": cells,
            "conflict": cells[:1],
            "minimality": Minimality.SMALLEST,
        }

    def _contradicted(self, line: int | None) -> dict[str, Any]:
        """Return the hint about marks that contradict the clue of a line, or all the clues.

        `line` is None if no single line is contradicted.
        """
        # The line comes first, so that a limit on the search for a solution does not lose it.
        conflict = None if line is None else self._conflict(line)
        wrong: list[Pair] = []
        try:
            solution = solution_of(self._puzzle, self._start, self._watch)
            if solution is None:
                return self._unsolvable()
            wrong = self._wrong(solution)
        except LimitReached:
            if conflict is None:
                raise
        if conflict is None and wrong:
            conflict = wrong[:1], Minimality.SMALLEST
        chosen, minimality = conflict or self._conflict(None)
        text = self._words.scattered(chosen)
        parts = []
        if line is not None:
            parts.append(sentence(f"{self._words.line(line)} cannot be completed while {text}"))
        elif not wrong:
            parts.append(sentence(f"the clues cannot be satisfied if {text}"))
        if wrong:
            parts.append(self._words.wrong(wrong))
        return {
            "sentence": " ".join(parts),
            "wrong": self._cells(wrong),
            "conflict": self._cells(chosen),
            "line": line,
            "minimality": minimality,
        }

    def _wrong(self, solution: Grid) -> list[Pair]:
        """Return the marks that are in no solution; `solution` is one, for comparison."""
        engine = self._engine()
        unlike = [(at, value) for at, value in self._pairs if solution.cells[at] != value]
        lits = {pair: engine.is_value(*pair) for pair in unlike}
        return [
            pair
            for pair in unlike
            if engine.query([*engine.selectors, *lits[pair]]) is Answer.UNSAT
        ]

    def _conflict(self, line: int | None) -> tuple[list[Pair], Minimality]:
        """Return few marks that contradict the clue of `line`, or of all lines if that is None."""
        engine = self._engine()
        span = range(len(self._start.cells)) if line is None else self._start.span(line)
        inside = [pair for pair in self._pairs if pair[0] in span]
        base = engine.selectors if line is None else [engine.selectors[line]]
        found = SoftConstraints(engine, self._start, pairs=inside).fewest(base, self._watch)
        return list(found.pairs), found.minimality
