"""`nonosat studio` in a process of its own, for tests of its resources and its end."""

from __future__ import annotations

import atexit
import re
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from helpers.processes import PATIENCE_S, below, interruptible

_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/\?t=\S+")


class Server:
    """`nonosat studio` in a process of its own.

    Args:
        port: Any that is free without it.
        first: What it opens with.
    """

    def __init__(self, port: int | None = None, first: str | None = None) -> None:
        command = [sys.executable, "-m", "nonosat", "studio", "--no-browser"]
        command += ["--port", str(port or _free_port()), *([first] if first else [])]
        with interruptible():
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = _ADDRESS.search(line)
        assert found is not None, line
        self.address, self.port = found[0], int(found[1])

    def end(self) -> None:
        """End the server by SIGINT."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self._gone()

    def kill(self) -> None:
        """Kill the server, as the system does when memory runs out."""
        self.process.kill()
        self._gone()

    def _gone(self) -> None:
        self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def children(self) -> set[int]:
        return below(self.process.pid)

    def ticks(self) -> int:
        """Return the processor time of all existing children, in clock ticks."""
        return sum(map(_ticks, self.children()))

    def is_busy(self, seconds: float = 0.3) -> bool:
        """True if its children work: more than a tenth of one processor."""
        before = {pid: _ticks(pid) for pid in self.children()}
        time.sleep(seconds)
        spent = sum(max(0, _ticks(pid) - ticks) for pid, ticks in before.items())
        return spent > 100 * seconds / 10

    def memory_mib(self) -> float:
        """Return the resident memory of the server and all its children."""
        return sum(map(_memory_mib, {self.process.pid, *self.children()}))


def _free_port() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        port: int = tried.getsockname()[1]
        return port


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[11]) + int(fields[12])


def _memory_mib(pid: int) -> float:
    try:
        found = re.search(r"VmRSS:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(found[1]) / 1024 if found else 0


def wait_until(condition: Any, what: str) -> None:
    """Wait for a condition that no page reports."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"not fulfilled: {what}"
        time.sleep(0.05)


@cache
def shared_server() -> Server:
    """Return the server that all tests of a worker process share."""
    server = Server()
    atexit.register(server.end)
    return server
