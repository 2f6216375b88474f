"""Files that commands write: invalid targets are refused early, and writing is atomic.

An existing file is replaced with --force only; a target that is not a regular file (a pipe or a
device) is written directly; "-" is standard output, and other output of the command goes to
standard error in that case.
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

PAGE = (".html", ".htm")  # suffixes of a page
STDOUT = "-"
# Keys in the context of a command:
_FORCE = "nonosat.force"  # --force
_STREAM = "nonosat.stdout"  # standard output is a target; all other text goes to standard error


def _keep_force(ctx: click.Context, _: click.Parameter, force: bool) -> None:
    ctx.meta[_FORCE] = force


# Eager: the value is needed when names of files are checked.
force_option = click.option(
    "--force",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_keep_force,
    help="Replace the output file if it exists.",
)


def is_forced() -> bool:
    """Return True if the running command was given --force."""
    return bool(click.get_current_context().meta.get(_FORCE))


def svg_option(what: str) -> Callable[[Any], Any]:
    """Return a decorator that adds --svg, which draws `what`."""
    return click.option(
        "--svg",
        metavar="OUT.svg",
        callback=new_file(".svg"),
        help=f"Draw into OUT.svg: {what}.",
    )


def read_from(file: str, read: Callable[[bytes], T]) -> T:
    """Return the puzzle that `read` makes of a file, or of standard input; errors name the file."""
    return named_by(file, lambda: read(content(file)))


def named_by(file: str, read: Callable[[], T]) -> T:
    """Return the result of `read` for a file; errors name the file."""
    try:
        return read()
    except FormatError as error:
        error.path = file
        raise


def check_target(target: str, suffixes: Sequence[str] = (), *, replaces: bool = False) -> None:
    """Refuse early a target that cannot, or must not, be written.

    Args:
        target: The file; "-" is always valid.
        suffixes: Valid suffixes; any if empty.
        replaces: True if the file may be replaced without --force.

    Raises:
        click.UsageError: The target is refused; the message states valid ones.
    """
    path, file = Path(target), path_text(target)
    if target == STDOUT:
        return
    with suppress(FileNotFoundError):
        path.lstat()  # raises the reason why it cannot be written; pathlib does so only before 3.14
    if path.is_dir():
        raise click.UsageError(f"{file} is a folder; name a file in it")
    if suffixes and suffix_of(target, suffixes) is None:
        found = f"the suffix {shown(path.suffix)}" if path.suffix else "no suffix"
        raise click.UsageError(f"{file} has {found}, expected {_either(suffixes)}")
    if not path.absolute().parent.is_dir():
        what = f"there is no folder {path_text(path.parent)}; make it first"
        raise click.UsageError(f"{file}: {what}")
    if path.is_file() and not (replaces or is_forced()):  # pipes and devices are written directly
        raise click.UsageError(f"{file} exists; choose another name, or --force replaces it")


def check_results(target: str | Path, resume: bool, writer: str) -> None:
    """Refuse existing results unless the options state whether to continue or replace them.

    Args:
        target: The file, which may be empty.
        resume: True to continue it.
        writer: The command, for example "nonosat batch".
    """
    if resume and is_forced():
        raise click.UsageError("--resume and --force: expected one of them")
    path = Path(target)
    if path.is_file() and path.stat().st_size and not (resume or is_forced()):
        found = foreign_file(path, writer)
        usual = "has results; --resume continues it"
        what = f"is {found}; choose another file" if found else usual
        raise click.UsageError(f"{path_text(target)} {what}, or --force replaces it")


def suffix_of(target: str, suffixes: Iterable[str]) -> str | None:
    """Return that one of the given suffixes with which a file's name ends, ignoring case."""
    name = Path(target).name.lower()
    return next((suffix for suffix in suffixes if name.endswith(suffix)), None)


def new_file(*suffixes: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback that checks the files to write which an option or argument names."""

    def check(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
        targets = () if value is None else (value,) if isinstance(value, str) else value
        for target in targets:
            check_target(target, suffixes)
        if STDOUT in targets:
            if _STREAM in ctx.meta:
                raise click.UsageError("standard output is written only once; name another file")
            ctx.meta[_STREAM] = sys.stdout
            ctx.with_resource(redirect_stdout(sys.stderr))
        return value

    return check


def _either(suffixes: Sequence[str]) -> str:
    """Return suffixes in words: ".html, .md or .csv"; of a page's suffixes only the first."""
    return alternatives([suffix for suffix in suffixes if suffix not in PAGE[1:]])


def write(target: str, data: bytes, what: str) -> None:
    """Write a file that `new_file` has accepted, or standard output.

    Args:
        target: The file.
        data: The whole content.
        what: The content in words, for `wrote`.

    Raises:
        OSError: The disk is full, the pipe is closed, ...
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
        what: The content in words, for example "4 pages".
    """
    if str(target) != STDOUT and not is_quiet():
        note(f"{path_text(target)}: {what}")


def format_for(target: str, to: str | None, usual: str, num_puzzles: int) -> str:
    """Return the format of an output file, determined before any work that would be lost.

    Args:
        target: The file, or standard output.
        to: The requested format; None for that of the file's suffix.
        usual: The format for standard output.
        num_puzzles: Maximum number of puzzles.

    Raises:
        UnsupportedError: There is no such format, or it holds one puzzle and there may be several.
    """
    name = to or (usual if target == STDOUT else formats.format_of(target))
    if not plugins.find("formats", name).holds.many and num_puzzles > 1:
        raise UnsupportedError(f"{name} holds one puzzle, not {num_puzzles}; jsonl holds them")
    return name


def draw(target: str, shown: object) -> None:
    """Write the picture of a puzzle, or of a result: its first solution, or else the puzzle."""
    from nonosat.render.gallery import picture_of

    write(target, f"{picture_of(shown)}\n".encode(), "1 picture")


def stdout() -> Any:
    """Return standard output, reserved for a file; all other text goes to standard error."""
    return click.get_current_context().meta.get(_STREAM, sys.stdout)
