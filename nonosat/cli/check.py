"""`nonosat check`: has each puzzle exactly one solution?"""

from __future__ import annotations

import click

from nonosat.cli import _deciding


@click.command(
    "check", short_help="Tell whether the solution is the only one.", epilog=_deciding.EPILOG
)
@_deciding.arguments(fewest=2)
@click.pass_context
def command(ctx: click.Context, /, **asked: object) -> None:
    """Look for a second solution of every puzzle in FILE...

    The verdict is unique, multiple, unsolvable or unknown. For multiple, two solutions
    are compared, and the cells in which any two differ are marked, as far as a short look tells.
    """
    ctx.exit(_deciding.decide_all("check", asked))
