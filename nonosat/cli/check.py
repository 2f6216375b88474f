"""`nonosat check`: has each puzzle exactly one solution?"""

from __future__ import annotations

import click

from nonosat.cli import _deciding


@click.command("check")
@_deciding.arguments(fewest=2)
@click.option(
    "--why",
    is_flag=True,
    help="Of an unsolvable puzzle, find the fewest clues that contradict each other.",
)
@click.pass_context
def command(ctx: click.Context, /, why: bool, **asked: object) -> None:
    """Look for a second solution of every puzzle in FILE...

    The verdict is unique, multiple, unsolvable or unknown. For multiple, two solutions are
    compared; of a puzzle that is asked about alone the cells in which any two differ are marked, as
    far as a short look tells.

    With --why an unsolvable puzzle is told apart: the clues and given cells that contradict each
    other, and, of nonograms, how; proven to be the fewest up to 8, of more none can be left out.
    It takes what the limits leave.
    """
    ctx.exit(_deciding.decide_all("check", asked, with_why=why))
