"""Following steps: what a board looks like after each, as scenes with titles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from nonosat.core.errors import printable
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Scene
from nonosat.explain.explainers import explainer_of


class Board(Protocol):
    """What is known while steps are followed; `Explainer.follow` makes one."""

    def learn(self, step: Any) -> None:
        """Believe a step."""

    def state(self) -> Any:
        """What is known by now."""

    def lines(self) -> list[str]:
        """The same as text."""

    def table(self, step: Any) -> list[str]:
        """What belongs below the sentence of the next step, as lines of text."""

    def scene(self, step: Any, caption: str) -> Scene:
        """What is known, and what stands out in it of the step that was learnt last."""


def numbered(steps: Iterable[Any]) -> list[str]:
    """The sentences of steps, numbered from 1."""
    return [f"{number}. {step.sentence}" for number, step in enumerate(steps, start=1)]


def storyboard(puzzle: Any, steps: Iterable[Any], what: str = "") -> list[tuple[str, Scene]]:
    """What is known after each step, and what that step settles.

    Args:
        puzzle: Whose steps they are.
        steps: In order, from what it gives on.
        what: What they tell, for their titles.
    """
    board: Board = explainer_of(puzzle).follow(puzzle, None)
    steps, found = [*steps], []
    for number, step in enumerate(steps, start=1):
        board.learn(step)
        title = titled(puzzle, what, f"step {number} of {len(steps)}")
        found.append((title, board.scene(step, step.sentence)))
    return found


def titled(puzzle: Puzzle, *parts: str) -> str:
    """A title of these parts, behind the puzzle's own one."""
    title, own = printable(puzzle.about.title), printable(puzzle.about.id)
    name = title or ("" if own.isdecimal() else own)
    text = ", ".join(part for part in (name, *parts) if part)
    return text if name else text.capitalize()
