"""Nonograms as figures: pictures of cells, and printed sheets with clues."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nonosat.core.grid import UNKNOWN
from nonosat.core.limits import polled
from nonosat.render.look import USUAL, Look
from nonosat.render.nonogram.board import (
    CELL,
    EDGE,
    BoardSize,
    Inks,
    bare_board,
    behind,
    board,
    framed,
    grouped,
    inked,
    inks_of,
    known,
    letters,
    over,
)
from nonosat.render.nonogram.sheet import ClueDrawing, legend
from nonosat.render.nonogram.text import Cells
from nonosat.render.shapes import Figure, Group, Path, Shape

if TYPE_CHECKING:
    from nonosat.core.grid import Grid
    from nonosat.puzzles.nonogram.data import Nonogram

_ABOVE = 8  # between the board and its legend


def figure(
    puzzle: Nonogram, solution: Grid | None, marked: Cells = (), look: Look = USUAL
) -> Figure:
    """Return the figure of a solution with marked cells; without a solution the empty sheet.

    The sheet has clues, an empty board (given cells drawn), and heavier lines every five. A
    solution with unknown cells has clues as well, and its empty cells are crossed out.
    """
    is_open = solution is None or UNKNOWN in solution.cells
    has_clues, is_mirrored = look.has_clues(is_open=is_open), look.clues == "both-sides"
    clues = ClueDrawing(puzzle, look.theme) if has_clues else None
    left, top = clues.margins if clues else (0, 0)
    right, below = (left, top) if is_mirrored else (0, 0)
    bounds = BoardSize(puzzle.height, puzzle.width, left, top, right, below)
    cells = [*_cells(puzzle, solution, bounds, marked, look)]
    wide, high = (float(side * CELL) for side in (puzzle.width, puzzle.height))
    if clues is None:
        moved = Group([*cells, *framed(bounds, look)], EDGE, EDGE)
        return Figure([moved], wide + 2 * EDGE, high + 2 * EDGE, CELL)
    numbers = clues.shapes(is_mirrored=is_mirrored)
    wide, high = left + wide + (right or EDGE), top + high + (below or EDGE)
    shapes: list[Shape] = [Group([*cells, *framed(bounds, look), *numbers], left, top)]
    if keys := legend(puzzle, look.theme, wide):
        shapes.append(Group(keys.shapes, EDGE, high + _ABOVE))
        wide, high = max(wide, EDGE + keys.width), high + _ABOVE + keys.height
    return Figure(shapes, wide, high, CELL, clues.smallest)


def _cells(
    puzzle: Nonogram, solution: Grid | None, bounds: BoardSize, marked: Cells, look: Look
) -> Iterator[Shape]:
    """Yield the board with all shapes in its cells and behind them, in pixels from its corner."""
    inks, theme = inks_of(puzzle, look.theme), look.theme
    draw = bare_board if look.is_bare else board
    shown = [*_filled(puzzle, solution, inks, look)]
    ground, *rest = draw(puzzle.height, puzzle.width, inks.background, theme, shown)
    yield Group([ground], scale=CELL)
    yield from behind(bounds, look)
    marks = over(marked, look, is_themed=inks.is_themed)
    yield Group([*rest, *marks], scale=CELL)
    if solution is not None:
        yield from letters(puzzle, solution, inks, look)


def _filled(puzzle: Nonogram, solution: Grid | None, inks: Inks, look: Look) -> Iterator[Path]:
    """Yield the shapes of known cells: given ones, or those of a solution."""
    if solution is None:
        yield from known(puzzle.given, inks, look.theme)
        return
    yield from inked(inks, solution)
    if UNKNOWN in solution.cells:
        empty = (at for at, cell in enumerate(polled(solution.cells)) if cell == 0)
        yield from known(((*divmod(at, puzzle.width), 0) for at in empty), inks, look.theme)
    yield from grouped(puzzle, solution, look)
