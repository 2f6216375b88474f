"""Probabilities of a board's cells as pictures: inks mixed with the background.

A cell has the mean of all its values' colours, weighted with their probabilities, so a certain
cell is drawn as in a solution and an undecided one of a black and white puzzle is grey. Without
colours, `SCALE` shows the probability that a cell is filled, in any colour. Linear in the cells
drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from nonosat.core.limits import polled
from nonosat.puzzles.nonogram.data import Rgb, rgb_of
from nonosat.render._style import Style
from nonosat.render.look import USUAL, Look
from nonosat.render.nonogram.blocks import TerminalScale, ansi_lines, fit_of
from nonosat.render.nonogram.board import CELL, EDGE, board, rectangle
from nonosat.render.nonogram.text import windows
from nonosat.render.shapes import Figure, Group, Path

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram.data import Nonogram

Planes = Sequence[Sequence[float]]  # by value (0 empty, then the colours) and cell, row-major
SCALE = " .:-=+*#%@"  # a tenth each, from certainly empty to certainly filled
SCALE_TEXT = f'(of 10 shades "{SCALE}" each is a tenth of the way from empty to filled)'


def picture(puzzle: Nonogram, planes: Planes, style: Style) -> str:
    """Return the picture as half blocks in mixed colours, or as a character of `SCALE` per cell.

    If `style.width` is too narrow, the picture is shrunk by a whole factor: then a character shows
    the mean of a square of cells.
    """
    if style.ansi:
        return "\n".join(ansi_lines(_pixels(puzzle, planes, style)))
    rows = _shrunk(puzzle, planes[0], fit(puzzle, style).factor)
    return "\n".join("".join(map(_shade, row)) for row in polled(rows))


def fit(puzzle: Nonogram, style: Style) -> TerminalScale:
    """Return the scale of the picture in this style; mixed colours need a half block per cell."""
    return fit_of(puzzle.width, style, has_quarters=False)


def _shade(empty: float) -> str:
    return SCALE[min(int((1 - empty) * len(SCALE)), len(SCALE) - 1)]


def figure(puzzle: Nonogram, planes: Planes, look: Look = USUAL) -> Figure:
    """Return the board with every cell in its mixed colour."""
    inked = _inked(puzzle, _pixels(puzzle, planes, Style()))
    drawn = board(puzzle.height, puzzle.width, puzzle.background.rgb, look.theme, inked)
    sides = puzzle.width * CELL + 2 * EDGE, puzzle.height * CELL + 2 * EDGE
    return Figure([Group(drawn, EDGE, EDGE, CELL)], *sides, CELL)


def _inked(puzzle: Nonogram, pixels: Iterator[list[Rgb]]) -> Iterator[Path]:
    """Yield a path per colour except the background's, with a rectangle for each run of cells."""
    background = rgb_of(puzzle.background.rgb)
    runs: dict[Rgb, list[str]] = {}
    for row, cells in enumerate(polled(pixels)):
        at = 0
        for rgb, run in groupby(cells):
            length = sum(1 for _ in run)
            if rgb != background:
                runs.setdefault(rgb, []).append(rectangle(row, at, length))
            at += length
    for rgb, parts in runs.items():
        yield Path("".join(parts), fill=f"#{bytes(rgb).hex()}", is_crisp=True)


def _pixels(puzzle: Nonogram, planes: Planes, style: Style) -> Iterator[list[Rgb]]:
    """Yield, by row, the mixed colours of the cells, or of squares of cells if it is shrunk."""
    inks = [rgb_of(puzzle.background.rgb), *(rgb_of(ink.rgb) for ink in puzzle.colours)]
    factor = fit(puzzle, style).factor
    for rows in zip(*(_shrunk(puzzle, plane, factor) for plane in planes), strict=True):
        yield [_mixed(inks, shares) for shares in polled(zip(*rows, strict=True))]


def _mixed(inks: list[Rgb], shares: Sequence[float]) -> Rgb:
    red, green, blue = (
        round(sum(part * share for part, share in zip(parts, shares, strict=True)))
        for parts in zip(*inks, strict=True)
    )
    return red, green, blue


def _shrunk(puzzle: Nonogram, plane: Sequence[float], factor: int) -> Iterator[Sequence[float]]:
    """Yield rows of probabilities, the mean of a sample of each square of `factor` cells."""
    width = puzzle.width
    columns = windows(width, factor)
    for rows in windows(puzzle.height, factor):
        strips = [plane[row * width : (row + 1) * width] for row in rows]
        if factor == 1:
            yield strips[0]
            continue
        yield [
            sum(s[x] for s in strips for x in xs) / len(strips) / len(xs) for xs in polled(columns)
        ]
