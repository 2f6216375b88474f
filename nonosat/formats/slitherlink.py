"""The judge's input of document 002: "M N", then M rows of N clues separated by blanks.

    2 3
    2 . 3
    - 0 1

`.` or `-` is a blank cell; where rows are written without separators, each character is a cell.
Such a file is recognised where no other format takes it, unless all of its lines have one length,
as a picture has. A board without blank cells is a Slink, whose clues are 0 to 3. Blank lines are
ignored; lines end with the last row. One puzzle, no metadata. Linear in the text.

Source: problem THSL of the Vietnam Online Judge (document 002).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nonosat.errors import FormatError, PuzzleError, UnsupportedError, counted
from nonosat.formats._hold import require
from nonosat.formats._lines import WORDS, Numbered, numbered
from nonosat.formats._text import decode, fail, shorten
from nonosat.plugins import Format, Holds
from nonosat.puzzles.slitherlink.data import BLANK, MAX_CLUE, SYMBOLS, Slitherlink, check_size

HOLDS = Holds(family="slitherlink")

_SIZE = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s*")
_CLUES = re.compile(rb"[0-4.\-]")
_HEAD = re.compile(rb"([0-9]{1,9}) +([0-9]{1,9})")
_ROW = re.compile(rb"[0-4.\-]+")


def sniff(data: bytes) -> bool:
    """Two numbers M and N, then exactly M rows of N clues, each of a single character."""
    head, _, rest = data.partition(b"\n")
    size = head.split()
    if len(size) != 2 or not all(word.isdigit() and len(word) < 10 for word in size):
        return False
    height, width = map(int, size)
    rows = [row for row in rest.split(b"\n") if row.strip()]
    if not width or len(rows) != height:
        return False
    return all(_is_row(row, width) for row in rows)


def plausible(data: bytes) -> bool:
    """Two numbers M and N, then M rows of N characters, some of them blank cells, and no picture.

    For a file that no format recognises: without separators too little shows what it is.
    """
    head, *rows = data.rstrip().splitlines()
    size = _HEAD.fullmatch(head)
    if size is None or len(rows) != int(size[1]) or len(head) == int(size[2]):
        return False
    is_board = all(len(row) == int(size[2]) and _ROW.fullmatch(row) for row in rows)
    return is_board and any(blank in data for blank in b".-")


def _is_row(row: bytes, width: int) -> bool:
    cells = row.split()
    return len(b"".join(cells)) == width == len(cells) and all(map(_CLUES.fullmatch, cells))


def read(data: bytes) -> list[Slitherlink]:
    """The one puzzle of the file."""
    lines = [line for line in numbered(decode(data)) if not line.blank]
    if not lines:
        fail("the file is empty, expected 'M N', the numbers of rows and columns", 1)
    size = _SIZE.fullmatch(lines[0].text)
    if size is None:
        what = shorten(lines[0].text.strip())
        fail(f"{what}, expected 'M N', two positive numbers of rows and columns", lines[0].line)
    height, width = int(size[1]), int(size[2])
    try:
        check_size(height, width)
    except PuzzleError as error:
        raise FormatError(str(error), line=lines[0].line) from error
    rows = lines[1:]
    if len(rows) != height:
        where = rows[height].line if len(rows) > height else lines[-1].line
        fail(f"{counted(len(rows), 'row')} of clues, expected {height}", where)
    clues = b"".join(_row(row, width) for row in rows)
    if BLANK not in clues and MAX_CLUE in clues:
        row, column = divmod(clues.index(MAX_CLUE), width)
        what = f"the clue {MAX_CLUE} in row {row}, column {column} of a board without blank cells"
        fail(f"{what}, which is a Slink: expected 0 to {MAX_CLUE - 1}", rows[row].line)
    return [Slitherlink(height, width, clues)]


def _row(line: Numbered, width: int) -> bytes:
    """The clues of a row; its words, or its characters where it is a single word."""
    words = [*WORDS.finditer(line.text)]
    if len(words) == 1 != width:
        start = words[0].start()
        cells = [(char, start + place) for place, char in enumerate(words[0][0])]
    else:
        cells = [(word[0], word.start()) for word in words]
    if len(cells) != width:
        fail(f"a row of {counted(len(cells), 'clue')}, expected {width}", line.line)
    for word, place in cells:
        if word not in SYMBOLS:
            what = f"the clue {shorten(word)}, expected 0 to {MAX_CLUE}, or '.' or '-'"
            fail(what, line.line, place + 1)
    return bytes(SYMBOLS[word] for word, _ in cells)


def write(puzzles: Sequence[Slitherlink]) -> bytes:
    """The file of one puzzle."""
    require("slitherlink", HOLDS, puzzles)
    (puzzle,) = puzzles
    if BLANK not in puzzle.clues and not puzzle.is_slink:
        raise UnsupportedError(
            f"a board without blank cells is a Slink here, whose clues are 0 to {MAX_CLUE - 1}, "
            f"and {puzzle} has a {MAX_CLUE}; use jsonl, loopy or puzzlink"
        )
    rows = "".join(f"{' '.join(row)}\n" for row in puzzle.rows())
    return f"{puzzle.height} {puzzle.width}\n{rows}".encode()


PLUGIN = Format(
    summary="Slitherlink and Slink: 'rows columns', then rows of clues, '.' or '-' for blank cells",
    suffixes=(".slitherlink", ".slink"),
    holds=HOLDS,
    sniff=sniff,
    read=read,
    write=write,
)
