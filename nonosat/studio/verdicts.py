"""Messages about an edited puzzle, step by step; runs in the studio's child processes.

First the verdict; then, depending on it, the difficulty, every cell that differs and the number of
solutions, or the contradictory clues. Each of these is a step. A step first gets a slice of time;
if that does not suffice, `rest` executes the remaining steps in a child of their own.

Each editor has a `nonosat.Checker` here, which keeps the switches of earlier edits that make a
picture ambiguous, and continues a check whose slice was too short. Invariant: at most
`MOST_CHECKERS` are kept, the most recently used ones, `MOST_UNDER_WAY` of them with an unfinished
check.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import nonosat
from nonosat.core import hooks
from nonosat.studio.ticket import is_called_off
from nonosat.studio.wire import error_data, puzzle_of, text_of

MOST_CHECKERS = 64
MOST_UNDER_WAY = 8  # each has an engine, some MiB
MOST_EDITED = 400  # differing cells; with more, a picture is a new one
FIRST: tuple[str, ...] = ("verdict",)
_FOLLOWING = {"unique": ("rating",), "multiple": ("differing", "count"), "unsolvable": ("lines",)}
_checkers: OrderedDict[str, nonosat.Checker] = OrderedDict()


class Edit(NamedTuple):
    """An edited puzzle.

    Args:
        editor: Identifier of the page.
        number: Number of the edit, repeated in messages.
        sent: The puzzle as the page has sent it.
    """

    editor: str
    number: int
    sent: Any

    @property
    def is_drawn(self) -> bool:
        """True if the puzzle is a picture."""
        return isinstance(self.sent, dict) and "picture" in self.sent


class Solved(NamedTuple):
    """Result of a check of a picture.

    Args:
        other: Another solution of the picture's clues; None if there is none.
    """

    other: nonosat.Grid | None


class NumberedResult(NamedTuple):
    """Result of a step, with the number of its edit in the messages.

    Args:
        messages: Messages for the page, as JSON.
        todo: Names of the remaining steps; an unfinished step is the first of them.
        is_open: True if the time did not suffice to finish the step.
        goes_on: True if the step, when repeated, continues its search.
        solved: Result that other children can reuse; None for none.
    """

    messages: list[str]
    todo: tuple[str, ...]
    is_open: bool = False
    goes_on: bool = False
    solved: Solved | None = None


class StepResult(NamedTuple):
    """Result of a step, before the edit's number is added to its messages."""

    message: dict[str, Any] | None
    is_open: bool = False
    then: tuple[str, ...] = ()
    goes_on: bool = False
    solved: Solved | None = None


def step(
    edit: Edit, todo: tuple[str, ...], seconds: float, is_last: bool = False
) -> NumberedResult:
    """Execute the first of some steps.

    Args:
        edit: The edit.
        todo: Names of the steps, at least one.
        seconds: Time limit of the step.
        is_last: True to report partial results at the end of the time.
    """
    try:
        found = _STEPS[todo[0]](edit, puzzle_of(edit.sent), seconds)
    except nonosat.NonosatError as error:
        return NumberedResult([text_of({"edit": edit.number, "error": error_data(error)})], ())
    if found.is_open and not is_last:
        return NumberedResult([], todo, is_open=True, goes_on=found.goes_on)
    messages = [] if found.message is None else [text_of({"edit": edit.number, **found.message})]
    return NumberedResult(messages, found.then + todo[1:], solved=found.solved)


def rest(edit: Edit, todo: tuple[str, ...], seconds: float) -> Iterator[NumberedResult | None]:
    """Yield the results of all remaining steps, then None."""
    end = hooks.clock() + seconds
    while todo:
        left = end - hooks.clock()
        if left <= 0:
            break
        text = step(edit, todo, left, is_last=True)
        todo = text.todo
        yield text
    yield None


def learn(edit: Edit, solved: Solved) -> None:
    """Store the result of another child about an editor's picture."""
    checker = _checkers.get(edit.editor)
    if checker is not None and checker.picture == puzzle_of(edit.sent).goal:
        checker.abandon()
        checker.learn(solved.other)


def _verdict(edit: Edit, puzzle: Any, seconds: float) -> StepResult:
    solved, goes_on = None, False
    if edit.is_drawn:
        checker = _checker(edit.editor, puzzle)
        result = checker.check(time_limit_s=seconds, is_called_off=is_called_off)
        solved = Solved(result.solutions[1] if len(result.solutions) > 1 else None)
        goes_on = checker.is_searching
    else:
        result = nonosat.check(puzzle, time_limit_s=seconds)
    verdict = result.verdict.value
    message: dict[str, Any] = {"verdict": verdict, "seconds": round(result.seconds, 6)}
    if verdict == "unknown":
        return StepResult({**message, "reason": result.reason}, is_open=True, goes_on=goes_on)
    if verdict == "multiple":
        message |= {"differing": _places(result.disputed), "complete": False}
    return StepResult(message, then=_FOLLOWING[verdict], solved=solved)


def _checker(editor: str, puzzle: nonosat.Nonogram) -> nonosat.Checker:
    """Return the editor's checker, set to a picture."""
    checker, goal = _checkers.pop(editor, None), puzzle.goal
    assert goal is not None
    if checker is not None:
        old = checker.puzzle
        same = (old.height, old.width, len(old.colours))
        if same != (puzzle.height, puzzle.width, len(puzzle.colours)):
            checker = None
    edited = [] if checker is None else checker.picture.differences(goal)
    if checker is None or len(edited) > MOST_EDITED:
        checker = nonosat.Checker(puzzle)
    else:
        for row, column in edited:
            checker.set(row, column, goal[row, column])
    _checkers[editor] = checker
    while len(_checkers) > MOST_CHECKERS:
        _checkers.popitem(last=False)
    others = [each for each in _checkers.values() if each.is_under_way and each is not checker]
    for each in others[: -(MOST_UNDER_WAY - 1)]:
        each.abandon()
    return checker


def _rating(_: Edit, puzzle: object, seconds: float) -> StepResult:
    if not isinstance(puzzle, nonosat.Nonogram | nonosat.Slitherlink):
        return StepResult(None)
    found = nonosat.rate(puzzle, time_limit_s=seconds)
    rating = {"difficulty": found.difficulty, "name": found.name, "reason": found.reason}
    return StepResult({"rating": rating}, is_open=found.verdict.value == "unknown")


def _differing(_: Edit, puzzle: Any, seconds: float) -> StepResult:
    found = nonosat.backbone(puzzle, time_limit_s=seconds)
    message = {"differing": _places(found.differing), "complete": found.is_complete}
    return StepResult(message, is_open=not found.is_complete)


def _count(_: Edit, puzzle: Any, seconds: float) -> StepResult:
    found = nonosat.count(puzzle, time_limit_s=seconds)
    number = found.to_data()["count"]  # text: it may have more digits than JavaScript's numbers
    return StepResult({"count": number, "exact": found.is_exact}, is_open=not found.is_exact)


def _lines(_: Edit, puzzle: Any, seconds: float) -> StepResult:
    found = nonosat.contradiction(puzzle, time_limit_s=seconds)
    data = found.to_data()
    lines = [{key: line[key] for key in line.keys() & {"row", "column"}} for line in data["lines"]]
    message = {"lines": lines, "given": data["given"], "sentence": data["sentence"]}
    is_open = found.verdict.value == "unknown"
    return StepResult({"verdict": "unsolvable", **message}, is_open=is_open)


def _places(places: Any) -> list[list[int]]:
    return [list(place) for place in places]


_STEPS: dict[str, Callable[[Edit, Any, float], StepResult]] = {
    "verdict": _verdict,
    "rating": _rating,
    "differing": _differing,
    "count": _count,
    "lines": _lines,
}
