"""A kit for tests of puzzle solvers, yours and ours: `pip install 'nonosat[testing]'`.

Random puzzles that shrink well (with hypothesis), for a property test of your solver in five lines:

    from hypothesis import given
    from nonosat.testing import oracles, strategies

    @given(strategies.puzzles(max_cells=100, max_colours=1, unknown=False, given=False))
    def test_my_solver(puzzle):
        rows = [[block.length for block in clue] for clue in puzzle.rows]
        columns = [[block.length for block in clue] for clue in puzzle.columns]
        picture = my_solver(rows, columns)  # your bytes, row by row, or None
        assert (picture is None) == (not oracles.solutions(puzzle, limit=1))

* `nonosat.testing.strategies`: clues, partial lines, grids, puzzles of every class (unique,
  multiple, unsolvable, hard), boards of the other families, models, files. It needs hypothesis.
  `st.from_type(nonosat.Nonogram)` draws puzzles wherever nonosat is installed.
* `nonosat.testing.oracles`: brute force that shares no code with any solver, for lines, puzzles of
  every family, clauses and models. It needs nothing.
* `nonosat.testing.check_plugin`: the whole contract of an encoding, an engine, a format or a family
  of yours, held against enumeration. It needs nothing.

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonosat.testing import oracles as oracles
    from nonosat.testing import strategies as strategies
    from nonosat.testing.plugins import check_plugin as check_plugin

_MODULES = ("oracles", "strategies")
_HOMES = {"check_plugin": "plugins"}
__all__ = ["check_plugin", "oracles", "strategies"]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"nonosat.testing.{name}")
    if name in _HOMES:
        return getattr(import_module(f"nonosat.testing.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'nonosat.testing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
