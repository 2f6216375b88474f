"""Unique puzzles that probing does not solve, 30 x 30 to 60 x 60, as listed in `unique.csv`.

The table contains the recipe of each picture (cells of a flip as row:column), the number of cells
that probing leaves open, and the CPU seconds in which two engines proved it unique, each with its
own encoding and without presolve. `recorded.py` writes it in minutes; generating the pictures is
fast.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from entry import Entry, Record, clued
from random_pictures import Recipe, picture

from nonosat.board.presolve import PresolvedModel, presolved
from nonosat.core import plugins
from nonosat.core.limits import Limits, Watch

TABLE = Path(__file__).with_name("unique.csv")
COLUMNS = (
    *("texture", "height", "width", "density", "seed"),
    *("num_open", "glucose421_s", "cadical195_s", "flips"),
)
KIND = "unique-hard"


@dataclass(frozen=True, slots=True)
class Row:
    """A puzzle of the table.

    Args:
        recipe: Its picture.
        num_open: Number of cells that probing leaves open.
        glucose421_s: CPU seconds of a check with glucose421 in the order encoding; 0 if not
            measured.
        cadical195_s: CPU seconds of a check with cadical195 in the encoding automaton.
    """

    recipe: Recipe
    num_open: int
    glucose421_s: float = 0.0
    cadical195_s: float = 0.0

    @property
    def id(self) -> str:
        recipe = self.recipe
        return f"{recipe.texture}-{recipe.height}-{recipe.seed}"


def read() -> list[Row]:
    """Return the rows of the table."""
    with TABLE.open(newline="") as file:
        return [_row(line) for line in csv.DictReader(file)]


def write(rows: Iterable[Row]) -> None:
    """Write the table, smallest boards first."""
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in sorted(rows, key=lambda row: (row.recipe.height, row.id)):
            recipe = row.recipe
            flips = " ".join(f"{r}:{c}" for r, c in recipe.flips)
            found = (row.num_open, row.glucose421_s, row.cadical195_s, flips)
            drawn = (recipe.texture, recipe.height, recipe.width, recipe.density, recipe.seed)
            writer.writerow((*drawn, *found))


def _row(line: dict[str, str]) -> Row:
    flips = tuple(tuple(map(int, cell.split(":"))) for cell in line["flips"].split())
    recipe = Recipe(
        int(line["height"]),
        int(line["width"]),
        float(line["density"]),
        int(line["seed"]),
        flips,  # type: ignore[arg-type]  # pairs
        texture=line["texture"],
    )
    num_open = int(line["num_open"])
    return Row(recipe, num_open, float(line["glucose421_s"]), float(line["cadical195_s"]))


def num_open(recipe: Recipe) -> int:
    """Return the number of cells that propagation and probing leave open."""
    puzzle = clued("", "", picture(recipe), "").puzzle
    task = PresolvedModel.of(plugins.find("puzzles", puzzle.family).build(puzzle))
    for _ in presolved(task, Watch(Limits())):
        pass
    return task.num_open()


def entry(row: Row) -> Entry:
    """Return the puzzle with its recorded verdict, because deciding it takes long."""
    recipe = row.recipe
    origin = f"{recipe.texture}, seed {recipe.seed} and {len(recipe.flips)} flips"
    title = f"Repaired {recipe.texture} {recipe.height} x {recipe.width} at {recipe.density:.0%}"
    return replace(clued(row.id, title, picture(recipe), origin), record=Record("unique", KIND))


def entries() -> Sequence[Entry]:
    """Return all puzzles of the table."""
    return [entry(row) for row in read()]
