"""A child process that can be killed.

Children are separate interpreters that run `worker.py`. A child ends immediately with its parent
(`tied.py`), in any state of either, and when its socket closes.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import socket
import struct
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Any, TypeVar

from nonosat._core import exit_when_closed
from nonosat.core.answer_source import AnswerSource
from nonosat.core.errors import BackendError, LimitReached
from nonosat.core.limits import CALLED_OFF, Watch
from nonosat.processes.beacon import Beacon
from nonosat.processes.copies import Copy
from nonosat.processes.interruption import Deferred
from nonosat.processes.system import cannot_start, nameless_file, signal_name, start_tied

T = TypeVar("T")

HEADER = struct.Struct("<Q")  # length of the pickled message that follows
REAPER = "nonosat reaps a child"  # name of the threads that wait for children that die slowly


class Child:
    """Another interpreter that works for this process and can be killed at any moment.

    It reads pickled messages and answers queries (`worker.py`). Every method that waits raises
    LimitReached when the watch or `stop` ends the wait; the child is then dead.

    Args:
        serve: Executes messages (`worker.serve`) in a copy of this process, which has all its
            modules; None for a fresh interpreter.

    Attributes:
        label: Name of its work, for messages to the user.
        beacon: Publishes a number to it while it works; the descriptor is the same in the child.
    """

    def __init__(self, serve: Callable[[Any], None] | None = None) -> None:
        self.label = "the child process"
        self.is_alive = True
        self._is_busy = self._is_stopped = False
        # Output of an engine goes to a file: it can neither block the engine nor mix with our
        # output.
        self._log = nameless_file("nonosat-log")
        self.beacon = Beacon()
        self._lifeline = -1
        self._socket, theirs = socket.socketpair()
        # A dead child is an error to report, not SIGPIPE, which Python ignores by default.
        self._no_signal = getattr(socket, "MSG_NOSIGNAL", 0)
        worker = Path(__file__).with_name("worker.py")
        try:
            # An interruption between the start and the assignment would lose the process.
            with theirs, Deferred():
                # A session of its own: Ctrl-C in a terminal reaches only the parent, which then
                # decides.
                words, inherited = [str(theirs.fileno())], [theirs.fileno(), self.beacon.fd]
                self._process: Popen[bytes] | Copy
                if serve is None:
                    self._process, self._lifeline = start_tied(worker, words, self._log, inherited)
                else:
                    self._process = self._copied(serve, theirs)
                _alive.add(self)
        except BaseException:
            if self in _alive:
                self.kill(None)
            else:
                self._close()
            raise
        self._socket.setblocking(False)
        self.pid = self._process.pid
        _register()

    def _copied(self, serve: Callable[[Any], None], theirs: socket.socket) -> Copy:
        """Return a copy of this process that executes messages from a socket."""

        def work() -> None:
            exit_when_closed(theirs.fileno())
            serve(theirs.makefile("rwb"))

        try:
            return Copy(work, self._log, (theirs.fileno(), self.beacon.fd))
        except OSError as error:
            raise cannot_start(error) from None

    def send(self, message: object, watch: Watch) -> None:
        """Send a message that has no answer; if it fails, the next `query` raises its error."""
        self._converse(lambda: self._post((False, message), watch), watch)
        self._is_busy = False

    def query(self, message: object, watch: Watch) -> Any:
        """Send a message and return its answer.

        Raises:
            LimitReached: A limit was hit.
            BackendError: The child crashed.
            NonosatError: Raised by the work itself.
        """
        self.begin(message, watch)
        return self.finish(watch)

    def begin(self, message: object, watch: Watch) -> None:
        """Send a message; `fileno` becomes readable when its answer arrives, for `finish`."""
        self._converse(lambda: self._post((True, message), watch), watch)

    def finish(self, watch: Watch) -> Any:
        """Return the answer to the message of `begin`; raises as `query` does."""
        answer = self._converse(lambda: self._receive_answer(watch), watch)
        self._is_busy = False
        if isinstance(answer, Exception):
            raise answer
        return answer

    def fileno(self) -> int:
        """Return the descriptor to poll: readable when an answer begins or the child has died."""
        return self._socket.fileno()

    def stop(self) -> None:
        """End the wait of another thread."""
        self._is_stopped = True

    def kill(self, patience_s: float | None = 0.05) -> None:
        """Kill the child, and wait to reap it for at most `patience_s` (None: without limit)."""
        if not self.is_alive:
            return
        with Deferred():  # an interruption would leave the child unreaped
            self._process.kill()
            self._close()
            _alive.discard(self)
            self.is_alive = False
            try:
                self._process.wait(patience_s)
            except TimeoutExpired:
                # The kernel needs 0.2 s to free a gigabyte; this must not delay the caller.
                threading.Thread(target=self._process.wait, name=REAPER, daemon=True).start()

    def doom(self) -> None:
        """Begin to end the child, so that several die in parallel; `kill` must follow."""
        if self.is_alive:
            self._process.kill()

    def disown(self) -> None:
        """Detach a forked copy of the parent from the child, which belongs to the parent alone."""
        self.is_alive = False
        self._process.returncode = 0
        self._close()

    def is_fit(self) -> bool:
        """Return True if the child can accept more work."""
        idle = self.is_alive and not self._is_busy and not self._is_stopped
        return idle and self._process.poll() is None

    def _close(self) -> None:
        self._socket.close()
        self.beacon.close()
        log, self._log = self._log, -1
        lifeline, self._lifeline = self._lifeline, -1
        for descriptor in (log, lifeline):
            if descriptor >= 0:
                os.close(descriptor)

    def _converse(self, exchange: Callable[[], T], watch: Watch) -> T:
        """Send or receive a message; any interruption ends the child."""
        if not self.is_alive:
            raise BackendError(f"{self.label} has ended already, expected it to be at work")
        # Stays set after an interruption, even between two lines: then the child is never used
        # again.
        self._is_busy = True
        try:
            return exchange()
        except BaseException:
            self.kill()
            raise

    def _post(self, message: tuple[bool, Any], watch: Watch) -> None:
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        self._send(HEADER.pack(len(data)), watch)
        self._send(data, watch)

    def _send(self, data: bytes, watch: Watch) -> None:
        rest = memoryview(data)
        while rest:
            self._await(select.POLLOUT, watch)
            rest = rest[self._transferred(self._socket.send, rest, self._no_signal) :]

    def _receive_answer(self, watch: Watch) -> Any:
        size = HEADER.unpack(self._receive(HEADER.size, watch))[0]
        return pickle.loads(self._receive(size, watch))  # noqa: S301 - written by our worker

    def _receive(self, size: int, watch: Watch) -> bytearray:
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            self._await(select.POLLIN, watch)
            rest = rest[self._transferred(self._socket.recv_into, rest) :]
        return data

    def _await(self, event: int, watch: Watch) -> None:
        """Wait until the socket is ready for `event`, or broken."""
        poller = select.poll()
        poller.register(self._socket, event)
        while True:
            if self._is_stopped:
                raise LimitReached("stopped", kind=CALLED_OFF)
            if watch.reason(self.pid):
                raise watch.limit()
            if poller.poll(watch.step_s() * 1000):
                return

    def _transferred(self, transfer: Callable[..., int], *arguments: object) -> int:
        """Return the number of bytes that `transfer` moved; 0 if there was no room."""
        try:
            if count := transfer(*arguments):
                return count
        except BlockingIOError:
            return 0
        except (BrokenPipeError, ConnectionResetError):
            pass
        what = f"{self.label} {self._death()}; try another backend"
        raise BackendError(what, advice=AnswerSource(self.label).advice())

    def _death(self) -> str:
        """Return the message for an error that reports the child's death, with its last output."""
        status = self._process.wait()
        how = f"ended with status {status}" if status >= 0 else f"died of {signal_name(-status)}"
        size = os.fstat(self._log).st_size
        words = os.pread(self._log, 1000, max(0, size - 1000)).decode(errors="replace").split()
        return f"{how} ({' '.join(words)})" if words else how


_alive: set[Child] = set()


def _end_all() -> None:
    for child in list(_alive):
        child.kill(patience_s=None)  # no thread to reap it could be started


def _after_fork() -> None:
    """Detach a forked copy of this process from its parent's children."""
    for child in _alive:
        child.disown()
    _alive.clear()


@cache
def _register() -> None:
    """Register hooks once: children end with this process, and forked copies detach from them."""
    atexit.register(_end_all)
    os.register_at_fork(after_in_child=_after_fork)
