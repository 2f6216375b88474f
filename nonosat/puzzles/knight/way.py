"""Path of a knight drawn in Braille dots, and its parser.

A square is four characters wide and two high, eight dots each way. A move is a straight line of
dots between the centres of two squares; a ring is drawn around the first square and, of an open
tour, around the last one. A drawing has no direction, so that an open tour may be read from either
end. Linear in the squares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from nonosat.core.limits import checkpoint, polled
from nonosat.puzzles.knight.data import Square

SIDE = 8  # dots of a square
BLANK = 0x2800  # character without dots
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column
_RING = ((2, 0), (2, 1), (1, 2), (0, 2), (-1, 2), (-2, 1), (-2, 0))  # to the right of its centre
_DOWN = ((1, 2), (2, 1), (2, -1), (1, -2))  # moves to squares that are read later
Dot = tuple[int, int]  # row and column
Move = tuple[Square, Square]


def drawn(rows: int, columns: int, squares: Sequence[Square], *, closed: bool) -> list[str]:
    """Return the lines of the drawing of a tour.

    Args:
        rows: Rows of the board.
        columns: Columns of the board.
        squares: The squares in their order.
        closed: A move leads from the last one to the first.
    """
    cells = [bytearray(columns * SIDE // 2) for _ in range(rows * SIDE // 4)]
    moves = pairwise([*squares, *squares[:1]] if closed else squares)
    dots = [dot for move in polled(moves) for dot in _line(*move)]
    for square in {squares[0]} if closed else {squares[0], squares[-1]}:
        dots += _ring(square)
    for y, x in polled(dots):
        cells[y // 4][x // 2] |= _BRAILLE[y % 4][x % 2]
    return ["".join(chr(BLANK + dots) for dots in line) for line in polled(cells)]


def is_drawn(text: str) -> bool:
    """Return True if a line of text consists of Braille characters."""
    return bool(text) and all(BLANK <= ord(char) <= BLANK + 0xFF for char in text)


def read(lines: Sequence[str], rows: int, columns: int, *, closed: bool) -> list[Square] | None:
    """Return the squares of a drawn tour in their order; None if the lines draw none.

    Args:
        lines: The drawing, as many characters as `drawn` returns.
        rows: Rows of the board.
        columns: Columns of the board.
        closed: A move leads from the last square to the first.
    """
    dots = {
        (4 * row + down, 2 * column + right)
        for row, line in enumerate(polled(lines))
        for column, char in enumerate(line)
        for down, bits in enumerate(_BRAILLE)
        for right, bit in enumerate(bits)
        if ord(char) & bit
    }
    is_one = rows == columns == 1  # its tour has no move
    found = [(0, 0)] if is_one else _walked(_moves(dots, rows, columns), dots, closed=closed)
    if found is None or drawn(rows, columns, found, closed=closed) != list(lines):
        return None
    return found


def _moves(dots: Collection[Dot], rows: int, columns: int) -> dict[Square, list[Square]]:
    """Map squares to the squares that a drawn line leads to.

    A line is that of a move if it has a dot that no other line has; rings are at the ends of lines.
    """
    lines = {}
    for row in range(rows):
        for column in polled(range(columns)):
            for down, right in _DOWN:
                move = (row, column), (row + down, column + right)
                if row + down < rows and 0 <= column + right < columns:
                    line = set(_line(*move))
                    if line <= set(dots):
                        lines[move] = line
    used: dict[Dot, int] = {}
    for line in polled(lines.values()):
        for dot in line:
            used[dot] = used.get(dot, 0) + 1
    ways: dict[Square, list[Square]] = {}
    for (one, other), line in polled(lines.items()):
        if any(used[dot] == 1 for dot in line):
            ways.setdefault(one, []).append(other)
            ways.setdefault(other, []).append(one)
    return ways


def _walked(
    ways: dict[Square, list[Square]], dots: Collection[Dot], *, closed: bool
) -> list[Square] | None:
    """Return the squares in the order of the tour; None if the moves do not form one."""
    if closed:
        ends = sorted(square for square in ways if set(_ring(square)) <= set(dots))
    else:
        ends = sorted(square for square, others in ways.items() if len(others) == 1)
    if not ends or any(len(others) > 2 for others in ways.values()):
        return None
    found, before = [ends[0]], ends[0]
    while True:
        checkpoint()
        at = found[-1]
        further = [square for square in sorted(ways[at]) if square != before]
        if not further or further[0] == found[0]:
            break
        found.append(further[0])
        before = at
    return found if len(found) == len(ways) else None


def _line(one: Square, other: Square) -> Iterator[Dot]:
    """Return the dots of a move, one for each step of its longer part."""
    for step in range(2 * SIDE + 1):
        yield (
            SIDE // 2 - 1 + one[0] * SIDE + round((other[0] - one[0]) * step / 2),
            SIDE // 2 - 1 + one[1] * SIDE + round((other[1] - one[1]) * step / 2),
        )


def _ring(square: Square) -> Iterator[Dot]:
    """Return the dots of the ring in a square."""
    row, column = (SIDE // 2 - 1 + SIDE * place for place in square)
    for y, x in _RING:
        for down, right in ((y, x), (y, -x), (-y, x), (-y, -x)):
            yield row + down, column + right
