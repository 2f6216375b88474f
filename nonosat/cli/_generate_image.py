"""`nonosat generate image`: a puzzle of a photograph or a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli._files import STDOUT
from nonosat.cli._generating import generated, out
from nonosat.cli._options import limits, limits_of

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram


@click.command("image", short_help="Make a nonogram of a photograph or a drawing.")
@click.argument("picture")
@click.option("--columns", metavar="C", type=click.IntRange(min=1), help="Columns of the puzzle.")
@click.option(
    "--rows",
    metavar="R",
    type=click.IntRange(min=1),
    help="Rows of the puzzle. One of both is enough; with both, empty lines keep the shape.",
)
@click.option(
    "--colours",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many inks at most, besides the background.",
)
@click.option(
    "--threshold",
    metavar="T",
    type=click.FloatRange(0, 1),
    help="Fill what is darker than this, 0 for black to 1 for white; else it is found.",
)
@click.option(
    "--invert/--no-invert",
    default=None,
    help="Fill what is light. Else that is done where the edge is dark, without T and --dither.",
)
@click.option(
    "--edges",
    metavar="E",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="How much details and outlines stand out, 0 for not at all to 1.",
)
@click.option(
    "--dither",
    type=click.Choice(["floyd-steinberg", "bayer"]),
    help="Show shades as a mixture of cells: by error diffusion, or by a regular 4x4 pattern.",
)
@click.option(
    "--unique", is_flag=True, help="Change some cells so that the clues have one solution."
)
@click.option(
    "--logic-only",
    is_flag=True,
    help="The same, and so that reasoning about one line at a time finds it.",
)
@click.option(
    "--grade",
    metavar="1-7",
    type=click.IntRange(1, 7),
    help="The same, with this difficulty (see `nonosat rate`); not every picture can have each.",
)
@out("picture")
@limits("the puzzle")
@click.pass_context
def image(ctx: click.Context, /, picture: str, out: str, to: str | None, **asked: Any) -> None:
    """Make a nonogram of PICTURE that people recognise.

    PICTURE is a PNG, JPEG, GIF, BMP, WebP or PPM, or - for standard input. In one colour dark parts
    are filled, thin strokes are kept, and outlines are drawn where two colours are equally dark;
    with --dither shades are shown instead, as a mixture of cells. Without --unique the puzzle may
    have several solutions: `nonosat check` says so, and `nonosat repair` finds the fewest changes.
    Pixel art needs no making: name it in the place of any FILE. Needs
    Pillow.
    """
    from nonosat.generate.image import from_image

    if asked["columns"] is None and asked["rows"] is None:
        raise click.UsageError("no size; say --columns, --rows or both (people like 10 to 60)")
    if asked["colours"] > 1 and (asked["threshold"] is not None or asked["invert"] is not None):
        raise click.UsageError("--threshold and --invert are for one colour; leave out --colours")

    def made(_: int) -> Nonogram:
        name = "" if picture == STDOUT else Path(picture).stem
        return from_image(picture, id=name, **limits_of(asked), **_wanted(asked))

    ctx.exit(generated(made, [1], out, to, "picture"))


def _wanted(asked: dict[str, Any]) -> dict[str, Any]:
    how = ("columns", "rows", "colours", "threshold", "invert", "edges", "dither")
    return {name: asked[name] for name in (*how, "unique", "logic_only", "grade")}
