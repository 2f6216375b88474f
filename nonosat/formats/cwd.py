"""Meshcheryakov's and Sukhoy's .cwd: height, width, the rows, a blank line, the columns.

    3
    4
    2 1
    0
    2

    1
    1 1
    1
    1

Each size has a line of its own, the HEIGHT first, and the sizes decide which clues are rows. One
colour, one puzzle, no metadata. An empty line is a single 0; if that leaves too few clues, a
blank line at the place of a clue is an empty one. Time is linear in the text.
Source: the readers of pbnsolve (Jan Wolter) and of Copris' nonogram solver (Naoyuki Tamura). Some
crossword files have the same suffix; they are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonosat.core.errors import counted
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import WORDS, Numbered, NumberedLines, clues, numbered
from nonosat.formats._text import build, decode, fail, number, plain, sized
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1)


def read(data: bytes) -> list[Nonogram]:
    """Return the one puzzle of the file."""
    lines = numbered(decode(data))
    height, start = _size(lines, 0, "height")
    width, start = _size(lines, start, "width")
    first = lines[start - 1].line
    sized(height, width, first)
    rows, columns = _halves(lines[start:], height, width, len(lines))
    return [build(first, rows=clues(rows), columns=clues(columns))]


def _size(lines: Sequence[Numbered], start: int, name: str) -> tuple[int, int]:
    """Return the number alone on the next line that is not blank, and the index after it."""
    at = next((at for at in range(start, len(lines)) if not lines[at].blank), None)
    if at is None:
        fail(f"the file ends before the {name}, expected a number on a line", len(lines) or 1)
    words = list(WORDS.finditer(lines[at].text))
    if len(words) != 1:
        what = f"{counted(len(words), 'word')} in the place of the {name}"
        fail(f"{what}, expected a number alone on the line", lines[at].line)
    return number(words[0][0], name, lines[at].line, words[0].start() + 1), at + 1


def _halves(
    body: NumberedLines, height: int, width: int, end: int
) -> tuple[NumberedLines, NumberedLines]:
    """Return the clues of the rows and of the columns."""
    full = body.full()
    if len(full) == height + width:
        numbers = full.numbers
        gaps = [at for at in range(1, len(full)) if numbers[at] > numbers[at - 1] + 1]
        if gaps and height not in gaps:
            fail(
                f"{counted(gaps[0], 'clue')} before the blank line, expected {height}: the first "
                "size is the height, the number of rows",
                full[gaps[0] - 1].line,
            )
        return full[:height], full[height:]
    if len(full) < height + width and len(body) > height and body[height].blank:
        columns = body[height + 1 :]
        if len(columns) >= width and not columns[width:].full():
            return body[:height], columns[:width]
    where = full[height + width].line if len(full) > height + width else end
    return fail(
        f"{counted(len(full), 'clue')}, expected {height} of rows, a blank line and {width} of "
        "columns; an empty line is written 0",
        where,
    )


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the file of one puzzle."""
    require("cwd", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    rows, columns = map(plain, puzzle.rows), map(plain, puzzle.columns)
    return "\n".join([str(puzzle.height), str(puzzle.width), *rows, "", *columns, ""]).encode()


PLUGIN = Format(
    summary="bare numbers: height, width (a line each), rows, a blank line, columns",
    suffixes=(".cwd",),
    holds=CAPABILITIES,
    read=read,
    write=write,
)
