"""The driver's side of a zygote: it sends jobs, one at a time, and receives their replies.

A zygote (`zygote.py`) is another interpreter that forks one process per run. Closing the socket to
it ends the present run with all its processes; closing its lifeline makes its guard end them. If
the zygote itself dies, its guard ends them; if both die, the system ends the run's first process,
and `kill` ends the rest: all processes with this zygote's mark in their environment.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from nonosat.core.errors import BackendError
from nonosat.processes import system
from nonosat.processes.child import HEADER
from nonosat.processes.interruption import Deferred

MARK = "NONOSAT_ZYGOTE"
_PATIENCE_S = 10.0  # seconds for a zygote to end its processes
Message = dict[str, Any]


class ZygoteDied(BackendError):  # noqa: N818 - an event from which the driver recovers
    """The process that runs jobs has ended, with or without the job as its cause."""

    def __init__(self, words: str) -> None:
        text = f" ({words})" if words else ""
        super().__init__(f"the process that forks runs died{text}")


class Zygote:
    """A process that runs jobs.

    Args:
        configurations: Options of the configurations, whose modules are imported in advance.

    Raises:
        UnsupportedError: This system cannot enforce limits on runs.

    Attributes:
        pid: Process id of the guard, which was started; the zygote is its child.
    """

    def __init__(self, configurations: Sequence[Message]) -> None:
        system.check_trees()
        self._scratch = tempfile.mkdtemp(prefix="nonosat-bench-")
        self._mark = uuid4().hex
        self._log = system.nameless_file("nonosat-zygote")
        self._socket, theirs = socket.socketpair()
        file = Path(__file__).with_name("zygote.py")
        self._stream = self._socket.makefile("rwb")
        self._lifeline = -1
        self._is_open = False
        try:
            # An interruption between the start and the assignment would lose the process.
            with theirs, Deferred():
                self._process, self._lifeline = system.start_tied(
                    file,
                    [str(theirs.fileno()), self._scratch],
                    self._log,
                    [theirs.fileno()],
                    env={**os.environ, MARK: self._mark},
                )
                self._is_open = True
        except BaseException:
            if self._is_open:
                self.kill()
            else:
                self._close()
                shutil.rmtree(self._scratch, ignore_errors=True)
            raise
        self.pid = self._process.pid
        with suppress(ZygoteDied):  # killed already: noticed by the first `finish`
            self.begin({"configurations": list(configurations)})

    def fileno(self) -> int:
        """Return the descriptor to poll: readable when a job is done, or the zygote dead."""
        return self._socket.fileno()

    def begin(self, message: Message) -> None:
        """Send a job; see `task.perform` for its content. The previous job must be finished.

        Raises:
            ZygoteDied: The zygote has ended.
        """
        data = json.dumps(message).encode()
        try:
            self._stream.write(HEADER.pack(len(data)) + data)
            self._stream.flush()
        except OSError:
            raise ZygoteDied(self._last_words()) from None

    def finish(self) -> Message:
        """Return the reply to the job when it is done: see `zygote.Supervisor.run`.

        Raises:
            ZygoteDied: The zygote has ended, so there will be no reply.
        """
        try:
            header = self._stream.read(HEADER.size)
            size = HEADER.unpack(header)[0] if len(header) == HEADER.size else 0
            data = self._stream.read(size)
        except OSError:
            data, size = b"", 0
        if not size or len(data) < size:
            raise ZygoteDied(self._last_words())
        reply: Message = json.loads(data)
        return reply

    def doom(self) -> None:
        """Start ending the zygote, so that several end in parallel; `kill` must follow."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._cut_lifeline()

    def kill(self) -> None:
        """End the zygote and all its descendants; return when none is left."""
        if not self._is_open:
            return
        with Deferred():  # an interruption would leave the guard unreaped
            self._is_open = False
            self.doom()
            try:
                self._process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.returncode:
                self._end_strays()
            self._close()
            shutil.rmtree(self._scratch, ignore_errors=True)

    def disown(self) -> None:
        """Release the zygote in a forked copy of the driver, without waiting for it."""
        if self._is_open:
            self._is_open = False
            self._process.returncode = 0
            self._close()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def _close(self) -> None:
        with suppress(OSError):
            self._stream.close()
        self._socket.close()
        os.close(self._log)
        self._cut_lifeline()

    def _cut_lifeline(self) -> None:
        """Close the lifeline, so that the guard ends everything, even while the zygote imports."""
        lifeline, self._lifeline = self._lifeline, -1
        if lifeline >= 0:
            os.close(lifeline)

    def _end_strays(self) -> None:
        end = monotonic() + _PATIENCE_S
        while (pids := list(system.marked(MARK, self._mark))) and monotonic() < end:
            for pid in pids:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            sleep(0.001)

    def _last_words(self) -> str:
        size = os.fstat(self._log).st_size
        words = os.pread(self._log, 1000, max(0, size - 1000)).decode(errors="replace")
        return " ".join(words.split())
