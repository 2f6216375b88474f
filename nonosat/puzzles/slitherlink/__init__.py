"""The Slitherlink family: a `Loop` on the lattice of a board, and a `Count` a clue.

Variables are the edges, in the order of `data`, then the cells: a cell is inside or outside the
loop. A solution is known by its edges alone.
"""

from __future__ import annotations

from nonosat.puzzles.slitherlink.data import BLANK, Path, Slitherlink, around, from_rows
from nonosat.puzzles.slitherlink.model import build, decode
from nonosat.puzzles.slitherlink.verify import refutation

SUMMARY = "one closed path on the edges of a board; a clue counts its cell's edges on it"
ENCODINGS = {"loop": "cells", "count": "pairwise"}

__all__ = [
    "BLANK",
    "Path",
    "Slitherlink",
    "around",
    "build",
    "decode",
    "from_rows",
    "refutation",
]
