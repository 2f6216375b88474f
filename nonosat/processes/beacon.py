"""A number that one process publishes, and another polls while it works.

The number is stored in a nameless file that both processes have open. Reading it takes a
microsecond, so that a search can read it as often as it polls its limits.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from nonosat.processes.system import nameless_file

_SIZE = 4  # bytes of the number
_CLOSED = -1


class Beacon:
    """A published number, 0 at first.

    Args:
        fd: Descriptor of another process's file; None makes one.
    """

    def __init__(self, fd: int | None = None) -> None:
        self.fd = nameless_file("nonosat-beacon") if fd is None else fd

    def show(self, number: int) -> None:
        """Publish a number; does nothing if the disk is full or this beacon is closed."""
        with suppress(OSError):
            os.pwrite(self.fd, number.to_bytes(_SIZE, sys.byteorder), 0)

    def __call__(self) -> int:
        """Return the published number."""
        return int.from_bytes(os.pread(self.fd, _SIZE, 0), sys.byteorder)

    def close(self) -> None:
        """Close the file in this process; it stays open in the other one."""
        fd, self.fd = self.fd, _CLOSED  # a later `show` must not write to another file
        os.close(fd)
