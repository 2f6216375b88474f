"""Pixel art: the cells of an enlarged picture.

A picture may have been enlarged, each cell to a square of k x k pixels, and lines may have been
drawn between the cells. Cells are detected by one of three signs, with which every pixel must
agree: colours change only at multiples of k; whole rows and columns of pixels in one colour divide
the picture into squares of one size; or stripes in one colour recur at equal distances. A picture
is left unchanged unless it would arise by chance in less than one case of 10 000.

Linear in the pixels: they are compared as rows of bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import gcd, log
from typing import NamedTuple

from nonosat.core.limits import polled, reserve

_SURE = log(10_000)
_FEWEST_BANDS = 6  # rows and columns of cells between lines
_LONGEST_PERIOD = 128  # pixels of a cell and the gap after it, if gaps have the paper's colour


class Pixels(NamedTuple):
    """A picture; a pixel has `unit` bytes, 1 or 4, which are equal exactly for equal colours."""

    height: int
    width: int
    unit: int
    data: bytes

    def row(self, at: int) -> bytes:
        """Return the pixels of a row."""
        stride = self.width * self.unit
        return self.data[at * stride : (at + 1) * stride]

    def rows(self, places: Sequence[int]) -> Pixels:
        """Return the picture of some of the rows."""
        data = b"".join(map(self.row, polled(places)))
        return Pixels(len(places), self.width, self.unit, data)

    def turned(self) -> Pixels:
        """Return the picture with rows and columns exchanged."""
        from PIL import Image

        reserve(3 * len(self.data))  # the image, the turned one and its bytes
        mode = "L" if self.unit == 1 else "RGBA"
        image = Image.frombytes(mode, (self.width, self.height), self.data)
        data = image.transpose(Image.Transpose.TRANSPOSE).tobytes()
        return Pixels(self.width, self.height, self.unit, data)


class Direction(NamedTuple):
    """The rows of a picture, or its columns.

    Args:
        length: Number of rows (or columns) of pixels.
        changes: Numbers of the rows that differ from the one before.
        plain: Maps each row in a single colour to this colour.
    """

    length: int
    changes: list[int]
    plain: dict[int, bytes]


class PixelGrid(NamedTuple):
    """The cells of a picture: the rows and columns of pixels that show them.

    Args:
        size: Pixels per cell in each direction.
        rows: A row of pixels for each row of cells.
        columns: A column of pixels for each column of cells.
        is_ruled: True if there are lines or gaps between the cells.
    """

    size: int
    rows: Sequence[int]
    columns: Sequence[int]
    is_ruled: bool = False

    def at(self, cells: PixelGrid) -> PixelGrid:
        """Return `cells`, whose pixels are the cells of this grid, in pixels of the original."""
        rows, columns = (
            [one[at] for at in each]
            for one, each in ((self.rows, cells.rows), (self.columns, cells.columns))
        )
        return PixelGrid(self.size * cells.size, rows, columns, cells.is_ruled)


def cells_of(pixels: Pixels) -> PixelGrid:
    """Return the cells of a picture; each pixel is a cell if no enlargement is certain."""
    down, across = _sides(pixels)
    enlarged = _enlarged(down, across)
    if enlarged is None:
        whole = PixelGrid(1, range(pixels.height), range(pixels.width))
        return _between_lines(pixels, down, across) or whole
    small = picked(pixels, enlarged)  # lines between cells may be enlarged with them
    inner = _between_lines(small, *_sides(small))
    return enlarged if inner is None else enlarged.at(inner)


def _between_lines(pixels: Pixels, down: Direction, across: Direction) -> PixelGrid | None:
    """Return the cells between lines or gaps, if there are any."""
    for find in (_parted, _ruled):
        found = find(pixels, down, across)
        if found is not None and _is_picture(picked(pixels, found)):
            return found
    return None


def cells_of_size(pixels: Pixels, size: int) -> PixelGrid | None:
    """Return the cells of a given size in pixels; None if the picture has no such cells."""
    down, across = _sides(pixels)
    if any(place % size for side in (down, across) for place in (side.length, *side.changes)):
        return None
    return PixelGrid(size, range(0, down.length, size), range(0, across.length, size))


def picked(pixels: Pixels, cells: PixelGrid) -> Pixels:
    """Return the picture with one pixel per cell."""
    if len(cells.rows) == pixels.height and len(cells.columns) == pixels.width:
        return pixels
    return pixels.rows(cells.rows).turned().rows(cells.columns).turned()


def _is_picture(pixels: Pixels) -> bool:
    """Return True if there are two colours or more; areas in only one colour are no picture."""
    return pixels.data != pixels.data[: pixels.unit] * (pixels.height * pixels.width)


def _sides(pixels: Pixels) -> tuple[Direction, Direction]:
    """Return (rows, columns). Columns are compared only at rows that differ, which is enough."""
    down = _side(pixels)
    return down, _side(pixels.rows([0, *down.changes]).turned())


def _side(pixels: Pixels) -> Direction:
    changes, plain = [], {}
    before = b""
    colour: bytes | None = None
    for at in polled(range(pixels.height)):
        row = pixels.row(at)
        if row != before:
            if at:
                changes.append(at)
            first = row[: pixels.unit]
            colour = first if first * pixels.width == row else None
            before = row
        if colour is not None:
            plain[at] = colour
    return Direction(pixels.height, changes, plain)


def _enlarged(down: Direction, across: Direction) -> PixelGrid | None:
    """Return the grid if each cell is a square of k x k pixels without gaps; else None."""
    size = gcd(down.length, across.length, *down.changes, *across.changes)
    num_changes = len(down.changes) + len(across.changes)
    if size < 2 or num_changes * log(size) < _SURE:
        return None
    return PixelGrid(size, range(0, down.length, size), range(0, across.length, size))


# Lines in a colour of their own, each of any thickness


def _ruled(pixels: Pixels, down: Direction, across: Direction) -> PixelGrid | None:
    """Return the grid if lines from edge to edge divide the cells, else None.

    There may be a margin around the lines.
    """
    top, left = _margin(down), _margin(across)
    if top and left and down.plain[0] == across.plain[0]:
        bottom, right = down.changes[-1], across.changes[-1]
        inside = pixels.rows(range(top, bottom)).turned().rows(range(left, right)).turned()
        down, across = _sides(inside)
    else:
        top = left = 0
    for colour, _ in polled(Counter(down.plain.values()).most_common()):
        rows, columns = _bands(down, colour), _bands(across, colour)
        sizes = {end - start for start, end in (*rows, *columns)}
        if min(len(rows), len(columns)) < 2 or len(rows) + len(columns) < _FEWEST_BANDS:
            continue
        (size, *others) = sizes
        if others or not (_are_lines(rows, size) and _are_lines(columns, size)):
            continue
        if _is_even(down, rows) and _is_even(across, columns):
            return PixelGrid(
                size,
                [top + start for start, _ in rows],
                [left + start for start, _ in columns],
                is_ruled=True,
            )
    return None


def _margin(side: Direction) -> int:
    """Return the number of first rows in one colour, if the last row has it, too."""
    colour = side.plain.get(0)
    is_margin = colour is not None and colour == side.plain.get(side.length - 1)
    return side.changes[0] if is_margin and side.changes else 0


def _bands(side: Direction, colour: bytes) -> list[tuple[int, int]]:
    """Return start and end of each band between the lines of a colour."""
    lines = [at for at in range(side.length) if side.plain.get(at) == colour]
    return [
        (first + 1, then) for first, then in pairwise([-1, *lines, side.length]) if then > first + 1
    ]


def _are_lines(bands: Sequence[tuple[int, int]], size: int) -> bool:
    """Return True if all lines between bands are thinner than a cell; others are empty cells."""
    return all(start - end < size for (_, end), (start, _) in pairwise(bands))


def _is_even(side: Direction, bands: Sequence[tuple[int, int]]) -> bool:
    """Return True if bands are two pixels wide or more, and nothing changes within one."""
    changes = set(side.changes)
    return all(
        end - start > 1 and not any(at in changes for at in range(start + 1, end))
        for start, end in bands
    )


# Gaps of one width, which may have the colour of empty cells


def _parted(pixels: Pixels, down: Direction, across: Direction) -> PixelGrid | None:
    """Return the grid if equal gaps divide the cells, at most one at each edge; else None."""
    del pixels
    for period in polled(range(3, min(_LONGEST_PERIOD, max(down.length, across.length)) + 1)):
        for (top, height), (left, width) in product(
            _stripes(down, period), _stripes(across, period)
        ):
            if height == width:
                rows = range(top, down.length, period)
                return PixelGrid(height, rows, range(left, across.length, period), is_ruled=True)
    return None


def _stripes(side: Direction, period: int) -> Iterator[tuple[int, int]]:
    """Yield possible (start of the first cell, size) of cells that recur with a period."""
    found = sorted({place % period for place in side.changes})
    if len(found) != 2 or len(side.changes) * log(period / 2) < _SURE / 2:
        return
    for start, end in (found, (found[1], found[0] + period)):
        begin, size = start % period, end - start
        last = (side.length - begin) % period  # 0, or the last cell and a part of a gap
        if begin <= period - size < size and (not last or last >= size):
            gaps = {
                side.plain.get(at) for at in range(side.length) if (at - begin) % period >= size
            }
            if len(gaps) == 1 and None not in gaps:
                yield begin, size
