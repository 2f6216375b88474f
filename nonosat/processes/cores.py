"""How many cores a process may use: told by its parent while it is at work.

The number stands in a nameless file that both have open. Reading it costs a microsecond, so that a
search can look for it whenever it looks at its limits.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from nonosat.processes.system import nameless_file

_SIZE = 4  # bytes of the number


class Cores:
    """A number of cores, 1 until another one is told.

    Args:
        fd: Of the file that the parent tells it in; None makes one.
    """

    def __init__(self, fd: int | None = None) -> None:
        self.fd = nameless_file("nonosat-cores") if fd is None else fd

    def tell(self, number: int) -> None:
        """Let whoever reads it use so many; as many as before, where the disk has no room."""
        with suppress(OSError):
            os.pwrite(self.fd, number.to_bytes(_SIZE, sys.byteorder), 0)

    def __call__(self) -> int:
        """How many there are by now."""
        told = os.pread(self.fd, _SIZE, 0)
        return int.from_bytes(told, sys.byteorder) or 1

    def close(self) -> None:
        """Close the file; the other process keeps its own end of it."""
        os.close(self.fd)
