"""`nonosat studio`: a page in a browser to draw puzzles, judge, mend, explain, play, print them."""

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
    help="Where the page is; else 8437, where a browser finds its drawings again, or a free port.",
)
@click.option("--no-browser", is_flag=True, help="Open no browser, only print the address.")
@click.option(
    "--static",
    "static",
    metavar="DIR",
    type=click.Path(),
    help="Write the page into a folder for any web host, and end.",
)
@force_option
@memory("each process that works", "2G")
@click.pass_context
def command(
    ctx: click.Context,
    file: str | None,
    port: int | None,
    no_browser: bool,
    static: str | None,
    memory_limit_mib: int,
) -> None:
    """Open the studio: draw pictures, know at once whether their puzzles are unique, mend, play.

    It may begin with a puzzle (FILE, or FILE#ID where it holds many), an image that becomes a
    picture, or a text: clues, an address of puzz.link, what the studio gives to be shared.

    The page is on this machine alone, and whoever has its address, which holds a random token, can
    use it. Nothing is loaded from elsewhere. Ctrl-C ends it. Needs
    starlette, uvicorn and websockets.

    --static writes a page that needs no server of ours: it judges by itself, also offline, and
    says what only nonosat on a computer can do. It takes no puzzle along: share texts open in it.
    --force writes it into a folder that holds other files, too.
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
    run(file, port=port, memory_limit_mib=memory_limit_mib, browse=browse, say=click.echo)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
