"""Cells as block characters: two rows of one column in each, or two rows of two columns.

Half blocks keep cells square. If the board is wider than the terminal, quarter blocks show two
columns in a character, each cell twice as high as wide, without loss of cells. A character has
two colours; four cells of more colours are drawn in the two with the highest priority. Linear in
the cells drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby, repeat, zip_longest
from typing import NamedTuple, TypeVar

from nonosat.core.limits import polled
from nonosat.puzzles.nonogram.data import Rgb
from nonosat.render._style import Style

T = TypeVar("T")
RESET = "\x1b[0m"
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
# Index: the sum of the filled cells, 1 upper left, 2 upper right, 4 lower left, 8 lower right.
QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"


class TerminalScale(NamedTuple):
    """Scale at which no line of a board is wider than the terminal.

    Args:
        factor: Side, in cells, of the squares that are drawn as one cell.
        columns: Columns per character; 2 only with a factor of 1.
    """

    factor: int = 1
    columns: int = 1

    def description(self, width: int, style: Style) -> str:
        """Return a remark on a picture that is shrunk or distorted; "" for others.

        Args:
            width: Columns of the board.
            style: Style of the terminal.
        """
        whole = f"the terminal has {style.width} characters a line, the picture needs {width}"
        if self.columns > 1:
            return f"(two columns a character, so cells are twice as high as wide: {whole})"
        if self.factor > 1:
            more = "a pipe, a file or a drawing (SVG, PDF) shows every cell"
            return f"(shown at 1:{self.factor}: {whole}; {more})"
        return ""


def fit_of(width: int, style: Style, *, has_quarters: bool) -> TerminalScale:
    """Return the scale for a board of this width.

    Args:
        width: Number of columns.
        style: Style of the terminal.
        has_quarters: True if quarter blocks can distinguish all values of the picture.
    """
    if style.width is None or width <= style.width:
        return TerminalScale()
    if has_quarters and style.unicode and width <= 2 * style.width:
        return TerminalScale(columns=2)
    return TerminalScale(factor=-(-width // max(style.width, 1)))


# Without colours


def half_lines(rows: Sequence[bytes]) -> Iterator[str]:
    """Yield lines of half blocks for cells that are 0 or 1."""
    for top, bottom in polled(_pairs(rows)):
        yield "".join(HALVES[pair] for pair in zip(top, bottom, strict=True))


def quarter_lines(rows: Sequence[bytes]) -> Iterator[str]:
    """Yield lines of quarter blocks for cells that are 0 or 1."""
    for top, bottom in polled(_pairs(rows)):
        fours = zip(*_split(top, 0), *_split(bottom, 0), strict=True)
        yield "".join(QUARTERS[a + 2 * b + 4 * c + 8 * d] for a, b, c, d in fours)


def _pairs(rows: Sequence[bytes]) -> Iterator[tuple[bytes, bytes]]:
    return zip_longest(rows[::2], rows[1::2], fillvalue=bytes(len(rows[0])))


def _split(row: Sequence[T], blank: T) -> tuple[Sequence[T], Sequence[T]]:
    """Return the cells in the left and in the right half of each character of a row."""
    right = row[1::2]
    return row[::2], right if len(row) % 2 == 0 else [*right, blank]


# In colours


def ansi_lines(pixels: Iterator[list[Rgb]]) -> Iterator[str]:
    """Yield lines of half blocks with escape codes."""
    for top in polled(pixels):
        below: list[Rgb] | None = next(pixels, None)
        pairs = zip(top, repeat(None) if below is None else below, strict=False)
        text = "".join(_painted(*pair, sum(1 for _ in run)) for pair, run in groupby(pairs))
        yield text + RESET


def _painted(top: Rgb, bottom: Rgb | None, count: int) -> str:
    """Return `count` block characters whose halves have two colours.

    None as a colour is the terminal's own background.
    """
    if top == bottom:
        return f"\x1b[{code(48, top)}m" + " " * count
    below = "49" if bottom is None else code(48, bottom)
    return f"\x1b[{code(38, top)};{below}m" + "▀" * count


def ansi_quarters(pixels: Iterable[list[Rgb]], blank: Rgb, first: Container[Rgb]) -> Iterator[str]:
    """Yield lines of quarter blocks with escape codes.

    Args:
        pixels: Colours of the cells, by row.
        blank: Colour of the missing cells to the right of and below boards with odd sides.
        first: Colours with priority if there are more than two in a character.
    """
    rows = [*pixels]
    nothing = [blank] * len(rows[0])
    for top, bottom in zip_longest(rows[::2], rows[1::2], fillvalue=nothing):
        fours = zip(*_split(top, blank), *_split(bottom, blank), strict=True)
        signs = (_quarter(four, first) for four in fours)
        runs = groupby(signs, key=lambda sign: sign[:2])
        text = (f"\x1b[{code(38, a)};{code(48, b)}m{_joined(run)}" for (a, b), run in runs)
        yield "".join(text) + RESET


def _joined(run: Iterable[tuple[Rgb, Rgb, str]]) -> str:
    return "".join(sign for _, _, sign in run)


def _quarter(four: tuple[Rgb, ...], first: Container[Rgb]) -> tuple[Rgb, Rgb, str]:
    """Return (first colour, second colour, block character) for four cells.

    The character is printed in the first colour.

    The second colour is the background; a cell with a third colour is drawn in the nearer one.
    """
    counts = Counter(four)
    ranked = sorted(counts, key=lambda rgb: (rgb not in first, -counts[rgb], rgb))
    front, back = ranked[0], ranked[min(1, len(ranked) - 1)]
    mask = sum(1 << at for at, rgb in enumerate(four) if _is_nearer(rgb, front, back))
    return front, back, QUARTERS[mask]


def _is_nearer(rgb: Rgb, one: Rgb, other: Rgb) -> bool:
    """Return True if a colour is at least as near to the first as to the second."""
    return _distance(rgb, one) <= _distance(rgb, other)


def _distance(one: Rgb, other: Rgb) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def code(layer: int, rgb: Rgb) -> str:
    """Return the escape code of a colour: layer 38 is the foreground, 48 the background."""
    return f"{layer};2;{rgb[0]};{rgb[1]};{rgb[2]}"
