"""Boards of nonograms: background, coloured runs, lines over them.

Lengths are in cells, to be drawn at scale `CELL`, so that a path is made of small whole numbers.
All runs of one colour are one path. Linear in the runs drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from nonosat.puzzles.nonogram.data import BLACK, WHITE, rgb_of
from nonosat.render.look import DARK, LIGHT, Theme
from nonosat.render.nonogram.text import is_dark
from nonosat.render.shapes import Path

if TYPE_CHECKING:
    from nonosat.core.grid import Grid
    from nonosat.puzzles.nonogram.data import Nonogram

CELL = 20  # pixels a side
EDGE = 2  # pixels beside the board: half its frame


class Inks(NamedTuple):
    """The colours that a puzzle is drawn in: its own ones, or those of a theme.

    Args:
        background: Of empty cells.
        colours: As the puzzle numbers them, from 1; `colours[0]` is the background.
        is_themed: Whether they are the theme's: a puzzle in black and white says nothing about how
            black and how white.
    """

    background: str
    colours: tuple[str, ...]
    is_themed: bool


def inks_of(puzzle: Nonogram, theme: Theme) -> Inks:
    """The colours that a puzzle is drawn in."""
    rgb = [ink.rgb for ink in puzzle.colours]
    if rgb == [BLACK.rgb] and puzzle.background.rgb == WHITE.rgb:
        return Inks(theme.board, (theme.board, theme.filled), True)
    return Inks(puzzle.background.rgb, (puzzle.background.rgb, *rgb), False)


def board(
    height: int, width: int, background: str, theme: Theme, inked: Iterable[Path]
) -> list[Path]:
    """Background, what is inked, and lines over it: light ones, and heavier ones every five."""
    *cells, frame = bare_board(height, width, background, theme, inked)
    is_own = background != theme.board  # a white board on dark paper has light lines all the same
    usual = (DARK if is_dark(rgb_of(background)) else LIGHT) if is_own else theme
    return [
        *cells,
        Path(_lines(height, width, range(1, 5)), stroke=usual.thin, width=0.04),
        Path(_lines(height, width, range(1)), stroke=usual.heavy, width=0.07),
        frame,
    ]


def bare_board(
    height: int, width: int, background: str, theme: Theme, inked: Iterable[Path]
) -> list[Path]:
    """The same without lines but the frame."""
    frame = f"M0 0h{width}v{height}h-{width}z"
    cells = [Path(frame, fill=background), *inked]
    return [*cells, Path(frame, stroke=theme.frame, width=0.08)]


def _lines(height: int, width: int, phases: range) -> str:
    """Inner lines at the columns and rows whose number modulo five is one of `phases`."""
    down = "".join(f"M{x} 0v{height}" for x in range(1, width) if x % 5 in phases)
    return down + "".join(f"M0 {y}h{width}" for y in range(1, height) if y % 5 in phases)


def inked(inks: Inks, grid: Grid) -> Iterator[Path]:
    """A path a colour, made of one rectangle a run; unknown cells stay empty."""
    runs: dict[int, list[str]] = {}
    for row in range(grid.height):
        at = 0
        for colour, cells in groupby(grid.row(row)):
            length = sum(1 for _ in cells)
            if colour:
                runs.setdefault(colour, []).append(rectangle(row, at, length))
            at += length
    for colour, rgb in enumerate(inks.colours[1:], start=1):
        if colour in runs:
            yield Path("".join(runs[colour]), fill=rgb, is_crisp=True)


def rectangle(row: int, column: int, length: int) -> str:
    return f"M{column} {row}h{length}v1h-{length}z"


def known(cells: Iterable[tuple[int, int, int]], inks: Inks, theme: Theme) -> Iterator[Path]:
    """Cells (row, column, value) whose value is known: filled in their colour, or crossed out."""
    crosses = []
    filled: dict[int, list[str]] = {}
    for row, column, colour in cells:
        if colour:
            filled.setdefault(colour, []).append(rectangle(row, column, 1))
        else:
            crosses.append(f"M{column}.3 {row}.3l.4 .4M{column}.7 {row}.3l-.4 .4")
    for colour, parts in filled.items():
        yield Path("".join(parts), fill=inks.colours[colour], is_crisp=True)
    yield Path("".join(crosses), stroke=theme.heavy, width=0.08)
