"""`nonosat convert`: convert puzzles from one file format to another."""

from __future__ import annotations

import click

from nonosat import formats
from nonosat.cli import report
from nonosat.cli._files import STDOUT, force_option, new_file, write
from nonosat.cli._options import from_, limits, limits_of
from nonosat.cli._progress import Working
from nonosat.cli._sources import items_of
from nonosat.core.errors import counted, path_text
from nonosat.core.limits import watch_of
from nonosat.core.scope import within


@click.command("convert")
@click.argument("source", metavar="FILE")
@click.argument("target", metavar="OUT", callback=new_file())
@from_("FILE")
@click.option("--to", metavar="FORMAT", help="Format of OUT; default: by its suffix.")
@force_option
@limits("reading each puzzle, and for writing them all")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    source: str,
    target: str,
    format_: str | None,
    to: str | None,
    **params: object,
) -> None:
    """Write the puzzles of FILE to OUT.

    --to or the suffix of OUT selects the format; - is standard output and needs --to. Several
    puzzles need a format that holds several. Nothing is written unless every puzzle could be read.
    """
    if target == STDOUT and to is None:
        raise click.UsageError("standard output has no suffix; use --to (`nonosat list formats`)")
    written = to or formats.format_of(target)
    items = items_of([source], format_, params=params)
    if errors := [item.error for item in items if item.error is not None]:
        ctx.exit(max(map(report, errors)))
    with Working(f"writing {path_text(target)}"):
        puzzles = [item.puzzle for item in items]
        data = within(watch_of(**limits_of(params)), lambda: formats.write(puzzles, written))
    write(target, data, counted(len(puzzles), "puzzle"))
    ctx.exit(0)
