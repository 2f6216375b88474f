"""Hypothesis strategies for puzzles and all other inputs of a solver.

    from hypothesis import given
    from nonosat.testing.strategies import puzzles

    @given(puzzles(max_cells=100, max_colours=1, unknown=False, given=False))
    def test_my_solver(puzzle):
        assert my_solver(puzzle) == ...

| strategy | drawn values |
|---|---|
| `puzzles` | nonograms of any shape and class; one colour with max_colours=1 |
| `unique_puzzles`, `multiple_puzzles`, `unsolvable_puzzles` | nonograms of a class |
| `hard_puzzles` | nonograms that line solving leaves open |
| `range_nonograms` | nonograms with open clues |
| `lane_nonograms` | boards of lanes: triddlers, outlines, grids that overlap |
| `slitherlinks`, `queens`, `knights` | boards of the other families |
| `clues`, `blocks` | a clue, an entry of one |
| `partial_lines`, `lines` | a clue and the possible values of its line; as a constraint |
| `grids` | pictures |
| `models` | models of Clause, Count, Line and Loop |
| `files` | files of a format, whole or damaged |

All of them shrink well: a failing 10x10 shrinks to the smallest board that fails, with the fewest
blocks and colours. None of them discards examples, so that hypothesis's health checks pass with
default settings. Their docstrings describe the arguments and the result of shrinking.

If nonosat is installed, `st.from_type` supports `Nonogram`, `Slitherlink`, `Queens`, `Knight`,
`Grid`, `Block`, `Line` and `Model`.
"""

from __future__ import annotations

try:
    import hypothesis as hypothesis
except ModuleNotFoundError as missing:
    from nonosat.core.errors import install_command

    raise ModuleNotFoundError(
        f"nonosat.testing.strategies needs hypothesis; {install_command('testing')} installs it",
        name="hypothesis",
    ) from missing

from nonosat.testing.strategies.boards import knights, queens, range_nonograms, slitherlinks
from nonosat.testing.strategies.classes import (
    hard_puzzles,
    multiple_puzzles,
    unique_puzzles,
    unsolvable_puzzles,
)
from nonosat.testing.strategies.files import files
from nonosat.testing.strategies.lanes import lane_nonograms
from nonosat.testing.strategies.lines import PartialLine, blocks, clues, lines, partial_lines
from nonosat.testing.strategies.models import models
from nonosat.testing.strategies.nonograms import puzzles
from nonosat.testing.strategies.pictures import (
    LETTERS,
    abouts,
    backgrounds,
    colour_sets,
    grids,
    states,
    texts,
)

__all__ = [
    "LETTERS",
    "PartialLine",
    "abouts",
    "backgrounds",
    "blocks",
    "clues",
    "colour_sets",
    "files",
    "grids",
    "hard_puzzles",
    "knights",
    "lane_nonograms",
    "lines",
    "models",
    "multiple_puzzles",
    "partial_lines",
    "puzzles",
    "queens",
    "range_nonograms",
    "slitherlinks",
    "states",
    "texts",
    "unique_puzzles",
    "unsolvable_puzzles",
]
