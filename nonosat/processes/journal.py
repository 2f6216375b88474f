"""Crash-safe file of results: append-only JSON Lines, one object a line.

Invariant: after the writer is killed at any moment, every line for which `append` has returned is
in the file completely, and at most one torn line follows the last newline. Opening removes that
line, reading skips it; if it cannot be the beginning of a record, the file belongs to another
program and is left unchanged. There is never more than one writer, by an advisory lock (flock) that
ends with its process. Appending is linear in the appended text, opening in the length of a torn
line.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

from nonosat.core.errors import FormatError, UnsupportedError, counted, path_text, shown
from nonosat.processes import system

_CHUNK = 2**16
_BEGINNING = b'{"kind":"'  # first bytes of every record
_REPAIR = "`nonosat batch --repair -o` and the file sets such lines aside"
Record = dict[str, Any]
_encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Journal:
    """The only writer of a file; a context manager that opens and closes it.

    Args:
        path: The file; made if there is none.
        replaces: True to empty the file.

    Attributes:
        note: Repairs made on opening; "" if the file was intact.
        is_new: True if the file had no line when it was opened.
        size: Bytes of the lines in the file; grows with each `append` that returns.

    Raises:
        UnsupportedError: On opening: another process writes to the file, or it is a device.
        FormatError: On opening: the end of the file is not a record.
        OSError: The file cannot be opened or written.
    """

    def __init__(self, path: str | Path, *, replaces: bool = False) -> None:
        self.path = Path(path)
        self.replaces = replaces
        self.note = ""
        self.is_new = True
        self._fd = -1
        self.size = 0

    def __enter__(self) -> Journal:
        existed = self.path.exists()
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        try:
            if not stat.S_ISREG(os.fstat(self._fd).st_mode):
                what = "is not an ordinary file and keeps nothing; choose another one for results"
                raise UnsupportedError(f"{self.path} {what}")
            _lock(self._fd, self.path)
            if self.replaces:
                os.ftruncate(self._fd, 0)
            self._repair()
            if not existed:
                sync_folder(self.path)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        fd, self._fd = self._fd, -1
        os.close(fd)

    def append(self, records: Iterable[dict[str, Any]], *, syncs: bool = True) -> None:
        """Write a line for each record; all of them are on the disk when this returns.

        An exception, from a full disk or Ctrl-C, leaves the file unchanged.

        Args:
            records: Records to write; without any, earlier lines are flushed to the disk.
            syncs: False if a power cut may lose them; the end of this process does not.
        """
        data = b"".join(map(line_of, records))
        rest = memoryview(data)
        os.ftruncate(self._fd, self.size)  # a second Ctrl-C may have prevented this the first time
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
            if syncs:
                os.fsync(self._fd)
            self.size += len(data)
        except BaseException as error:
            os.ftruncate(self._fd, self.size)
            if isinstance(error, OSError) and error.filename is None:
                error.filename = str(self.path)
            raise

    def _repair(self) -> None:
        """Remove the text after the last newline."""
        size = os.fstat(self._fd).st_size
        self.size = _end_of_lines(self._fd, size)
        self.is_new = not self.size
        if torn := size - self.size:
            if not _is_ours(os.pread(self._fd, len(_BEGINNING), self.size)):
                message = (
                    "the file does not end with a record, whole or torn; "
                    "it is left as it is, choose another one for results"
                )
                raise FormatError(message, path=str(self.path))
            os.ftruncate(self._fd, self.size)
            self.note = f"{self.path}: the last line was torn; {counted(torn, 'byte')} cut off"


def _lock(fd: int, path: Path) -> None:
    """Become the only writer of an open file."""
    message = (
        f"{path_text(path)} is being written by another process; wait until it has ended, or "
        "choose another file"
    )
    try:
        system.lock(fd)
    except BlockingIOError:
        raise UnsupportedError(message) from None
    try:
        is_same = os.path.samestat(os.fstat(fd), path.stat())
    except FileNotFoundError:
        is_same = False
    if not is_same:  # it was repaired between opening and locking: a new file has its name
        raise UnsupportedError(message)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Exclude writers from a file that is read and then replaced.

    Raises:
        UnsupportedError: Another process writes to it.
        OSError: The file cannot be opened.
    """
    fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        _lock(fd, path)
        yield
    finally:
        os.close(fd)


def _end_of_lines(fd: int, size: int) -> int:
    """Return the position after the last newline among the first `size` bytes."""
    while size:
        start = max(0, size - _CHUNK)
        found = os.pread(fd, size - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        size = start
    return 0


def _is_ours(start: bytes) -> bool:
    """Return True if the text may begin a record; zeros count, as unwritten parts read as zeros."""
    return _BEGINNING.startswith(start.rstrip(b"\0"))


def sync_folder(path: Path) -> None:
    """Flush the folder, so that the name of a new file is as durable as its content."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def line_of(record: dict[str, Any]) -> bytes:
    """Return a record as a line."""
    return _encode(record).encode() + b"\n"


def read(path: str | Path, advice: Callable[[str, int], str] | None = None) -> Iterator[Record]:
    """Yield the records of a file in order; a torn last line is left out.

    Args:
        path: The file.
        advice: Return the way to repair a damaged line, given path and number; None: `nonosat
            batch` does it.

    Raises:
        FormatError: A line is not a JSON object; names the file and the line.
        OSError: The file cannot be read.
    """
    with Path(path).open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.endswith(b"\n"):
                yield record_of(line, str(path), number, advice)


def record_of(
    line: bytes, path: str, number: int, advice: Callable[[str, int], str] | None = None
) -> Record:
    """Return the object in a line.

    Raises:
        FormatError: The line is no JSON object; names the file and the line.
    """
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        problem = f"this is not JSON ({error}), expected a record of results"
    else:
        if isinstance(record, dict):
            return record
        problem = f"{shown(record)}, expected a record of results: a JSON object"
    repair = _REPAIR if advice is None else advice(path, number)
    raise FormatError(f"{problem}; {repair}", path=path, line=number)


def removal(path: str, number: int) -> str:
    """Return advice for a damaged line of a file with a first line and independent others."""
    if number == 1:
        return "without its first line the file is of no use; begin another one"
    name = f"./{path}" if path.startswith("-") else path
    return f"remove the line (`sed -i {number}d {quote(name)}`): its work is then repeated"
