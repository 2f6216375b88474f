"""`nonosat check`: decide if each puzzle has exactly one solution."""

from __future__ import annotations

import click

from nonosat.cli import _deciding


@click.command("check")
@_deciding.arguments(fewest=2)
@click.option(
    "--why",
    is_flag=True,
    help="For an unsolvable puzzle, find the fewest clues that contradict each other.",
)
@click.pass_context
def command(ctx: click.Context, /, why: bool, **params: object) -> None:
    """Search for a second solution of every puzzle in FILE...

    The verdict is unique, multiple, unsolvable or unknown. For multiple, two solutions are
    compared; for a single puzzle the cells in which any two solutions differ are marked, as far as
    a short search finds them.

    With --why, an unsolvable puzzle is explained: the clues and given cells that contradict each
    other, and, for nonograms, the steps of the contradiction. A set of up to 8 is proved to be
    smallest, a larger one irreducible. The search uses the rest of the limits.
    """
    ctx.exit(_deciding.decide_all("check", params, with_why=why))
