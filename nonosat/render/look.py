"""Style of a picture, independent of its content: the colours (theme) and the position of clues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from nonosat.core.presenting import NO_STATES, States

Clues = Literal["", "once", "both-sides", "none"]


class Theme(NamedTuple):
    """Colours of the parts of a drawing for which the puzzle defines no colour.

    Args:
        paper: Background.
        ink: Clues and titles.
        faint: Less important texts: authors, clues without blocks.
        thin: Lines between cells.
        heavy: Every fifth line.
        frame: The edge of a board.
        board: Empty cells of a puzzle in black and white.
        filled: Filled cells of a puzzle in black and white.
        is_dark: True if paper is darker than ink.
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

# Colours of states, on light and on dark paper, in pictures and on pages. Each state
# also has a shape of its own, to be distinct in grey prints: `nonogram/board.py`.
MARK = "#e10082"  # disputed, changed, or settled by a step: a pink that hardly any puzzle uses
WRONG = "#c62828"  # cells that contradict the clues, and clues that contradict each other
ASSUMED = "#c77800"  # assumptions
SEEN = "#5b9bd5"  # lines that a step uses


class Look(NamedTuple):
    """Style of a drawing of a puzzle or a solution.

    Args:
        theme: Colours of the drawing.
        clues: "once" above and at the left, "both-sides" below and at the right as well, "none";
            "" is "once" for a puzzle that is not solved completely, else "none".
        is_bare: True to omit the lines between a nonogram's cells, for small pictures.
        states: Highlights of cells and lines, apart from marked cells.
    """

    theme: Theme = LIGHT
    clues: Clues = ""
    is_bare: bool = False
    states: States = NO_STATES

    def has_clues(self, *, is_open: bool) -> bool:
        """Return True if clues are drawn.

        Args:
            is_open: True if the drawn puzzle is not solved completely.
        """
        return self.clues in ("once", "both-sides") or (not self.clues and is_open)


USUAL = Look()
