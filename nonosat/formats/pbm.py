"""Portable bitmaps, .pbm: pictures of black and white, as plain text (P1) or packed (P4).

    P1
    4 3
    1101
    0000
    0110

1 is black, a filled cell. The clues are derived and the picture is kept as the goal. A comment
reaches from `#` to the end of the line, before the cells or, in P1, among them. In P4 a row is
padded to whole bytes with bits of any value, the first cell is the highest bit, and exactly one
blank comes before the cells. Several pictures may follow each other; one is written as P1, several
as P4, because other programs read only the first of several P1.

Writing needs a goal that satisfies the clues. Time is linear in the number of cells.
Source: the page pbm(5) of Netpbm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nonosat.core.errors import counted
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import goal_of, require
from nonosat.formats._text import MAX_DIGITS, build, clues_of, fail, number, sized
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1, clues=False, many=True)

_WHITE = b" \t\n\v\f\r"
_COMMENT = rb"#[^\n\r]*"
_GAP = rb"(?:[ \t\n\v\f\r]|" + _COMMENT + rb"[\n\r])"
_HEAD = re.compile(rb"P([1-6])" + _GAP + rb"+([0-9]++)" + _GAP + rb"+([0-9]++)")
_BEGIN = re.compile(rb"(?:" + _COMMENT + rb"[\n\r])*[ \t\n\v\f\r]")
_COMMENTS = re.compile(_COMMENT)
_NEXT = re.compile(_COMMENT + rb"|(P)")
_STRANGE = re.compile(_COMMENT + rb"|([^01 \t\n\v\f\r])")
_BYTES = [bytes(map(int, f"{byte:08b}")) for byte in range(256)]  # the cells of each byte
_LONGEST = 70  # characters per line, a limit of the format


def sniff(data: bytes) -> bool:
    """Return True if the file begins with a magic number and two sizes."""
    return _HEAD.match(data[:10000]) is not None


def read(data: bytes) -> Iterator[Nonogram]:
    """Yield the puzzle of each picture."""
    place, line = _after_blanks(data, 0), 1
    while True:
        puzzle, end = _picture(data, place, line)
        yield puzzle
        end = _after_blanks(data, end)
        if end == len(data):
            return
        line += data.count(b"\n", place, end)
        place = end


def _after_blanks(data: bytes, place: int) -> int:
    while data[place : place + 1] and data[place] in _WHITE:
        place += 1
    return place


def _picture(data: bytes, start: int, line: int) -> tuple[Nonogram, int]:
    """Return the puzzle of the picture that begins at `start`, and its end."""
    head = _HEAD.match(data, start)
    if head is None:
        what = "expected 'P1' or 'P4', a width and a height"
        where = "here" if start == 0 else f"at byte {start}, after the last picture"
        fail(f"no picture begins {where}; {what}", line)
    if head[1] not in b"14":
        fail(
            f"a picture in grey or colour (P{head[1].decode()}), expected black and white, P1 or "
            "P4; an image program's threshold, or `magick IN -threshold 50% OUT.pbm`, makes one",
            line,
        )
    for name, digits in (("width", head[2]), ("height", head[3])):
        if len(digits.lstrip(b"0")) > MAX_DIGITS:
            number(digits.decode(), name, line)  # its message gives the number of digits
    width, height = (int(digits.lstrip(b"0") or b"0") for digits in (head[2], head[3]))
    sized(height, width, line)
    begin = _BEGIN.match(data, head.end())
    if begin is None:
        fail("no blank after the height, expected one before the cells", line)
    cut = _packed if head[1] == b"4" else _plain
    cells, end = cut(data, begin.end(), height, width)
    goal = Grid(height, width, cells)
    return build(line, **clues_of(goal), goal=goal), end


def _packed(data: bytes, start: int, height: int, width: int) -> tuple[bytes, int]:
    """Return the cells of a P4, and their end."""
    stride = (width + 7) // 8
    end = start + stride * height
    if end > len(data):
        what = f"{len(data) - start} bytes of cells, expected {stride * height}"
        fail(f"{what} ({height} rows of {stride}); was the file cut off, or saved as text?")
    rows = (data[place : place + stride] for place in polled(range(start, end, stride)))
    return b"".join(b"".join(map(_BYTES.__getitem__, row))[:width] for row in rows), end


def _plain(data: bytes, start: int, height: int, width: int) -> tuple[bytes, int]:
    """Return the cells of a P1, and the start of the next picture."""
    marks = (mark.start() for mark in _NEXT.finditer(data, start) if mark[1])
    end = next(marks, len(data))
    for mark in polled(_STRANGE.finditer(data, start, end)):
        if mark[1]:
            place = mark.start()
            line = data.count(b"\n", 0, place) + 1
            found = f"the character {chr(mark[1][0])!r}, expected 0 or 1"
            fail(found, line, place - data.rfind(b"\n", 0, place))
    cells = _COMMENTS.sub(b"", data[start:end]).translate(None, _WHITE)
    if len(cells) != height * width:
        line = data.count(b"\n", 0, start) + 1
        fail(f"a picture of {counted(len(cells), 'cell')}, expected {height} x {width}", line)
    return cells.translate(bytes.maketrans(b"01", b"\0\1")), end


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the pictures of puzzles with a goal."""
    require("pbm", CAPABILITIES, puzzles)
    goals = [goal_of(puzzle) for puzzle in puzzles]
    magic, cells = ("P1", _digits) if len(goals) == 1 else ("P4", _bits)
    heads = (f"{magic}\n{goal.width} {goal.height}\n".encode() for goal in goals)
    return b"".join(head + cells(goal) for head, goal in zip(heads, goals, strict=True))


def _digits(goal: Grid) -> bytes:
    """Return the cells of a P1, a row in as many lines as it needs."""
    parts = (
        row[at : at + _LONGEST]
        for row in polled(goal.lines("01"))
        for at in range(0, len(row), _LONGEST)
    )
    return "".join(f"{part}\n" for part in parts).encode()


def _bits(goal: Grid) -> bytes:
    """Return the cells of a P4."""
    stride = (goal.width + 7) // 8
    rows = (int(row.ljust(8 * stride, "0"), 2) for row in polled(goal.lines("01")))
    return b"".join(row.to_bytes(stride, "big") for row in rows)


PLUGIN = Format(
    summary="portable bitmaps (P1, P4): a picture a puzzle, black for filled cells",
    suffixes=(".pbm",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
