"""Nonograms and their solutions as figures: the board, clues around it, a legend below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.render.look import USUAL, Look
from nonosat.render.nonogram.board import (
    CELL,
    EDGE,
    bare_board,
    board,
    given,
    inked,
    inks_of,
    marks,
)
from nonosat.render.nonogram.sheet import Clues, legend
from nonosat.render.shapes import Figure, Group, Shape

if TYPE_CHECKING:
    from nonosat.grid import Grid
    from nonosat.puzzles.nonogram.data import Nonogram
    from nonosat.render.nonogram.text import Cells

_ABOVE = 8  # between the board and its legend


def figure(
    puzzle: Nonogram, solution: Grid | None, marked: Cells = (), look: Look = USUAL
) -> Figure:
    """A picture with the cells that stand out; without a solution the sheet to fill in.

    The sheet has clues, an empty board (given cells drawn), and heavier lines every five.
    """
    inks, theme = inks_of(puzzle, look.theme), look.theme
    shown = given(puzzle, inks, theme) if solution is None else inked(inks, solution)
    sides = puzzle.height, puzzle.width
    draw = bare_board if look.is_bare else board
    drawn = draw(*sides, inks.background, theme, shown)
    cells = Group([*drawn, marks(marked)], scale=CELL)
    width, height = puzzle.width * CELL, puzzle.height * CELL
    if not look.has_clues(solution):
        moved = Group([cells], EDGE, EDGE)
        return Figure([moved], width + 2 * EDGE, height + 2 * EDGE, CELL)
    clues, is_mirrored = Clues(puzzle, theme), look.clues == "both-sides"
    left, top = clues.margins
    numbers = clues.shapes(is_mirrored=is_mirrored)
    right, below = clues.margins if is_mirrored else (EDGE, EDGE)
    wide, high = float(left + width + right), float(top + height + below)
    shapes: list[Shape] = [Group([cells, *numbers], left, top)]
    if keys := legend(puzzle, theme, wide):
        shapes.append(Group(keys.shapes, EDGE, high + _ABOVE))
        wide, high = max(wide, EDGE + keys.width), high + _ABOVE + keys.height
    return Figure(shapes, wide, high, CELL, clues.smallest)
