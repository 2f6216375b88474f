"""Test kit for puzzle solvers, third-party and built-in ones (the extra `testing`).

Random puzzles that shrink well (with hypothesis) give a property test of a solver in five lines:

    from hypothesis import given
    from nonosat.testing import oracles, strategies

    @given(strategies.puzzles(max_cells=100, max_colours=1, unknown=False, given=False))
    def test_my_solver(puzzle):
        rows = [[block.length for block in clue] for clue in puzzle.rows]
        columns = [[block.length for block in clue] for clue in puzzle.columns]
        picture = my_solver(rows, columns)  # your bytes, row by row, or None
        assert (picture is None) == (not oracles.solutions(puzzle, limit=1))

* `nonosat.testing.strategies`: clues, partial lines, grids, puzzles of every class (unique,
  multiple, unsolvable, hard), boards of the other families, models, files. It requires
  hypothesis. `st.from_type(nonosat.Nonogram)` draws puzzles if nonosat is installed.
* `nonosat.testing.oracles`: brute force that shares no code with any solver, for lines,
  puzzles of every family, clauses and models. No requirements.
* `nonosat.testing.check_plugin`: check of the whole contract of an encoding, an engine, a
  format or a family against enumeration. No requirements.

* `nonosat.testing.assert_agrees`, `compare`: comparison of solvers, with a proof of which
  one is wrong (`called`, `command`, `configured` return a `Solver`, which answers with a
  `Claim`).

Names are imported on first use, because this package contains a pytest plug-in; `__init__.pyi`
lists them.
"""

from __future__ import annotations

import sys

from nonosat.core import lazy

sys.modules[__name__].__class__ = lazy.Package
