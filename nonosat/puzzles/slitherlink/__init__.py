"""Slitherlink family: a `Loop` on the lattice of a board, and a `Count` for each clue.

Variables are the edges, in the order of `data`, then the cells: a cell is inside or outside the
loop. A solution is determined by its edges alone. A board without blank cells is a Slink.
"""

from __future__ import annotations

from nonosat.core.plugins import Family
from nonosat.core.wording import cell_text
from nonosat.puzzles.slitherlink.data import (
    BLANK,
    Path,
    Slitherlink,
    around,
    from_data,
    from_rows,
    solution_from_data,
    to_data,
)
from nonosat.puzzles.slitherlink.edges import Edges
from nonosat.puzzles.slitherlink.model import CLUES, build, decode, places
from nonosat.puzzles.slitherlink.sights import breaks, rules
from nonosat.puzzles.slitherlink.verify import refutation

__all__ = [
    "BLANK",
    "PLUGIN",
    "Edges",
    "Path",
    "Slitherlink",
    "around",
    "build",
    "decode",
    "from_data",
    "from_rows",
    "obstacle",
    "places",
    "refutation",
    "solution_from_data",
    "to_data",
]


def obstacle(puzzle: Slitherlink) -> str | None:
    """Return a reason, found without search, why there is no solution; None without one."""
    if not any(puzzle.clues):
        return "every clue is 0, so that no edge is left for the path"
    if (place := puzzle.clues.find(4)) >= 0:
        row, column = divmod(place, puzzle.width)
        alone = around(
            puzzle.height, puzzle.width, [at == place for at in range(len(puzzle.clues))]
        )
        if mistake := refutation(puzzle, alone):
            return f"the clue 4 in {cell_text(row, column)} is a loop of its own, but {mistake}"
    return None


PLUGIN = Family(
    summary="one closed path along the edges of a board, by how many edges of a cell are on it",
    build=build,
    decode=decode,
    refutation=refutation,
    to_data=to_data,
    from_data=from_data,
    keys=frozenset({"rows", "given"}),
    obstacle=obstacle,
    breaks=breaks,
    solution_from_data=solution_from_data,
    places=places,
    clues=CLUES,
    methods={"rules": rules},
    encodings={"loop": "cells", "count": "pairwise"},
)
