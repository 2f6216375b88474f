"""A number that one process shows, and another looks at while it is at work.

It stands in a nameless file that both have open. Looking costs a microsecond, so that a search can
look whenever it looks at its limits.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from nonosat.processes.system import nameless_file

_SIZE = 4  # bytes of the number
_CLOSED = -1


class Beacon:
    """A number, 0 until another one is shown.

    Args:
        fd: Of the file that somebody else shows it in; None makes one.
    """

    def __init__(self, fd: int | None = None) -> None:
        self.fd = nameless_file("nonosat-beacon") if fd is None else fd

    def show(self, number: int) -> None:
        """Show a number from now on; in vain where the disk has no room, or this is closed."""
        with suppress(OSError):
            os.pwrite(self.fd, number.to_bytes(_SIZE, sys.byteorder), 0)

    def __call__(self) -> int:
        """The number that is shown."""
        return int.from_bytes(os.pread(self.fd, _SIZE, 0), sys.byteorder)

    def close(self) -> None:
        """Close the file; the other process keeps its own end of it."""
        fd, self.fd = self.fd, _CLOSED  # what is shown later must not end up in another file
        os.close(fd)
