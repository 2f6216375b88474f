"""Jakub Wilk's .nin: width and height, then the rows, then the columns, as bare numbers.

One colour, one puzzle, no metadata. An empty line is a single 0; a blank line is an empty clue
only if ignoring blank lines leaves too few. Reading and writing take time linear in the text.
Source: the manual page of jwilk/nonogram; the tolerated blank lines are those of pbnsolve.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.core.errors import rows_by_columns
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import clue_lines, clues, header, numbered
from nonosat.formats._text import build, decode, plain
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1)


def read(data: bytes) -> list[Nonogram]:
    """Return the one puzzle of the file."""
    lines = numbered(decode(data))
    sizes, start = header(lines, ("width", "height"))
    height, width = sizes["height"], sizes["width"]
    what = f"clues ({rows_by_columns(height, width)})"
    found = clue_lines(lines[start:], height + width, what, len(lines))
    rows, columns = clues(found[:height]), clues(found[height:])
    return [build(lines[start - 1].line, rows=rows, columns=columns)]


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the file of one puzzle."""
    require("nin", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    lines = map(plain, (*puzzle.rows, *puzzle.columns))
    return "\n".join([f"{puzzle.width} {puzzle.height}", *lines, ""]).encode()


PLUGIN = Format(
    summary="bare numbers: 'width height', rows, columns",
    suffixes=(".nin",),
    holds=CAPABILITIES,
    read=read,
    write=write,
)
