"""Storyboards: what a board looks like after each step, as scenes with titles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from nonosat.errors import printable
from nonosat.explain.knowledge import Knowledge
from nonosat.explain.step import Step, standing_out
from nonosat.grid import Grid
from nonosat.presenting import Scene

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram


def storyboard(puzzle: Nonogram, steps: Iterable[Step], what: str = "") -> list[tuple[str, Scene]]:
    """What is known after each step, and what that step settles.

    Args:
        puzzle: Whose steps they are.
        steps: In order, from its given cells on.
        what: What they tell, for their titles.
    """
    steps, known, found = [*steps], Knowledge(puzzle), []
    for number, step in enumerate(steps, start=1):
        known.learn(step)
        board = Grid(puzzle.height, puzzle.width, bytes(known.cells))
        scene = Scene(puzzle, board, *standing_out(step, step.sentence))
        found.append((titled(puzzle, what, f"step {number} of {len(steps)}"), scene))
    return found


def titled(puzzle: Nonogram, *parts: str) -> str:
    """A title of these parts, behind the puzzle's own one."""
    title, own = printable(puzzle.about.title), printable(puzzle.about.id)
    name = title or ("" if own.isdecimal() else own)
    text = ", ".join(part for part in (name, *parts) if part)
    return text if name else text.capitalize()
