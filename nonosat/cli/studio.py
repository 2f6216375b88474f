"""`nonosat studio`: a page in a browser to draw, judge, repair, explain, play and print puzzles."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from nonosat.cli._files import force_option, is_forced, wrote
from nonosat.cli._options import memory
from nonosat.studio.opening import run
from nonosat.studio.static import write

_SERVING = {"port": "--port", "no_browser": "--no-browser", "memory_limit_mib": "--memory-limit"}


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
@force_option
@memory("each worker process", "2G")
@click.pass_context
def command(
    ctx: click.Context,
    file: str | None,
    port: int | None,
    no_browser: bool,
    static: str | None,
    memory_limit_mib: int,
) -> None:
    """Open the studio: draw pictures, see at once if their puzzles are unique, repair, play.

    It may begin with a puzzle (FILE, or FILE#ID if it holds several), an image that becomes a
    picture, or a text: clues, an address of puzz.link, a share text of the studio.

    The page is served on this machine only; its address, which contains a random token, is
    sufficient to use it. Nothing is loaded from elsewhere. Ctrl-C ends it. Needs starlette, uvicorn
    and websockets.

    --static writes a page that needs no server: it decides puzzles itself, also offline, without
    the functions that only nonosat on a computer has (explanations, difficulty, certificates). Its
    users share puzzles as links. --force writes it into a folder that holds other files, too.
    """
    if static is not None:
        if file is not None:
            raise click.UsageError("--static takes no puzzle; leave FILE out")
        if given := [option for name, option in _SERVING.items() if _is_given(ctx, name)]:
            raise click.UsageError(f"--static serves nothing; leave {' and '.join(given)} out")
        num_files = write(Path(static), replaces=is_forced())
        wrote(static, f"{num_files} files, a page for any web host")
        return
    if is_forced():
        raise click.UsageError("--force is for --static DIR: nothing else is written")
    browse = not no_browser
    run(file, port=port, memory_limit_mib=memory_limit_mib, browse=browse, report=click.echo)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
