"""`nonosat solve`: the first solution, or as many as asked for."""

from __future__ import annotations

import click

from nonosat.cli import _deciding


@click.command("solve", short_help="Find a solution, or several.", epilog=_deciding.EPILOG)
@_deciding.arguments(fewest=1)
@click.pass_context
def command(ctx: click.Context, /, **asked: object) -> None:
    """Find the first solution of every puzzle in FILE... and show it.

    The verdict is `solved` unless more solutions are asked for or the way to the first one
    showed that there is no other (`unique`).
    """
    ctx.exit(_deciding.decide_all("solve", asked))
