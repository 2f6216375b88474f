"""Inks: default ones for a picture without colours, and the names of inks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nonosat.core.grid import SYMBOLS, UNKNOWN, Grid
from nonosat.puzzles.nonogram.data import BLACK, INKS, UNMISTAKABLE, Colour, Nonogram
from nonosat.puzzles.ranges.data import AnyNonogram

if TYPE_CHECKING:
    from collections.abc import Iterator

_LETTERS = UNMISTAKABLE  # next to a number no other sign is printed: "1l" resembles eleven
_NAMES = {
    "black": (0, 0, 0),
    "dark grey": (85, 85, 85),
    "grey": (140, 140, 140),
    "light grey": (205, 205, 205),
    "white": (255, 255, 255),
    "red": (220, 20, 20),
    "dark red": (130, 0, 0),
    "orange": (255, 140, 0),
    "brown": (125, 70, 25),
    "beige": (240, 215, 170),
    "yellow": (255, 230, 0),
    "olive": (120, 120, 0),
    "light green": (140, 230, 130),
    "green": (20, 160, 40),
    "dark green": (0, 90, 0),
    "turquoise": (50, 205, 200),
    "light blue": (130, 190, 245),
    "blue": (20, 60, 220),
    "dark blue": (0, 0, 125),
    "violet": (140, 40, 190),
    "pink": (255, 160, 190),
    "magenta": (225, 0, 150),
}


def bare(grid: Grid) -> Nonogram:
    """Return a puzzle without clues that has the grid's size and as many inks as it needs."""
    number = max((cell for cell in grid.cells if cell != UNKNOWN), default=0)
    inks = (Colour(SYMBOLS[k], INKS[(k - 1) % len(INKS)].rgb) for k in range(1, number + 1))
    clues = ((),) * grid.height, ((),) * grid.width
    return Nonogram(*clues, colours=tuple(inks) or (BLACK,))


def letters(puzzle: AnyNonogram) -> list[str]:
    """Return, for each colour, the letter that is printed after its numbers.

    Letters distinguish the colours in print without colour. A letter is the symbol of the colour,
    or an unused letter if that resembles a digit. Black, and the only colour of a puzzle, have no
    letter: "".
    """
    inks = [ink.rgb for ink in puzzle.colours]
    if len(inks) == 1:
        return [""]
    own = [sign if sign in _LETTERS else "" for sign in puzzle.symbols[1:]]
    free = (name for name in _names() if name not in own)
    return [
        "" if rgb == BLACK.rgb else sign or next(free) for sign, rgb in zip(own, inks, strict=True)
    ]


def for_paper(puzzle: Nonogram) -> Nonogram:
    """Return the puzzle with the letters of its printed sheet as the keys of its colours.

    Sentences about the puzzle then name the colours as the sheet does. Puzzles with one colour, or
    with keys of several letters, are unchanged.
    """
    keys = [ink.key for ink in puzzle.colours]
    if len(keys) == 1 or any(len(key) > 1 for key in keys):
        return puzzle
    printed = letters(puzzle)
    if BLACK.key not in keys:
        printed = [letter or BLACK.key for letter in printed]
    if any(len(letter) > 1 for letter in printed):
        return puzzle
    colours = (
        Colour(letter or ink.key, ink.rgb)
        for letter, ink in zip(printed, puzzle.colours, strict=True)
    )
    return replace(puzzle, colours=tuple(colours))


def _names() -> Iterator[str]:
    """Yield names for colours: a, b, ..., Y, and then aa, ab, ..."""
    yield from _LETTERS
    yield from (one + other for one in _LETTERS for other in _LETTERS)


def called(colour: Colour) -> str:
    """Return the name of an ink in a legend: its key if that is a word, else the nearest colour."""
    if len(colour.key) > 1:
        return colour.key
    red, green, blue = bytes.fromhex(colour.rgb[1:])
    near = {
        name: (red - r) ** 2 * 2 + (green - g) ** 2 * 4 + (blue - b) ** 2 * 3
        for name, (r, g, b) in _NAMES.items()
    }
    return min(near, key=near.__getitem__)
