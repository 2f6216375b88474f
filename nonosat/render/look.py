"""What a picture looks like beside what it shows: its theme, and where clues stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Clues = Literal["", "once", "both-sides", "none"]


class Theme(NamedTuple):
    """Colours of all that no puzzle has colours for.

    Args:
        paper: What is drawn on.
        ink: Clues and titles.
        faint: What is less important: authors, clues without blocks.
        thin: Lines between cells.
        heavy: Every fifth line.
        frame: The edge of a board.
        board: Empty cells of a puzzle in black and white.
        filled: Its filled cells.
        is_dark: Whether paper is darker than ink.
    """

    paper: str
    ink: str
    faint: str
    thin: str
    heavy: str
    frame: str
    board: str
    filled: str
    is_dark: bool = False


LIGHT = Theme(
    "#ffffff", "#000000", "#666666", "#b4b4b4", "#808080", "#333333", "#ffffff", "#000000"
)
DARK = Theme(
    "#16181d", "#e8e8e8", "#9a9a9a", "#43474f", "#7b818c", "#a9aeb8", "#1f2228", "#e3e3e3", True
)
THEMES: Mapping[str, Theme] = {"light": LIGHT, "dark": DARK}
MARK = "#e10082"  # places that stand out: a pink that hardly any puzzle uses


class Look(NamedTuple):
    """How a puzzle or a solution is drawn.

    Args:
        theme: Its colours.
        clues: "once" above and at the left, "both-sides" below and at the right as well, "none";
            "" once where there is no solution, else none.
        is_bare: Without the lines between a nonogram's cells, for small pictures.
    """

    theme: Theme = LIGHT
    clues: Clues = ""
    is_bare: bool = False

    def has_clues(self, solution: object) -> bool:
        """Whether clues are drawn with this solution, or without one."""
        return self.clues in ("once", "both-sides") or (not self.clues and solution is None)


USUAL = Look()
