"""Files that commands write: refused early where they should not be, all of one or nothing.

A file that exists is replaced with --force alone; what is no regular file, a pipe or a device, is
written to as it is; "-" is standard output, and what else the command prints goes to standard error
then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from nonosat import formats
from nonosat.batch.foreign import foreign_file
from nonosat.cli import note
from nonosat.cli._progress import is_quiet
from nonosat.core import plugins
from nonosat.core.errors import FormatError, UnsupportedError, alternatives, path_text, shown
from nonosat.formats import content
from nonosat.processes.files import write_atomically

T = TypeVar("T")

PAGE = (".html", ".htm")  # what the name of a page may end in
STDOUT = "-"
# In the context of a command:
_FORCE = "nonosat.force"  # --force
_STREAM = "nonosat.stdout"  # standard output, where all other text goes to standard error


def _keep_force(ctx: click.Context, _: click.Parameter, force: bool) -> None:
    ctx.meta[_FORCE] = force


# Eager: it is known when the names of files are checked.
force_option = click.option(
    "--force",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_keep_force,
    help="Replace what is written to, if it exists.",
)


def is_forced() -> bool:
    """Whether the command that runs was given --force."""
    return bool(click.get_current_context().meta.get(_FORCE))


def svg_option(what: str) -> Callable[[Any], Any]:
    """Parameter `svg` of a command; `what` is drawn."""
    return click.option(
        "--svg",
        metavar="OUT.svg",
        callback=new_file(".svg"),
        help=f"Draw into OUT.svg: {what}.",
    )


def read_from(file: str, read: Callable[[bytes], T]) -> T:
    """The puzzle that `read` makes of a file, or of standard input; errors name the file."""
    return named_by(file, lambda: read(content(file)))


def named_by(file: str, read: Callable[[], T]) -> T:
    """Return what `read` finds in a file; errors name the file."""
    try:
        return read()
    except FormatError as error:
        error.path = file
        raise


def check_target(target: str, suffixes: Sequence[str] = (), *, replaces: bool = False) -> None:
    """Refuse early what could not, or should not, be written.

    Args:
        target: The file; "-" is always good.
        suffixes: What its name may end in; anything where there are none.
        replaces: Whether it may be replaced without --force.

    Raises:
        click.UsageError: With what would do.
    """
    path, file = Path(target), path_text(target)
    if target == STDOUT:
        return
    with suppress(FileNotFoundError):
        path.lstat()  # raises what keeps it from being written; pathlib does so before 3.14 alone
    if path.is_dir():
        raise click.UsageError(f"{file} is a folder; name a file in it")
    if suffixes and suffix_of(target, suffixes) is None:
        found = f"the suffix {shown(path.suffix)}" if path.suffix else "no suffix"
        raise click.UsageError(f"{file} has {found}, expected {_either(suffixes)}")
    if not path.absolute().parent.is_dir():
        what = f"there is no folder {path_text(path.parent)}; make it first"
        raise click.UsageError(f"{file}: {what}")
    if path.is_file() and not (replaces or is_forced()):  # what is no file, a pipe, is written to
        raise click.UsageError(f"{file} exists; choose another name, or --force replaces it")


def check_results(target: str | Path, resume: bool, writer: str) -> None:
    """Refuse results where there are some, unless it is said what is to become of them.

    Args:
        target: The file, which may be empty.
        resume: Whether to go on with it.
        writer: The command, as "nonosat batch".
    """
    if resume and is_forced():
        raise click.UsageError("--resume and --force: expected one of them")
    path = Path(target)
    if path.is_file() and path.stat().st_size and not (resume or is_forced()):
        found = foreign_file(path, writer)
        usual = "has results; --resume goes on with it"
        what = f"is {found}; choose another file" if found else usual
        raise click.UsageError(f"{path_text(target)} {what}, or --force replaces it")


def suffix_of(target: str, suffixes: Iterable[str]) -> str | None:
    """The one of these that the name of a file ends in, in either case."""
    name = Path(target).name.lower()
    return next((suffix for suffix in suffixes if name.endswith(suffix)), None)


def new_file(*suffixes: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """The callback of an option, or an argument, whose value is a file to write, or several."""

    def check(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
        targets = () if value is None else (value,) if isinstance(value, str) else value
        for target in targets:
            check_target(target, suffixes)
        if STDOUT in targets:
            if _STREAM in ctx.meta:
                raise click.UsageError("standard output is one file; name another one")
            ctx.meta[_STREAM] = sys.stdout
            ctx.with_resource(redirect_stdout(sys.stderr))
        return value

    return check


def _either(suffixes: Sequence[str]) -> str:
    """The suffixes in words: .html, .md or .csv; the second for a page is not told."""
    return alternatives([suffix for suffix in suffixes if suffix not in PAGE[1:]])


def write(target: str, data: bytes, what: str) -> None:
    """Write a file that `new_file` has let pass, or standard output.

    Args:
        target: The file.
        data: All of the content.
        what: The content in words, for `wrote`.

    Raises:
        OSError: The disk is full, nobody reads the pipe, ...
    """
    if target != STDOUT:
        write_atomically(Path(target), data)
        wrote(target, what)
        return
    stream = stdout()
    stream.buffer.write(data)
    stream.buffer.flush()


def wrote(target: str | Path, what: str) -> None:
    """Print a line on standard error about a file that was written, unless --quiet is given.

    Args:
        target: The file or folder; standard output gets no line.
        what: The content in words, such as "4 pages".
    """
    if str(target) != STDOUT and not is_quiet():
        note(f"{path_text(target)}: {what}")


def format_for(target: str, to: str | None, usual: str, num_puzzles: int) -> str:
    """The format that a file is written in, known before there is any work that would be lost.

    Args:
        target: The file, or standard output.
        to: The format that was asked for; None for that of the file's suffix.
        usual: The format for standard output.
        num_puzzles: How many there may be.

    Raises:
        UnsupportedError: There is no such format, or it holds one puzzle and there may be several.
    """
    name = to or (usual if target == STDOUT else formats.format_of(target))
    if not plugins.find("formats", name).holds.many and num_puzzles > 1:
        raise UnsupportedError(f"{name} holds one puzzle, not {num_puzzles}; jsonl holds them")
    return name


def draw(target: str, shown: Any) -> None:
    """Write the picture of a puzzle, or of a result: its first solution, or else the puzzle."""
    from nonosat.render.gallery import picture_of

    write(target, f"{picture_of(shown)}\n".encode(), "1 picture")


def stdout() -> Any:
    """Standard output, which a file goes to and no other text."""
    return click.get_current_context().meta.get(_STREAM, sys.stdout)
