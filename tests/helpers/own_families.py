"""Puzzles whose family is not part of nonosat: its own model states the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from nonosat.core.about import NOTHING_KNOWN, About
from nonosat.core.grid import Grid
from nonosat.core.model import Count, Line, Model
from nonosat.core.plugins import Family
from nonosat.puzzles import slitherlink
from nonosat.puzzles.slitherlink import Slitherlink


@dataclass(frozen=True, slots=True)
class Fence:
    """Slitherlink under another name."""

    board: Slitherlink
    about: About = NOTHING_KNOWN

    height = width = 1
    size = "a fence"

    @property
    def family(self) -> Family:
        return FENCES

    def about_with(self, **changes: str) -> Fence:
        return replace(self, about=replace(self.about, **changes))


def fence(*rows: str) -> Fence:
    return Fence(slitherlink.from_rows(rows))


FENCES = Family(
    name="fences",
    summary="slitherlinks of another package",
    build=lambda puzzle: slitherlink.build(puzzle.board),
    decode=lambda puzzle, values: slitherlink.decode(puzzle.board, values),
    refutation=lambda puzzle, path: slitherlink.refutation(puzzle.board, path),
    to_data=lambda puzzle: {"rows": puzzle.board.rows()},
    from_data=lambda data: Fence(slitherlink.from_rows(data["rows"])),
)


@dataclass(frozen=True, slots=True)
class Row:
    """Row of cells with blocks, and the number of filled cells in its left half."""

    width: int
    blocks: tuple[int, ...]
    left: int
    about: About = NOTHING_KNOWN

    height = 1
    size = "a row"

    @property
    def family(self) -> Family:
        return ROWS

    def about_with(self, **changes: str) -> Row:
        return replace(self, about=replace(self.about, **changes))


def _model(puzzle: Row) -> Model:
    cells = tuple(range(1, puzzle.width + 1))
    half = cells[: puzzle.width // 2]
    return Model(
        puzzle.width,
        lines=(Line(cells, puzzle.blocks),),
        counts=(Count(half, puzzle.left, puzzle.left),),
    )


def _refuted(puzzle: Row, grid: Grid) -> str | None:
    runs = [len(run) for run in str(grid).split(".") if run]
    filled = grid.cells[: puzzle.width // 2].count(1)
    return None if runs == [*puzzle.blocks] and filled == puzzle.left else "other blocks"


def _of_data(data: Any) -> Row:
    return Row(data["width"], tuple(data["blocks"]), data["left"])


ROWS = Family(
    name="halves",
    summary="one row of blocks, and how many cells of its left half are filled",
    build=_model,
    decode=lambda puzzle, values: Grid(1, puzzle.width, bytes(values[1 : puzzle.width + 1])),
    refutation=_refuted,
    to_data=lambda puzzle: {
        "width": puzzle.width,
        "blocks": [*puzzle.blocks],
        "left": puzzle.left,
    },
    from_data=_of_data,
)
