"""External programs started by this process: their files, waiting for them and ending them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from nonosat.processes.system import OrphanGuard, end_of, nameless_file, path_of, started
from nonosat.processes.waiting import readable


class Scratch:
    """Empty files, each with a path for another program; a context manager.

    If the system supports it they have no names, and disappear after any end of this process.
    Elsewhere they are in a temporary folder; if this process dies, the guard of a running `Program`
    removes it.

    Args:
        number: Number of files.

    Attributes:
        fds: Descriptors of the files.
        paths: Paths for programs.
        folder: Folder of the files; "" if they have no names.
    """

    def __init__(self, number: int) -> None:
        self.fds: list[int] = []
        self.paths: list[str] = []
        self.folder = ""
        self._number = number

    def __enter__(self) -> Scratch:
        try:
            if not self._open_nameless():
                self._open_in_folder()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _open_nameless(self) -> bool:
        """Open files without names; close them and return False if programs cannot open them."""
        for _ in range(self._number):
            self.fds.append(nameless_file("nonosat-program"))
            if path := path_of(self.fds[-1]):
                self.paths.append(path)
            else:
                self._close()
                return False
        return True

    def _close(self) -> None:
        self.paths.clear()
        while self.fds:
            os.close(self.fds.pop())

    def _open_in_folder(self) -> None:
        from tempfile import mkdtemp

        self.folder = mkdtemp(prefix="nonosat-program-")
        for number in range(self._number):
            path = Path(self.folder, str(number))
            self.paths.append(str(path))
            self.fds.append(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


class Program:
    """A running program; it ends with this process at the latest.

    Args:
        words: The path of the program, then its words, as for `os.execv`.
        streams: Standard input, output and error: descriptors, or `subprocess.DEVNULL`.
        scratch: Files that it may use.

    Attributes:
        pid: Process number of the program.
    """

    def __init__(
        self, words: Sequence[str], streams: tuple[int, int, int], scratch: Scratch
    ) -> None:
        self._end = -1
        self._tie = OrphanGuard(words, scratch.folder)
        try:
            self._process = started(
                self._tie.command,
                stdin=streams[0],
                stdout=streams[1],
                stderr=streams[2],
                pass_fds=self._tie.inherited,
            )
        except BaseException:
            self._tie.close()
            raise
        self.pid = self._process.pid

    def fileno(self) -> int:
        """Return the descriptor to poll, readable after the program's end; -1 if there is none."""
        if self._end < 0:
            self._end = end_of(self.pid)
        return self._end

    def wait(self, patience_s: float) -> bool:
        """Wait for the program, up to a time, and return True if it has ended."""
        if self.fileno() >= 0:
            return bool(readable([self], patience_s))
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_s)
        return self._process.returncode is not None

    def end(self) -> int:
        """Kill the rest of its process group; return the program's exit status."""
        # Before it is reaped, or while the group has a keeper: until then no other process can get
        # its number.
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        except PermissionError:  # raised on some systems for a group that has ended
            if self._process.poll() is None:
                raise
        finally:
            self._tie.close()
            if self._end >= 0:
                os.close(self._end)
        return self._process.wait()
