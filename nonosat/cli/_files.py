"""Files that commands write: refused early where they should not be, all of one or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from nonosat.errors import alternatives

PAGE = (".html", ".htm")  # what the name of a page may end in


def check_target(target: str, suffixes: Sequence[str] = (), force: bool | None = None) -> None:
    """Refuse early what could not, or should not, be written.

    Args:
        target: The file.
        suffixes: What its name may end in; anything where there are none.
        force: Whether --force allows to replace it; None where the command has no such option.

    Raises:
        click.UsageError: With what would do.
    """
    path = Path(target)
    if path.is_dir():
        raise click.UsageError(f"{target} is a folder; name a file in it")
    if suffixes and suffix_of(target, suffixes) is None:
        found = f"the suffix {path.suffix!r}" if path.suffix else "no suffix"
        raise click.UsageError(f"{target} has {found}, expected {_either(suffixes)}")
    if not path.absolute().parent.is_dir():
        raise click.UsageError(f"{target}: there is no folder {path.parent}; make it first")
    if path.is_file() and force is not True:  # what is no file, a pipe, is written to
        way_out = "" if force is None else ", or --force replaces it"
        raise click.UsageError(f"{target} exists; choose another name{way_out}")


def suffix_of(target: str, suffixes: Iterable[str]) -> str | None:
    """The one of these that the name of a file ends in, in either case."""
    name = Path(target).name.lower()
    return next((suffix for suffix in suffixes if name.endswith(suffix)), None)


def new_file(*suffixes: str) -> Callable[[click.Context, click.Parameter, Any], str | None]:
    """The callback of an option whose value is a file that there is not yet."""

    def check(_: click.Context, __: click.Parameter, target: str | None) -> str | None:
        if target is not None:
            check_target(target, suffixes)
        return target

    return check


def _either(suffixes: Sequence[str]) -> str:
    """The suffixes in words: .html, .md or .csv; the second for a page is not told."""
    return alternatives([suffix for suffix in suffixes if suffix not in PAGE[1:]])


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
