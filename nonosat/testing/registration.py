"""Registers strategies for nonosat's types in hypothesis: `st.from_type(nonosat.Nonogram)`.

This module also registers how hypothesis prints puzzles: as the call that makes them.

Hypothesis calls `register` when it is imported, through the entry point of its own group.
Therefore this module imports only `core.hooks`. A type is registered when its module is imported,
or at once if it is imported already; its strategy is made at the first use.
"""

from __future__ import annotations

import sys

from nonosat.core import hooks
from nonosat.core.plugins import Puzzle

TYPE_CHECKING = False  # true for type checkers; importing typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

    from hypothesis.strategies import SearchStrategy

STRATEGIES = {  # by module and class
    ("nonosat.puzzles.nonogram.data", "Nonogram"): "puzzles",
    ("nonosat.puzzles.ranges.data", "RangeNonogram"): "range_nonograms",
    ("nonosat.puzzles.lanes.data", "LaneNonogram"): "lane_nonograms",
    ("nonosat.puzzles.slitherlink.data", "Slitherlink"): "slitherlinks",
    ("nonosat.puzzles.queens.data", "Queens"): "queens",
    ("nonosat.puzzles.knight.data", "Knight"): "knights",
    ("nonosat.core.grid", "Grid"): "grids",
    ("nonosat.core.model", "Model"): "models",
    ("nonosat.core.model", "Line"): "lines",
    ("nonosat.core.model", "Block"): "blocks",
}


def register() -> None:
    """Register all types that exist, and the others when they are defined."""
    hooks.presented = _presented
    for module, name in STRATEGIES:
        if found := getattr(sys.modules.get(module), name, None):
            _register(found)


def _presented(kind: type) -> None:
    """Register a class that was just defined; once the models are loaded, those classes, too."""
    _register(kind)
    for module, name in STRATEGIES:
        if module == kind.__module__ == "nonosat.core.model":
            _register(getattr(sys.modules[module], name))


def _register(kind: type) -> None:
    name = STRATEGIES.get((kind.__module__, kind.__qualname__))
    if name is None:
        return
    from hypothesis import strategies as st

    def drawn(_: type, name: str = name) -> SearchStrategy[object]:
        from nonosat.testing import strategies

        found: SearchStrategy[object] = getattr(strategies, name)()
        return found

    st.register_type_strategy(kind, drawn)
    if hasattr(kind, "family"):
        from hypothesis.vendor import pretty

        if hasattr(pretty, "for_type_by_name"):  # not part of hypothesis's documented interface
            pretty.for_type_by_name(kind.__module__, kind.__qualname__, _write_call)


def _write_call(puzzle: Puzzle, printer: Any, _: bool) -> None:
    """Print a puzzle in a failing example as a call for `@example` and for a shell."""
    from nonosat.formats import jsonl

    printer.text(f"nonosat.loads({jsonl.write([puzzle]).decode().rstrip()!r})")
