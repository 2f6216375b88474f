"""Boards of queens as text: a line per row, `Q` a given queen, `x` a blocked square, `.` a free
one.

    queens 4
    .Q..
    ...x
    ....
    ....

The first line may be missing if there is a queen on the board, and the rows may be missing if
nothing is given or blocked. Blank lines and lines that begin with `#` are ignored. One puzzle, no
metadata. Linear in the text.

A file of squares for a known board may also have "row column" per line, both from 1 (`marks`), or
the output of `nonosat queens`: a drawn board, a matrix of 0 and 1, or the list of columns by row. A
list that has a 0 counts from 0, as printed, and one that has N counts from 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nonosat.core.errors import PuzzleError, UnsupportedError, counted
from nonosat.core.limits import polled
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, numbered, uncommented
from nonosat.formats._text import decode, fail, of_file, shorten
from nonosat.puzzles.queens.data import MAX_QUEENS, Queens, Square, check_drawn

CAPABILITIES = FormatCapabilities(family="queens")

_HEADER = re.compile(r"\s*queens(?:\s+(\S+))?\s*")
_PAIR = re.compile(r"\s*(-?[0-9]+)[\s,]+(-?[0-9]+)\s*")
_NUMBERS = re.compile(r"\s*-?[0-9]")
_MAGIC = re.compile(rb"(\s*#[^\n]*\n)*\s*queens\s+[0-9]+\s*(\n|$)")
_LIST = re.compile(
    r"\s*\[?\s*[0-9]{1,9}(?:[\s,]+[0-9]{1,9}){2,}\s*\]?\s*"
    r"|\s*\[\s*(?:[0-9]{1,9}(?:[\s,]+[0-9]{1,9})?)?\s*\]\s*"
)
_PRINTED = {"·": ".", ".": ".", "0": ".", "♛": "Q", "Q": "Q", "1": "Q", "x": "x", "X": "x"}
_OTHER = re.compile(r"[^.]")
_BOARD = re.compile(rb"[.Qx]+")


def sniff(data: bytes) -> bool:
    """Return True if the text begins with `queens` and a number, or is a board with a queen."""
    if _MAGIC.match(data[:1000]):
        return True
    rows = data.split()
    is_square = bool(rows) and all(len(row) == len(rows) for row in rows)
    return is_square and b"Q" in data and all(map(_BOARD.fullmatch, rows))


def meant(data: bytes) -> bool:
    """Return True if the text consists of the three signs, with a queen, square or not."""
    rows = data[:10_000].split()
    return b"Q" in data and all(map(_BOARD.fullmatch, rows))


def read(data: bytes) -> list[Queens]:
    """Return the one puzzle of the file."""
    lines = list(uncommented(numbered(decode(data))))
    if not lines:
        fail("the file is empty, expected 'queens N' or a board", 1)
    n = len(lines)
    if header := _HEADER.fullmatch(lines[0].text):
        n = _number(header[1] or "", lines.pop(0).line)
    given, blocked = _board(lines, n) if lines else ([], [])
    try:
        return [Queens(n, tuple(given), tuple(blocked))]
    except PuzzleError as error:
        raise of_file(error, 1) from error


def marks(data: bytes, n: int, sign: str) -> tuple[list[Square], list[Square]]:
    """Return given and blocked squares that a file names on a board whose size is known.

    Args:
        data: The file: a board, or squares as "row column", a line each.
        n: Rows and columns of the board.
        sign: Kind of these squares: "Q" for given queens, "x" for blocked squares.

    Raises:
        FormatError: The file has another form, or a square off the board or twice; with line and
            column.
    """
    lines = list(uncommented(numbered(decode(data))))
    if lines and (header := _HEADER.fullmatch(lines[0].text)):
        line = lines.pop(0).line
        if (found := _number(header[1] or "", line)) != n:
            fail(f"a board of {counted(found, 'queen')}, expected {n}", line)
    lines = _unprinted(lines, n)
    if not lines:
        return [], []
    if _LIST.fullmatch(lines[0].text) and (n > 2 or "[" in lines[0].text):
        squares = _placement(lines, n)
    elif _NUMBERS.match(lines[0].text):
        squares = _pairs(lines, n)
    else:
        return _board(lines, n)
    return (squares, []) if sign == "Q" else ([], squares)


def mark(puzzle: Queens, data: bytes) -> Queens:
    """Return the board with the given queens and blocked squares of a file; see `marks`."""
    given, blocked = marks(data, puzzle.n, "Q")
    return replace(
        puzzle,
        given=tuple(dict.fromkeys((*puzzle.given, *given))),
        blocked=tuple(dict.fromkeys((*puzzle.blocked, *blocked))),
    )


def _unprinted(lines: list[Numbered], n: int) -> list[Numbered]:
    """Return the rows of a printed board or matrix in our signs; any other lines unchanged."""
    rows = [line.text.split() for line in polled(lines)]
    is_printed = len(rows) == n and all(
        len(row) == n and all(sign in _PRINTED for sign in row) for row in rows
    )
    if not is_printed:
        return lines
    pairs = zip(lines, rows, strict=True)
    return [Numbered(line.line, "".join(map(_PRINTED.__getitem__, row))) for line, row in pairs]


def _placement(lines: list[Numbered], n: int) -> list[Square]:
    """Return the squares of a list of columns by row."""
    if len(lines) > 1:
        fail(f"{counted(len(lines), 'line')} of lists, expected one placement", lines[1].line)
    (line,) = lines
    columns = [int(word) for word in re.findall(r"[0-9]+", line.text)]
    if len(columns) != n:
        fail(f"a list of {counted(len(columns), 'column')}, expected {n}", line.line)
    if 0 in columns and n in columns:
        fail(
            f"a list with 0 and {n}, expected columns from 0 to {n - 1} or from 1 to {n}", line.line
        )
    first = 1 if n in columns else 0
    for column in columns:
        if column > n:
            fail(f"the column {column} in a list, expected at most {n}", line.line)
    return [(row, column - first) for row, column in enumerate(columns)]


def write(puzzles: Sequence[Queens]) -> bytes:
    """Return the file of one puzzle."""
    require("queens", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    head = f"queens {puzzle.n}\n"
    if not puzzle.given and not puzzle.blocked:
        return head.encode()
    check_drawn(puzzle.n)
    rows = [["."] * puzzle.n for _ in range(puzzle.n)]
    for sign, squares in (("x", puzzle.blocked), ("Q", puzzle.given)):
        for row, column in squares:
            if rows[row][column] != ".":
                raise UnsupportedError(
                    f"the board has one sign for {row, column}, which is given and blocked; "
                    "use jsonl"
                )
            rows[row][column] = sign
    return (head + "".join(f"{''.join(row)}\n" for row in rows)).encode()


def _number(text: str, line: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > MAX_QUEENS:
        fail(f"{shorten(text)} queens, expected a number from 0 to {MAX_QUEENS}", line)
    return int(text)


def _board(lines: list[Numbered], n: int) -> tuple[list[Square], list[Square]]:
    """Return given and blocked squares of the rows."""
    if len(lines) != n:
        where = lines[min(n, len(lines) - 1)].line
        fail(f"a board of {counted(len(lines), 'row')}, expected {n}", where)
    places: dict[str, list[Square]] = {"Q": [], "x": []}
    for row, line in enumerate(lines):
        if len(line.text) != n:
            fail(f"a row of {counted(len(line.text), 'square')}, expected {n}", line.line)
        for sign in _OTHER.finditer(line.text):
            if sign[0] not in places:
                what = f"the character {sign[0]!r}, expected '.', 'Q' or 'x'"
                fail(what, line.line, sign.start() + 1)
            places[sign[0]].append((row, sign.start()))
    return places["Q"], places["x"]


def _pairs(lines: list[Numbered], n: int) -> list[Square]:
    """Return the squares of lines "row column"."""
    found: dict[Square, int] = {}
    for line in polled(lines):
        pair = _PAIR.fullmatch(line.text)
        if pair is None:
            fail(f"{shorten(line.text)}, expected a row and a column, such as '1 4'", line.line)
        for place, word in enumerate(pair.groups(), 1):
            if len(word) > 9 or not 1 <= int(word) <= n:
                what = f"the {'row' if place == 1 else 'column'} {shorten(word)}"
                base = "; rows and columns are numbered from 1" if word == "0" else ""
                fail(f"{what}, expected 1 to {n}{base}", line.line, pair.start(place) + 1)
        square = int(pair[1]) - 1, int(pair[2]) - 1
        if (before := found.setdefault(square, line.line)) != line.line:
            fail(f"the square {pair[1]},{pair[2]} again, named on line {before} already", line.line)
    return list(found)


PLUGIN = Format(
    summary="a board of queens: '.' free, 'Q' a given queen, 'x' a blocked square",
    suffixes=(".queens",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
    mark=mark,
)
