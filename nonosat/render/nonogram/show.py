"""A nonogram as text: its picture with remarks, or its sheet with all that its file holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.core.errors import counted
from nonosat.core.grid import UNKNOWN
from nonosat.render._style import Style
from nonosat.render.nonogram.text import (
    Cells,
    clue_text,
    fit,
    legend,
    picture,
    sheet,
    sheet_width,
)

if TYPE_CHECKING:
    from nonosat.core.grid import Grid
    from nonosat.core.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram

_LEAST = 12  # characters a line that clues are wrapped to


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
    remark = style.too_wide("the printed sheet", sheet_width(puzzle, style))
    if style.width is None or not remark:
        return "\n".join([*parts, sheet(puzzle, style)])
    for kind, clues in (("row", puzzle.rows), ("column", puzzle.columns)):
        parts += _listed(kind, clues, puzzle, style.width)
    parts.append(remark)
    return "\n".join(parts)


def _picture(puzzle: Nonogram, grid: Grid, style: Style, marked: Cells) -> str:
    parts = [picture(puzzle, grid, style, marked)]
    if told := fit(puzzle, grid, style, marked).told(grid.width, style):
        parts.append(told)
    if len(puzzle.colours) > 1 and not style.ansi:
        parts.append(legend(puzzle))
    return "\n".join(parts)


def _saved(puzzle: Nonogram, style: Style) -> list[str]:
    """The saved states; only how far they are where a terminal is too narrow for them."""
    parts = []
    for state in puzzle.saved:
        known = len(state.cells) - state.cells.count(UNKNOWN)
        told = f"saved state: {known} of {counted(len(state.cells), 'cell')} known"
        if style.width is None or puzzle.width <= style.width:
            parts += [told, *state.lines(puzzle.symbols)]
        else:
            wide = f"{puzzle.width} characters wide, the terminal {style.width}"
            parts.append(f"{told} ({wide})")
    if parts and style.ansi and len(puzzle.colours) > 1:
        parts.append(legend(puzzle))
    return parts


def _listed(kind: str, clues: tuple[Clue, ...], puzzle: Nonogram, width: int) -> list[str]:
    """Clues one after the other, for a terminal too narrow for the sheet; lines end at blanks."""
    from textwrap import TextWrapper  # compiles patterns that a wide terminal does not need

    texts = (f"{kind} {index}: {clue_text(puzzle, clue)}" for index, clue in enumerate(clues, 1))
    shape = TextWrapper(max(width, _LEAST), subsequent_indent="  ", break_on_hyphens=False)
    return [line for text in texts for line in shape.wrap(text)]
