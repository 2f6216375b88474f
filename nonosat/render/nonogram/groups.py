"""A picture as text, a character per cell, with cells marked by the letter of their group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from nonosat.core.limits import polled
from nonosat.puzzles.nonogram.data import rgb_of
from nonosat.questions.groups import OPEN, OPEN_RGB, OTHERS, OTHERS_NOTE, Cells, marks, tint
from nonosat.render._style import PLAIN, Style
from nonosat.render.nonogram.blocks import RESET
from nonosat.render.nonogram.text import is_dark, legend

if TYPE_CHECKING:
    from nonosat.core.grid import Grid
    from nonosat.puzzles.nonogram.data import Nonogram


def text(
    puzzle: Nonogram,
    picture: Grid,
    groups: Sequence[Cells],
    open_cells: Cells = (),
    style: Style = PLAIN,
) -> str:
    """Return the picture as text; a sentence instead if it is wider than `style.width`.

    Args:
        puzzle: Puzzle with the colours.
        picture: Cells to draw; a dot is an empty cell.
        groups: Cells (row, column) of each group, which share a mark.
        open_cells: Other undecided cells, drawn as "?".
        style: Style of the terminal.
    """
    if remark := style.too_wide("the picture", picture.width):
        return remark
    signs = marks(puzzle, len(groups), ascii_only=not style.unicode)
    rows = [list(line) for line in picture.lines(puzzle.symbols)]
    shades: dict[tuple[int, int], str] = dict.fromkeys(open_cells, OPEN_RGB)
    for row, column in polled(open_cells):
        rows[row][column] = OPEN
    for index, (sign, cells) in enumerate(zip(signs, groups, strict=True)):
        for row, column in polled(cells):
            rows[row][column] = sign
            shades[row, column] = tint(index, bool(picture[row, column]))
    parts = ["\n".join(_line(row, cells, shades, style) for row, cells in enumerate(polled(rows)))]
    if len(puzzle.colours) > 1:
        parts.append(legend(puzzle))
    if OTHERS in signs:
        parts.append(OTHERS_NOTE)
    return "\n".join(parts)


def _line(row: int, signs: list[str], shades: dict[tuple[int, int], str], style: Style) -> str:
    """Return a row; marks have their colours as background if the style has colours."""
    if not style.ansi:
        return "".join(signs)
    runs = groupby(enumerate(signs), key=lambda cell: shades.get((row, cell[0]), ""))
    texts = ((shade, "".join(sign for _, sign in run)) for shade, run in runs)
    return "".join(_painted(text, shade) if shade else text for shade, text in texts)


def _painted(text: str, shade: str) -> str:
    ink = rgb_of(shade)
    front = 255 if is_dark(ink) else 0
    back = ";".join(map(str, ink))
    return f"\x1b[38;2;{front};{front};{front};48;2;{back}m{text}{RESET}"
