"""Reason for a cell's value: the smallest set of lines whose clues force it, and its derivation.

The cell is assumed not to have its value; a smallest set of lines that contradicts this is the
reason (`soft_constraints`). The derivation consists of steps that use no other line, without steps
that the cell does not depend on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat.core import families
from nonosat.core.errors import UnsupportedError, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import left_of, watch_of
from nonosat.core.plugins import Answer
from nonosat.core.presenting import Data, Scene, States
from nonosat.core.result import Verdict
from nonosat.core.scope import run_limited
from nonosat.core.wording import lines_listed, sentence
from nonosat.explain.data import legend_data, line_data, line_of
from nonosat.explain.minimal_sets import WORK, Minimality
from nonosat.explain.nonogram.assuming import Assumptions
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.explain.nonogram.data import step_data, steps_of
from nonosat.explain.nonogram.guessing import solution_of
from nonosat.explain.nonogram.knowledge import Knowledge
from nonosat.explain.nonogram.soft_constraints import SmallestSet, SoftConstraints
from nonosat.explain.nonogram.solver import Reasoner, needed
from nonosat.explain.nonogram.step import Step, filled
from nonosat.explain.nonogram.words import Words
from nonosat.explain.story import numbered
from nonosat.questions.reply import Reply
from nonosat.solving import pipeline

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

CONFLICTS = (1000, 20_000)  # conflicts of the first searches, which try to refute values
NEEDED = {
    Minimality.SMALLEST: "no smaller set of lines does",
    Minimality.IRREDUCIBLE: "none of them can be left out, though a smaller set may exist",
    Minimality.SUFFICIENT: f"it was not determined within {WORK} propagations whether all of them "
    "are needed",
}


@dataclass(frozen=True, slots=True, repr=False)
class Reason(Reply):
    """Reason for a cell's value; `reason` is empty, since the sentence names a limit that was hit.

        >>> found = nonosat.reason(nonosat.nonogram([[2], [1]], [[1], [2]]), 0, 0)
        >>> nonosat.Reason.from_data(found.to_data()) == found
        True

    Args:
        row: Row of the cell.
        column: Column of the cell.
        value: Value of the cell in all solutions; None if it differs, or is unknown.
        lines: Numbers of the lines (rows first, then columns) of which the clues force the value;
            empty for a given cell.
        minimality: Minimality of the set of lines; None if there is no value.
        steps: Derivation of the value from these lines.
        verdict: `unique` if the cell is settled, `multiple` if it differs in two solutions,
            `unsolvable` if there is no solution, `unknown` if a limit was hit.
        sentence: The reason in a sentence.
        is_sure: True if the puzzle is known to have a solution; otherwise the forced value
            holds in all solutions, if there are any.
    """

    row: int
    column: int
    value: int | None
    lines: tuple[int, ...]
    minimality: Minimality | None
    steps: tuple[Step, ...]
    verdict: Verdict
    sentence: str
    is_sure: bool = True

    def description(self) -> str:
        """Return the reason as a sentence."""
        return self.sentence

    def __str__(self) -> str:
        return "\n".join([*numbered(self.steps), self._summary()])

    def scene(self) -> Scene:
        """Return the cells that its steps settle, and the lines that force the marked cell."""
        cells = [*self.puzzle.given, *(cell for step in self.steps for cell in step.settled)]
        if self.value is not None:
            cells.append((self.row, self.column, self.value))
        known = filled(Grid.unknown(self.puzzle.height, self.puzzle.width), cells)
        seen = States(seen=self.lines)
        return Scene(self.puzzle, known, [(self.row, self.column)], self.in_a_line(), seen)

    def found_data(self) -> Data:
        """Return the value, the lines that force it, and the derivation."""
        puzzle = self.puzzle
        return {
            "verdict": self.verdict.value,
            "cell": [self.row, self.column],
            "value": None if self.value is None else puzzle.symbols[self.value],
            "lines": [line_data(puzzle, line) for line in self.lines],
            "strength": None if self.minimality is None else self.minimality.value,
            "sure": self.is_sure,
            "sentence": self.sentence,
            "steps": [step_data(puzzle, step) for step in self.steps],
        } | legend_data(puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        (row, column), value, strength = data["cell"], data["value"], data["strength"]
        return {
            "row": row,
            "column": column,
            "value": None if value is None else puzzle.symbols.index(value),
            "lines": tuple(line_of(puzzle, line) for line in data["lines"]),
            "minimality": None if strength is None else Minimality(strength),
            "steps": steps_of(puzzle, data["steps"]),
            "verdict": Verdict(data["verdict"]),
            "sentence": data["sentence"],
            "is_sure": data["sure"],
        }


def reason(
    puzzle: Nonogram,
    row: int,
    column: int,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Reason:
    """Find the reason for a cell's value.

        >>> found = nonosat.reason(nonosat.nonogram([[2], [1]], [[1], [2]]), 1, 1)
        >>> found.value, found.lines
        (1, (3,))

    Args:
        puzzle: A nonogram.
        row: Row of the cell, from 0.
        column: Column of the cell, from 0.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Returns:
        The value with the smallest set of lines that force it, proven up to
        `minimal_sets.MOST_PROVEN` lines; else with an irreducible set.

    Raises:
        UnsupportedError: A puzzle of another family, a cell outside the board, or limits out of
            range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    families.require(puzzle, "nonogram", "explanations are")
    if not (hasattr(row, "__index__") and hasattr(column, "__index__")):
        raise UnsupportedError(f"the cell is {shown((row, column))}, expected two whole numbers")
    if not (0 <= row < puzzle.height and 0 <= column < puzzle.width):
        raise UnsupportedError(
            f"cell ({row}, {column}) is outside the board of {puzzle.height} rows and "
            f"{puzzle.width} columns, which count from 0"
        )
    watch = watch_of(time_limit_s, memory_limit_mib)
    started = perf_counter()
    search = _ReasonSearch(puzzle, row * puzzle.width + column, watch)
    if limit := run_limited(watch, search.work):
        search.description = sentence(limit)
    return search.result(perf_counter() - started)


class _ReasonSearch:
    """Search for the reason of one cell."""

    def __init__(self, puzzle: Nonogram, place: int, watch: Watch) -> None:
        self.description = ""
        self._puzzle, self._place, self._watch = puzzle, place, watch
        self._words = Words(puzzle)
        self._verdict = Verdict.UNKNOWN
        self._value: int | None = None
        self._lines: tuple[int, ...] = ()
        self._minimality: Minimality | None = None
        self._steps: tuple[Step, ...] = ()
        self._is_sure = True

    def result(self, seconds: float) -> Reason:
        row, column = divmod(self._place, self._puzzle.width)
        return Reason(
            self._puzzle,
            row,
            column,
            self._value,
            self._lines,
            self._minimality,
            self._steps,
            self._verdict,
            self.description,
            self._is_sure,
            seconds=seconds,
            limits=self._watch.limits,
        )

    def work(self) -> None:
        """Find the reason; raise LimitReached at a limit."""
        start = Knowledge(self._puzzle)
        engine = ClueOracle(self._puzzle, self._watch)
        try:
            values = self._possible(engine, start)
            if len(values) != 1:
                self._refuse(bool(values))
                return
            is_given = len(start.values(self._place)) == 1
            nothing = SmallestSet((), (), Minimality.SMALLEST)
            core = nothing if is_given else self._forcing(engine, values[0], start)
        finally:
            engine.close()
        self._settle(values[0], core, start)

    def _refuse(self, is_solvable: bool) -> None:
        """Record that no clues force a value: it differs, or there is no solution."""
        if not is_solvable:
            self._verdict, self.description = Verdict.UNSOLVABLE, "The puzzle has no solution."
            return
        where = sentence(self._words.place(self._place))[:-1]
        self._verdict = Verdict.MULTIPLE
        self.description = f"{where} has different values in two solutions, so no clues force it."

    def _possible(self, engine: ClueOracle, start: Knowledge) -> list[int]:
        """Return the values that the cell has in some solution, two at most.

        A short search comes first: for a hard puzzle it may refute all values but one long before
        any solution is found.
        """
        possible: list[int] = []
        undecided = start.values(self._place)
        for conflicts in CONFLICTS:
            for value in tuple(undecided):
                lits = engine.is_value(self._place, value)
                answer = engine.query([*engine.selectors, *lits], conflicts)
                if answer is Answer.SAT:
                    possible.append(value)
                    engine.set_phases(engine.cells())
                if answer is not Answer.UNKNOWN:
                    undecided.remove(value)
            if len(undecided) + len(possible) < 2:
                break
        if not possible and len(undecided) == 1:
            self._is_sure = False
            return undecided
        if len(possible) > 1 or not undecided:
            return possible[:2]
        return self._checked(engine, start)

    def _checked(self, engine: ClueOracle, start: Knowledge) -> list[int]:
        """Return the same as `_possible`, by a check of the whole puzzle with the best engines."""
        result = pipeline.check(replace(self._puzzle, goal=None), **left_of(self._watch))
        if result.verdict is Verdict.UNKNOWN:
            raise self._watch.limit()
        for solution in result.solutions:
            engine.set_phases(solution.cells)
        values = {solution.cells[self._place] for solution in result.solutions}
        for value in start.values(self._place):
            if result.verdict is Verdict.MULTIPLE and len(values) == 1 and value not in values:
                known = start.copy()
                known.apply(known.settling(self._place, value))
                if solution_of(self._puzzle, known, self._watch) is not None:
                    values.add(value)
        return sorted(values)

    def _forcing(self, engine: ClueOracle, value: int, start: Knowledge) -> SmallestSet:
        """Return a smallest set of lines that force the value; all lines are known to force it."""
        otherwise = engine.is_not(self._place, value)
        members = SoftConstraints(engine, start, lines=range(len(start.clues)))
        row, column = divmod(self._place, self._puzzle.width)
        height = self._puzzle.height

        def nearness(line: int) -> int:
            return -abs(line - row) if line < height else -abs(line - height - column)

        return members.fewest([otherwise], self._watch, nearness)

    def _settle(self, value: int, core: SmallestSet, start: Knowledge) -> None:
        """Record that the lines in `core` force the cell's value, and derive it from them."""
        self._steps = self._derived(start, value, core.lines)
        self._verdict, self._value = Verdict.UNIQUE, value
        self._lines, self._minimality = core.lines, core.minimality
        self.description = sentence(f"{self._words.place(self._place)} {self._because(value)}")
        if not self._is_sure:
            self.description += (
                f" (A search of {CONFLICTS[0]} conflicts did not determine whether the puzzle has "
                "a solution.)"
            )

    def _because(self, value: int) -> str:
        name = self._words.value(value)
        if not self._lines:
            return f"is given as {name}"
        lines = lines_listed(self._lines, self._puzzle.height)
        if len(self._lines) == 1:
            return f"is {name} because the clue of {self._words.line(self._lines[0])} forces it"
        assert self._minimality is not None
        clues = f"the clues of these {len(self._lines)} lines"
        return f"is {name} because {clues} force it: {lines}; {NEEDED[self._minimality]}"

    def _derived(self, start: Knowledge, value: int, lines: tuple[int, ...]) -> tuple[Step, ...]:
        """Derive the cell's value from these lines, in steps that use no others."""
        place, allowed = self._place, frozenset(lines)
        reasoner = Reasoner(self._puzzle, start.copy(), self._watch, allowed)
        assuming = Assumptions(reasoner, allowed, place)
        steps: list[Step] = []
        while len(reasoner.known.values(place)) > 1:
            step = reasoner.line_step() or assuming.step()
            steps.append(step or _searched(reasoner, place, value, lines))
        return needed(steps, reasoner.known, {place})


def _searched(reasoner: Reasoner, place: int, value: int, lines: tuple[int, ...]) -> Step:
    """Return the step that settles a cell because an engine refutes its other values.

    It is used if no single assumption about the lines settles the cell.
    """
    names = reasoner.words
    settled, _ = reasoner.take(reasoner.known.settling(place, value))
    text = (
        f"a guess, because no single assumption about these {len(lines)} lines settles the cell: "
        f"a search in them finds that {names.place(place)} is {names.value(value)}"
    )
    return Step("guess", lines, reasoner.cells(settled), (), sentence(text))
