"""Boards of nonograms: background, coloured runs, lines over them, and states of cells and lines.

Lengths are in cells, to be drawn at scale `CELL`, so that a path is made of small whole numbers.
All runs of one colour are one path. Linear in the runs drawn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.limits import polled
from nonosat.puzzles.nonogram.data import BLACK, WHITE, rgb_of
from nonosat.questions.groups import OPEN, OPEN_RGB, tint
from nonosat.render.look import ASSUMED, DARK, LIGHT, MARK, SEEN, WRONG, Look, Theme
from nonosat.render.nonogram.text import is_dark
from nonosat.render.shapes import Path, Shape, Texts

if TYPE_CHECKING:
    from nonosat.core.grid import Grid
    from nonosat.puzzles.nonogram.data import Nonogram


CELL = 20  # pixels a side
EDGE = 2  # margin around the board in pixels: half its frame
Places = Iterable[tuple[int, int]]
_EDGE = "#ffffff"  # edge around rings on colours, against which they would be invisible
_MOST_LETTERS = 4000  # cells with a letter each; with more, only the first of each group has one
_LETTER = 13  # size of a letter
_FOOT = 0.36  # part of its size: from the middle of a cell to the baseline


class Inks(NamedTuple):
    """Colours in which a puzzle is drawn: those of the puzzle, or those of a theme.

    Args:
        background: Colour of empty cells.
        colours: Colours by the puzzle's numbers, from 1; `colours[0]` is the background.
        is_themed: True if the colours are the theme's, which replace black and white.
    """

    background: str
    colours: tuple[str, ...]
    is_themed: bool


def inks_of(puzzle: Nonogram, theme: Theme) -> Inks:
    """Return the colours that a puzzle is drawn in."""
    rgb = [ink.rgb for ink in puzzle.colours]
    if rgb == [BLACK.rgb] and puzzle.background.rgb == WHITE.rgb:
        return Inks(theme.board, (theme.board, theme.filled), True)
    return Inks(puzzle.background.rgb, (puzzle.background.rgb, *rgb), False)


def board(
    height: int, width: int, background: str, theme: Theme, inked: Iterable[Path]
) -> list[Path]:
    """Return background, inked cells, and lines over them, heavier ones every five."""
    *cells, frame = bare_board(height, width, background, theme, inked)
    is_own = background != theme.board  # a white board has light lines on dark paper, too
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
    """Return background and inked cells without lines except the frame."""
    frame = f"M0 0h{width}v{height}h-{width}z"
    cells = [Path(frame, fill=background), *inked]
    return [*cells, Path(frame, stroke=theme.frame, width=0.08)]


def _lines(height: int, width: int, phases: range) -> str:
    """Return path data of the inner lines whose column or row modulo five is in `phases`."""
    down = "".join(f"M{x} 0v{height}" for x in range(1, width) if x % 5 in phases)
    return down + "".join(f"M0 {y}h{width}" for y in range(1, height) if y % 5 in phases)


def inked(inks: Inks, grid: Grid) -> Iterator[Path]:
    """Yield a path per colour, with one rectangle per run; unknown cells stay empty."""
    runs: dict[int, list[str]] = {}
    for row in polled(range(grid.height)):
        at = 0
        for colour, cells in polled(groupby(grid.row(row))):
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
    """Yield the shapes of known cells (row, column, value): filled, or crossed out."""
    crosses = []
    filled: dict[int, list[str]] = {}
    for row, column, colour in polled(cells):
        if colour:
            filled.setdefault(colour, []).append(rectangle(row, column, 1))
        else:
            crosses.append(f"M{column}.3 {row}.3l.4 .4M{column}.7 {row}.3l-.4 .4")
    for colour, parts in filled.items():
        yield Path("".join(parts), fill=inks.colours[colour], is_crisp=True)
    yield Path("".join(crosses), stroke=theme.heavy, width=0.08)


# States. Each has a colour and a shape of its own, to be distinct in grey prints:
#
# * marked (disputed, changed, settled by a step): a ring;
# * wrong: a ring that is crossed through;
# * assumed: a small dashed ring;
# * a line that a step uses: a tint behind its clue and its cells;
# * a clue that contradicts others: a frame and a tint around it;
# * groups: a letter in each cell, on a colour of the group.
#
# Lines are in pixels. Linear in the cells and lines with a state.


def over(marked: Places, look: Look, *, is_themed: bool) -> Iterator[Path]:
    """Yield the shapes over the cells of a board: highlights, and rings on marked cells.

    Args:
        marked: Marked cells.
        look: Look with the other highlighted cells.
        is_themed: True if the board is in black and white; on colours rings have a white edge, and
            leave the colour inside unchanged.
    """
    wrong = [*look.states.wrong]
    for places, rgb in ((marked, MARK), (wrong, WRONG)):
        if not (rings := _rings(places)):
            continue
        if not is_themed:
            yield Path(rings, stroke=_EDGE, width=0.28)
        yield Path(rings, rgb if is_themed else "", rgb, 0.15, opacity=0.3 if is_themed else 1)
    yield Path(_slashes(wrong), stroke=WRONG, width=0.15)
    small = "".join(f"M{x}.32 {y}.32h.36v.36h-.36z" for y, x in polled(look.states.assumed))
    yield Path(small, stroke=ASSUMED, width=0.12, dash=0.12)


def _rings(places: Places) -> str:
    """Return path data of a ring inside each of the cells, visible on filled and empty ones."""
    return "".join(f"M{column}.15 {row}.15h.7v.7h-.7z" for row, column in polled(places))


def _slashes(places: Places) -> str:
    return "".join(f"M{column}.15 {row}.85l.7 -.7" for row, column in polled(places))


# Lines


class BoardSize(NamedTuple):
    """Size of the board in cells, and the pixels of the clues on each side; 0 if there are none."""

    height: int
    width: int
    left: int = 0
    top: int = 0
    right: int = 0
    below: int = 0

    def _box(self, line: int, before: int, after: int, inset: float) -> str:
        """Return path data of a box around a line, in pixels.

        Args:
            line: Number of the line, rows first.
            before: Distance from the start of the box to the board.
            after: Distance from the board to the end of the box.
            inset: Margin by which the box is smaller on each side.
        """
        is_row = line < self.height
        across = (line if is_row else line - self.height) * CELL + inset
        length = (self.width if is_row else self.height) * CELL
        start, size, thick = -before + inset, before + length + after - 2 * inset, CELL - 2 * inset
        if is_row:
            return f"M{start:g} {across:g}h{size:g}v{thick:g}h-{size:g}z"
        return f"M{across:g} {start:g}h{thick:g}v{size:g}h-{thick:g}z"

    def whole(self, line: int) -> str:
        """Return path data of the box around a line and its clues."""
        is_row = line < self.height
        sides = (self.left, self.right) if is_row else (self.top, self.below)
        return self._box(line, *sides, inset=0)

    def clues(self, line: int) -> str:
        """Return path data of boxes around a line's clues; around its cells if it has none."""
        is_row = line < self.height
        near, far = (self.left, self.right) if is_row else (self.top, self.below)
        length = (self.width if is_row else self.height) * CELL
        if not near:
            return self._box(line, 0, 0, inset=1.5)
        parts = self._box(line, near, -length, inset=1.5)
        return parts + (self._box(line, -length, far, inset=1.5) if far else "")


def behind(bounds: BoardSize, look: Look) -> Iterator[Path]:
    """Yield the tinted areas of the lines that a step uses, in pixels."""
    if boxes := "".join(map(bounds.whole, look.states.seen)):
        yield Path(boxes, fill=SEEN, opacity=0.25)


def framed(bounds: BoardSize, look: Look) -> Iterator[Path]:
    """Yield frames around the clues that contradict each other, in pixels."""
    if boxes := "".join(map(bounds.clues, look.states.clashing)):
        yield Path(boxes, fill=WRONG, opacity=0.2, stroke=WRONG, width=2)


# Groups


def grouped(puzzle: Nonogram, picture: Grid, look: Look) -> Iterator[Path]:
    """Yield the marks of groups of cells.

    In a puzzle with one colour the cells of a group are filled with the colour of the group. In one
    with several colours, each of them gets a ring in the colour of the group.
    """
    for index, (sign, cells) in enumerate(look.states.groups):
        for is_filled in (False, True):
            places = [place for place in polled(cells) if bool(picture[place]) == is_filled]
            rgb = _shade(sign, index, is_filled=is_filled)
            if len(puzzle.colours) == 1:
                yield Path(
                    "".join(rectangle(row, column, 1) for row, column in places), rgb, is_crisp=True
                )
            else:
                strong = _shade(sign, index, is_filled=True)
                yield Path(_rings(places), stroke=strong, width=0.15)


def letters(puzzle: Nonogram, picture: Grid, inks: Inks, look: Look) -> Iterator[Shape]:
    """Yield a letter in every cell of a group, in pixels."""
    groups = look.states.groups
    has_all = sum(len(cells) for _, cells in groups) <= _MOST_LETTERS
    fronts: dict[str, list[tuple[float, float, str]]] = {}
    for index, (sign, cells) in enumerate(groups):
        for row, column in polled(cells if has_all else _first(cells)):
            value = picture[row, column]
            is_mono = len(puzzle.colours) == 1
            rgb = _shade(sign, index, is_filled=bool(value)) if is_mono else inks.colours[value]
            front = "#ffffff" if is_dark(rgb_of(rgb)) else "#000000"
            place = (column + 0.5) * CELL, (row + 0.5) * CELL + _FOOT * _LETTER, sign
            fronts.setdefault(front, []).append(place)
    for front, places in fronts.items():
        yield Texts(places, _LETTER, front, "middle", is_bold=True)


def _first(cells: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    return [min(cells)] if cells else []


def _shade(sign: str, index: int, *, is_filled: bool) -> str:
    return OPEN_RGB if sign == OPEN else tint(index, is_filled)
