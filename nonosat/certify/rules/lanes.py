"""The rules of a board of lanes: a line for each clue, at most one colour per cell, given cells.

Variable k * n + 1 + i, with n the number of cells, is "cell i has colour k + 1". Size: linear in
the lengths of all lanes, times the colours.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonosat.certify.rules import Statement
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import Clause, Count, Line, Model
from nonosat.puzzles.lanes.data import LaneNonogram


def model_of(puzzle: LaneNonogram) -> Model:
    """Return a model of clues, colours, and given cells."""
    places, num_colours = puzzle.layout.places, len(puzzle.colours)
    planes = [range(k * len(places) + 1, (k + 1) * len(places) + 1) for k in range(num_colours)]
    lines = []
    for lane, clue in polled(zip(puzzle.layout.lanes, puzzle.clues, strict=True)):
        lines.append(Line(tuple([plane[cell] for cell in lane] for plane in planes), clue))
    given = {(row, column): colour for row, column, colour in puzzle.given}
    counts, units = [], []
    for place, *lits in zip(polled(places), *planes, strict=True):
        if num_colours > 1:
            counts.append(Count(lits, 0, 1))
        if place in given:
            units += [
                Clause((lit if colour == given[place] else -lit,))
                for colour, lit in enumerate(lits, 1)
            ]
    return Model(
        num_vars=num_colours * len(places),
        lines=tuple(lines),
        counts=tuple(counts),
        clauses=tuple(units),
    )


def true_in(puzzle: LaneNonogram, grid: Grid) -> Iterator[int]:
    """Yield the variables of the filled cells with their colours."""
    size = len(puzzle.layout.places)
    values = (grid[place] for place in puzzle.layout.places)
    return (cell + (colour - 1) * size for cell, colour in enumerate(values, 1) if colour)


RULES = Statement(LaneNonogram, model_of, true_in)
