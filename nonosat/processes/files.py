"""Atomic writing of files; an existing file is replaced only on request."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from nonosat.processes.system import nameless_in

_drafts = count()  # threads may write files of one name, whose drafts are in one folder


def refuse_existing(path: Path, force: bool) -> None:
    """Refuse to overwrite a file; a pipe or other special file may be written to.

    Raises:
        FileExistsError: The file exists, and `force` was not requested.
    """
    if path.is_file() and not force:
        raise FileExistsError(f"{path} exists; choose another name, or force=True replaces it")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that at every moment it is the old one or the complete new one.

    Args:
        path: The file; a symbolic link is followed, a pipe or device is written to directly.
        data: The whole content.

    Raises:
        OSError: The folder does not exist, the disk is full, ...
    """
    with draft_of(path) as draft:
        draft.write_bytes(data)


@contextmanager
def draft_of(path: Path, folder: Path | None = None, *, needs_name: bool = False) -> Iterator[Path]:
    """Open a draft that replaces the file at the end of the block.

    If the system supports it, the draft has no name until then, and disappears after any end of
    this process.

    Args:
        path: The file; a symbolic link is followed, a pipe or device is written to directly.
        folder: Folder of the draft, on the same disk; by default that of the file.
        needs_name: True for writers that need a name with the suffix.

    Raises:
        OSError: The folder does not exist, the disk is full, ...; it names the file.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with naming(path):
            yield target
        return
    above = folder or target.parent
    draft = above / f".{os.getpid()}.{next(_drafts)}.tmp{target.suffix}"
    nameless = None if needs_name else nameless_in(above)
    with naming(path):  # no other process has the name of the draft
        try:
            if nameless is None:
                yield draft
            else:
                yield nameless.path
                nameless.link(draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
            if nameless is not None:
                nameless.close()


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Make every OSError of a block name the file that the user has named."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
