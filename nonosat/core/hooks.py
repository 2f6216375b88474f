"""Hooks through which `core` reaches rooms above it.

`nonosat/__init__.py` says who serves: what it sets here imports the room when it is first called,
so that a command which draws nothing and limits nothing imports neither.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true for type checkers; importing typing takes 4 ms of every start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

picture: Callable[[Any], str]  # the SVG document of a puzzle, a solution or a result
data_of: Callable[[Any], dict[str, Any]]  # a puzzle as an object of the project's own JSON
puzzle_of: Callable[[Mapping[str, Any]], Any]  # the puzzle of such an object
resident_mib: Callable[[int | None], float]  # resident memory of a process (None: this one)
isolated: Callable[[Any], Any]  # a plug-in's record, whose functions limits can end


def _unheard(what: str, done: int = 0, total: int = 0) -> None:
    """Nobody wants to know."""


# Told what is being done, and how much of how much of it is done (0: nobody knows). Called from
# wherever work may be long: a command that takes long shows the last that it was told.
doing: Callable[..., None] = _unheard


def _undrawn(kind: type) -> None:
    """Nobody draws random ones."""


# Told every class of puzzles, solutions and results when it is made: `testing.registration` tells
# hypothesis how to draw one, without importing any of them.
presented: Callable[[type], None] = _undrawn
