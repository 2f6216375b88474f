"""Hooks through which `core` calls packages that it must not import, such as `render`.

`nonosat/__init__.py` sets most of the hooks, to functions that import the package at their first
call. A command without pictures and limits therefore imports no code for them.
"""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False  # true for type checkers; importing typing takes 4 ms of every start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

picture: Callable[[Any], str]  # return the SVG document of a puzzle, solution or result
data_of: Callable[[Any], dict[str, Any]]  # return a puzzle as an object of the project's own JSON
puzzle_of: Callable[[Mapping[str, Any]], Any]  # return the puzzle of such JSON data
resident_mib: Callable[[int | None], float]  # resident memory of a process (None: this one)
isolated: Callable[[Any], Any]  # a plug-in's record, whose functions limits can end

# The clock of limits, pauses and waits, in seconds. Read through this module each time, so that
# tests can replace it.
clock: Callable[[], float] = monotonic


def _undrawn(kind: type) -> None:
    """Default hook for new classes: do nothing."""


# Called with every new class of puzzles, solutions and results: `testing.registration` registers a
# hypothesis strategy for it without importing any of them.
presented: Callable[[type], None] = _undrawn
