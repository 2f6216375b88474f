"""Nonograms and their solutions as SVG pictures.

Lengths are in cells: the board is drawn at scale `CELL`, so that a path is made of small whole
numbers. All runs of one colour are one path, and margins are measured from the longest clue, so
nothing is clipped. Linear in the runs and clue numbers drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from nonosat.render._document import DIGIT, document
from nonosat.render.nonogram.text import Cells, is_dark, rgb_of

if TYPE_CHECKING:
    from nonosat.grid import Grid
    from nonosat.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram

CELL = 20  # pixels a side; boards of many cells are shown smaller, the drawing stays the same
LINE = 15  # pixels that a clue number takes above a column
MARK = "#e10082"


def svg(puzzle: Nonogram, solution: Grid | None, marked: Cells = (), caption: str = "") -> str:
    """A picture with the cells that stand out; without one the printed sheet.

    The sheet has clues, an empty board (given cells drawn), and thicker lines every five.
    """
    sides = puzzle.width * CELL, puzzle.height * CELL
    if solution is None:
        left, top = _margins(puzzle)
        return document(sides, _sheet(puzzle), caption, left, top)
    body = [board(puzzle, _inked(puzzle, solution)), _marks(marked)]
    return document(sides, body, caption)


# The board, in cells


def board(puzzle: Nonogram, inked: Iterable[str]) -> str:
    """Background, coloured runs, and lines over them, at scale `CELL`."""
    height, width = puzzle.height, puzzle.width
    return (
        f'<g transform="scale({CELL})"><rect width="{width}" height="{height}" '
        f'fill="{puzzle.background.rgb}"/>'
        f'<g shape-rendering="crispEdges">{"".join(inked)}</g>'
        f'<g stroke="#777" fill="none"><path stroke-width=".04" '
        f'd="{_lines(height, width, range(1, 5))}"/><path stroke-width=".1" '
        f'd="{_lines(height, width, range(1))}M{width} 0v{height}M0 {height}h{width}"/></g></g>'
    )


def _lines(height: int, width: int, phases: range) -> str:
    """Lines at the columns and rows whose number modulo five is one of `phases`."""
    down = "".join(f"M{x} 0v{height}" for x in range(width) if x % 5 in phases)
    return down + "".join(f"M0 {y}h{width}" for y in range(height) if y % 5 in phases)


def _inked(puzzle: Nonogram, grid: Grid) -> Iterator[str]:
    """A path a colour, made of one rectangle a run."""
    runs: dict[int, list[str]] = {}
    for row in range(grid.height):
        at = 0
        for colour, cells in groupby(grid.row(row)):
            length = sum(1 for _ in cells)
            if colour:
                runs.setdefault(colour, []).append(rectangle(row, at, length))
            at += length
    for colour, ink in enumerate(puzzle.colours, start=1):
        if colour in runs:
            yield f'<path fill="{ink.rgb}" d="{"".join(runs[colour])}"/>'


def rectangle(row: int, column: int, length: int) -> str:
    return f"M{column} {row}h{length}v1h-{length}z"


def _given(puzzle: Nonogram) -> Iterator[str]:
    """Given cells: filled in their colour, or crossed out."""
    crosses = []
    for row, column, colour in puzzle.given:
        if colour:
            ink = puzzle.colours[colour - 1].rgb
            yield f'<path fill="{ink}" d="{rectangle(row, column, 1)}"/>'
        else:
            crosses.append(f"M{column}.2 {row}.2l.6 .6M{column}.8 {row}.2l-.6 .6")
    if crosses:
        yield f'<path stroke="#777" stroke-width=".08" d="{"".join(crosses)}"/>'


def _marks(disputed: Iterable[tuple[int, int]]) -> str:
    """A ring inside every disputed cell, to be seen on filled and on empty ones."""
    rings = "".join(f"M{column}.15 {row}.15h.7v.7h-.7z" for row, column in disputed)
    return (
        f'<path transform="scale({CELL})" fill="{MARK}" fill-opacity=".3" stroke="{MARK}" '
        f'stroke-width=".15" d="{rings}"/>'
        if rings
        else ""
    )


# The clues, in pixels


def _label(length: int | None) -> str:
    return "?" if length is None else str(length)


def _slot(clues: Iterable[Clue]) -> int:
    """Pixels that the widest number among the clues takes, with a gap."""
    lengths = (len(_label(block.length)) for clue in clues for block in clue)
    return max(lengths, default=1) * DIGIT + 5


def _margins(puzzle: Nonogram) -> tuple[int, int]:
    """Pixels that the longest row clue and the longest column clue take."""
    left = max(1, *map(len, puzzle.rows)) * _slot(puzzle.rows)
    top = max(1, *map(len, puzzle.columns)) * LINE
    return left + 6, top + 6


def _sheet(puzzle: Nonogram) -> list[str]:
    """Board and clues; the board's corner is the origin."""
    slot = _slot(puzzle.rows)
    chip = min(_slot(puzzle.columns) - 2, CELL - 1)
    numbers = [
        _number(puzzle, clue, at, (-slot * back - slot // 2 - 3, row * CELL + CELL // 2), slot - 2)
        for row, clue in enumerate(puzzle.rows)
        for back, at in enumerate(range(max(len(clue), 1) - 1, -1, -1))
    ]
    numbers += [
        _number(puzzle, clue, at, (x * CELL + CELL // 2, -LINE * back - LINE // 2 - 3), chip)
        for x, clue in enumerate(puzzle.columns)
        for back, at in enumerate(range(max(len(clue), 1) - 1, -1, -1))
    ]
    return [
        board(puzzle, _given(puzzle)),
        '<g text-anchor="middle" stroke-width="0">',
        *numbers,
        "</g>",
    ]


def _number(puzzle: Nonogram, clue: Clue, index: int, centre: tuple[int, int], chip: int) -> str:
    """One number of a clue around `centre`, on a chip of its colour unless that is black."""
    x, y = centre
    if not clue:
        return f'<text x="{x}" y="{y + 4}" fill="#999">0</text>'
    length, colour = clue[index]
    rgb = puzzle.colours[colour - 1].rgb
    text = f'<text x="{x}" y="{y + 4}"'
    is_wide = len(_label(length)) * DIGIT > chip
    narrow = f' lengthAdjust="spacingAndGlyphs" textLength="{CELL - 2}"' if is_wide else ""
    if rgb == "#000000":
        return f"{text}{narrow}>{_label(length)}</text>"
    front = ' fill="#fff"' if is_dark(rgb_of(rgb)) else ""
    return (
        f'<rect x="{x - chip // 2}" y="{y - 7}" width="{chip}" height="14" fill="{rgb}"/>'
        f"{text}{front}{narrow}>{_label(length)}</text>"
    )
