"""Question files of the TAAI and TCGA tournaments: `$` and a number, columns first, then rows.

    $1
    2
    1	1
    ...

Each puzzle is square: after its number come one clue per line, the columns from the left, then the
rows from the top, with tabs between the blocks. The clue of an empty row or column is written 0.
Blank lines of the text are ignored or read as empty clues, whichever fits a square board; if both
fit, the text is refused. One colour, no metadata: the number becomes the id, and files are written
with the numbers from 1. Linear in the text.

Source: question files of the tournaments of 2011 to 2023 (25 x 25, 1000 puzzles each).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nonosat.core.about import About
from nonosat.core.errors import FormatError, counted
from nonosat.core.limits import polled
from nonosat.core.model import Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._clues_readings import fits
from nonosat.formats._hold import require
from nonosat.formats._lines import NumberedLines, clues, numbered
from nonosat.formats._text import build, decode, fail, plain, shorten, sized
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1, many=True, square=True)

_NUMBER = re.compile(r"\$[ \t]*([0-9]{1,9})\s*")
_MAGIC = re.compile(rb"(?:\xef\xbb\xbf)?\s*\$[ \t]*[0-9]{1,9}[ \t]*[\r\n]")


def sniff(data: bytes) -> bool:
    """Return True if the first line is a `$` and a number."""
    return _MAGIC.match(data) is not None


def read(data: bytes) -> Iterator[Nonogram | FormatError]:
    """Yield the puzzle of each number, or its error."""
    lines = numbered(decode(data))
    heads = [at for at, text in enumerate(polled(lines.texts)) if text.lstrip().startswith("$")]
    before = lines[: heads[0] if heads else len(lines)].full()
    if before or not heads:
        found = shorten(before[0].text.strip()) if before else "no line"
        fail(f"{found}, expected '$' and the number of a puzzle", before[0].line if before else 1)
    for start, stop in zip(heads, [*heads[1:], len(lines)], strict=True):
        try:
            yield _puzzle(lines[start:stop])
        except FormatError as error:
            yield error


def _puzzle(lines: NumberedLines) -> Nonogram:
    """Return the puzzle of the lines from its number to the next one."""
    head = lines[0]
    name = _NUMBER.fullmatch(head.text.strip())
    if name is None:
        fail(f"{shorten(head.text.strip())}, expected '$' and a number", head.line)
    sides = [_sides(found, head.line) for found in _readings(lines[1:], head.line)]
    fitting = [each for each in sides if fits(*each)] or sides[:1]
    if len(fitting) > 1:
        fail("blank lines that may be empty clues or not, expected 0 for an empty line", head.line)
    rows, columns = fitting[0]
    return build(head.line, rows=rows, columns=columns, about=About(id=name[1]))


def _sides(lines: NumberedLines, line: int) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    """Return the clues of rows and columns of a puzzle with these lines."""
    size = len(lines) // 2
    sized(size, size, line)
    every = clues(lines)
    return every[size:], every[:size]


def _readings(lines: NumberedLines, line: int) -> list[NumberedLines]:
    """Return the clue lines of a puzzle: without blank lines, and with them as empty clues."""
    full = lines.full()
    trimmed = lines[:-1] if len(lines) % 2 and lines[len(lines) - 1].blank else lines
    every = (full,) if len(trimmed) == len(full) else (full, trimmed)
    found = [one for one in every if len(one) and len(one) % 2 == 0]
    if not found:
        fail(
            f"{counted(len(full), 'clue')} after this number, expected those of the columns and as "
            "many of the rows; an empty line is written 0",
            line,
        )
    return found


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return a file of square puzzles, numbered from 1."""
    require("tournament", CAPABILITIES, puzzles)
    return "".join(_text(puzzle, number) for number, puzzle in enumerate(puzzles, 1)).encode()


def _text(puzzle: Nonogram, number: int) -> str:
    every = polled((*puzzle.columns, *puzzle.rows))
    return "\n".join((f"${number}", *(plain(clue, "\t") for clue in every), ""))


PLUGIN = Format(
    summary="question files of the TAAI and TCGA tournaments: square puzzles, columns first",
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
