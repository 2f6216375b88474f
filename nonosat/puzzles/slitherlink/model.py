"""Model of a Slitherlink: edges, cells that are inside or outside, clues as counts.

Variables 1 .. edges are the edges in the order of `data`, followed by the cells row by row.
Linear in the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from nonosat.core.limits import polled
from nonosat.core.model import FALSE, Clause, Count, Loop, Model
from nonosat.core.plugins import Clues, PlacedClue
from nonosat.core.wording import cell_text
from nonosat.puzzles.slitherlink.data import BLANK, Path, Slitherlink

_SMALL = 10_000  # cells


def edges_of(width: int, first_vertical: int, row: int, column: int) -> tuple[int, int, int, int]:
    """Return the variables of the edges above, below, left and right of a cell."""
    above = 1 + row * width + column
    left = first_vertical + row * (width + 1) + column
    return above, above + width, left, left + 1


def build(puzzle: Slitherlink) -> Model:
    """Return a `Loop` over the lattice with the cells as its faces, and a `Count` for each clue."""
    height, width = puzzle.height, puzzle.width
    first_vertical = 1 + (height + 1) * width
    counts = tuple(
        Count(edges_of(width, first_vertical, *divmod(place, width)), clue, clue)
        for place, clue in enumerate(polled(puzzle.clues))
        if clue != BLANK
    )
    num_edges = (height + 1) * width + height * (width + 1)
    return Model(
        num_vars=num_edges + height * width,
        counts=counts,
        clauses=tuple(
            Clause((edge + 1 if value else -1 - edge,))
            for edge, value in polled(puzzle.given_edges())
        ),
        loops=(_kept(height, width) if height * width <= _SMALL else lattice(height, width),),
        blocked_on=range(1, num_edges + 1),
        blocked_by_true=True,
    )


def lattice(height: int, width: int) -> Loop:
    """Return the loop on the lattice of a board; an edge's faces are the cells on either side."""
    edges, faces = [], []
    across, down = width + 1, height + 1
    for edge, (row, column) in enumerate(_places(down, width), start=1):
        vertex = row * across + column
        edges.append((vertex, vertex + 1, edge))
    for edge, vertex in enumerate(polled(range(height * across)), start=1 + down * width):
        edges.append((vertex, vertex + across, edge))
    first = len(edges) + 1
    for row, column in _places(down, width):
        cell = first + row * width + column
        faces.append((cell - width if row else FALSE, cell if row < height else FALSE))
    for row, column in _places(height, across):
        cell = first + row * width + column
        faces.append((cell if column < width else FALSE, cell - 1 if column else FALSE))
    return Loop(across * down, tuple(edges), tuple(faces))


_kept = lru_cache(maxsize=16)(lattice)  # a collection has many boards of few sizes


def _places(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    return ((row, column) for row in polled(range(rows)) for column in range(columns))


def places(puzzle: Slitherlink) -> dict[int, tuple[int, ...]]:
    """Map variables to edges (row, column, row, column) between two corners, or to cells."""
    loop, across = lattice(puzzle.height, puzzle.width), puzzle.width + 1
    found: dict[int, tuple[int, ...]] = {
        edge: (*divmod(one, across), *divmod(other, across))
        for one, other, edge in polled(loop.edges)
    }
    first = len(found) + 1
    cells = range(puzzle.height * puzzle.width)
    return found | {first + cell: divmod(cell, puzzle.width) for cell in polled(cells)}


def decode(puzzle: Slitherlink, values: bytes) -> Path:
    """Return the path of `values`: values[v] is 1 if variable v is true (index 0 unused)."""
    height, width = puzzle.height, puzzle.width
    num_edges = (height + 1) * width + height * (width + 1)
    return Path(height, width, bytes(values[1 : 1 + num_edges]))


# Clues are cells, each with the number of its edges on the path.


def _clues_of(puzzle: Slitherlink) -> list[PlacedClue]:
    """Return row, column and clue of each cell that is not blank."""
    pairs = enumerate(polled(puzzle.clues))
    return [(*divmod(place, puzzle.width), clue) for place, clue in pairs if clue != BLANK]


def _with_only(puzzle: Slitherlink, clues: Sequence[PlacedClue]) -> Slitherlink:
    """Return the board with these clues only."""
    cells = bytearray([BLANK]) * (puzzle.height * puzzle.width)
    for row, column, clue in clues:
        cells[row * puzzle.width + column] = clue
    return replace(puzzle, clues=bytes(cells))


def _clue_text(puzzle: Slitherlink, clue: PlacedClue) -> str:
    """Return a clue in words: "row 2, column 3 (clue 1)"."""
    del puzzle
    row, column, number = clue
    return f"{cell_text(row, column)} (clue {number})"


def _clue_clauses(puzzle: Slitherlink, clue: PlacedClue) -> Iterator[Sequence[int]]:
    """Yield clauses: of any clue + 1 edges one is off the path, of any 5 - clue one is on it."""
    row, column, number = clue
    first_vertical = 1 + (puzzle.height + 1) * puzzle.width
    edges = edges_of(puzzle.width, first_vertical, row, column)
    for too_many in combinations(edges, number + 1):
        yield [-edge for edge in too_many]
    yield from combinations(edges, len(edges) - number + 1)


def _clues_shown(puzzle: Slitherlink, path: Path) -> list[PlacedClue]:
    """Return for each cell the clue that the path implies: its number of edges on the path."""
    found: list[PlacedClue] = []
    for row in polled(range(puzzle.height)):
        above, below, beside = path.horizontal(row), path.horizontal(row + 1), path.vertical(row)
        found += (
            (row, at, above[at] + below[at] + beside[at] + beside[at + 1])
            for at in range(puzzle.width)
        )
    return found


CLUES = Clues(
    of=_clues_of,
    with_only=_with_only,
    told=_clue_text,
    clauses=_clue_clauses,
    shown=_clues_shown,
)
