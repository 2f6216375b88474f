"""The rules of a Slitherlink: one closed path along edges, with a given number around some cells.

Variables are the edges, in the order of `Path.edges`, then the cells, row by row: "this cell is
inside the path". An edge is on the path if and only if exactly one of its two sides is inside;
beyond the board is outside. Size: linear in the board.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.certify.rules import Statement
from nonosat.core.limits import polled
from nonosat.core.model import FALSE, Clause, Count, Loop, Model
from nonosat.puzzles.slitherlink.data import Path, Slitherlink

Place = tuple[int, int]


def model_of(puzzle: Slitherlink) -> Model:
    """Return a model of the clues and the path."""
    height, width = puzzle.height, puzzle.width
    borders = list(_borders(height, width))
    num_edges = len(borders)
    cells = [(row, column) for row in range(height) for column in range(width)]
    inside = {cell: var for var, cell in enumerate(cells, start=num_edges + 1)}
    edges, faces = [], []
    around: dict[Place, list[int]] = {cell: [] for cell in cells}
    for edge, (ends, sides) in enumerate(polled(borders), start=1):
        one, other = (row * (width + 1) + column for row, column in ends)
        edges.append((one, other, edge))
        first, second = (inside.get(side, FALSE) for side in sides)
        faces.append((first, second))
        for side in sides:
            if side in around:
                around[side].append(edge)
    clues = ((around[cell], puzzle[cell]) for cell in polled(cells))
    return Model(
        num_vars=num_edges + len(cells),
        counts=tuple(Count(lits, clue, clue) for lits, clue in clues if clue is not None),
        clauses=tuple(
            Clause((edge if puzzle.given[edge - 1] else -edge,))
            for edge in range(1, len(puzzle.given) + 1)
            if puzzle.given[edge - 1] in (0, 1)
        ),
        loops=(Loop((height + 1) * (width + 1), tuple(edges), tuple(faces)),),
        blocked_on=range(1, num_edges + 1),
        blocked_by_true=True,
    )


def _borders(height: int, width: int) -> Iterator[tuple[tuple[Place, Place], tuple[Place, Place]]]:
    """Yield, for each edge, the two corners that it joins and the two cells that it separates."""
    for row in polled(range(height + 1)):
        for column in range(width):
            yield ((row, column), (row, column + 1)), ((row - 1, column), (row, column))
    for row in polled(range(height)):
        for column in range(width + 1):
            yield ((row, column), (row + 1, column)), ((row, column - 1), (row, column))


def true_in(puzzle: Slitherlink, path: Path) -> Iterator[int]:
    """Yield the variables of the edges of a path."""
    del puzzle
    return (edge for edge, is_on in enumerate(path.edges, start=1) if is_on)


RULES = Statement(Slitherlink, model_of, true_in)
