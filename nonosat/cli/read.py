"""`nonosat read`: a puzzle from a photograph of its printed sheet."""

from __future__ import annotations

from typing import Any

import click

from nonosat import formats, render
from nonosat.cli import UNKNOWN
from nonosat.cli._files import STDOUT, force_option, format_for, new_file, svg_option, write
from nonosat.cli._options import limits, limits_of, one_json
from nonosat.cli._output import json_line
from nonosat.cli._progress import Working
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError, path_text
from nonosat.paper.overlay import overlay
from nonosat.paper.photo import AMBIGUOUS, UNCERTAIN, counted_numbers, read_photo


@click.command("read")
@click.argument("photo")
@click.option(
    "-o",
    "--output",
    "out",
    metavar="OUT",
    callback=new_file(),
    help="Write the puzzle; the suffix selects the format. - is standard output.",
)
@click.option(
    "--to", metavar="FORMAT", help="Format of OUT or of standard output (default there: jsonl)."
)
@click.option(
    "--no-repair", is_flag=True, help="Keep every number as it looks; nothing is checked."
)
@limits("the reading")
@one_json
@svg_option("the photograph, with the numbers that were read over it")
@force_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    photo: str,
    out: str | None,
    to: str | None,
    no_repair: bool,
    svg: str | None,
    **params: Any,
) -> None:
    """Read the nonogram in PHOTO, a photograph or a scan of a printed sheet.

    PHOTO is a PNG, JPEG, GIF, BMP, WebP or PPM of one board in one colour with its clues above and
    at the left. It may be turned, tilted and unevenly lit. The likeliest reading that has exactly
    one solution is taken: numbers that look like another one are listed, and so are doubtful ones.
    Needs the extra `paper`.

    The status is 0 if the reading is certain, or with --no-repair; 5 if it is not: then compare the
    listed numbers with the sheet.
    """
    if photo == STDOUT and svg is not None:
        raise click.UsageError("standard input is read only once; PHOTO must be a file for --svg")
    format_ = None if out is None else format_for(out, to, "jsonl", 1)
    if format_ is not None and not plugins.find("formats", format_).holds.clues:
        what = f"{format_} holds pictures, and what is read has clues only"
        raise UnsupportedError(f"{what}; jsonl holds them, and --svg draws them")
    if to is not None and out is None:
        raise click.UsageError("--to is for -o; use both, or leave it out")
    with Working(f"reading {path_text(photo)}"):
        found = read_photo(photo, repair=not no_repair, **limits_of(params))
    if svg is not None:
        write(svg, overlay(found, photo).encode(), "1 picture")
    if params["as_json"]:
        click.echo(json_line(found.to_data()))
    else:
        click.echo(render.text(found.puzzle, None))
        click.echo(
            "\n".join(
                [f"{path_text(photo)}: {found.sentence}", *map("  {}".format, found.report())]
            )
        )
        click.echo(f"{path_text(photo)}: {counted_numbers(found)}")
    if out is not None and format_ is not None:
        write(out, formats.write([found.puzzle], format_), "1 puzzle")
    ctx.exit(UNKNOWN if found.status in (AMBIGUOUS, UNCERTAIN) else 0)
