"""`nonosat studio`: a page in a browser to draw, judge, repair, explain, play and print puzzles."""

from __future__ import annotations

from pathlib import Path

import click

from nonosat.cli._files import force_option, is_forced, wrote
from nonosat.cli._options import is_given, memory
from nonosat.studio.opening import run
from nonosat.studio.static import write, write_player

_SERVING = {"port": "--port", "no_browser": "--no-browser", "memory_limit_mib": "--memory-limit"}
_WRITTEN = {  # by option
    "static": (write, "a page for any web host"),
    "player": (write_player, "a player for any web page"),
}


@click.command("studio")
@click.argument("file", metavar="[FILE|IMAGE|TEXT]", required=False)
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(1, 65535),
    help="Port of the page; default: 8437 (browsers store drawings per port), or a free one.",
)
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
@click.option(
    "--static",
    "static",
    metavar="DIR",
    type=click.Path(),
    help="Write the page into a folder for any web host, then exit.",
)
@click.option(
    "--player",
    "player",
    metavar="DIR",
    type=click.Path(),
    help="Write the element <nonosat-board> for other pages, a package of npm, then exit.",
)
@force_option
@memory("each worker process", "2G")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str | None,
    port: int | None,
    no_browser: bool,
    memory_limit_mib: int,
    **folders: str | None,
) -> None:
    """Open the studio: draw pictures, see at once if their puzzles are unique, repair, play.

    It may begin with a puzzle (FILE, or FILE#ID if it holds several), an image that becomes a
    picture, or a text: clues, an address of puzz.link, a share text of the studio.

    The page is served on this machine only; its address, which contains a random token, is
    sufficient to use it. Nothing is loaded from elsewhere. Ctrl-C ends it. Needs starlette, uvicorn
    and websockets.

    --static writes a page that needs no server: it decides, explains and rates nonograms
    itself, also offline, without the functions that only nonosat on a computer has (steps by
    prices and guesses, certificates, answers about Slitherlinks). Its users share puzzles as
    links. --player writes an element that plays a puzzle on any other page; README.md in the
    folder explains it. --force writes into a folder that holds other files, too.
    """
    if targets := {name: target for name, target in folders.items() if target is not None}:
        _write_folder(ctx, file, targets)
        return
    if is_forced():
        raise click.UsageError("--force is for --static DIR and --player DIR only")
    browse = not no_browser
    run(file, port=port, memory_limit_mib=memory_limit_mib, browse=browse, report=click.echo)


def _write_folder(ctx: click.Context, file: str | None, folders: dict[str, str]) -> None:
    """Write the requested folder; refuse options that would have no effect."""
    name, *others = folders
    if others:
        raise click.UsageError("--static and --player write two folders; give one of them")
    if file is not None:
        raise click.UsageError(f"--{name} takes no puzzle; leave FILE out")
    if given := [option for serving, option in _SERVING.items() if is_given(ctx, serving)]:
        raise click.UsageError(f"--{name} serves nothing; leave {' and '.join(given)} out")
    written, content = _WRITTEN[name]
    num_files = written(Path(folders[name]), replaces=is_forced())
    wrote(folders[name], f"{num_files} files, {content}")
