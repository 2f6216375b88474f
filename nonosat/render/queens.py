"""Boards of queens: a character per square for terminals and pipes, a chessboard as a figure.

Drawn in time linear in the squares as text, in the queens and blocked squares as a figure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from nonosat.core.plugins import Drawing
from nonosat.puzzles.queens.data import check_drawn
from nonosat.render.look import MARK, USUAL, Look
from nonosat.render.shapes import Figure, Group, Path, Shape

if TYPE_CHECKING:
    from nonosat.puzzles.queens.data import Placement, Queens, Square
    from nonosat.render._style import Style

CELL = 30  # pixels a side
EDGE = 2  # margin around the board
LIGHT, DARK = "#f4ecdc", "#cbb592"
INK, GIVEN_INK, BLOCKED_INK = "#222222", "#0b5394", "#8a7a5c"
UNICODE, ASCII = "·♛×?", ".Qx?"  # free, queen, blocked, marked
FREE, QUEEN, BLOCKED, MARKED = range(4)

# A crown, its corners relative to each other, from the left end of its base.
_CROWN = "h.5l.1-.42-.17.18-.07-.3-.11.26-.11-.26-.07.3-.17-.18zm0 .04h.5v.07h-.5z"


def text(
    puzzle: Queens, placement: Placement | None, style: Style, marked: Collection[Square] = ()
) -> str:
    """Return the board, a line per row; a list of columns if a terminal is too narrow for it."""
    n = puzzle.n
    check_drawn(n)
    if remark := style.too_wide("the board", 2 * n):
        queens = sorted(_queens(puzzle, placement))
        shown = str([column for _, column in queens]) if placement else f"given: {queens}"
        return f"{shown}\n{remark}"
    rows = [[FREE] * n for _ in range(n)]
    for kind, squares in (
        (BLOCKED, puzzle.blocked),
        (QUEEN, _queens(puzzle, placement)),
        (MARKED, marked),
    ):
        for row, column in squares:
            rows[row][column] = kind
    signs = UNICODE if style.unicode else ASCII
    if not style.ansi:
        return "\n".join(" ".join(signs[kind] for kind in row) for row in rows)
    given = {*puzzle.given}
    return "\n".join(
        "".join(_painted(signs, kind, (row, column), given) for column, kind in enumerate(kinds))
        + "\x1b[0m"
        for row, kinds in enumerate(rows)
    )


def _painted(signs: str, kind: int, square: Square, given: set[Square]) -> str:
    """Return the text of one square with escape codes for the colours of the chessboard."""
    ink = GIVEN_INK if square in given else (INK, INK, BLOCKED_INK, MARK)[kind]
    sign = " " if kind == FREE else signs[kind]
    return f"{_code(38, ink)}{_code(48, DARK if sum(square) % 2 else LIGHT)}{sign} "


def _code(ground: int, colour: str) -> str:
    """Return the escape code of a foreground (38) or background (48) colour."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    red, green, blue = bytes.fromhex(digits)
    return f"\x1b[{ground};2;{red};{green};{blue}m"


def figure(
    puzzle: Queens,
    placement: Placement | None,
    marked: Collection[Square] = (),
    look: Look = USUAL,
) -> Figure:
    """Return a chessboard with its queens: given ones blue, blocked squares crossed out, marks
    ringed.
    """
    del look  # a chessboard has the same colours in every theme
    n = puzzle.n
    check_drawn(n)
    given = {*puzzle.given}
    placed = (queen for queen in _queens(puzzle, placement) if queen not in given)
    dark = "".join(f"M{1 - row % 2} {row}.5H{n}" for row in range(n))  # dashed, one per square
    crosses = "".join(f"M{x}.25 {y}.25l.5.5M{x}.75 {y}.25l-.5.5" for y, x in puzzle.blocked)
    rings = "".join(f"M{x}.08 {y}.08h.84v.84h-.84z" for y, x in marked)
    frame = f"M0 0h{n}v{n}h-{n}z"
    shapes: list[Shape] = [
        Path(frame, fill=LIGHT),
        Path(dark, stroke=DARK, width=1, dash=1),
        Path(crosses, stroke=BLOCKED_INK, width=0.1, is_round=True),
        _crowns(placed, INK),
        _crowns(puzzle.given, GIVEN_INK),
        Path(rings, stroke=MARK, width=0.1),
        Path(frame, stroke=DARK, width=0.06),
    ]
    side = CELL * n + 2 * EDGE
    return Figure([Group(shapes, EDGE, EDGE, CELL)], side, side, CELL)


def _crowns(queens: Iterable[Square], ink: str) -> Path:
    shapes = "".join(f"M{column}.25 {row}.73{_CROWN}" for row, column in queens)
    return Path(shapes, fill=ink, stroke=ink, width=0.05, is_round=True)


def _queens(puzzle: Queens, placement: Placement | None) -> Iterable[Square]:
    """Return the squares of the placement's queens; without a placement those of given queens."""
    return puzzle.given if placement is None else enumerate(placement.columns)


PLUGIN = Drawing(summary="boards of queens, chessboards", text=text, figure=figure)
