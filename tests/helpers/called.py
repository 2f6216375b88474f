"""Functions that tests of pools call in other processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from helpers.hostile import with_lock
from nonosat.core.errors import UnsupportedError


def square(number):
    return number * number


def refuse(reason):
    raise UnsupportedError(reason)


def die(once=""):
    """Kill this process; with a file, only if that does not exist yet."""
    if not once or not Path(once).exists():
        if once:
            Path(once).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "alive"


def eat(mib):
    kept = b"x" * (mib * 2**20)
    with_lock.sleep(3600)
    return kept


def sleep(folder):
    """Create a file in the folder, named by the number of this process, and sleep."""
    Path(folder, str(os.getpid())).touch()
    with_lock.sleep(3600)
