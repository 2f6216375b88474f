"""Next easiest step from a partly filled board, or the marks that contradict the clues.

A mark is a filled-in cell, or a known edge. It is wrong if no solution has it. If no mark is wrong
by itself and the marks still contradict the clues, a smallest contradictory set of them is
returned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from nonosat.core.errors import LimitReached
from nonosat.core.limits import watch_of
from nonosat.core.presenting import Data, Scene, States
from nonosat.core.result import Verdict
from nonosat.core.scope import within
from nonosat.core.wording import sentence
from nonosat.explain.data import (
    contradiction_data,
    contradiction_in,
    legend_data,
    line_data,
    line_of,
)
from nonosat.explain.explainers import explainer_of
from nonosat.explain.minimal_sets import Minimality
from nonosat.questions.reply import Reply

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.core.plugins import Puzzle


@dataclass(frozen=True, slots=True, repr=False)
class Hint(Reply):
    """Next step from a state of the board, or the wrong marks of the state.

    `reason` is empty: if a limit was hit, the sentence names it.

        >>> found = nonosat.hint(nonosat.nonogram([[2], [1]], [[1], [2]]))
        >>> nonosat.Hint.from_data(found.to_data()) == found
        True

    Args:
        given: The state of the board.
        sentence: The whole hint in a sentence or two.
        step: The next step that settles a cell; None if there is none.
        before: Earlier steps on which `step` depends, and which only rule out values of cells, so
            that a state does not show them.
        is_sure: False with a step if no solution is known to agree with the state: the step
            follows from the clues and the state, but the state may be wrong.
        wrong: All marks that are in no solution; if some contradict given values of the puzzle,
            only these; empty if a limit ended the search for a solution.
        conflict: A small set of marks that together contradict the clues.
        line: Number of the line that contradicts `conflict` by its clue alone; None if none does.
        minimality: Minimality of `conflict`; None without a conflict.
        verdict: None if there is a step, or if marks are wrong; `solved` if the state is
            complete and right, `multiple` if two solutions differ in the open places,
            `unsolvable` if the puzzle has no solution independently of the marks, `unknown` if a
            limit was hit.
        contradiction: The contradictory clues of an unsolvable puzzle.
    """

    given: Any
    sentence: str
    step: Any = None
    before: tuple[Any, ...] = ()
    is_sure: bool = True
    wrong: tuple[Any, ...] = ()
    conflict: tuple[Any, ...] = ()
    line: int | None = None
    minimality: Minimality | None = None
    verdict: Verdict | None = None
    contradiction: Any = None

    @property
    def is_wrong(self) -> bool:
        """True if the marks contradict the clues."""
        return bool(self.conflict)

    def table(self) -> list[str]:
        """Return lines of text to print below the step's sentence, such as a price table."""
        if self.step is None:
            return []
        board = explainer_of(self.puzzle).follow(self.puzzle, self.given)
        for step in self.before:
            board.learn(step)
        found: list[str] = board.table(self.step)
        return found

    def description(self) -> str:
        """Return the hint as a sentence."""
        return self.sentence

    def scene(self) -> Scene:
        """Return the state after the step, with its places marked; or with the errors."""
        if self.step is not None:
            board = explainer_of(self.puzzle).follow(self.puzzle, self.given)
            board.learn(self.step)
            scene: Scene = board.scene(self.step, self.sentence)
            return scene
        wrong = [mark[:-1] for mark in self.wrong or self.conflict]
        clashing: tuple[int, ...] = () if self.line is None else (self.line,)
        if self.contradiction is not None:
            clashing = self.contradiction.lines
        states = States(wrong=wrong, clashing=clashing)
        return Scene(self.puzzle, self.given, (), self.sentence, states)

    def found_data(self) -> Data:
        """Return the step, or the errors."""
        puzzle, explainer = self.puzzle, explainer_of(self.puzzle)
        data: Data = {
            "verdict": None if self.verdict is None else self.verdict.value,
            "sentence": self.sentence,
            "step": None if self.step is None else explainer.step_data(puzzle, self.step),
            "before": [explainer.step_data(puzzle, step) for step in self.before],
            "sure": self.is_sure,
            "wrong": explainer.marks_data(puzzle, self.wrong),
            "conflict": explainer.marks_data(puzzle, self.conflict),
            "line": None if self.line is None else line_data(puzzle, self.line),
            "strength": None if self.minimality is None else self.minimality.value,
            "given": explainer.state_data(puzzle, self.given),
        }
        return data | contradiction_data(self.contradiction) | legend_data(puzzle)

    @classmethod
    def found_in(cls, data: Mapping[str, Any], puzzle: Any) -> dict[str, Any]:
        """Return constructor arguments from the data that `found_data` returned."""
        explainer = explainer_of(puzzle)
        step, line, strength = (data[name] for name in ("step", "line", "strength"))
        return {
            "given": explainer.state_of(puzzle, data["given"]),
            "sentence": data["sentence"],
            "step": None if step is None else explainer.step_of(puzzle, step),
            "before": tuple(explainer.step_of(puzzle, one) for one in data["before"]),
            "is_sure": data["sure"],
            "wrong": explainer.marks_of(puzzle, data["wrong"]),
            "conflict": explainer.marks_of(puzzle, data["conflict"]),
            "line": None if line is None else line_of(puzzle, line),
            "minimality": None if strength is None else Minimality(strength),
            "verdict": None if data["verdict"] is None else Verdict(data["verdict"]),
            "contradiction": contradiction_in(data, puzzle),
        }


class HintSearch(Protocol):
    """A family's search for a hint."""

    def work(self) -> dict[str, Any]:
        """Return fields of a `Hint`; raise LimitReached at a limit."""

    def close(self) -> None:
        """Free its engines."""


def hinted(puzzle: Puzzle, given: Any, search: HintSearch, watch: Watch) -> Hint:
    """Run a search within the limits of a watch; return its hint, or one that names the limit."""
    started = perf_counter()
    try:
        fields = within(watch, search.work)
    except LimitReached as limit:
        fields = {"sentence": sentence(str(limit)), "verdict": Verdict.UNKNOWN}
    finally:
        search.close()
    return Hint(puzzle, given, **fields, seconds=perf_counter() - started, limits=watch.limits)


def hint(
    puzzle: Any,
    given: Any = None,
    *,
    time_limit_s: float | None = None,
    memory_limit_mib: int | None = None,
) -> Hint:
    """Find the next easiest step, or the errors of a state.

        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]])
        >>> nonosat.hint(puzzle, "##\\n??").step.settled
        ((1, 1, 1),)
        >>> nonosat.hint(puzzle, ".?\\n??").wrong
        ((0, 0, 0),)

    Args:
        puzzle: A nonogram or a Slitherlink.
        given: The state. For a nonogram a grid or rows of numbers, UNKNOWN or None in open
            cells, or text, a line a row with the puzzle's symbols and "?" in open cells; None is
            the last state that is saved in the puzzle, or an empty board. For a Slitherlink
            `Edges`, or the frame that `show` prints as text, with "x" on edges that are not on the
            path.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        NotAPuzzleError: It is not a puzzle; the message names valid inputs.
        PuzzleError: The state is not one of this puzzle.
        FormatError: The text is not a state of this puzzle.
        UnsupportedError: A puzzle of another family, or limits out of range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    explainer = explainer_of(puzzle, "hints are")
    if isinstance(given, str):
        given = explainer.read_state(given.encode(), puzzle)
    found: Hint = explainer.hint(puzzle, given, watch_of(time_limit_s, memory_limit_mib))
    return found
