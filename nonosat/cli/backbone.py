"""`nonosat backbone`: which cells are equal in all solutions, and which differ in some two."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli._deciding import STATUS
from nonosat.cli._files import force_option, svg_option
from nonosat.cli._options import limits_of, of_each_puzzle
from nonosat.errors import counted

if TYPE_CHECKING:
    from nonosat.cli._sources import Item
    from nonosat.grid import Grid
    from nonosat.questions.backbones import BackboneResult
    from nonosat.render import Places, Style

DIFFERS, UNDECIDED = "?", "_"


@click.command("backbone", short_help="Show what all solutions have in common.")
@of_each_puzzle
@svg_option("a solution, marked where others differ")
@force_option
@click.pass_context
def command(ctx: click.Context, /, **asked: Any) -> None:
    """Show, for every puzzle in FILE..., the cells that are equal in all solutions.

    Marked cells (pink, or ?) differ in some two solutions. Where a limit was hit, cells that are
    proven neither way are marked, too, and counted; the status is then 5. It is 0 when every cell
    is proven, and 4 where there is no solution.
    """
    from nonosat.cli._each import Question, each
    from nonosat.cli._output import style_of_stdout
    from nonosat.questions.backbones import backbone

    def ask(item: Item) -> BackboneResult:
        return backbone(item.puzzle, **limits_of(asked))

    text = partial(_text, style_of_stdout())
    ctx.exit(each(Question(ask, _status, text, _data, _svg), asked))


def _status(reply: BackboneResult) -> int:
    if reply.verdict.value == "unsolvable":
        return STATUS["unsolvable"]
    return 0 if reply.is_complete else STATUS["unknown"]


def _text(style: Style, item: Item, reply: BackboneResult) -> str:
    from nonosat import render
    from nonosat.cli._output import heading

    reason = f" ({reply.reason})" if reply.reason else ""
    if reply.verdict.value == "unsolvable":
        return f"{heading(item)}: no solution{reason}, {reply.seconds:.3f} s"
    grid, marked = _board(reply)
    num_settled = len(grid.cells) - len(marked)
    counts = f"{counted(num_settled, 'cell')} settled, {len(reply.differing)} differ"
    if reply.undecided:
        counts += f", {len(reply.undecided)} undecided (also marked)"
    told = f"{heading(item)}: {reply.verdict.value}, {counts}{reason}, {reply.seconds:.3f} s"
    return f"{render.text(item.puzzle, grid, style, marked)}\n{told}"


def _board(reply: BackboneResult) -> tuple[Grid, Places]:
    """A solution, or what is settled, and the cells to mark in it."""
    from nonosat.grid import UNKNOWN, Grid

    settled = reply.settled
    grid = reply.solution or Grid(
        settled.height, settled.width, settled.cells.replace(bytes([UNKNOWN]), b"\0")
    )
    return grid, (*reply.differing, *reply.undecided)


def _svg(item: Item, reply: BackboneResult) -> str:
    from nonosat import render

    if reply.verdict.value == "unsolvable":
        return render.svg(item.puzzle, None, (), str(reply))
    return render.svg(item.puzzle, *_board(reply), str(reply))


def _data(item: Item, reply: BackboneResult) -> dict[str, Any]:
    """A backbone as JSON data: rows of settled cells, "?" where they differ, "_" undecided."""
    from nonosat.cli._each import work_data

    signs = item.puzzle.symbols
    rows = [list(row) for row in reply.settled.lines(signs.ljust(255, "?") + DIFFERS)]
    for row, column in reply.undecided:
        rows[row][column] = UNDECIDED
    legend = item.puzzle.legend
    return {
        "verdict": reply.verdict.value,
        "backbone": ["".join(row) for row in rows],
        **({"legend": legend} if legend else {}),
        "differing": [list(cell) for cell in reply.differing],
        "undecided": [list(cell) for cell in reply.undecided],
        **work_data(reply),
    }
