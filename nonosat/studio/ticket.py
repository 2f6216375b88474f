"""Cancellation of calls in a quick child: detect that its parent no longer needs the result.

Each call of a child has a number. To cancel a call the parent writes its number to the child's
beacon; long work polls the beacon.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonosat.processes.beacon import Beacon
from nonosat.processes.tools import Call

_is_called_off: list[Callable[[], bool]] = []  # at most one: for the current call


def numbered(call: Call, number: int, beacon_fd: int) -> Any:
    """Execute a call in a child; `is_called_off` refers to it meanwhile.

    Args:
        call: The call.
        number: Number of the call, higher than those of earlier calls.
        beacon_fd: File descriptor of the child's beacon.
    """
    beacon = Beacon(beacon_fd)
    _is_called_off[:] = [lambda: beacon() == number]
    try:
        return call.function(*call.arguments)
    finally:
        _is_called_off.clear()


def is_called_off() -> bool:
    """Return True if the current call of this process was cancelled."""
    return any(is_off() for is_off in _is_called_off)
