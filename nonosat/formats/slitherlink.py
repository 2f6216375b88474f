"""Slitherlinks as text: rows of clues, optionally after their size "M N".

    2 3          2.3
    2 . 3        .01
    -1 0 1

`.`, `-`, `_`, `*`, `?` or `-1` is a blank cell. Cells are separated by blanks, commas, semicolons
or bars, or each is one character; brackets and quotes around them are ignored. A size may be
written "2x3", and the name of the puzzle may precede it on a line. A file with this name, or
with a size and separated cells, is recognised by that; any other one if it has a clue and a
blank cell and no other format reads it as another puzzle. A board without blank cells is a Slink,
whose clues are 0 to 3, and needs its size. Blank lines are ignored; lines end with the last row.
One puzzle, no metadata. Linear in the text.

Source: problem THSL of the Vietnam Online Judge (document 002), which begins with the size.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence

from nonosat.core.errors import PuzzleError, UnsupportedError, counted
from nonosat.core.limits import polled
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import WORDS, Numbered, numbered
from nonosat.formats._text import decode, fail, of_file, shorten
from nonosat.puzzles.slitherlink.data import BLANK, MAX_CLUE, SYMBOLS, Slitherlink, check_size

CAPABILITIES = FormatCapabilities(family="slitherlink")

_SIZE = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s*")
_VALUES = SYMBOLS | dict.fromkeys(("_", "*", "?", "-1"), BLANK)
_EXPECTED = f"expected 0 to {MAX_CLUE}, or '.', '-' or -1 for a blank cell"
_CLUES = re.compile(rb"[0-4.\-_*?]|-1")
_HEAD = re.compile(rb"([0-9]{1,9}) +([0-9]{1,9})")
_CROSSED = re.compile(rb"\A((?:\xef\xbb\xbf)?\s{0,99}[0-9]{1,9} ?)[xX](?= ?[0-9]{1,9}[ \t]*[\r\n])")
_NAME = re.compile(rb"(?i)(?:\xef\xbb\xbf)?\s{0,99}(?:slither ?link|slink)[ \t]*:?[ \t]*(?=[\r\n])")
_SIZE_OR_ROW = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,99}[0-9]{1,9} ?[,;|] ?[0-9]{1,9}[ \t]*[\r\n]")
_SEPARATORS = bytes.maketrans(b",;|[](){}\"'", b" " * 11)
_QUOTED_SIZE = re.compile(rb"[^\r\n\"']*[\"'][^\r\n]*")
_ROWS_IN_A_LINE = re.compile(rb"\][ \t]*,?[ \t]*\[")
_ROW = re.compile(rb"[0-4.\-_*?]+")
_CLUE = re.compile(rb"(?<!-)[0-4]")
_BLANK = re.compile(rb"[.\-_*?]")
_OTHER = re.compile(rb"[^0-9.\-_*?\s]")
_BLANK_CELLS = re.compile(rb"(?:^|[\s.*_?])[.*_?]|(?:^|\s)-1(?:\s|$)")  # no separators of clues
_MOST_SNIFFED = 10_000  # bytes in which signs of the family are searched


def sniff(data: bytes) -> bool:
    """Return True if the text begins with the puzzle's name, or is M, N and M rows of N clues."""
    if _NAME.match(data) is not None:
        return True
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
    """Return True if the text has rows of one length, with a clue and a blank cell.

    Used for files that no format recognises: other formats may read such a text, too.
    """
    text = _plain(data)
    is_table = _BLANK_CELLS.search(text) and any(clue in data for clue in b"234")
    if _ROWS_IN_A_LINE.search(data) or (text != data and not is_table):
        return False  # a list of clues, or a table of the cells 0, 1 and "."
    rows = text.removeprefix(BOM_UTF8).strip(b"\r\n").rstrip().splitlines()
    if not rows or _OTHER.search(text[:_MOST_SNIFFED].removeprefix(BOM_UTF8)):
        return False
    size = _HEAD.fullmatch(rows[0].strip())
    if size and len(rows) == int(size[1]) + 1:
        rows, width = rows[1:], int(size[2])
        is_packed = all(len(row) == width and _ROW.fullmatch(row) for row in map(bytes.strip, rows))
        is_board = is_packed or all(_is_row(row, width) for row in rows)
        return is_board and any(map(_BLANK.search, rows))
    words = [row.split() for row in rows]
    is_spaced = any(len(row) > 1 for row in words)
    width = len(words[0]) if is_spaced else len(words[0][0]) if words[0] else 0
    if is_spaced:
        is_board = all(_is_row(row, width) for row in rows)
    else:
        is_board = all(
            len(row) == 1 and len(row[0]) == width and _ROW.fullmatch(row[0]) for row in words
        )
    return is_board and any(map(_CLUE.search, rows)) and any(map(_BLANK.search, rows))


def _plain(data: bytes) -> bytes:
    """Return a text with blanks for separators, and for the x of the size "3x3".

    A first line "3,3" stays, as it may be a size and a row.
    """
    if _SIZE_OR_ROW.match(data) is not None:
        return data
    return _CROSSED.sub(rb"\1 ", data).translate(_SEPARATORS)


def meant(data: bytes) -> bool:
    """Return True if the text has digits, and signs for blank cells that no list of clues has."""
    head = data[:_MOST_SNIFFED].removeprefix(BOM_UTF8)
    has_digits = any(digit in head for digit in b"0123456789")
    return has_digits and not _OTHER.search(head) and _BLANK_CELLS.search(head) is not None


def _is_row(row: bytes, width: int) -> bool:
    cells = row.split()
    return len(cells) == width and all(map(_CLUES.fullmatch, cells))


def read(data: bytes) -> list[Slitherlink]:
    """Return the one puzzle of the file."""
    if (parted := _ROWS_IN_A_LINE.search(data)) is not None:
        at = data.count(b"\n", 0, parted.start()) + 1
        fail("rows in brackets on one line, expected a line for each row", at)
    name = _NAME.match(data)
    kept = b" " * name.end() + data[name.end() :] if name else data
    lines = [line for line in numbered(decode(_plain(kept))) if not line.blank]
    if not lines:
        fail("the file is empty, expected 'M N', the numbers of rows and columns", 1)
    size = _size(lines)
    if size and (quoted := _QUOTED_SIZE.match(kept.lstrip())):
        fail(f"{shorten(quoted[0].decode())}, expected 'M N' without quotes", lines[0].line)
    height, width = size or (len(lines), _width(lines))
    try:
        check_size(height, width)
    except PuzzleError as error:
        raise of_file(error, lines[0].line) from error
    rows = lines[1:] if size else lines
    if len(rows) != height:
        where = rows[height].line if len(rows) > height else lines[-1].line
        fail(f"{counted(len(rows), 'row')} of clues, expected {height}", where)
    clues = b"".join(_row(row, width) for row in rows)
    if BLANK not in clues and MAX_CLUE in clues:
        row, column = divmod(clues.index(MAX_CLUE), width)
        what = f"the clue {MAX_CLUE} in row {row}, column {column} of a board without blank cells"
        fail(f"{what}, which is a Slink: expected 0 to {MAX_CLUE - 1}", rows[row].line)
    return [Slitherlink(height, width, clues)]


def _size(lines: Sequence[Numbered]) -> tuple[int, int] | None:
    """Return the size in the first line; None if the clues begin there.

    Raises:
        FormatError: The line is neither a size nor clues.
    """
    size = _SIZE.fullmatch(lines[0].text)
    cells = [word for line in polled(lines) for word in line.text.split()]
    has_blanks = any(_VALUES.get(sign) == BLANK for word in cells for sign in word)
    if size is None:
        if has_blanks and all(sign in _VALUES for sign in "".join(lines[0].text.split())):
            return None
        what = shorten(lines[0].text.strip())
        fail(
            f"{what}, expected 'M N', two positive numbers of rows and columns, or rows of clues "
            "and blank cells",
            lines[0].line,
        )
    height, width = int(size[1]), int(size[2])
    words = [line.text.split() for line in polled(lines)]
    is_board = has_blanks and all(
        len(row) == 2 and all(word in _VALUES for word in row) for row in words
    )
    fits = len(lines) == height + 1 and width in (len(words[-1]), len(words[-1][0]))
    return None if is_board and not fits else (height, width)


def _width(lines: Sequence[Numbered]) -> int:
    """Return the number of cells of the first row."""
    if any(len(line.text.split()) > 1 for line in polled(lines)):
        return len(lines[0].text.split())
    return len(lines[0].text.strip())


def _row(line: Numbered, width: int) -> bytes:
    """Return the clues of a row; its words, or its characters if it is a single word."""
    words = [*WORDS.finditer(line.text)]
    if len(words) == 1 != width:
        start = words[0].start()
        cells = [(char, start + place) for place, char in enumerate(words[0][0])]
    else:
        cells = [(word[0], word.start()) for word in words]
    if len(cells) != width:
        fail(f"a row of {counted(len(cells), 'clue')}, expected {width}", line.line)
    for word, place in cells:
        if word not in _VALUES:
            fail(f"the clue {shorten(word)}, {_EXPECTED}", line.line, place + 1)
    return bytes(_VALUES[word] for word, _ in cells)


def write(puzzles: Sequence[Slitherlink]) -> bytes:
    """Return the file of one puzzle."""
    require("slitherlink", CAPABILITIES, puzzles)
    (puzzle,) = puzzles
    if BLANK not in puzzle.clues and not puzzle.is_slink:
        raise UnsupportedError(
            f"a board without blank cells is a Slink here, whose clues are 0 to {MAX_CLUE - 1}, "
            f"and {puzzle} has a {MAX_CLUE}; use jsonl, loopy or puzzlink"
        )
    rows = "".join(f"{' '.join(row)}\n" for row in puzzle.rows())
    return f"{puzzle.height} {puzzle.width}\n{rows}".encode()


PLUGIN = Format(
    summary="Slitherlink and Slink: rows of clues, '.', '-' or -1 for blank cells",
    suffixes=(".slitherlink", ".slink"),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
