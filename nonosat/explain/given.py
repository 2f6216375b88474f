"""A partly filled board as text: a line a row, the puzzle's own symbols, `?` for a cell not known.

Blank lines around the rows are ignored. Time is linear in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonosat.formats import Numbered, decode, fail, inflate, numbered
from nonosat.grid import UNKNOWN, Grid

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram

OPEN = "?"


def read_state(data: bytes, puzzle: Nonogram) -> Grid:
    """The state that a file holds.

    Args:
        data: The file's content.
        puzzle: Whose board it is; tells the size and the symbols.

    Raises:
        FormatError: There are more or fewer rows or cells, or other symbols; has line and column.
    """
    lines = [Numbered(line.line, line.text.rstrip()) for line in numbered(decode(inflate(data)))]
    while lines and lines[-1].blank:
        lines.pop()
    while lines and lines[0].blank:
        lines.pop(0)
    values = {symbol: value for value, symbol in enumerate(puzzle.symbols)} | {OPEN: UNKNOWN}
    cells = bytearray()
    for line in lines[: puzzle.height]:
        for column, symbol in enumerate(line.text, start=1):
            if symbol not in values:
                known = " ".join(puzzle.symbols)
                fail(f"{symbol!r} is no cell, expected {known} or {OPEN}", line.line, column)
        if len(line.text) != puzzle.width:
            found = f"{len(line.text)} cells in this row, expected {puzzle.width}"
            fail(found, line.line, min(len(line.text), puzzle.width) + 1)
        cells += bytes(values[symbol] for symbol in line.text)
    if len(lines) != puzzle.height:
        last = lines[puzzle.height].line if len(lines) > puzzle.height else len(lines) + 1
        fail(f"{len(lines)} rows, expected {puzzle.height}", last)
    return Grid(puzzle.height, puzzle.width, bytes(cells))
