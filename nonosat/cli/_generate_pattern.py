"""`nonosat generate pattern`: well-known pictures in any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli._generating import generated, out
from nonosat.cli._options import limits, limits_of

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram


@click.command("pattern", short_help="Draw fractals, curves and other well-known pictures.")
@click.argument("name")
@click.option(
    "--size", metavar="N", type=click.IntRange(min=1), required=True, help="Rows, at most."
)
@click.option("--dark", is_flag=True, help="Exchange filled and empty cells.")
@out("picture")
@limits("the picture")
@click.pass_context
def pattern(ctx: click.Context, /, name: str, out: str, to: str | None, **asked: Any) -> None:
    """Make the nonogram of a well-known picture.

    NAME is carpet, dominoes, dragon, glider-gun, hilbert, knot, mandelbrot, moire, pentagrid,
    primes, rose, rule-30, sierpinski, spirograph, triangles or truchet. Some exist in some sizes
    only: then it is the largest one of at most N rows. The puzzle may have several solutions:
    `nonosat check` says so.
    """
    from nonosat.generate.patterns import generate_pattern

    def made(size: int) -> Nonogram:
        return generate_pattern(name, size, dark=asked["dark"], **limits_of(asked))

    ctx.exit(generated(made, [asked["size"]], out, to, "picture"))
