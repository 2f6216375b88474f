"""`nonosat convert`: puzzles from one file format into another."""

from __future__ import annotations

import os
from pathlib import Path

import click

from nonosat.cli import report


@click.command("convert", short_help="Write puzzles in another format.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_", metavar="FORMAT", help="Format of IN; else seen in the file.")
@click.option("--to", metavar="FORMAT", help="Format of OUT; else by its suffix.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@click.pass_context
def command(
    ctx: click.Context, source: str, target: str, from_: str | None, to: str | None, force: bool
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
        refuse_target(Path(target), force)
    format_ = to or formats.format_of(target)
    items = items_of([source], from_)
    if errors := [item.error for item in items if item.error is not None]:
        ctx.exit(max(map(report, errors)))
    data = formats.write([item.puzzle for item in items], format_)
    if target == "-":
        click.echo(data, nl=False)
    else:
        write_atomically(Path(target), data)
    ctx.exit(0)


def refuse_target(path: Path, force: bool) -> None:
    """Refuse early what could not, or should not, be written."""
    if path.is_dir():
        raise click.UsageError(f"{path} is a folder; name a file in it")
    if path.is_file() and not force:
        raise click.UsageError(f"{path} exists; choose another name, or --force replaces it")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that at every moment it is the old one or the whole new one.

    Args:
        path: Where; a symbolic link is followed, a pipe or device is written to as it is.
        data: All of the content.

    Raises:
        OSError: The folder is not there, the disk is full, ...
    """
    named = path
    path = path.resolve()
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        try:
            draft.write_bytes(data)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:  # nobody but us knows the name of the draft, and a device has none
        raise OSError(error.errno, error.strerror, str(named)) from error
