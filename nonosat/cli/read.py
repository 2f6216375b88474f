"""`nonosat read`: puzzles from a photograph of a printed sheet."""

from __future__ import annotations

from typing import Any

import click

from nonosat import formats, render
from nonosat.cli import UNKNOWN
from nonosat.cli._files import STDOUT, force_option, format_for, new_file, svg_option, write
from nonosat.cli._options import json_option, limits, limits_of
from nonosat.cli._output import json_line
from nonosat.cli._progress import Working
from nonosat.core import plugins
from nonosat.core.errors import UnsupportedError, counted, path_text
from nonosat.paper.overlay import overlay
from nonosat.paper.photo import AMBIGUOUS, UNCERTAIN, counted_numbers, read_page, read_photo


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
@click.option("--page", is_flag=True, help="Read every puzzle in PHOTO, not only one.")
@limits("the reading")
@json_option("One JSON object; with --page one for each puzzle.")
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
    page: bool,
    svg: str | None,
    **params: Any,
) -> None:
    """Read the nonogram in PHOTO, a photograph or a scan of a printed sheet; with --page, all.

    PHOTO is a PNG, JPEG, GIF, BMP, WebP, PPM or PDF (its first page) of one board with its clues
    above and at the left, in black, on fields of several colours or in coloured ink. It may be
    turned, tilted and unevenly lit. The likeliest reading that has exactly one solution is taken:
    numbers that look like another one are listed, and so are doubtful ones. Needs the extra
    `paper`.

    With --page PHOTO has any number of such boards, a PDF on all its pages, and each is read by
    itself. Their puzzles have the ids NAME-1, NAME-2, ... of the file NAME, from top to bottom and
    left to right.

    The status is 0 if each reading is certain, or with --no-repair; 5 if one is not: then compare
    the listed numbers with the sheet.
    """
    if svg is not None and photo.lower().endswith(".pdf"):
        raise click.UsageError("--svg draws over an image, not over a PDF; save its page as a PNG")
    if photo == STDOUT and svg is not None:
        raise click.UsageError("standard input is read only once; PHOTO must be a file for --svg")
    format_ = None if out is None else format_for(out, to, "jsonl", 1)
    holds = None if format_ is None else plugins.find("formats", format_).holds
    if holds is not None and not holds.clues:
        what = f"{format_} holds pictures, and what is read has clues only"
        raise UnsupportedError(f"{what}; jsonl holds them, and --svg draws them")
    if holds is not None and page and not holds.many:
        raise UnsupportedError(f"{format_} holds one puzzle, a page several; jsonl holds them")
    if to is not None and out is None:
        raise click.UsageError("--to is for -o; use both, or leave it out")
    with Working(f"reading {path_text(photo)}"):
        options = {"repair": not no_repair, **limits_of(params)}
        found = read_page(photo, **options) if page else (read_photo(photo, **options),)
    if svg is not None:
        write(svg, overlay(found, photo).encode(), "1 picture")
    if params["as_json"]:
        for one in found:
            click.echo(json_line(one.to_data()))
    else:
        for number, one in enumerate(found, 1):
            name = path_text(photo) + (f", puzzle {number}" if len(found) > 1 else "")
            click.echo(render.text(one.puzzle, None))
            click.echo("\n".join([f"{name}: {one.sentence}", *map("  {}".format, one.report())]))
        click.echo(f"{path_text(photo)}: {counted_numbers(found)}")
    if out is not None and format_ is not None:
        puzzles = [one.puzzle for one in found]
        write(out, formats.write(puzzles, format_), counted(len(puzzles), "puzzle"))
    ctx.exit(UNKNOWN if any(one.status in (AMBIGUOUS, UNCERTAIN) for one in found) else 0)
