"""Whether anybody still waits for what a quick child is at: its parent tells it meanwhile.

Each call of a child has a number. The parent shows the number of a call that is called off on the
child's beacon; work that takes long looks there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonosat.processes.beacon import Beacon
from nonosat.processes.tools import Call

_is_called_off: list[Callable[[], bool]] = []  # of the call that this process is at


def numbered(call: Call, number: int, beacon_fd: int) -> Any:
    """In a child: do a call, which `is_called_off` is then about.

    Args:
        call: The call.
        number: Its number, higher than those of earlier calls.
        beacon_fd: Of the child's beacon.
    """
    beacon = Beacon(beacon_fd)
    _is_called_off[:] = [lambda: beacon() == number]
    try:
        return call.function(*call.arguments)
    finally:
        _is_called_off.clear()


def is_called_off() -> bool:
    """Whether nobody waits any more for the call that this process is at."""
    return any(is_off() for is_off in _is_called_off)
