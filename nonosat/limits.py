"""Budgets of time and memory, and a child process that can be killed.

A `Watch` is the clock of one puzzle: everything that may take long asks it. Once a limit was seen
to be hit it stays hit. Engines that stop when asked run in a helper thread (`Watch.run`); engines
that do not run in a `Child`, which is killed. Either way the waiting thread looks every 20 ms, and
a KeyboardInterrupt raised in it ends the engine before it goes on.

Children are separate interpreters that run `worker.py`. A child ends when its socket closes, hence
with its parent, whatever either is doing.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import struct
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from nonosat.errors import BackendError, LimitReached

T = TypeVar("T")

LOOK_EVERY_S = 0.02
HEADER = struct.Struct("<Q")  # length of the pickled message that follows
_thread = threading.local()
_PAGES_PER_MIB = 2**20 // os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one puzzle may use; None is without limit.

    Args:
        time_s: Wall seconds.
        memory_mib: Resident memory of the process that solves.
    """

    time_s: float | None = None
    memory_mib: int | None = None


def resident_mib(pid: int | None) -> float:
    """Resident memory of a process (None: this one); 0 when it has ended."""
    try:
        statm = Path(f"/proc/{pid or 'self'}/statm").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return int(statm.split()[1]) / _PAGES_PER_MIB


class Watch:
    """A clock, started when it is made, and the limits that it holds one puzzle to.

    Attributes:
        shield: While it is held, no `Guard` raises anything: for what must not be left half done.
            All watches that a thread has made share it.
        together: Processes whose memory counts as that of one: children that race.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.shield: threading.RLock = _thread.__dict__.setdefault("shield", threading.RLock())
        self.together: set[int] = set()
        self._reason: str | None = None
        self._next_look = 0.0
        self._deadline = None if limits.time_s is None else monotonic() + limits.time_s

    def remaining_s(self) -> float | None:
        """Seconds to the time limit, at least 0; None without one."""
        return None if self._deadline is None else max(0.0, self._deadline - monotonic())

    def reason(self, pid: int | None = None) -> str | None:
        """Which limit was hit, None while there is none.

        Args:
            pid: The process whose memory counts, with those that are `together` with it; this one
                by default.
        """
        if self._reason is None:
            limits = self.limits
            if self.remaining_s() == 0:
                self._reason = f"time limit of {limits.time_s:g} s"
            elif limits.memory_mib is not None and self._resident_mib(pid) > limits.memory_mib:
                self._reason = f"memory limit of {limits.memory_mib} MiB"
        return self._reason

    def _resident_mib(self, pid: int | None) -> float:
        return sum(map(resident_mib, self.together if pid in self.together else (pid,)))

    def limit(self) -> LimitReached:
        """The error for work that this watch has ended."""
        return LimitReached(self.reason() or "time limit")

    def check(self) -> None:
        """Raise LimitReached when a limit was hit; cheap enough for every turn of a loop."""
        now = monotonic()
        if now < self._next_look and self._reason is None:
            return
        if reason := self.reason():
            raise LimitReached(reason)
        self._next_look = now + self.step_s()

    def reserve(self, num_bytes: int) -> None:
        """Raise LimitReached when so much more memory would break the limit."""
        most = self.limits.memory_mib
        if most is not None and resident_mib(None) + num_bytes / 2**20 > most:
            self._reason = self._reason or f"memory limit of {most} MiB"
            raise LimitReached(self._reason)

    def poll(self) -> bool:
        """For native code, with Python's lock held: whether to stop. Lets pending signals raise."""
        return self.reason() is not None

    def step_s(self) -> float:
        """How long to wait before looking again."""
        remaining = self.remaining_s()
        return LOOK_EVERY_S if remaining is None else min(LOOK_EVERY_S, remaining + 0.001)

    def run(self, call: Callable[[], T], interrupt: Callable[[], None]) -> T:
        """Run `call` in a helper thread, so that this one can be interrupted.

        Args:
            call: Must return soon after `interrupt` was called, also when that was just before.
            interrupt: Called (perhaps repeatedly) when a limit is hit or this thread is
                interrupted. The helper has ended when `run` returns or raises.

        Returns:
            What `call` returns; `reason` tells whether a limit was hit.

        Raises:
            Whatever `call` or a signal handler raised.
        """
        job = _Job(call)
        try:
            job.start()
            while not job.wait(self.step_s()):
                if self.reason():
                    interrupt()
        except BaseException:
            job.abandon(interrupt)
            raise
        if job.error is not None:
            raise job.error
        return job.outcome  # type: ignore[no-any-return]  # what `call` returned


class _Job:
    """One call in a helper thread."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.outcome: Any = None
        self.error: BaseException | None = None
        self._call = call
        self._is_begun = self._is_abandoned = self._is_done = False
        self._finished = threading.Lock()
        self._finished.acquire()

    def start(self) -> None:
        threading.Thread(target=self._work, name="nonosat-engine", daemon=True).start()

    def _work(self) -> None:
        self._is_begun = True
        try:
            if not self._is_abandoned:
                self.outcome = self._call()
        except BaseException as error:
            self.error = error
        finally:
            self._is_done = True
            self._finished.release()

    def wait(self, seconds: float) -> bool:
        """Whether the call has ended, after waiting for that at most so long."""
        if not self._is_done:
            self._finished.acquire(timeout=seconds)
        return self._is_done

    def abandon(self, interrupt: Callable[[], None]) -> None:
        """End the call and wait for it; an interrupted `start` may have left none behind."""
        while True:
            try:
                # Either side first says where it is, then looks at the other.
                self._is_abandoned = True
                while self._is_begun and not self._is_done:
                    interrupt()
                    self.wait(LOOK_EVERY_S)
                return
            except (KeyboardInterrupt, LimitReached):
                # Another Ctrl-C, or a guard: leaving now would free an engine still at work.
                continue


class Child:
    """Another interpreter at work for this one, to be killed at any moment.

    It reads pickled messages and answers those that ask (`worker.py`). Every method that waits
    raises LimitReached when the watch or `stop` ended it; the child is then dead.

    Attributes:
        label: What it works on, for messages to the user.
    """

    def __init__(self) -> None:
        import socket
        import subprocess

        self.label = "the child process"
        self.is_alive = True
        self._is_busy = self._is_stopped = False
        # What an engine prints goes to memory: it can neither block it nor spoil our output.
        self._log = os.memfd_create("nonosat-log")
        self._socket, theirs = socket.socketpair()
        self._no_signal = socket.MSG_NOSIGNAL  # a dead child is an error to report, not SIGPIPE
        worker = Path(__file__).with_name("worker.py")
        paths = [str(Path(path).absolute()) for path in sys.path]
        with theirs:
            # -P: nothing in the current folder is imported by accident. A session of its own:
            # Ctrl-C in a terminal reaches the parent alone, which then decides.
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and file
                [sys.executable, "-P", str(worker), str(theirs.fileno()), *paths],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._socket.setblocking(False)
        self.pid = self._process.pid
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
        os.close(self._log)

    def _converse(self, exchange: Callable[[], T], watch: Watch) -> T:
        """Do one half of a conversation; whatever interrupts it ends the child."""
        if not self.is_alive:
            raise BackendError(f"{self.label} has ended already, expected it to be at work")
        # Stays set when anything interrupts, even between two lines: then it is never used again.
        self._is_busy = True
        try:
            return exchange()
        except BaseException:
            with watch.shield:
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
                raise LimitReached("stopped")
            if reason := watch.reason(self.pid):
                raise LimitReached(reason)
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
        raise BackendError(f"{self.label} {self._death()}; try another backend")

    def _death(self) -> str:
        """How the process ended, with the last words that it printed."""
        from signal import Signals

        status = self._process.wait()
        how = f"ended with status {status}" if status >= 0 else f"died of {Signals(-status).name}"
        size = os.fstat(self._log).st_size
        words = os.pread(self._log, 1000, max(0, size - 1000)).decode(errors="replace").split()
        return f"{how} ({' '.join(words)})" if words else how


_alive: set[Child] = set()


@atexit.register
def _end_all() -> None:
    for child in list(_alive):
        child.kill(patience_s=None)  # a thread to reap it could no longer be started


def _after_fork() -> None:
    """A forked copy of this process must neither use nor end its parent's children."""
    for child in _alive:
        child.disown()
    _alive.clear()
    _thread.__dict__.clear()  # a guard of the parent may have held the shield just then


os.register_at_fork(after_in_child=_after_fork)
