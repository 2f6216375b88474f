"""Elements of every drawing, for all painters: paths, circles, texts and groups of them.

Lengths are pixels of 1/96 inch, so that all of a drawing has one unit; x grows to the right, y
downwards. Colours are "#rrggbb"; "" paints nothing. `_painting/` makes SVG, PNG and PDF of them.
Everything is linear in the shapes drawn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from nonosat.core.limits import polled

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
FONT = 12  # the usual size of a text
MM = 96 / 25.4  # a millimetre in pixels
POINT = 96 / 72  # a typographic point in pixels


class Path(NamedTuple):
    """Any number of outlines that share their colours: runs of one colour are one path.

    Args:
        data: Path data as in SVG, with the commands M, m, L, l, H, h, V, v and z alone, which
            `outlines` reads for other painters.
        fill: Colour of the inside.
        stroke: Colour of the line.
        width: Width of the line.
        opacity: Opacity of the fill, from 0 to 1.
        dash: Length of dashes and of gaps between them; 0 is a solid line.
        is_crisp: True if edges are at whole dots, so that there is no seam between neighbours.
        is_round: True if ends and corners of lines are round.
    """

    data: str
    fill: str = ""
    stroke: str = ""
    width: float = 0
    opacity: float = 1
    dash: float = 0
    is_crisp: bool = False
    is_round: bool = False


class Circle(NamedTuple):
    """A disc, or a ring around one."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 0


class Texts(NamedTuple):
    """Texts with a common style.

    Args:
        places: For each text (x of the anchor, y of the baseline, one line of text).
        size: Size of the letters, in the units of fonts.
        fill: Colour of the letters.
        anchor: Part of a text that is at x.
        is_bold: True for bold letters.
        halo: Colour around the letters, if there are other shapes behind them.
        is_even: True if all letters have one width, and blanks count.
    """

    places: Sequence[tuple[float, float, str]]
    size: float = FONT
    fill: str = "#000000"
    anchor: Anchor = "start"
    is_bold: bool = False
    halo: str = ""
    is_even: bool = False


class Group(NamedTuple):
    """Shapes that are moved and scaled together."""

    shapes: Sequence[Shape]
    x: float = 0
    y: float = 0
    scale: float = 1


Shape = Path | Circle | Texts | Group


class Figure(NamedTuple):
    """A drawing of a puzzle or a solution, with its top left corner at (0, 0).

    Args:
        shapes: Shapes in the order in which they are painted.
        width: Total width, clues included.
        height: Total height.
        cell: Side of a cell, or of a square of a chessboard.
        smallest: Size of the smallest text; 0 if there is none.
    """

    shapes: Sequence[Shape]
    width: float
    height: float
    cell: float
    smallest: float = 0


class Page(NamedTuple):
    """A whole picture or a page to print.

    Args:
        shapes: Shapes in the order in which they are painted.
        width: Width of the paper.
        height: Height of the paper.
        title: Title for readers of the file.
        ground: Colour of the paper.
        section: Entry of the page in the outline of the file; "" for none.
        links: Places that lead to another page: left, top, width, height, index of the page.
        cell: The side of cells, which is rounded to whole dots in PNG.
    """

    shapes: Sequence[Shape]
    width: float
    height: float
    title: str
    ground: str = "#ffffff"
    section: str = ""
    links: Sequence[tuple[float, float, float, float, int]] = ()
    cell: float = 1


# Path data

_WORDS = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1}


def outlines(data: str) -> Iterator[tuple[list[Point], bool]]:
    """Yield the corners of every outline of path data, and True if it is closed."""
    # Not a list: the words of a large board take thirty times the memory of its data.
    words = (match[0] for match in _WORDS.finditer(data))
    corners: list[Point] = []
    x = y = 0.0
    command = ""
    for word in polled(words):
        if word.isalpha():
            command = word
            if command in "zZ":
                yield corners, True
                x, y = corners[0]
                corners = []
                continue
            word = next(words)
        values = [float(word), *map(float, islice(words, _TAKES[command.upper()] - 1))]
        if command in "Mm" and corners:
            yield corners, False
            corners = []
        if not corners and command not in "Mm":  # continues after a closed outline
            corners.append((x, y))
        x, y = _moved(command, values, x, y)
        corners.append((x, y))
        command = {"M": "L", "m": "l"}.get(command, command)
    if corners:
        yield corners, False


def _moved(command: str, values: list[float], x: float, y: float) -> Point:
    """Return the end of a command that starts at (x, y)."""
    is_relative = command.islower()
    kind = command.upper()
    if kind == "H":
        return values[0] + x * is_relative, y
    if kind == "V":
        return x, values[0] + y * is_relative
    return values[0] + x * is_relative, values[1] + y * is_relative


def is_box(corners: Sequence[Point]) -> bool:
    """Return True if a closed outline is a rectangle whose sides run along the axes."""
    if len(corners) != 4:
        return False
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    return (y0 == y1 and x1 == x2 and y2 == y3 and x3 == x0) or (
        x0 == x1 and y1 == y2 and x2 == x3 and y3 == y0
    )


# Texts

# Widths of " " to "~" in thousandths of the size, of Helvetica and fonts of equal width.
_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 "
    "556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 "
    "722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 "
    "556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 "
    "260 334 584"
)
_ASCII = dict(zip(map(chr, range(32, 127)), map(int, _WIDTHS.split()), strict=True))
_USUAL = 650
_BOLD = 1.08  # upper bound of the ratio of the widths of bold and regular letters


def text_width(text: str, size: float = FONT, *, is_bold: bool = False) -> float:
    """Return the approximate width of a text, an overestimate for other scripts."""
    if text.isdecimal() and text.isascii():  # nearly all texts are clues
        return len(text) * 0.556 * size
    width = sum(_ASCII.get(char) or _width(char) for char in text)
    return width * size / 1000 * (_BOLD if is_bold else 1)


def _width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 1000 if unicodedata.east_asian_width(char) in "WF" else _USUAL


def wrapped(text: str, width: float, size: float, most: int, *, is_bold: bool = False) -> list[str]:
    """Return a text in lines of at most that width; after `most` lines it ends in dots."""
    lines = [""]
    for word in text.split():
        for part in _pieces(word, width, size, is_bold):
            longer = f"{lines[-1]} {part}".lstrip()
            if text_width(longer, size, is_bold=is_bold) <= width:
                lines[-1] = longer
            else:
                lines.append(part)
    lines = [line for line in lines if line]
    if len(lines) > most:
        last = lines[most - 1]
        while last and text_width(f"{last}...", size, is_bold=is_bold) > width:
            last = last[:-1]
        lines = [*lines[: most - 1], f"{last}..."]
    return lines


def _pieces(word: str, width: float, size: float, is_bold: bool) -> Iterable[str]:
    """Yield a word, or parts of it if it is too wide for a line."""
    while text_width(word, size, is_bold=is_bold) > width and len(word) > 1:
        end = len(word)
        while end > 1 and text_width(word[:end], size, is_bold=is_bold) > width:
            end -= max(1, end // 8)
        end = max(end, 1)
        yield word[:end]
        word = word[end:]
    yield word
