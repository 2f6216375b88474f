"""`nonosat solve`: the first solution, or several."""

from __future__ import annotations

import click

from nonosat.cli import _deciding


@click.command("solve")
@_deciding.arguments(fewest=1)
@click.pass_context
def command(ctx: click.Context, /, **params: object) -> None:
    """Find the first solution of every puzzle in FILE... and show it.

    The verdict is solved, unsolvable or unknown. If --max-solutions is more than one, a solved
    puzzle is unique or multiple, as in `check`.
    """
    ctx.exit(_deciding.decide_all("solve", params))
