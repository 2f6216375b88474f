"""Files that are written: all of one or nothing, and none that is there already unless told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def refuse_existing(path: Path, force: bool) -> None:
    """Refuse to write over a file; what is no file, a pipe, is written to.

    Raises:
        FileExistsError: There is a file, and nobody said that it may be replaced.
    """
    if path.is_file() and not force:
        raise FileExistsError(f"{path} exists; choose another name, or force=True replaces it")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that at every moment it is the old one or the whole new one.

    Args:
        path: Where; a symbolic link is followed, a pipe or device is written to as it is.
        data: All of the content.

    Raises:
        OSError: The folder is not there, the disk is full, ...
    """
    with naming(path):  # nobody but us knows the name of the draft, and a device has none
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            draft.write_bytes(data)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Let every OSError of a block name the file that the user has named."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
