"""What the words of the top level need from rooms above them.

`nonosat/__init__.py` says who serves: what it sets here imports the room when it is first called,
so that a command which draws nothing and limits nothing imports neither.
"""

from __future__ import annotations

TYPE_CHECKING = False  # true for type checkers; importing typing takes 4 ms of every start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

picture: Callable[[Any], str]  # the SVG document of a puzzle or a result
resident_mib: Callable[[int | None], float]  # resident memory of a process (None: this one)
