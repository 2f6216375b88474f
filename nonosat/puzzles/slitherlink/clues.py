"""The clues of a Slitherlink, one by one: cells, each with the number of its edges on the path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from nonosat.core.plugins import Clues, PlacedClue
from nonosat.core.wording import cell_text
from nonosat.puzzles.slitherlink.data import BLANK, Path, Slitherlink
from nonosat.puzzles.slitherlink.model import edges_of


def of(puzzle: Slitherlink) -> list[PlacedClue]:
    """Row, column and clue of each cell that is not blank."""
    pairs = enumerate(puzzle.clues)
    return [(*divmod(place, puzzle.width), clue) for place, clue in pairs if clue != BLANK]


def with_only(puzzle: Slitherlink, clues: Sequence[PlacedClue]) -> Slitherlink:
    """The board with these clues alone."""
    cells = bytearray([BLANK]) * (puzzle.height * puzzle.width)
    for row, column, clue in clues:
        cells[row * puzzle.width + column] = clue
    return replace(puzzle, clues=bytes(cells))


def told(puzzle: Slitherlink, clue: PlacedClue) -> str:
    """ "row 2, column 3 (clue 1)"."""
    del puzzle
    row, column, number = clue
    return f"{cell_text(row, column)} (clue {number})"


def clauses(puzzle: Slitherlink, clue: PlacedClue) -> Iterator[Sequence[int]]:
    """Of so many edges that they are too many not all are on the path, and the other way round."""
    row, column, number = clue
    first_vertical = 1 + (puzzle.height + 1) * puzzle.width
    edges = edges_of(puzzle.width, first_vertical, row, column)
    for too_many in combinations(edges, number + 1):
        yield [-edge for edge in too_many]
    yield from combinations(edges, len(edges) - number + 1)


def shown(puzzle: Slitherlink, path: Path) -> list[PlacedClue]:
    """What a clue in each cell would be."""
    found: list[PlacedClue] = []
    for row in range(puzzle.height):
        above, below, beside = path.horizontal(row), path.horizontal(row + 1), path.vertical(row)
        found += (
            (row, at, above[at] + below[at] + beside[at] + beside[at + 1])
            for at in range(puzzle.width)
        )
    return found


CLUES = Clues(of=of, with_only=with_only, told=told, clauses=clauses, shown=shown)
