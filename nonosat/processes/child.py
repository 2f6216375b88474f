"""A child process that can be killed.

Children are separate interpreters that run `worker.py`. A child ends at once with its parent
(`tied.py`), whatever either is doing, and when its socket closes.
"""

from __future__ import annotations

import atexit
import os
import select
import struct
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from nonosat.core.errors import BackendError, LimitReached
from nonosat.core.limits import CALLED_OFF, Watch
from nonosat.processes.beacon import Beacon
from nonosat.processes.system import nameless_file, signal_name, start_tied

T = TypeVar("T")

HEADER = struct.Struct("<Q")  # length of the pickled message that follows


class Child:
    """Another interpreter at work for this one, to be killed at any moment.

    It reads pickled messages and answers those that ask (`worker.py`). Every method that waits
    raises LimitReached when the watch or `stop` ended it; the child is then dead.

    Attributes:
        label: What it works on, for messages to the user.
        beacon: Shows it a number while it is at work; the descriptor is the same in the child.
    """

    def __init__(self) -> None:
        import socket

        self.label = "the child process"
        self.is_alive = True
        self._is_busy = self._is_stopped = False
        # What an engine prints goes to a file: it can neither block it nor spoil our output.
        self._log = nameless_file("nonosat-log")
        self.beacon = Beacon()
        self._lifeline = -1
        self._socket, theirs = socket.socketpair()
        # A dead child is an error to report, not SIGPIPE; which Python ignores, unless told not to.
        self._no_signal = getattr(socket, "MSG_NOSIGNAL", 0)
        worker = Path(__file__).with_name("worker.py")
        paths = [str(Path(path).absolute()) for path in sys.path]
        try:
            with theirs:
                # A session of its own: Ctrl-C in a terminal reaches the parent alone, which then
                # decides.
                words = [str(theirs.fileno()), *paths]
                inherited = [theirs.fileno(), self.beacon.fd]
                self._process, self._lifeline = start_tied(worker, words, self._log, inherited)
        except BaseException:
            self._close()
            raise
        self._socket.setblocking(False)
        self.pid = self._process.pid
        _register()
        _alive.add(self)

    def tell(self, message: Any, watch: Watch) -> None:
        """Send a message that has no answer; an error in it comes with the next answer."""
        self._converse(lambda: self._post((False, message), watch), watch)
        self._is_busy = False

    def ask(self, message: Any, watch: Watch) -> Any:
        """Send a message and wait for its answer.

        Raises:
            LimitReached: A limit was hit.
            BackendError: The child crashed.
            NonosatError: Raised by the work itself.
        """
        self.begin(message, watch)
        return self.finish(watch)

    def begin(self, message: Any, watch: Watch) -> None:
        """Send a message whose answer `finish` will fetch; `fileno` tells when it is there."""
        self._converse(lambda: self._post((True, message), watch), watch)

    def finish(self, watch: Watch) -> Any:
        """The answer to what `begin` sent, raising what `ask` raises."""
        answer = self._converse(lambda: self._receive_answer(watch), watch)
        self._is_busy = False
        if isinstance(answer, Exception):
            raise answer
        return answer

    def fileno(self) -> int:
        """What to poll: readable when an answer begins or the child has died."""
        return self._socket.fileno()

    def stop(self) -> None:
        """End what another thread is waiting for."""
        self._is_stopped = True

    def kill(self, patience_s: float | None = 0.05) -> None:
        """End the child at once, and wait so long (None: as long as it takes) to reap it."""
        from subprocess import TimeoutExpired

        if not self.is_alive:
            return
        self.is_alive = False
        _alive.discard(self)
        self._process.kill()
        self._close()
        try:
            self._process.wait(patience_s)
        except TimeoutExpired:
            # The kernel needs 0.2 s to free a gigabyte; nobody should have to wait for that.
            threading.Thread(target=self._process.wait, daemon=True).start()

    def doom(self) -> None:
        """Begin to end the child, so that several die side by side; `kill` is to follow."""
        if self.is_alive:
            self._process.kill()

    def disown(self) -> None:
        """In a forked copy of the parent: the child is not ours, and must not wait for us."""
        self.is_alive = False
        self._process.returncode = 0
        self._close()

    def is_fit(self) -> bool:
        """Whether it can be given more work."""
        idle = self.is_alive and not self._is_busy and not self._is_stopped
        return idle and self._process.poll() is None

    def _close(self) -> None:
        self._socket.close()
        self.beacon.close()
        os.close(self._log)
        if self._lifeline >= 0:
            os.close(self._lifeline)

    def _converse(self, exchange: Callable[[], T], watch: Watch) -> T:
        """Do one half of a conversation; whatever interrupts it ends the child."""
        if not self.is_alive:
            raise BackendError(f"{self.label} has ended already, expected it to be at work")
        # Stays set when anything interrupts, even between two lines: then it is never used again.
        self._is_busy = True
        try:
            return exchange()
        except BaseException:
            self.kill()
            raise

    def _post(self, message: tuple[bool, Any], watch: Watch) -> None:
        import pickle  # 6 million instructions that a start without a child does not need

        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        self._send(HEADER.pack(len(data)), watch)
        self._send(data, watch)

    def _send(self, data: bytes, watch: Watch) -> None:
        rest = memoryview(data)
        while rest:
            self._await(select.POLLOUT, watch)
            rest = rest[self._transferred(self._socket.send, rest, self._no_signal) :]

    def _receive_answer(self, watch: Watch) -> Any:
        import pickle

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

    def _transferred(self, transfer: Callable[..., int], *arguments: Any) -> int:
        """How many bytes `transfer` moved; 0 when there was no room after all."""
        try:
            if count := transfer(*arguments):
                return count
        except BlockingIOError:
            return 0
        except (BrokenPipeError, ConnectionResetError):
            pass
        from nonosat.core.answer_source import AnswerSource

        what = f"{self.label} {self._death()}; try another backend"
        raise BackendError(what, advice=AnswerSource(self.label).advice())

    def _death(self) -> str:
        """How the process ended, with the last words that it printed."""
        status = self._process.wait()
        how = f"ended with status {status}" if status >= 0 else f"died of {signal_name(-status)}"
        size = os.fstat(self._log).st_size
        words = os.pread(self._log, 1000, max(0, size - 1000)).decode(errors="replace").split()
        return f"{how} ({' '.join(words)})" if words else how


_alive: set[Child] = set()


def _end_all() -> None:
    for child in list(_alive):
        child.kill(patience_s=None)  # a thread to reap it could no longer be started


def _after_fork() -> None:
    """A forked copy of this process must neither use nor end its parent's children."""
    for child in _alive:
        child.disown()
    _alive.clear()


@cache
def _register() -> None:
    """Have children ended with this process, and given up in its copies."""
    atexit.register(_end_all)
    os.register_at_fork(after_in_child=_after_fork)
