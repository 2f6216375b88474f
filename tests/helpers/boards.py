"""Slitherlinks for tests: the document's sample, drawn boards, and all loops of a small lattice.

Loops are found by walking on the lattice, clues by looking at four sides; nothing here uses the
model, the rules or the generator.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from nonosat.puzzles.slitherlink.data import BLANK, Path, Slitherlink, from_rows
from nonosat.testing import loops

SAMPLE = """8 8
1 0 1 1 2 2 1 3
3 3 3 3 2 3 3 2
2 2 0 1 1 2 2 0
2 3 1 1 0 1 2 2
2 1 2 3 1 1 0 2
1 2 2 2 2 3 2 1
3 2 1 3 1 1 3 2
1 0 0 2 3 2 3 2
"""
FRAME = """\
#####################################
#                                   #
#                 +---------------+ #
#   1   0   1   1 | 2   2   1   3 | #
# +---+   +---+   |   +---+   +---+ #
# | 3 | 3 | 3 | 3 | 2 | 3 | 3 | 2   #
# |   +---+   +---+   |   +---+     #
# | 2   2   0   1   1 | 2   2   0   #
# +-------+           +-------+     #
#   2   3 | 1   1   0   1   2 | 2   #
# +-------+   +---+           +---+ #
# | 2   1   2 | 3 | 1   1   0   2 | #
# |       +---+   |   +---+       | #
# | 1   2 | 2   2 | 2 | 3 | 2   1 | #
# |   +---+   +---+   |   +---+   | #
# | 3 | 2   1 | 3   1 | 1   3 | 2 | #
# +---+       +---+   |   +---+   | #
#   1   0   0   2 | 3 | 2 | 3   2 | #
#                 +---+   +-------+ #
#                                   #
#####################################"""


def sample() -> Slitherlink:
    """The document's board."""
    return from_rows(line.split() for line in SAMPLE.splitlines()[1:])


@cache
def all_paths(height: int, width: int) -> tuple[Path, ...]:
    """Every loop on the lattice of a board."""
    lattice = loops.board(height, width)
    found = loops.cycles(lattice)
    size = len(lattice.edges)
    return tuple(Path(height, width, bytes(e in cycle for e in range(size))) for cycle in found)


def clues_of(path: Path) -> bytes:
    """How many sides of each cell are on the path."""
    return bytes(
        path.horizontal(row)[column]
        + path.horizontal(row + 1)[column]
        + sum(path.vertical(row)[column : column + 2])
        for row in range(path.height)
        for column in range(path.width)
    )


def solutions(puzzle: Slitherlink) -> set[Path]:
    """By looking at every loop."""

    def fits(path: Path) -> bool:
        pairs = zip(puzzle.clues, clues_of(path), strict=True)
        return all(clue in (BLANK, mine) for clue, mine in pairs)

    return {path for path in all_paths(puzzle.height, puzzle.width) if fits(path)}


@st.composite
def puzzles(draw: st.DrawFn, longest: int = 4, most_cells: int = 12) -> Slitherlink:
    """A board: most have the clues of some loop, some have any; any share of them is blank."""
    height = draw(st.integers(1, longest))
    width = draw(st.integers(1, min(longest, most_cells // height)))
    size = height * width
    if draw(st.integers(0, 3)):
        clues = clues_of(draw(st.sampled_from(all_paths(height, width))))
    else:
        clues = bytes(draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)))
    kept = draw(st.lists(st.booleans() | st.just(True), min_size=size, max_size=size))
    cells = (clue if keep else BLANK for clue, keep in zip(clues, kept, strict=True))
    return Slitherlink(height, width, bytes(cells))
