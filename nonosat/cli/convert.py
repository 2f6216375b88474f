"""`nonosat convert`: puzzles from one file format into another."""

from __future__ import annotations

from pathlib import Path

import click

from nonosat.cli import report
from nonosat.cli._files import check_target, write_atomically
from nonosat.cli._options import from_


@click.command("convert", short_help="Write puzzles in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@from_("IN")
@click.option("--to", metavar="FORMAT", help="Format of OUT; else by its suffix.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@click.pass_context
def command(
    ctx: click.Context, source: str, target: str, format_: str | None, to: str | None, force: bool
) -> None:
    """Write the puzzles of IN (a file, FILE#ID, a folder, or - for standard input) to OUT.

    OUT gets its format by --to or its suffix; - is standard output and needs --to. Many puzzles
    go only into formats that hold many. Nothing is written unless every puzzle could be read.
    """
    from nonosat import formats
    from nonosat.cli._sources import items_of

    if target == "-" and to is None:
        raise click.UsageError("standard output has no suffix; say --to (`nonosat list formats`)")
    if target != "-":
        check_target(target, force=force)
    written = to or formats.format_of(target)
    items = items_of([source], format_)
    if errors := [item.error for item in items if item.error is not None]:
        ctx.exit(max(map(report, errors)))
    data = formats.write([item.puzzle for item in items], written)
    if target == "-":
        click.echo(data, nl=False)
    else:
        write_atomically(Path(target), data)
    ctx.exit(0)
