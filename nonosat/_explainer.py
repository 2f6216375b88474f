"""The record of what explains a family's puzzles; `nonosat.plugins` offers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from nonosat._records import Plugin

if TYPE_CHECKING:
    from nonosat.limits import Watch


class Explainer(Plugin):
    """A module or folder of `explain/`, named as a family: it explains the family's puzzles.

    A step is a frozen record with `technique`, `settled` and `sentence`, and what else the family
    tells of it. `settled` are marks: a place as `Family.places` names it, and behind it the value
    that it has. A state is what is known of a solution: a `Drawn` that compares.

    Args:
        techniques: What there is, by name, easiest first, each with what it does.
        grades: The grade of each, as `explain.rating.NAMES` has them.
        explain: Puzzle and watch; an `Explanation`, without the clues that contradict each other.
        contradiction: Puzzle and watch: of a puzzle without a solution, the `Contradiction` of its
            clues. None where nothing looks for them.
        contradiction_of: Such an answer of its JSON data and the puzzle.
        hint: Puzzle, state (None: what the puzzle itself holds) and watch; a `Hint`.
        read_state: The state that a file's content shows of a puzzle; raises FormatError.
        with_given: The puzzle with what a state shows as given values; raises PuzzleError where
            they contradict what is given.
        follow: Puzzle and state (None: nothing but what is given); an `explain.story.Board`.
        step_data: A step of a puzzle as JSON data.
        step_of: And back.
        state_data: A state of a puzzle as JSON data.
        state_of: And back.
        marks_data: Marks of a puzzle as JSON data.
        marks_of: And back.
    """

    techniques: Mapping[str, str]
    grades: Mapping[str, int]
    explain: Callable[[Any, Watch], Any]
    hint: Callable[[Any, Any, Watch], Any]
    read_state: Callable[[bytes, Any], Any]
    with_given: Callable[[Any, Any], Any]
    follow: Callable[[Any, Any], Any]
    step_data: Callable[[Any, Any], dict[str, Any]]
    step_of: Callable[[Any, Any], Any]
    state_data: Callable[[Any, Any], Any]
    state_of: Callable[[Any, Any], Any]
    marks_data: Callable[[Any, Any], list[Any]]
    marks_of: Callable[[Any, Any], tuple[Any, ...]]
    contradiction: Callable[[Any, Watch], Any] | None = None
    contradiction_of: Callable[[Any, Any], Any] | None = None
