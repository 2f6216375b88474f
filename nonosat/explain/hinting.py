"""The next easiest step from a partly filled board, or the marks that contradict the clues.

A mark is a cell that is filled in, or an edge of which something is known. It is wrong where no
solution has it. Where no mark is wrong by itself and the marks still contradict the clues, a
smallest set of them that does is named.
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
from nonosat.explain.minimality import Minimality
from nonosat.questions.reply import Reply

if TYPE_CHECKING:
    from nonosat.core.limits import Watch
    from nonosat.core.plugins import Puzzle


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
        """Whether what is filled in contradicts the clues."""
        return bool(self.conflict)

    def table(self) -> list[str]:
        """What belongs below the step's sentence, as lines of text: of one by prices its table."""
        if self.step is None:
            return []
        board = explainer_of(self.puzzle).follow(self.puzzle, self.given)
        for step in self.before:
            board.learn(step)
        found: list[str] = board.table(self.step)
        return found

    def told(self) -> str:
        """The sentence."""
        return self.sentence

    def scene(self) -> Scene:
        """The state after the step, whose places are marked; or what is wrong."""
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
        """The step, or what is wrong."""
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
        """The fields of that data."""
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


class Search(Protocol):
    """A family's search for a hint."""

    def work(self) -> dict[str, Any]:
        """Fields of a `Hint`; LimitReached where a limit is hit."""

    def close(self) -> None:
        """Free its engines."""


def hinted(puzzle: Puzzle, given: Any, search: Search, watch: Watch) -> Hint:
    """What a search finds within the limits of a watch; a limit is told as the sentence."""
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
    """Find the next easiest step, or what is wrong.

        >>> puzzle = nonosat.nonogram([[2], [1]], [[1], [2]])
        >>> nonosat.hint(puzzle, "##\\n??").step.settled
        ((1, 1, 1),)
        >>> nonosat.hint(puzzle, ".?\\n??").wrong
        ((0, 0, 0),)

    Args:
        puzzle: A nonogram or a Slitherlink.
        given: What is filled in. Of a nonogram a grid or rows of numbers, UNKNOWN or None in open
            cells, or text, a line a row with the puzzle's symbols and "?" in open cells; None is
            the last state that is saved in the puzzle, or nothing. Of a Slitherlink
            `Edges`, or the frame that `show` prints as text, with "x" on edges that are not on the
            path.
        time_limit_s: Wall seconds; None (or infinity) is without limit.
        memory_limit_mib: Resident memory of the process; None is without limit.

    Raises:
        NotAPuzzleError: It is no puzzle; the message says what to write.
        PuzzleError: The state is not one of this puzzle.
        FormatError: The text is none of this puzzle.
        UnsupportedError: A puzzle of another family, or limits out of range.
        BackendError: A solver failed or gave an answer that the clues refute.
    """
    explainer = explainer_of(puzzle, "hints are")
    if isinstance(given, str):
        given = explainer.read_state(given.encode(), puzzle)
    found: Hint = explainer.hint(puzzle, given, watch_of(time_limit_s, memory_limit_mib))
    return found
