"""Printed clues around a board, and below it the legend of letters and colours.

Margins are measured from the longest clue, so nothing is clipped. A number in colour is on a
chip of that colour, with a letter after it, to be distinct in grey, too. Numbers that
are too wide for a cell are smaller. Linear in the numbers drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.errors import printable
from nonosat.core.limits import polled
from nonosat.core.wording import entry_text
from nonosat.puzzles.nonogram.data import BLACK, rgb_of
from nonosat.render.look import Theme
from nonosat.render.nonogram.board import CELL
from nonosat.render.nonogram.inks import called, letters
from nonosat.render.nonogram.text import is_dark
from nonosat.render.shapes import FONT, Figure, Path, Shape, Texts, text_width

if TYPE_CHECKING:
    from nonosat.core.model import Entry, OpenClue
    from nonosat.puzzles.ranges.data import AnyNonogram

LINE = 15  # pixels that a clue number takes above a column
GAP = 4  # between the numbers of a row
EDGE = 3  # between clues and board
FOOT = 0.36  # part of the size of a text: from the middle of its digits to the baseline
_MOST_OF_NAME = 24  # characters of a colour's name in the legend
_KEY = 17  # height of a line of the legend
_WIDE = 240  # minimal width of the legend of a narrow board


class Margins(NamedTuple):
    """Pixels of the clues on each side of the board."""

    left: int
    top: int


class _NumberStyle(NamedTuple):
    """Style of one number in one colour, with lists that collect its places."""

    label: str
    foot: float
    places: list[tuple[float, float, str]]
    chips: list[str] | None


def _foot(size: float) -> float:
    """Return the distance from the middle of digits to their baseline."""
    return round(FOOT * size, 1 if size < FONT else None)


class ClueDrawing:
    """The clues of one puzzle, ready to draw around a board whose corner is (0, 0).

    Attributes:
        margins: Space for the clues above and at the left, and also below and at the right if the
            clues are on both sides.
        smallest: Size of the smallest number.
    """

    def __init__(self, puzzle: AnyNonogram, theme: Theme) -> None:
        self.puzzle = puzzle
        self.theme = theme
        self.letters = letters(puzzle)
        self.smallest = float(FONT)
        self._slot = self._widest(puzzle.rows) + GAP
        longest = [max(1, *map(len, clues)) for clues in (puzzle.rows, puzzle.columns)]
        self.margins = Margins(longest[0] * self._slot + 2 * EDGE, longest[1] * LINE + 2 * EDGE)
        self._chips: dict[str, list[str]] = {}
        self._numbers: dict[tuple[float, str], list[tuple[float, float, str]]] = {}
        self._prepared: dict[tuple[Entry, int], _NumberStyle] = {}

    def label(self, block: Entry) -> str:
        """Return one number with the letter of its colour."""
        return entry_text(block) + (self.letters[block.colour - 1] if block.colour else "")

    def _widest(self, clues: Iterable[OpenClue]) -> int:
        """Return the width in pixels of the widest number of the clues; even, so that halves are
        whole.
        """
        labels = map(self.label, {block for clue in clues for block in clue})
        return max((int(text_width(label) / 2) * 2 + 2 for label in labels), default=8)

    def shapes(self, *, is_mirrored: bool) -> list[Shape]:
        """Return all numbers as shapes.

        Args:
            is_mirrored: True to draw them below and at the right as well.
        """
        puzzle, slot, half = self.puzzle, self._slot, CELL // 2
        height, width = puzzle.height * CELL, puzzle.width * CELL
        for row, clue in enumerate(polled(puzzle.rows)):
            left = -EDGE - slot * max(len(clue), 1) + slot // 2
            starts = (left, width + EDGE + slot // 2) if is_mirrored else (left,)
            for x in starts:
                self._clue(clue, (x, row * CELL + half), (slot, 0), slot - 2)
        for column, clue in enumerate(polled(puzzle.columns)):
            top = -EDGE - LINE * max(len(clue), 1) + LINE // 2
            starts = (top, height + EDGE + LINE // 2) if is_mirrored else (top,)
            for y in starts:
                self._clue(clue, (column * CELL + half, y), (0, LINE), CELL - 2)
        return [*self._painted()]

    def _clue(self, clue: OpenClue, at: tuple[int, int], step: tuple[int, int], room: int) -> None:
        """Place the numbers of a clue: the first at `at`, each further one moved by `step`."""
        x, y = at
        if not clue:
            places = self._numbers.setdefault((FONT, self.theme.faint), [])
            places.append((x, y + _foot(FONT), "0"))
        for block in polled(clue):
            number = self._prepared.get((block, room)) or self._prepare(block, room)
            number.places.append((x, y + number.foot, number.label))
            if number.chips is not None:
                number.chips.append(f"M{x - room // 2} {y - 7}h{room}v14h-{room}z")
            x, y = x + step[0], y + step[1]

    def _prepare(self, block: Entry, room: int) -> _NumberStyle:
        """Return the style of a number.

        The number is on a chip (a filled rectangle) of its colour, unless the puzzle has one colour
        or the number is black on a light theme.
        """
        rgb, label = self.puzzle.colours[block.colour - 1].rgb, self.label(block)
        width = text_width(label)
        size = FONT if width <= room else FONT * room / width
        self.smallest = min(self.smallest, size)
        is_black = rgb == BLACK.rgb and not self.theme.is_dark
        is_plain = len(self.puzzle.colours) == 1 or is_black or not block.colour
        ink = self.theme.ink if is_plain else "#ffffff" if is_dark(rgb_of(rgb)) else "#000000"
        places = self._numbers.setdefault((size, ink), [])
        chips = None if is_plain else self._chips.setdefault(rgb, [])
        self._prepared[block, room] = number = _NumberStyle(label, _foot(size), places, chips)
        return number

    def _painted(self) -> Iterator[Shape]:
        for rgb, chips in self._chips.items():
            yield Path("".join(chips), fill=rgb, stroke=self.theme.heavy, width=0.5)
        for (size, ink), places in self._numbers.items():
            yield Texts(places, size, ink, "middle")


def legend(puzzle: AnyNonogram, theme: Theme, width: float) -> Figure | None:
    """Return the legend of letters and colours, in lines; None if there is one colour.

    Args:
        puzzle: Puzzle with the colours.
        theme: Colours of paper and ink.
        width: Width of the board with its clues.
    """
    if len(puzzle.colours) == 1:
        return None
    shapes: list[Shape] = []
    x, y, right = 0.0, _KEY / 2, 0.0
    for ink, letter in zip(puzzle.colours, letters(puzzle), strict=True):
        name = printable(called(ink), _MOST_OF_NAME)
        side = max(18.0, text_width(letter) + 6)
        needed = side + 5 + text_width(name) + 14
        if x and x + needed > max(width, _WIDE):
            x, y = 0.0, y + _KEY
        right = max(right, x + needed)
        front = "#ffffff" if is_dark(rgb_of(ink.rgb)) else "#000000"
        shapes += [
            Path(f"M{x:.2f} {y - 7:g}h{side:.2f}v14h-{side:.2f}z", ink.rgb, theme.heavy, 0.5),
            Texts(
                [(x + side / 2, y + _foot(FONT), letter)] if letter else [],
                FONT,
                front,
                "middle",
            ),
            Texts([(x + side + 5, y + _foot(FONT), name)], FONT, theme.ink),
        ]
        x += needed
    return Figure(shapes, right, y + _KEY / 2, CELL)
