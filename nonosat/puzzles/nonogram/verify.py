"""Verifier of pictures. Shares no code with the model, encodings or solvers.

The maximal runs of one colour in a line must be the clue's blocks in order. Lines are checked
natively, by code with no other use (`native/puzzles/verify.hpp`); if that rejects a line, the error
is found here, with a regular expression. Linear in the cells.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nonosat import _core
from nonosat.core.limits import polled
from nonosat.core.wording import cell_text, clue_text, value_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nonosat.core.grid import Grid
    from nonosat.core.model import Clue
    from nonosat.puzzles.nonogram.data import Nonogram

_RUN = re.compile(rb"([^\0])\1*", re.DOTALL)
_SHOWN = 8  # runs and blocks listed by a message


def mistake(clue: Clue, cells: bytes, signs: str = "") -> str | None:
    """Return the error of a line in words; None if its runs are the blocks of its clue."""
    runs = [(len(run[0]), run[0][0]) for run in _RUN.finditer(cells)]
    agree = [
        colour == block.colour and block.length in (None, length)
        for (length, colour), block in zip(runs, clue, strict=False)
    ]
    if len(runs) == len(clue) and all(agree):
        return None
    first = agree.index(False) if False in agree else len(agree)
    return f"has {_from(first, runs, 'run', signs)}, its clue is {_from(first, clue, '', signs)}"


def _from(first: int, parts: Sequence[tuple[int | None, int]], noun: str, signs: str) -> str:
    """Return pairs (length, colour) in words; of a long list only those near index `first`."""
    noun = noun and f"the {noun}{'' if len(parts) == 1 else 's'} "
    if not parts:
        return "no filled cell" if noun else "none"
    if len(parts) <= _SHOWN:
        return noun + clue_text(parts, signs)
    start = max(0, first - 1)
    shown = parts[start : start + _SHOWN]
    before = f"({start} before) " * (start > 0)
    after = len(parts) - start - len(shown)
    return f"{noun}{before}{clue_text(shown, signs)}{f' ({after} after)' * (after > 0)}"


def refutation(puzzle: Nonogram, grid: Grid) -> str | None:
    """Return why `grid` is not a solution of `puzzle`, or None if it is one."""
    if wrong := puzzle.misfit(grid):
        return f"the picture {wrong}"
    signs = puzzle.signs
    for row, column, colour in polled(puzzle.given):
        if (found := grid[row, column]) != colour:
            where, given = cell_text(row, column), value_text(colour, signs)
            return f"the cell in {where} is {value_text(found, signs)}, but it is given as {given}"
    line = _core.refuted_line(grid.cells, puzzle.rows, puzzle.columns)
    if line is None:
        return None
    if line < puzzle.height:
        where, clue, cells = f"row {line + 1}", puzzle.rows[line], grid.row(line)
    else:
        column = line - puzzle.height
        where, clue, cells = f"column {column + 1}", puzzle.columns[column], grid.column(column)
    text = mistake(clue, cells, signs)
    assert text is not None
    return f"{where} {text}"
