"""Memory use of a process: from /proc, or with psutil if there is none.

A reading takes 15 microseconds on Linux. The method is chosen at the first use.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from nonosat.core.errors import UnsupportedError, install_command
from nonosat.processes.system import resident_and_shared

Meter = Callable[[int | None], float]  # return resident memory in MiB of a process (None: this one)


def resident_mib(pid: int | None) -> float:
    """Return the resident memory of a process (None: this one); 0 if it has ended.

    Raises:
        UnsupportedError: Memory cannot be measured; the message names the missing package.
    """
    return _meter()(pid)


def is_readable() -> bool:
    """Return True if `resident_mib` works on this system."""
    try:
        _meter()
    except UnsupportedError:
        return False
    return True


@cache
def _meter() -> Meter:
    if _by_proc(None):
        return _by_proc
    try:
        if (by_psutil := _by_psutil())(None):
            return by_psutil
        problem = "psutil cannot read it either; mount /proc"
    except ImportError:
        problem = f"psutil is not installed; {install_command('memory')} installs it"
    raise UnsupportedError(
        "a memory limit needs to know how much memory processes use: there is no /proc here, and "
        f"the package {problem}, or leave the limit out"
    )


def _by_proc(pid: int | None) -> float:
    return resident_and_shared(pid or "self")[0]


def _by_psutil() -> Meter:
    import psutil

    def resident(pid: int | None) -> float:
        try:
            return float(psutil.Process(pid).memory_info().rss) / 2**20
        except psutil.NoSuchProcess:
            return 0.0
        except psutil.AccessDenied:
            raise UnsupportedError(
                f"the memory of process {pid} cannot be read, hence not limited: it runs with "
                "rights of its own; expected one with those of this process"
            ) from None

    return resident
