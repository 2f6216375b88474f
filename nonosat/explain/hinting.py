"""The next easiest step from a partly filled board, or the marks that contradict the clues.

A mark is a cell that is filled in. It is wrong where no solution has it. Where no mark is wrong by
itself and the marks still contradict the clues, a smallest set of them that does is named. A line
that cannot be completed is told first, for anybody can see that.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nonosat import families
from nonosat.board.presolve import presolved
from nonosat.errors import LimitReached, PuzzleError, rows_by_columns
from nonosat.explain.asker import Asker
from nonosat.explain.contradictions import (
    Contradiction,
    contradiction_within,
    why_data,
    why_in,
)
from nonosat.explain.data import (
    cells_data,
    cells_of,
    legend_data,
    line_data,
    line_of,
    rows_data,
    step_data,
    step_of,
    steps_of,
)
from nonosat.explain.given import read_state
from nonosat.explain.guessing import solution_of
from nonosat.explain.knowledge import Impossible, Knowledge
from nonosat.explain.members import Members, Pair
from nonosat.explain.probing import task_of
from nonosat.explain.smallest import Minimality
from nonosat.explain.solver import Solver, needed
from nonosat.explain.step import Cell, Step, filled, standing_out
from nonosat.explain.tables import printed
from nonosat.explain.words import Words, sentence
from nonosat.grid import UNKNOWN, Grid
from nonosat.plugins import Answer
from nonosat.presenting import Data, Scene, States
from nonosat.processes.guard import watch_of, within
from nonosat.questions.reply import Reply
from nonosat.result import Verdict

if TYPE_CHECKING:
    from nonosat.limits import Watch
    from nonosat.puzzles.nonogram import Nonogram

# Budgets of the search that tells whether a state is right; after them a step is told all the same.
PROBE_WORK = 100_000_000  # units of native work, about a nanosecond each
CONFLICTS = 3000


@dataclass(frozen=True, slots=True, repr=False)
class Hint(Reply):
    """What to do next; `reason` is empty, for the sentence names a limit that was hit.

        >>> found = nonosat.hint(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> nonosat.Hint.from_data(found.to_data()) == found
        True

    Args:
        given: The state that it is for.
        sentence: All of it in a sentence or two.
        step: The next step that settles a cell; None where there is none.
        before: Steps that it rests on and that only rule out values, which a state does not show.
        is_sure: False with a step where no solution is known to agree with the state: the step
            follows from the clues and the state, but the state may be wrong.
        wrong: All marks that are so in no solution; where some are given otherwise in the puzzle,
            these alone; none where a limit ended the search for a solution.
        conflict: Marks that contradict the clues together, few of them.
        line: Number of the line whose clue alone they contradict, if it is one.
        minimality: Whether no fewer of the marks contradict these clues; None without a conflict.
        verdict: None where there is a step, or where marks are wrong; `solved` where the state is
            complete and right, `multiple` where what is open differs in two solutions,
            `unsolvable` where the puzzle has no solution whatever is filled in, `unknown` where a
            limit was hit.
        contradiction: Of an unsolvable puzzle, the clues that contradict each other.
    """

    given: Grid
    sentence: str
    step: Step | None = None
    before: tuple[Step, ...] = ()
    is_sure: bool = True
    wrong: tuple[Cell, ...] = ()
    conflict: tuple[Cell, ...] = ()
    line: int | None = None
    minimality: Minimality | None = None
    verdict: Verdict | None = None
    contradiction: Contradiction | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether what is filled in contradicts the clues."""
        return bool(self.conflict)

    def table(self) -> list[str]:
        """Of a step by prices its table as text, else nothing."""
        if self.step is None or self.step.prices is None:
            return []
        known = Knowledge(self.puzzle)
        for place, value in _filled_in(self.given):
            known.apply(known.settling(place, value))
        for step in self.before:
            known.learn(step)
        return printed(self.puzzle, self.step, known)

    def told(self) -> str:
        """The sentence."""
        return self.sentence

    def scene(self) -> Scene:
        """The state after the step, whose cells are marked; or what is wrong."""
        if self.step is not None:
            after = filled(self.given, self.step.settled)
            return Scene(self.puzzle, after, *standing_out(self.step, self.sentence))
        wrong = [(row, column) for row, column, _ in self.wrong or self.conflict]
        clashing: tuple[int, ...] = () if self.line is None else (self.line,)
        if self.contradiction is not None:
            clashing = self.contradiction.lines
        states = States(wrong=wrong, clashing=clashing)
        return Scene(self.puzzle, self.given, (), self.sentence, states)

    def found_data(self) -> Data:
        """The step, or what is wrong."""
        puzzle = self.puzzle
        data: Data = {
            "verdict": None if self.verdict is None else self.verdict.value,
            "sentence": self.sentence,
            "step": None if self.step is None else step_data(puzzle, self.step),
            "before": [step_data(puzzle, step) for step in self.before],
            "sure": self.is_sure,
            "wrong": cells_data(puzzle, self.wrong),
            "conflict": cells_data(puzzle, self.conflict),
            "line": None if self.line is None else line_data(puzzle, self.line),
            "strength": None if self.minimality is None else self.minimality.value,
            "given": rows_data(puzzle, self.given.cells),
        }
        return data | why_data(self.contradiction) | legend_data(puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """The fields of that data."""
        step, line, strength = (data[name] for name in ("step", "line", "strength"))
        return {
            "given": Grid.of_rows(data["given"], puzzle.symbols),
            "sentence": data["sentence"],
            "step": None if step is None else step_of(puzzle, step),
            "before": steps_of(puzzle, data["before"]),
            "is_sure": data["sure"],
            "wrong": cells_of(puzzle, data["wrong"]),
            "conflict": cells_of(puzzle, data["conflict"]),
            "line": None if line is None else line_of(puzzle, line),
            "minimality": None if strength is None else Minimality(strength),
            "verdict": None if data["verdict"] is None else Verdict(data["verdict"]),
            "contradiction": why_in(data, puzzle),
        }


def hint(
    puzzle: Nonogram,
    given: Grid | str | None = None,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Hint:
    """Find the next easiest step, or what is wrong.

        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]])
        >>> nonosat.hint(puzzle, "##\\n??").step.settled
        ((1, 1, 1),)
        >>> nonosat.hint(puzzle, ".?\\n??").wrong
        ((0, 0, 0),)

    Args:
        puzzle: A nonogram.
        given: What is filled in: a grid, UNKNOWN in open cells, or text, a line a row with the
            puzzle's symbols and "?" in open cells; None is the last state that is saved in the
            puzzle, or nothing.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        PuzzleError: The state is not one of this puzzle.
        FormatError: The text is none of this puzzle.
        UnsupportedError: A puzzle of another family, or limits out of range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    families.require(puzzle, "nonogram", "hints are")
    if given is None:
        nothing = Grid.unknown(puzzle.height, puzzle.width)
        given = puzzle.saved[-1] if puzzle.saved else nothing
    elif isinstance(given, str):
        given = read_state(given.encode(), puzzle)
    _check(puzzle, given)
    watch = watch_of(time_limit_s, memory_limit_mib)
    started = perf_counter()
    search = _Search(puzzle, given, watch)
    try:
        fields = within(watch, search.work, guarded=False)
    except LimitReached as limit:
        fields = {"sentence": sentence(str(limit)), "verdict": Verdict.UNKNOWN}
    finally:
        search.close()
    return Hint(puzzle, given, **fields, seconds=perf_counter() - started, limits=watch.limits)


def _check(puzzle: Nonogram, given: Grid) -> None:
    """Refuse a state of another board."""
    known = given.cells.translate(None, bytes([UNKNOWN]))
    if (given.height, given.width) != (puzzle.height, puzzle.width):
        raise PuzzleError(
            f"the state is {rows_by_columns(given.height, given.width)}, "
            f"the puzzle {puzzle.height} x {puzzle.width}"
        )
    if max(known, default=0) > len(puzzle.colours):
        raise PuzzleError(
            f"the state uses colour {max(known)}, expected 0 to {len(puzzle.colours)}"
        )


def _filled_in(given: Grid) -> list[Pair]:
    """The places that a state knows, with their values."""
    return [pair for pair in enumerate(given.cells) if pair[1] != UNKNOWN]


class _Search:
    """The search for a hint; results are fields of a `Hint`."""

    def __init__(self, puzzle: Nonogram, given: Grid, watch: Watch) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._words = Words(puzzle)
        self._pairs = _filled_in(given)
        self._start = Knowledge(puzzle)
        self._asker: Asker | None = None

    def close(self) -> None:
        """Free the engine."""
        if self._asker is not None:
            self._asker.close()

    def work(self) -> dict[str, Any]:
        """Find out; LimitReached where a limit is hit."""
        if against := [pair for pair in self._pairs if not self._start.may_be(*pair)]:
            return self._against(against)
        known = self._start.copy()
        known.apply(gone for pair in self._pairs for gone in known.settling(*pair))
        possible = self._possible(known)
        if possible is not Answer.UNSAT:
            # The steps may find a contradiction that the search did not come to.
            with suppress(Impossible):
                return self._next(known, is_sure=possible is Answer.SAT)
        return self._contradicted(self._broken_line(known))

    def _broken_line(self, known: Knowledge) -> int | None:
        """The first line that no placement of its blocks fits."""
        for line in range(len(known.clues)):
            self._watch.check()
            if known.implied(line) is None:
                return line
        return None

    def _possible(self, known: Knowledge) -> Answer:
        """Whether some solution agrees with the state, as far as a short search can tell."""
        task = task_of(self._puzzle, known, self._watch)
        run = presolved(task, self._watch, work=PROBE_WORK)
        if not all(done.is_consistent for done in run):
            return Answer.UNSAT
        assert task.board is not None
        if task.board.is_complete:
            return Answer.SAT
        asker = self._engine()
        lits = [lit for pair in self._pairs for lit in asker.is_value(*pair)]
        return asker.ask([*asker.selectors, *lits], CONFLICTS)

    def _next(self, known: Knowledge, *, is_sure: bool) -> dict[str, Any]:
        """The next step that settles a cell, and the steps before it that it rests on."""
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
        """The last of the steps as the hint."""
        step = steps[-1]
        places = [row * known.width + column for row, column, _ in step.settled]
        *before, _ = needed(steps, known, places)
        told = " ".join(each.sentence for each in (*before, step))
        if not is_sure:
            told += f" (A search of {CONFLICTS} conflicts does not tell whether any solution "
            told += "agrees with what is filled in.)"
        return {"sentence": told, "step": step, "before": tuple(before), "is_sure": is_sure}

    # Impossibles

    def _unsolvable(self) -> dict[str, Any]:
        """The puzzle has no solution."""
        why = contradiction_within(self._puzzle, self._watch, is_unsolvable=True)
        return {
            "sentence": "The puzzle has no solution, whatever is filled in.",
            "verdict": Verdict.UNSOLVABLE,
            "contradiction": why,
        }

    def _cells(self, pairs: list[Pair]) -> tuple[Cell, ...]:
        return tuple((*divmod(place, self._puzzle.width), value) for place, value in pairs)

    def _engine(self) -> Asker:
        if self._asker is None:
            self._asker = Asker(self._puzzle, self._watch)
        return self._asker

    def _against(self, pairs: list[Pair]) -> dict[str, Any]:
        """Marks other than given cells; of a puzzle without a solution it is that which counts."""
        with suppress(LimitReached):  # what is known already is told all the same
            if solution_of(self._puzzle, self._start, self._watch) is None:
                return self._unsolvable()
        cells = self._cells(pairs)
        return {
            "sentence": f"The puzzle gives other values. {self._words.wrong(pairs)}",
            "wrong": cells,
            "conflict": cells[:1],
            "minimality": Minimality.SMALLEST,
        }

    def _contradicted(self, line: int | None) -> dict[str, Any]:
        """Which cells contradict the clue of a line, or all the clues."""
        # What a line says comes first, so that no limit on the search for a solution takes it away.
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
        told = self._words.scattered(dict(chosen))
        parts = []
        if line is not None:
            parts.append(sentence(f"{self._words.line(line)} cannot be completed while {told}"))
        elif not wrong:
            parts.append(sentence(f"the clues cannot hold while {told}"))
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
        """Cells that have their values in no solution."""
        asker = self._engine()
        unlike = [(at, value) for at, value in self._pairs if solution.cells[at] != value]
        lits = {pair: asker.is_value(*pair) for pair in unlike}
        return [
            pair for pair in unlike if asker.ask([*asker.selectors, *lits[pair]]) is Answer.UNSAT
        ]

    def _conflict(self, line: int | None) -> tuple[list[Pair], Minimality]:
        """Few cells that contradict the clue of a line, or all the clues."""
        asker = self._engine()
        span = range(len(self._start.cells)) if line is None else self._start.span(line)
        inside = [pair for pair in self._pairs if pair[0] in span]
        base = asker.selectors if line is None else [asker.selectors[line]]
        found = Members(asker, self._start, pairs=inside).fewest(base, self._watch)
        return list(found.pairs), found.minimality
