"""`nonosat backbone`: cells that are equal in all solutions, and cells that differ in some two."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from nonosat import render
from nonosat.cli import _jobs
from nonosat.cli._deciding import STATUS
from nonosat.cli._each import Question, each
from nonosat.cli._files import force_option, svg_option
from nonosat.cli._given import given_option
from nonosat.cli._options import limits_of, of_each_puzzle
from nonosat.cli._output import heading, style_of_stdout
from nonosat.core.errors import counted
from nonosat.core.families import family_of
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.wording import cells_text
from nonosat.questions.backbones import backbone

if TYPE_CHECKING:
    from nonosat.cli._sources import PuzzleItem
    from nonosat.questions.backbone_result import BackboneResult
    from nonosat.render import Style


@click.command("backbone")
@of_each_puzzle
@given_option
@_jobs.threads
@svg_option("a solution, marked where others differ")
@force_option
@click.pass_context
def command(ctx: click.Context, /, **params: object) -> None:
    """Show, for every puzzle in FILE..., the values that all solutions share.

    For a nonogram these are cells, for queens squares, for a Slitherlink edges and cells, for a
    knight's tour moves. Marked values (pink, or ?) differ in some two solutions. If a limit was
    reached, undecided values are marked, too, and counted; the status is then 5. It is 0 when all
    are decided, and 4 if there is no solution.
    """
    jobs = _jobs.num_threads(params)

    def query(item: PuzzleItem) -> BackboneResult:
        return backbone(item.puzzle, **limits_of(params, item.read_s), jobs=jobs)

    text = partial(_text, style_of_stdout())
    ctx.exit(each(Question(query, _status, text), params))


def _status(reply: BackboneResult) -> int:
    if reply.verdict.value == "unsolvable":
        return STATUS["unsolvable"]
    return 0 if reply.is_complete else STATUS["unknown"]


def _text(style: Style, item: PuzzleItem, reply: BackboneResult) -> str:
    reason = f" ({reply.reason})" if reply.reason else ""
    if reply.verdict.value == "unsolvable":
        return f"{heading(item)}: no solution{reason}, {reply.seconds:.3f} s"
    shown, settled, marked = reply.solution, reply.settled, reply.marked
    if shown is None and isinstance(settled, Grid):
        cells = settled.cells.replace(bytes([UNKNOWN]), b"\0")
        shown = Grid(settled.height, settled.width, cells)
    counts = f"{counted(reply.num_settled, family_of(item.puzzle).part)} settled"
    counts += f", {len(reply.differing)} differ"
    if num_undecided := reply.num_undecided:
        counts += f", {num_undecided} undecided (marked, too)"
    text = f"{heading(item)}: {reply.verdict.value}, {counts}{reason}, {reply.seconds:.3f} s"
    lines = [render.text(item.puzzle, shown, style, marked), text]
    if marked and not isinstance(settled, Grid):
        lines.append(f"  not settled (row,column): {cells_text(marked)}")
    return "\n".join(lines)
