"""Copies of this process: none is made while one of its threads imports for us.

A module is locked while it is imported. In the copy the thread that would finish is missing: to
import the module there would wait for ever. We import late, in whatever thread asks first, and
what is not installed again and again; so a fork waits until no such import is under way, and holds
Python's import lock meanwhile, without which none begins.
"""

from __future__ import annotations

import _imp
import os
import sys
from _thread import get_ident
from time import monotonic, sleep

TYPE_CHECKING = False  # true for type checkers
if TYPE_CHECKING:
    from types import FrameType

_HERE = __file__.removesuffix("core/forks.py")
_IMPORTS = "<frozen importlib._bootstrap>"  # the file of Python's machinery
_LONGEST_S = 10.0  # an import may itself be waiting for the thread that forks
_AGAIN_S = 0.001


def wait_for_imports() -> None:
    """From now on; to be called once."""
    os.register_at_fork(before=_begin, after_in_parent=_end, after_in_child=_end)


def _begin() -> None:
    deadline = monotonic() + _LONGEST_S
    _imp.acquire_lock()
    while _is_importing() and monotonic() < deadline:
        _imp.release_lock()
        sleep(_AGAIN_S)
        _imp.acquire_lock()


def _end() -> None:
    try:  # noqa: SIM105 - contextlib is not loaded by every start of Python
        _imp.release_lock()
    except RuntimeError:  # Ctrl-C has met `_begin` without the lock
        pass


def _is_importing() -> bool:
    """Whether a thread, this one aside, is in an import that our code has begun."""
    frames = sys._current_frames()
    del frames[get_ident()]
    return any(map(_imports, frames.values()))


def _imports(frame: FrameType | None) -> bool:
    is_within = False
    while frame is not None:
        file = frame.f_code.co_filename
        if file == _IMPORTS:
            is_within = True
        elif is_within and file.startswith(_HERE):
            return True
        elif "importlib" not in file:
            is_within = False
        frame = frame.f_back
    return False
