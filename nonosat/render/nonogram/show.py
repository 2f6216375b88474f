"""A nonogram as text: its picture with remarks, or its sheet with all that its file holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.errors import counted
from nonosat.grid import UNKNOWN
from nonosat.render._style import Style
from nonosat.render.nonogram.text import (
    Cells,
    clue_text,
    legend,
    picture,
    sheet,
    sheet_width,
    shrink_factor,
)

if TYPE_CHECKING:
    from nonosat.grid import Grid
    from nonosat.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram


def text(puzzle: Nonogram, solution: Grid | None, style: Style, marked: Cells = ()) -> str:
    """A solution, and below it what has to be known to read it; without one, the puzzle.

    The puzzle: a picture that it holds (its goal), its saved states, the printed sheet.
    """
    if solution is not None:
        return _picture(puzzle, solution, style, marked)
    parts = []
    if puzzle.goal is not None:
        parts.append(_picture(puzzle, puzzle.goal, style, ()))
    elif len(puzzle.colours) > 1 and not style.ansi:
        parts.append(legend(puzzle))
    parts += _saved(puzzle, style)
    needed = sheet_width(puzzle, style)
    if style.width is None or needed <= style.width:
        return "\n".join([*parts, sheet(puzzle, style)])
    parts += _listed("row", puzzle.rows, puzzle) + _listed("column", puzzle.columns, puzzle)
    parts.append(
        f"(the printed sheet is {needed} characters wide, the terminal {style.width}; "
        "a file or a pipe into `less -S` gets it whole)"
    )
    return "\n".join(parts)


def _picture(puzzle: Nonogram, grid: Grid, style: Style, marked: Cells) -> str:
    parts = [picture(puzzle, grid, style, marked)]
    if (factor := shrink_factor(grid, style)) > 1:
        parts.append(
            f"(shown at 1:{factor}; a terminal of {counted(grid.width, 'character')} a line, "
            "a file or a pipe gets it whole)"
        )
    if len(puzzle.colours) > 1 and not style.ansi:
        parts.append(legend(puzzle))
    return "\n".join(parts)


def _saved(puzzle: Nonogram, style: Style) -> list[str]:
    """The saved states; only how far they are where a terminal is too narrow for them."""
    parts = []
    for state in puzzle.saved:
        known = len(state.cells) - state.cells.count(UNKNOWN)
        parts.append(f"saved state: {known} of {counted(len(state.cells), 'cell')} known")
        if style.width is None or puzzle.width <= style.width:
            parts += state.lines(puzzle.symbols)
    if parts and style.ansi and len(puzzle.colours) > 1:
        parts.append(legend(puzzle))
    return parts


def _listed(kind: str, clues: tuple[Clue, ...], puzzle: Nonogram) -> list[str]:
    """Clues one a line, for a terminal too narrow for the sheet."""
    return [f"{kind} {index}: {clue_text(puzzle, clue)}" for index, clue in enumerate(clues, 1)]
