"""Functions that children of the studio execute in tests; they import only this module."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonosat.studio.ticket import is_called_off


def sleep(seconds: float) -> Iterator[int | None]:
    yield os.getpid()
    time.sleep(seconds)
    yield None


def grow() -> Iterator[int | None]:
    held = []
    while True:
        held.append(bytearray(2**22))
        held[-1][:] = b"x" * 2**22
        time.sleep(0.005)
    yield len(held)


def die() -> Iterator[None]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield None


def wait_until_called_off(path: str) -> None:
    """Create a file, and wait until the work is called off."""
    Path(path).touch()
    while not is_called_off():
        time.sleep(0.001)


def wait_for_a_writer(path: str) -> None:
    """Wait until a pipe is opened to write."""
    Path(path).read_bytes()


def tell(number: int) -> int:
    return number


def answers(*found: Any) -> Iterator[Any]:
    yield from (*found, None)


def niceness() -> Iterator[int | None]:
    yield os.nice(0)
    yield None
