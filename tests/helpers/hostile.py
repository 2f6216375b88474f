"""Puzzles that harm the process that works on them, for tests of workers.

A worker imports this module to unpickle them; the effect begins when their family is read.
"""

from __future__ import annotations

import ctypes
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from nonosat.core.model import Block
from nonosat.puzzles.nonogram.data import Nonogram

with_lock = ctypes.PyDLL(None)  # functions called through it keep Python's lock


leaked = []


class Posing:
    """Base: all attributes but the family are those of a small puzzle."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(Nonogram(rows=((Block(1),),), columns=((Block(1),),)), name)


@dataclass(frozen=True)
class Crash(Posing):
    """Kills its process; with a file, only if that does not exist yet."""

    once: str = ""

    @property
    def family(self):
        if self.once and Path(self.once).exists():
            return "nonogram"
        if self.once:
            Path(self.once).touch()
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("still alive")


@dataclass(frozen=True)
class Leak(Posing):
    """Leaks memory."""

    mib: int

    @property
    def family(self):
        if not any(owner is self for owner, _ in leaked):
            leaked.append((self, b"x" * (self.mib * 2**20)))
        return "nonogram"


@dataclass(frozen=True)
class Sleep:
    """Sleeps without releasing Python's lock to another thread of its process.

    With a folder it creates a file there that is named by the number of the process.
    """

    folder: str = ""

    @property
    def family(self):
        if self.folder:
            Path(self.folder, str(os.getpid())).touch()
        with_lock.sleep(3600)


@dataclass(frozen=True)
class Hunger:
    """Allocates memory in one step, and then sleeps as above."""

    mib: int

    @property
    def family(self):
        kept = b"x" * (self.mib * 2**20)
        with_lock.sleep(3600)
        return kept


@dataclass(frozen=True)
class Mistake:
    """Raises an unexpected exception."""

    @property
    def family(self):
        raise ZeroDivisionError("a mistake")
