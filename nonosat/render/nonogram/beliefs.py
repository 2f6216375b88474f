"""Probabilities of a board's cells as pictures: inks mixed with the background.

A cell shows the mean of all its values' colours, weighted with their probabilities, so a certain
cell looks as in a solution and an undecided one of a black and white puzzle is grey. Where there
are no colours, `SCALE` shows how likely a cell is filled, in whichever colour. Linear in the cells
drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from nonosat.render._document import document
from nonosat.render._style import Style
from nonosat.render.nonogram.svg import CELL, board, rectangle
from nonosat.render.nonogram.text import Rgb, ansi_lines, rgb_of, shrink_factor, windows

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram.data import Nonogram

Planes = Sequence[Sequence[float]]  # by value (0 empty, then the colours) and cell, row-major
SCALE = " .:-=+*#%@"  # a tenth each, from certainly empty to certainly filled
SCALE_TEXT = f'(of 10 shades "{SCALE}" each is a tenth of the way from empty to filled)'


def picture(puzzle: Nonogram, planes: Planes, style: Style) -> str:
    """Half blocks of mixed colours, or a character of `SCALE` a cell.

    Shrunk by a whole factor where `style.width` is too narrow: then a square shows its mean.
    """
    if style.ansi:
        return "\n".join(ansi_lines(_pixels(puzzle, planes, style)))
    rows = _shrunk(puzzle, planes[0], shrink_factor(puzzle, style))
    return "\n".join("".join(map(_shade, row)) for row in rows)


def _shade(empty: float) -> str:
    return SCALE[min(int((1 - empty) * len(SCALE)), len(SCALE) - 1)]


def svg(puzzle: Nonogram, planes: Planes, caption: str) -> str:
    """The board with every cell in its mixed colour, and a caption below.

    Returns:
        A whole SVG document without XML declaration.
    """
    pixels = _pixels(puzzle, planes, Style())
    sides = puzzle.width * CELL, puzzle.height * CELL
    return document(sides, [board(puzzle, _inked(puzzle, pixels))], caption)


def _inked(puzzle: Nonogram, pixels: Iterator[list[Rgb]]) -> Iterator[str]:
    """A path a colour, made of one rectangle a run; the background is there already."""
    background = rgb_of(puzzle.background.rgb)
    runs: dict[Rgb, list[str]] = {}
    for row, cells in enumerate(pixels):
        at = 0
        for rgb, run in groupby(cells):
            length = sum(1 for _ in run)
            if rgb != background:
                runs.setdefault(rgb, []).append(rectangle(row, at, length))
            at += length
    for rgb, parts in runs.items():
        yield f'<path fill="#{bytes(rgb).hex()}" d="{"".join(parts)}"/>'


def _pixels(puzzle: Nonogram, planes: Planes, style: Style) -> Iterator[list[Rgb]]:
    """Mixed colours of the cells, or squares, by row."""
    inks = [rgb_of(puzzle.background.rgb), *(rgb_of(ink.rgb) for ink in puzzle.colours)]
    factor = shrink_factor(puzzle, style)
    for rows in zip(*(_shrunk(puzzle, plane, factor) for plane in planes), strict=True):
        yield [_mixed(inks, shares) for shares in zip(*rows, strict=True)]


def _mixed(inks: list[Rgb], shares: Sequence[float]) -> Rgb:
    red, green, blue = (
        round(sum(part * share for part, share in zip(parts, shares, strict=True)))
        for parts in zip(*inks, strict=True)
    )
    return red, green, blue


def _shrunk(puzzle: Nonogram, plane: Sequence[float], factor: int) -> Iterator[Sequence[float]]:
    """Rows of probabilities, each square of `factor` cells a side as the mean of some of them."""
    width = puzzle.width
    columns = windows(width, factor)
    for rows in windows(puzzle.height, factor):
        strips = [plane[row * width : (row + 1) * width] for row in rows]
        if factor == 1:
            yield strips[0]
            continue
        yield [sum(s[x] for s in strips for x in xs) / len(strips) / len(xs) for xs in columns]
