"""Lanes family: nonograms on boards whose lanes are any sequences of cells.

Triddlers (triangles with lanes in three directions), rectangles of which cells are left out, and
several grids that share cells (`shape.py`). The model has one `Line` a lane (`LaneLines`), and at
most one colour a cell; native propagation, probing, search and counting take these lines as they
take rows and columns (`board/presolve.py`, `questions/countable.py`), and `learn` decides the rest.
Uses of rows and columns alone (beliefs and prices, explanations, edited pictures, most formats)
refuse the family.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from nonosat.core.errors import counted
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import Clause, Clue, LaneLines, Model, OneColourEach
from nonosat.core.plugins import Family
from nonosat.core.wording import cell_text, clue_text, short_clue_text, value_text
from nonosat.puzzles.lanes.data import NO_CELL, LaneNonogram, from_data, from_grid, mono, to_data
from nonosat.puzzles.lanes.shape import Shape, grids, of_lanes, outline, samurai, triddler
from nonosat.puzzles.nonogram.data import clue_of

__all__ = [
    "PLUGIN",
    "LaneNonogram",
    "Shape",
    "build",
    "decode",
    "from_data",
    "from_grid",
    "grids",
    "mono",
    "obstacle",
    "of_lanes",
    "outline",
    "places",
    "refutation",
    "samurai",
    "to_data",
    "triddler",
]


def build(puzzle: LaneNonogram) -> Model:
    """Return the model of a puzzle: a `Line` for each lane."""
    layout, num_colours = puzzle.layout, len(puzzle.colours)
    size = len(layout.places)
    cells = {place: cell for cell, place in enumerate(layout.places)} if puzzle.given else {}
    units = []
    for row, column, colour in polled(puzzle.given):
        for k in range(1, num_colours + 1):
            lit = 1 + cells[row, column] + (k - 1) * size
            units.append(Clause((lit if k == colour else -lit,)))
    return Model(
        num_vars=num_colours * size,
        lines=LaneLines(layout.lanes, puzzle.clues, layout.names, size, num_colours),
        counts=OneColourEach(size, num_colours),
        clauses=tuple(units),
    )


def decode(puzzle: LaneNonogram, values: bytes) -> Grid:
    """Return the picture of `values`: values[v] is 1 if variable v is true (index 0 unused)."""
    layout = puzzle.layout
    size, picture = len(layout.places), bytearray(layout.height * layout.width)
    for cell, (row, column) in enumerate(polled(layout.places), 1):
        for k in range(len(puzzle.colours)):
            if values[cell + k * size]:
                picture[row * layout.width + column] = k + 1
    return Grid(layout.height, layout.width, bytes(picture))


def places(puzzle: LaneNonogram) -> dict[int, tuple[int, ...]]:
    """Return the place of each variable, with its colour if there are several."""
    size, num_colours = len(puzzle.layout.places), len(puzzle.colours)
    return {
        1 + k * size + cell: (*place, *((k + 1,) if num_colours > 1 else ()))
        for k in range(num_colours)
        for cell, place in enumerate(polled(puzzle.layout.places))
    }


def obstacle(puzzle: LaneNonogram) -> str | None:
    """Return a reason, from the clues alone, why the puzzle has no solution; None without one."""
    layout, signs = puzzle.layout, puzzle.signs
    for lane, name, clue in zip(layout.lanes, layout.names, puzzle.clues, strict=True):
        if (least := _least(clue)) > len(lane):
            named = f"{name} (clue {short_clue_text(clue, signs)})"
            return f"{named} needs at least {counted(least, 'cell')}, it has {len(lane)}"
    if layout.alike == 1:
        return None
    for colour, ink in enumerate(puzzle.colours, 1):
        sums = [_filled(clues, colour) for clues in puzzle.grouped(puzzle.clues)]
        starts = [*accumulate(layout.groups, initial=0)]
        for group, (one, other) in enumerate(pairwise(sums)):
            if (group + 1) % layout.alike and None not in (one, other) and one != other:
                kind = "" if len(puzzle.colours) == 1 else f" of colour {ink.key!r}"
                first, second = (layout.names[starts[group + step]] for step in (0, 1))
                return (
                    f"the lanes from {first} on fill {counted(one or 0, 'cell')}{kind}, those from "
                    f"{second} on {other}, and they have the same cells"
                )
    return None


def _least(clue: Clue) -> int:
    """Return the number of cells that a clue needs at least."""
    gaps = sum(one.colour == other.colour for one, other in pairwise(clue))
    return gaps + sum(block.length or 1 for block in clue)


def _filled(clues: Sequence[Clue], colour: int) -> int | None:
    """Return the number of cells of a colour, None if a block of it has an unknown length."""
    lengths = [block.length for clue in clues for block in clue if block.colour == colour]
    return None if None in lengths else sum(length or 0 for length in lengths)


def refutation(puzzle: LaneNonogram, grid: Grid) -> str | None:
    """Return why `grid` is not a solution of `puzzle`, or None if it is one."""
    layout, signs = puzzle.layout, puzzle.signs
    if (grid.height, grid.width) != (layout.height, layout.width):
        return (
            f"the picture has {grid.height} rows x {grid.width} columns, the board "
            f"{layout.height} x {layout.width}"
        )
    cells = bytes(grid[place] for place in polled(layout.places))
    for cell, value in enumerate(cells):
        if value > len(puzzle.colours):
            where = cell_text(*layout.places[cell])
            return f"the picture has colour {value} in {where}, expected 0 to {len(puzzle.colours)}"
    if sum(map(bool, cells)) != len(grid.cells) - grid.cells.count(0):
        return "the picture is filled at a place without a cell"
    for row, column, colour in polled(puzzle.given):
        if (value := grid[row, column]) != colour:
            where, given = cell_text(row, column), value_text(colour, signs)
            return f"the cell in {where} is {value_text(value, signs)}, but it is given as {given}"
    for lane, name, clue in zip(polled(layout.lanes), layout.names, puzzle.clues, strict=True):
        runs = clue_of(cells[cell] for cell in lane)
        fits = len(runs) == len(clue) and all(
            run.colour == block.colour and block.length in (None, run.length)
            for run, block in zip(runs, clue, strict=True)
        )
        if not fits:
            found, wanted = clue_text(runs, signs), clue_text(clue, signs)
            return f"{name} has the runs {found}, its clue is {wanted}"
    return None


def solution_data(puzzle: LaneNonogram, grid: Grid) -> list[str]:
    """Return the rows of a picture with the puzzle's symbols, blanks at places without a cell."""
    return _rows(puzzle, grid, puzzle.symbols)


def _rows(puzzle: LaneNonogram, grid: Grid, symbols: str) -> list[str]:
    """Return the rows of a picture; `symbols[k]` is the sign of value k."""
    rows = [[NO_CELL] * puzzle.width for _ in range(puzzle.height)]
    for row, column in polled(puzzle.layout.places):
        rows[row][column] = symbols[grid[row, column]]
    return ["".join(row) for row in rows]


def solution_from_data(puzzle: LaneNonogram, rows: Sequence[str]) -> Grid:
    """Return the picture from the rows that `solution_data` returns."""
    empty = puzzle.symbols[0]
    return Grid.of_rows([row.replace(NO_CELL, empty) for row in rows], puzzle.symbols)


PLUGIN = Family(
    summary="triddlers, outlines and holes, several grids that share cells",
    build=build,
    decode=decode,
    refutation=refutation,
    to_data=to_data,
    from_data=from_data,
    keys=frozenset(("shape", "clues", "colors", "given")),
    obstacle=obstacle,
    solution_data=solution_data,
    solution_from_data=solution_from_data,
    legend=lambda puzzle: puzzle.legend,
    places=places,
    part="cell",
)
