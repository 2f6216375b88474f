"""Temporary folders that the next run of the same user removes if the owner could not.

A process that is killed leaves its temporary folder behind. Each folder here has a file `lock`,
which its process holds locked (flock) as long as it lives. A process that makes such a folder
removes all others whose lock is free.

Invariant: a folder is removed only if it is a real folder of this user, and this process holds its
lock. A folder without a lock is left unchanged: its process may be about to create one. Names of
other users, and links, are never followed. Source: the lock of a file ends with its last process,
flock(2).
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nonosat.processes import system

_LOCK = "lock"


@contextmanager
def scratch_folder(kind: str) -> Iterator[str]:
    """Make a temporary folder that other users cannot enter, removed at the end or by the next run.

    Args:
        kind: Purpose of the folder; a run removes abandoned folders of the same kind.
    """
    prefix = f"nonosat-{kind}-"
    _clear(Path(tempfile.gettempdir()), prefix)
    folder, lock = tempfile.mkdtemp(prefix=prefix), -1
    try:
        lock = _locked(Path(folder))
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock >= 0:
            os.close(lock)


def _locked(folder: Path) -> int:
    """Create and lock the file `lock` of a folder; return its descriptor.

    The file gets its name only after it is locked.
    """
    draft = folder / f"{_LOCK}.new"
    lock = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        system.lock(lock)
        draft.rename(folder / _LOCK)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _clear(place: Path, prefix: str) -> None:
    """Remove the folders of dead processes; those that cannot be removed stay."""
    with suppress(OSError), os.scandir(place) as entries:
        names = [entry.name for entry in entries if entry.name.startswith(prefix)]
        for name in names:
            with suppress(OSError):
                _remove_dead(place / name)


def _remove_dead(folder: Path) -> None:
    """Remove a folder if its process is dead; raise OSError if it is not, or for other folders."""
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        _check_ours(at, stat.S_ISDIR)
        lock = os.open(_LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=at)
        try:
            _check_ours(lock, stat.S_ISREG)
            system.lock(lock)
            # The name may denote another folder by now, which must not be removed.
            if os.path.samestat(os.fstat(at), os.lstat(folder)):
                shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)
    finally:
        os.close(at)


def _check_ours(fd: int, is_kind: Callable[[int], bool]) -> None:
    """Raise OSError for a file of another user or of another kind."""
    facts = os.fstat(fd)
    if facts.st_uid != os.geteuid() or not is_kind(facts.st_mode):
        raise PermissionError
