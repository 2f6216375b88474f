"""Mirek Olšák's .mk (.m): height and width, the rows, a line `#`, the columns, as bare numbers.

One colour, one puzzle, no metadata; the first number is the HEIGHT. An empty line is a single 0
or, if ignoring blank lines leaves too few, a blank line. Time is linear in the text.
Source: the readers of pbnsolve (Jan Wolter) and webpbn's export.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.core.errors import counted
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import clue_lines, clues, header, numbered
from nonosat.formats._text import build, decode, fail, plain
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1)


def sniff(data: bytes) -> bool:
    """Return False: the form alone does not identify bare numbers; `clues` chooses this format."""
    return False


def read(data: bytes) -> list[Nonogram]:
    """Return the one puzzle of the file."""
    lines = numbered(decode(data))
    sizes, start = header(lines, ("height", "width"))
    marks = [at for at, text in enumerate(lines.texts) if "#" in text and text.lstrip()[0] == "#"]
    if len(marks) != 1:
        where = lines[marks[1]].line if marks else len(lines)
        found = f"{counted(len(marks), 'line')} with '#'"
        fail(f"{found}, expected one between the rows and the columns", where)
    (mark,) = marks
    rows = clue_lines(lines[start:mark], sizes["height"], "row clues", lines[mark].line)
    columns = clue_lines(lines[mark + 1 :], sizes["width"], "column clues", len(lines))
    return [build(lines[start - 1].line, rows=clues(rows), columns=clues(columns))]


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the file of one puzzle."""
    require("mk", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    rows, columns = map(plain, puzzle.rows), map(plain, puzzle.columns)
    return "\n".join([f"{puzzle.height} {puzzle.width}", *rows, "#", *columns, ""]).encode()


PLUGIN = Format(
    summary="bare numbers: 'height width', rows, '#', columns",
    suffixes=(".mk", ".m"),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
