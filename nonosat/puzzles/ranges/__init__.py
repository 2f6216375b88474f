"""Ranges family: nonograms whose clues leave lengths, or blocks, open.

Uses of an open clue:

* Data, JSON and text have entries `BlockOf` (a choice of lengths) and `AnyBlocks` (`data.py`).
* The model has one `Line` a row and column, with these entries in `blocks`.
* The encodings automaton, automaton-state, bdd and mdd, the formulation automaton, exports, and
  `board.line.possible` use the automaton of a clue (`board/automaton.py`). Its states are sets of
  places in the clue, so that it is deterministic and models are counted without projection.
* Everything else that reads the blocks of a line reads `Line.clue`, which refuses an open clue.
* Certificates state the rules again, with an automaton of their own (`certify/encoder.py`).
* Uses of nonograms alone (boards with their propagation, beliefs and prices, explanations,
  edited pictures, most formats) refuse the family.
* The verifier compares the runs of a picture with the entries, without an automaton.

A block with a choice of lengths and any number of blocks are regular languages, so everything that
reads cells in order takes them. An encoding by starts would have to number the blocks that
`AnyBlocks` absorbs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from nonosat.core.errors import counted
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import AnyBlocks, Block, Model, OpenClue, are_runs_of
from nonosat.core.plugins import Family
from nonosat.core.wording import cell_text, line_text, value_text
from nonosat.core.wording import clue_text as runs_text
from nonosat.puzzles import nonogram
from nonosat.puzzles.nonogram.data import clue_of
from nonosat.puzzles.ranges.data import (
    RangeNonogram,
    clue_of_text,
    clue_text,
    from_data,
    to_data,
)

__all__ = [
    "PLUGIN",
    "RangeNonogram",
    "build",
    "clue_of_text",
    "clue_text",
    "from_data",
    "obstacle",
    "places",
    "refutation",
    "to_data",
]


def build(puzzle: RangeNonogram) -> Model:
    """Return the model of a puzzle: a `Line` for each row and column, rows first."""
    model, clues = nonogram.build(puzzle.blank()), (*puzzle.rows, *puzzle.columns)
    lines = zip(polled(model.lines), clues, strict=True)
    return replace(model, lines=tuple(replace(line, blocks=clue) for line, clue in lines))


def places(puzzle: RangeNonogram) -> dict[int, tuple[int, ...]]:
    """Return the cell of each variable, with its colour if there are several."""
    size, num_colours = puzzle.height * puzzle.width, len(puzzle.colours)
    return {
        1 + (colour - 1) * size + cell: (
            *divmod(cell, puzzle.width),
            *((colour,) if num_colours > 1 else ()),
        )
        for colour in range(1, num_colours + 1)
        for cell in polled(range(size))
    }


def obstacle(puzzle: RangeNonogram) -> str | None:
    """Return the first line that is too short for its clue, in words; None without one."""
    for line, clue in enumerate((*puzzle.rows, *puzzle.columns)):
        length = puzzle.width if line < puzzle.height else puzzle.height
        if (least := _least(clue)) > length:
            name = f"{line_text(line, puzzle.height)} (clue {clue_text(clue, puzzle.signs)})"
            return f"{name} needs at least {counted(least, 'cell')}, it has {length}"
    return None


def _least(clue: OpenClue) -> int:
    """Return the number of cells that a clue needs at least."""
    blocks = [entry for entry in clue if not isinstance(entry, AnyBlocks)]
    gaps = sum(one.colour == other.colour for one, other in pairwise(blocks))
    sizes = (
        block.length or 1 if isinstance(block, Block) else block.lengths[0] for block in blocks
    )
    return gaps + sum(sizes)


def refutation(puzzle: RangeNonogram, grid: Grid) -> str | None:
    """Return why `grid` is not a solution of `puzzle`, or None if it is one."""
    board, signs = puzzle.blank(), puzzle.signs
    if wrong := board.misfit(grid):
        return f"the picture {wrong}"
    for row, column, colour in polled(puzzle.given):
        if (found := grid[row, column]) != colour:
            where, given = cell_text(row, column), value_text(colour, signs)
            return f"the cell in {where} is {value_text(found, signs)}, but it is given as {given}"
    for line, clue in enumerate(polled((*puzzle.rows, *puzzle.columns))):
        row = line < puzzle.height
        runs = clue_of(grid.row(line) if row else grid.column(line - puzzle.height))
        if not are_runs_of(clue, [(block.length or 0, block.colour) for block in runs]):
            name = line_text(line, puzzle.height)
            text = clue_text(clue, signs)
            return f"{name} has the runs {runs_text(runs, signs)}, its clue is {text}"
    return None


def solution_data(puzzle: RangeNonogram, grid: Grid) -> list[str]:
    """Return the rows of a picture, with the puzzle's symbols."""
    return grid.lines(puzzle.symbols)


def solution_from_data(puzzle: RangeNonogram, rows: Sequence[str]) -> Grid:
    """Return the picture from the rows that `solution_data` returns."""
    return Grid.of_rows(rows, puzzle.symbols)


PLUGIN = Family(
    summary="nonograms with open clues: blocks with a choice of lengths, any number of blocks",
    build=build,
    decode=lambda puzzle, values: nonogram.decode(puzzle.blank(), values),
    refutation=refutation,
    to_data=to_data,
    from_data=from_data,
    keys=frozenset(("rows", "columns", "colors", "given")),
    obstacle=obstacle,
    solution_data=solution_data,
    solution_from_data=solution_from_data,
    legend=lambda puzzle: puzzle.blank().legend,
    places=places,
    part="cell",
    encodings={"line": "automaton"},
)
