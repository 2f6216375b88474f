"""Files that are written: all of one or nothing, and none that is there already unless told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from nonosat.processes.system import nameless_in

_drafts = count()  # threads may write files of one name, whose drafts stand in one folder


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
    with draft_of(path) as draft:
        draft.write_bytes(data)


@contextmanager
def draft_of(path: Path, folder: Path | None = None, *, needs_name: bool = False) -> Iterator[Path]:
    """A place to write to; what stands there in the end takes the place of the file.

    Where the system can do it the draft has no name until then, and is gone however this process
    ends.

    Args:
        path: The file; a symbolic link is followed, a pipe or device is written to as it is.
        folder: Where the draft stands, on the same disk; by default beside the file.
        needs_name: For writers to whom the suffix of the name matters.

    Raises:
        OSError: The folder is not there, the disk is full, ...; it names the file.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with naming(path):
            yield target
        return
    above = folder or target.parent
    draft = above / f".{os.getpid()}.{next(_drafts)}.tmp{target.suffix}"
    nameless = None if needs_name else nameless_in(above)
    with naming(path):  # nobody but us knows the name of the draft
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
    """Let every OSError of a block name the file that the user has named."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
