"""Groups of cells in a picture, each with its own mark and colour."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from colorsys import hls_to_rgb
from typing import Any

from nonosat.core.errors import PuzzleError
from nonosat.core.grid import SYMBOLS, UNKNOWN, Grid
from nonosat.core.plugins import Puzzle
from nonosat.core.presenting import Scene, States
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram, from_grid

Cells = Collection[Any]  # cells (row, column), or places as the family names them

OTHERS = "*"  # mark of all groups beyond the available marks
OTHERS_NOTE = f"({OTHERS} marks all others: there are more than marks)"
OPEN = "?"  # mark of cells that are not settled and belong to no group
OPEN_RGB = "#999999"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_TAKEN = "0123456789xQ"  # used by other pictures: clues, edges off a path, queens
_TURN = 0.381966  # of the circle of hues, the golden angle: few groups never have similar colours
_STRONG, _PALE = 0.38, 0.82  # lightness of filled and of empty cells


def of_grid(picture: Grid) -> Nonogram:
    """Return the puzzle that a picture solves, with as many colours as it needs.

    Raises:
        PuzzleError: The picture has unknown cells.
    """
    if UNKNOWN in picture.cells:
        raise PuzzleError("a picture has unknown cells, expected one in which all are decided")
    most = max(picture.cells)
    inks = (Colour(SYMBOLS[at], tint(at, is_filled=True)) for at in range(1, most + 1))
    return from_grid(picture, (BLACK,) if most < 2 else tuple(inks))


def marks(puzzle: Puzzle, num_groups: int, *, ascii_only: bool = False) -> str:
    """Return one character per group, none of them a symbol of the puzzle.

    If there are not enough characters, the last groups share one.
    """
    more = "" if ascii_only else "".join(sign for sign in SYMBOLS if ord(sign) >= 0xC0)
    taken = getattr(puzzle, "symbols", _TAKEN)
    free = "".join(sign for sign in _LETTERS + more if sign not in taken)
    return free[:num_groups].ljust(num_groups, OTHERS)


def tint(group: int, is_filled: bool) -> str:
    """Return the colour of a group's cells, as "#rrggbb"."""
    parts = hls_to_rgb((0.92 + group * _TURN) % 1, _STRONG if is_filled else _PALE, 0.9)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def scene_of(
    puzzle: Puzzle, picture: Any, groups: Sequence[Cells], open_cells: Cells, caption: str
) -> Scene:
    """Return a picture in which each group has its own letter and colour.

    Args:
        puzzle: Puzzle with the colours.
        picture: Picture or other solution of the puzzle.
        groups: Cells or places that belong together.
        open_cells: Other cells, which are marked by "?".
        caption: Text below the picture.
    """
    signed = [*zip(marks(puzzle, len(groups)), groups, strict=True)]
    if open_cells:
        signed.append((OPEN, open_cells))
    return Scene(puzzle, picture, (), caption, States(groups=signed))
