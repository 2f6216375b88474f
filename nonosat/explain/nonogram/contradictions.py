"""Contradictory clues of a nonogram, for authors of unsolvable puzzles with a typo.

The members of a contradiction are clues of lines and given cells. A smallest contradictory set of
them is found by the method that finds the reason of a cell's value (`soft_constraints`), but
without an assumption about a cell. The derivation of the contradiction consists of steps that use
only this set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from nonosat.board import clashing
from nonosat.board.presolve import PresolvedModel
from nonosat.core.errors import LimitReached, counted
from nonosat.core.families import family_of
from nonosat.core.limits import left_of
from nonosat.core.model import Block
from nonosat.core.plugins import Answer, Puzzle
from nonosat.core.presenting import Data, Scene, States
from nonosat.core.result import Verdict
from nonosat.core.scope import run_limited
from nonosat.core.wording import listed, sentence
from nonosat.explain.data import legend_data, line_data, line_of
from nonosat.explain.minimal_sets import MORE_WORK, Minimality
from nonosat.explain.nonogram.assuming import Assumptions
from nonosat.explain.nonogram.clue_oracle import ClueOracle
from nonosat.explain.nonogram.data import (
    cells_data,
    cells_of,
    clue_data,
    step_data,
    steps_of,
)
from nonosat.explain.nonogram.knowledge import Impossible, Knowledge
from nonosat.explain.nonogram.soft_constraints import (
    CONFLICTS,
    Pair,
    SmallestSet,
    SoftConstraints,
    Trace,
    has_runs,
    traced,
)
from nonosat.explain.nonogram.solver import Reasoner, needed
from nonosat.explain.nonogram.step import Cell, Step
from nonosat.explain.nonogram.words import Words
from nonosat.explain.story import numbered, storyboard, titled
from nonosat.puzzles import nonogram
from nonosat.questions.reply import Reply
from nonosat.solving import pipeline

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.core.model import Clue
    from nonosat.puzzles.nonogram import Nonogram

# Contradictions of one or two members, found without search; linear in the board.
#
# A clue alone may be too long for its line. A row and a column share one cell, so they contradict
# each other only if they leave it no value; a clue and a given cell only if the clue rules
# the value out. Parallel lines, and given cells, never do. So if nothing is found here, a
# contradiction has at least three members.


LEAST = 3  # members of a contradiction if nothing is found


def seen(board: Knowledge, given: list[Pair], watch: Watch) -> SmallestSet | None:
    """Return one or two members that contradict each other without search; None if none do.

    Args:
        board: Knowledge of the clues only: every value is still possible.
        given: Given cells with their values.
        watch: Limits of the work.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    by_rows: dict[int, set[int]] = {}  # by place, the values that its row rules out
    by_columns: dict[int, set[int]] = {}
    for line in range(len(board.clues)):
        watch.check()
        removals = board.implied(line)
        if removals is None:
            return _fewest((line,))
        gone = by_rows if line < board.height else by_columns
        for place, value in removals:
            gone.setdefault(place, set()).add(value)
    for place, values in by_rows.items():
        if len(values | by_columns.get(place, set())) == board.num_values:
            return _fewest(board.through(place))
    for place, value in given:
        for line, gone in zip(board.through(place), (by_rows, by_columns), strict=True):
            if value in gone.get(place, ()):
                return _fewest((line,), ((place, value),))
    return None


def _fewest(lines: tuple[int, ...], pairs: tuple[Pair, ...] = ()) -> SmallestSet:
    return SmallestSet(lines, pairs, Minimality.SMALLEST)


# Contradictions by prices: the start of the search for a small one, and its sentence.
#
# An engine refutes at once what probing refutes, and the sets that it finds are as small. Other
# contradictions may be too hard for an engine to leave clues out: of n-dominoes of 14 to
# 20 with two clues swapped it kept 58 to 82 clues, of which prices leave 38 to 53.


def _priced_start(puzzle: Nonogram, watch: Watch) -> Trace | None:
    """Return contradictory lines, found by prices, with all given cells.

    None if prices find no contradiction, or if probing shows one, which needs no prices.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    task = _task(puzzle, watch)
    if not task.propagate(watch) or not task.probe(watch)[0]:
        return None
    clash = clashing.fewest(_task(puzzle, watch), watch)
    if clash is None:
        return None
    places = frozenset(row * puzzle.width + column for row, column, _ in puzzle.given)
    return Trace(frozenset(clash.lines), places)


def _price_clause(puzzle: Nonogram, lines: Iterable[int], watch: Watch) -> str:
    """Return a clause for people: why the clues of `lines` contradict each other, by prices.

    "" if prices do not show it.

    Raises:
        LimitReached: A limit of the watch is reached.
    """
    clash = clashing.among(_task(puzzle, watch), lines, watch)
    return "" if clash is None else clash.description()


def _task(puzzle: Nonogram, watch: Watch) -> PresolvedModel:
    return PresolvedModel.of(nonogram.build(puzzle), watch.check)


# Propagations for the proof that a set is smallest, on boards of more than LARGE cells: a picture
# of 200x200 takes 1.5 s with these, and 2 s with the number for smaller boards.
LARGE, LESS_WORK = 10_000, 5_000_000
MOST_REPAIRED = 20  # clues for which a replacement is searched
SHOWN_LINES = 3  # lines violated by the picture in the file
CLOSING = {
    Minimality.SMALLEST: "no smaller set of clues does",
    Minimality.IRREDUCIBLE: "without any one of them the others do not, but a smaller set may "
    "exist",
    Minimality.SUFFICIENT: "it was not determined whether all of them are needed",
}
REPAIRS = "if only one clue is wrong, there is a solution with"
NO_CLUE = "even without any clue there is no solution"
ONE_CLUE = "this clue alone cannot be satisfied"
NOTHING = {
    Verdict.SOLVED: "The clues do not contradict each other.",
    Verdict.UNKNOWN: "It was not determined whether the clues contradict each other.",
    Verdict.UNSOLVABLE: "It was not determined which clues contradict each other.",
}


@dataclass(frozen=True, slots=True, repr=False)
class Contradiction(Reply):
    """Clues that contradict each other; `reason` names a limit that was hit.

    Only nonograms have `lines`, `goal_breaks`, `repairs`, `steps` and `end`.

        >>> found = nonosat.contradiction(nonosat.nonogram([[2], [0]], [[1], [2]]))
        >>> found.members
        ('row 2 (clue 0)', 'column 2 (clue 2)')
        >>> nonosat.Contradiction.from_data(found.to_data()) == found
        True

    Args:
        verdict: `unsolvable`; `solved` if there is a solution, so that nothing contradicts;
            `unknown` if a limit was hit before either was known.
        lines: Numbers of the lines of the contradictory clues: rows first, then columns, from 0.
        cells: Contradictory given cells (row, column, value); for other families their clues.
        minimality: Minimality of the set; None without one.
        at_sight: Reason without search: a clue that is too long for its line, or "the
            rows fill 40 cells, the columns 41".
        goal_breaks: Numbers of the lines whose clue the picture in the file violates.
        repairs: (line, clue) for lines of the set: with this clue instead of its own, and all other
            clues and given cells, there is a solution. If only one clue is wrong, its line is
            among them.
        steps: Derivation of the contradiction, in steps that use only the set.
        end: The sentence with which these steps end.
    """

    verdict: Verdict
    lines: tuple[int, ...] = ()
    cells: tuple[Cell, ...] = ()
    minimality: Minimality | None = None
    at_sight: str = ""
    goal_breaks: tuple[int, ...] = ()
    repairs: tuple[tuple[int, Clue], ...] = ()
    steps: tuple[Step, ...] = ()
    end: str = ""

    def found_data(self) -> Data:
        """Return the members, and the statements about them."""
        puzzle, strength = self.puzzle, self.minimality
        return {
            "verdict": self.verdict.value,
            "lines": [clue_data(puzzle, line) for line in self.lines],
            "given": _terms_of(puzzle).cells_data(puzzle, self.cells),
            "strength": None if strength is None else strength.value,
            "at_sight": self.at_sight,
            "goal_breaks": [clue_data(puzzle, line) for line in self.goal_breaks],
            "repairs": [
                {**line_data(puzzle, line), "blocks": [list(block) for block in clue]}
                for line, clue in self.repairs
            ],
            "sentence": self.description(),
            "steps": [step_data(puzzle, step) for step in self.steps],
            "end": self.end,
        } | legend_data(puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        strength = data["strength"]
        return {
            "verdict": Verdict(data["verdict"]),
            "lines": tuple(line_of(puzzle, line) for line in data["lines"]),
            "cells": _terms_of(puzzle).cells_of(puzzle, data["given"]),
            "minimality": None if strength is None else Minimality(strength),
            "at_sight": data["at_sight"],
            "goal_breaks": tuple(line_of(puzzle, line) for line in data["goal_breaks"]),
            "repairs": tuple(
                (line_of(puzzle, one), tuple(Block(*block) for block in one["blocks"]))
                for one in data["repairs"]
            ),
            "steps": steps_of(puzzle, data["steps"]),
            "end": data["end"],
        }

    @property
    def members(self) -> tuple[str, ...]:
        """Contradictory members in words: lines with their clues, then given cells.

        For families other than nonograms the members are their clues.
        """
        return _terms_of(self.puzzle).members(self)

    @property
    def repaired(self) -> tuple[str, ...]:
        """Return the repairs in words."""
        words = Words(self.puzzle)
        return tuple(f"{words.of_clue(clue)} in {words.line(line)}" for line, clue in self.repairs)

    @property
    def headline(self) -> str:
        """Return a clause about the members, to be followed by their list."""
        assert self.minimality is not None
        subject = _terms_of(self.puzzle).subject(self)
        if subject in (NO_CLUE, ONE_CLUE):
            return subject
        return f"{subject} contradict each other; {CLOSING[self.minimality]}"

    def scene(self) -> Scene:
        """Return the puzzle as it is printed, with contradictory clues and given cells marked."""
        return _terms_of(self.puzzle).scene(self, [cell[:2] for cell in self.cells])

    def story(self) -> list[tuple[str, Scene]]:
        """Return titled scenes: the clues, then the board after each step of their refutation."""
        first = titled(self.puzzle, "clues that contradict each other"), self.scene()
        return [first, *storyboard(self.puzzle, self.steps, "why")]

    @property
    def _is_plain(self) -> bool:
        """True if the only member is the clue of a line, so that `at_sight` states everything."""
        return len(self.lines) == 1 and not self.cells

    def description(self) -> str:
        """Return the contradiction in sentences, without the steps."""
        parts = [sentence(self.at_sight)] if self.at_sight else []
        if self.minimality is None:
            parts.append(NOTHING[self.verdict])
        elif not self._is_plain:
            members = f": {listed(self.members)}" if self.members else ""
            parts.append(sentence(f"{self.headline}{members}"))
        if self.repairs:
            parts.append(sentence(f"{REPAIRS}: {listed(self.repaired)}"))
        return " ".join([*parts, *self.picture])

    def report(self, *, with_steps: bool = True) -> list[str]:
        """Return the contradiction as lines of text, a member a line, optionally with the steps."""
        lines = [sentence(self.at_sight)] if self.at_sight else []
        if self.minimality is None:
            lines.append(NOTHING[self.verdict])
        elif not self._is_plain:
            lines.append(sentence(self.headline)[:-1] + (":" if self.members else "."))
            lines += [f"  {member}" for member in self.members]
            if self.end and with_steps:
                lines.append("The contradiction, step by step:")
                lines += [f"  {text}" for text in numbered(self.steps)]
                lines.append(f"  {self.end}")
        if self.repairs:
            lines += [f"{sentence(REPAIRS)[:-1]}:", *(f"  {repair}" for repair in self.repaired)]
        lines += self.picture
        return [*lines, f"({self.reason})"] if self.reason else lines

    @property
    def picture(self) -> tuple[str, ...]:
        """Return sentences about the clues that the picture in the file violates."""
        texts: list[str] = []
        if not self.goal_breaks:
            return ()
        words, goal = Words(self.puzzle), self.puzzle.goal
        for line in self.goal_breaks[:SHOWN_LINES]:
            height = self.puzzle.height
            cells = goal.row(line) if line < height else goal.column(line - height)
            runs = words.of_clue(nonogram.clue_of(cells))
            texts.append(f"The picture in the file has {runs} in {words.line(line)}.")
        if more := len(self.goal_breaks) - len(texts):
            texts.append(f"It differs from {counted(more, 'more clue')} as well.")
        return tuple(texts)


class _Terms(NamedTuple):
    """Words, picture and JSON data of the members of a contradiction, for a kind of puzzle.

    Args:
        members: Function that returns the members in words.
        subject: Function that returns the subject of the headline, or NO_CLUE or ONE_CLUE.
        scene: Function that returns the puzzle with these cells marked.
        cells_data, cells_of: Convert `Contradiction.cells` to JSON data, and back.
    """

    members: Callable[[Contradiction], tuple[str, ...]]
    subject: Callable[[Contradiction], str]
    scene: Callable[[Contradiction, list[tuple[int, int]]], Scene]
    cells_data: Callable[[Any, tuple[Cell, ...]], list[list[Any]]]
    cells_of: Callable[[Any, Any], tuple[Cell, ...]]


def _lines_and_cells(found: Contradiction) -> tuple[str, ...]:
    words, width = Words(found.puzzle), found.puzzle.width
    given = (
        f"{words.place(row * width + column)} given as {words.value(value)}"
        for row, column, value in found.cells
    )
    return (*map(words.line, found.lines), *given)


def _num_lines_and_cells(found: Contradiction) -> str:
    parts = []
    if found.lines:
        several = f"the clues of {len(found.lines)} lines"
        parts.append("the clue of a line" if len(found.lines) == 1 else several)
    if found.cells:
        parts.append(counted(len(found.cells), "given cell"))
    return " and ".join(parts)


def _clues(found: Contradiction) -> tuple[str, ...]:
    clues = family_of(found.puzzle).clues
    assert clues is not None
    return tuple(clues.told(found.puzzle, cell) for cell in found.cells)


def _num_clues(found: Contradiction) -> str:
    if len(found.cells) > 1:
        return f"{len(found.cells)} clues"
    return ONE_CLUE if found.cells else NO_CLUE


_OF_LINES = _Terms(
    _lines_and_cells,
    _num_lines_and_cells,
    lambda found, cells: Scene(
        found.puzzle, None, (), found.description(), States(wrong=cells, clashing=found.lines)
    ),
    cells_data,
    cells_of,
)
_OF_CLUES = _Terms(
    _clues,
    _num_clues,
    lambda found, cells: Scene(found.puzzle, None, cells, found.description()),
    lambda _, cells: [[*cell] for cell in cells],
    lambda _, data: tuple((int(row), int(column), int(value)) for row, column, value in data),
)


def _terms_of(puzzle: Puzzle) -> _Terms:
    """Return the terms of a family: for nonograms lines and cells, for others their clues."""
    return _OF_LINES if family_of(puzzle).clues is None else _OF_CLUES


def contradiction_within(puzzle: Nonogram, watch: Watch, *, is_unsolvable: bool) -> Contradiction:
    """Find the fewest clues of a nonogram that contradict each other, within the limits of a watch.

    Args:
        puzzle: The puzzle.
        watch: Limits of the search.
        is_unsolvable: True if the puzzle is known to have no solution.
    """
    started = perf_counter()
    search = _ConflictSearch(puzzle, watch, is_unsolvable)
    limit = run_limited(watch, search.work)
    seconds = perf_counter() - started
    return replace(search.found, reason=limit, seconds=seconds, limits=watch.limits)


class _ConflictSearch:
    """Search for the contradictory clues of a nonogram.

    Attributes:
        found: The result so far.
    """

    def __init__(self, puzzle: Nonogram, watch: Watch, is_unsolvable: bool) -> None:
        self._puzzle, self._watch = puzzle, watch
        self._bare = replace(puzzle, given=(), goal=None)
        self._board = Knowledge(self._bare)
        self._repairs: list[tuple[int, Clue]] = []
        verdict = Verdict.UNSOLVABLE if is_unsolvable else Verdict.UNKNOWN
        self.found = Contradiction(
            puzzle,
            verdict,
            goal_breaks=tuple(self._broken_by_goal()),
        )

    def _broken_by_goal(self) -> Iterator[int]:
        if self._puzzle.goal is not None:
            for line, clue in enumerate(self._board.clues):
                span = self._board.span(line)
                cells = self._puzzle.goal.cells[span.start : span.stop : span.step]
                if not has_runs(cells, clue):
                    yield line

    def work(self) -> None:
        """Find the contradiction; raise LimitReached at a limit."""
        width = self._puzzle.width
        given = sorted({(row * width + column, value) for row, column, value in self._puzzle.given})
        fewest = seen(self._board, given, self._watch)
        self.found = replace(self.found, at_sight=self._at_sight(fewest))
        fewest = self._searched(fewest, given)
        if fewest is None:
            self.found = replace(self.found, verdict=Verdict.SOLVED)
            return
        self.found = replace(
            self.found,
            verdict=Verdict.UNSOLVABLE,
            lines=fewest.lines,
            cells=tuple((*divmod(place, width), value) for place, value in fewest.pairs),
            minimality=fewest.minimality,
            repairs=tuple(self._repairs),
        )
        self._watch.check()
        steps, end = self._derived()
        self.found = replace(self.found, steps=steps, end=end)

    def _at_sight(self, fewest: SmallestSet | None) -> str:
        """Return an obvious reason why there is no solution, as a clause; "" if there is none."""
        if fewest is not None and fewest.lines and not (fewest.lines[1:] or fewest.pairs):
            line, room = fewest.lines[0], len(self._board.span(fewest.lines[0]))
            return f"{Words(self._puzzle).line(line)} does not fit into {counted(room, 'cell')}"
        return nonogram.obstacle(self._puzzle) or ""

    def _searched(self, fewest: SmallestSet | None, given: list[Pair]) -> SmallestSet | None:
        """Return a smallest contradictory set, and store repairs; None if there is a solution.

        Args:
            fewest: The set if it is known; None if an engine must search for it.
            given: Given cells with their values.
        """
        engine = ClueOracle(self._bare, self._watch)
        try:
            members = SoftConstraints(engine, self._board, range(len(self._board.clues)), given)
            if fewest is None:
                is_open = self.found.verdict is Verdict.UNKNOWN
                if is_open and self._is_solvable(engine, members.lits):
                    return None
                work = MORE_WORK if len(self._board.cells) <= LARGE else LESS_WORK
                start = traced(Knowledge(self._puzzle), self._watch)
                start = start or _priced_start(self._puzzle, self._watch)
                fewest = members.fewest((), self._watch, more_work=work, start=start, least=LEAST)
            with suppress(LimitReached):
                self._repair(members, fewest.lines[:MOST_REPAIRED])
            return fewest
        finally:
            engine.close()

    def _repair(self, members: SoftConstraints, lines: tuple[int, ...]) -> None:
        """Store, for each of `lines`, another clue with which the other members have a solution."""
        for line in lines:
            if (cells := members.without(line)) is not None:
                span = self._board.span(line)
                runs = nonogram.clue_of(cells[span.start : span.stop : span.step])
                self._repairs.append((line, runs))

    def _is_solvable(self, engine: ClueOracle, lits: list[int]) -> bool:
        """Decide if there is a solution, by a short search, else by the best engines."""
        answer = engine.query(lits, CONFLICTS)
        if answer is Answer.UNKNOWN:
            result = pipeline.solve(replace(self._puzzle, goal=None), **left_of(self._watch))
            if result.verdict is Verdict.UNKNOWN:
                raise self._watch.limit()
            return bool(result.solutions)
        return answer is Answer.SAT

    def _derived(self) -> tuple[tuple[Step, ...], str]:
        """Return the steps to the contradiction, and the sentence that ends them."""
        puzzle = replace(self._bare, given=self.found.cells)
        lines = frozenset(self.found.lines)
        reasoner = Reasoner(puzzle, Knowledge(puzzle), self._watch, lines)
        assuming = Assumptions(reasoner, lines)
        steps: list[Step] = []
        try:
            while step := reasoner.line_step() or assuming.step():
                steps.append(step)
        except Impossible as error:
            line = error.line
            assert line is not None  # only a search for guesses names no line
            places = reasoner.known.span(line)
            return needed(steps, reasoner.known, places), sentence(str(error))
        shown = _price_clause(puzzle, lines, self._watch) or "a search finds no solution"
        end = f"no single assumption about these clues leads further; {shown}"
        return tuple(steps), sentence(end)
