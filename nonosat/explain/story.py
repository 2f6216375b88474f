"""Board after each step, as scenes with titles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from nonosat.core.errors import printable
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Scene
from nonosat.explain.explainers import explainer_of


class BoardState(Protocol):
    """State of a board while steps are applied; made by `Explainer.follow`."""

    def learn(self, step: Any) -> None:
        """Apply a step."""

    def state(self) -> Any:
        """Return the current state."""

    def lines(self) -> list[str]:
        """Return the current state as text."""

    def table(self, step: Any) -> list[str]:
        """Return lines of text to print below the sentence of a step, such as a price table."""

    def scene(self, step: Any, caption: str) -> Scene:
        """Return the current state, with the last step highlighted."""


def numbered(steps: Iterable[Any]) -> list[str]:
    """Return the sentences of steps, numbered from 1."""
    return [f"{number}. {step.sentence}" for number, step in enumerate(steps, start=1)]


def storyboard(puzzle: Any, steps: Iterable[Any], what: str = "") -> list[tuple[str, Scene]]:
    """Return the board after each step, with the cells that the step settles.

    Args:
        puzzle: Puzzle of the steps.
        steps: In order, starting from the given values.
        what: Text that begins the title of each step.
    """
    board: BoardState = explainer_of(puzzle).follow(puzzle, None)
    steps, found = [*steps], []
    for number, step in enumerate(steps, start=1):
        board.learn(step)
        title = titled(puzzle, what, f"step {number} of {len(steps)}")
        found.append((title, board.scene(step, step.sentence)))
    return found


def titled(puzzle: Puzzle, *parts: str) -> str:
    """Return a title made of the puzzle's own title and the given parts."""
    title, own = printable(puzzle.about.title), printable(puzzle.about.id)
    name = title or ("" if own.isdecimal() else own)
    text = ", ".join(part for part in (name, *parts) if part)
    return text if name else text.capitalize()
