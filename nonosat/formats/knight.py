"""Boards for a knight as text: a word per square, `.` free, `x` a hole, a number if it is given.

    knight 3 4 closed
    1 . .  .
    . . x 10
    . . .  .

`closed` may be missing, and so may the rows if nothing is given and there are no holes. Blank
lines and lines that begin with `#` are ignored. One puzzle, no metadata. Linear in the text.

A file of squares on a known board may leave out the first line, or list squares
one per line, "row,column" from 1 for a hole and "row,column number" for a given number (`marks`).
One line of several squares, as `nonosat knight --as list` prints it, is a tour from its first move
on, and the path drawn in dots, as `--as way` prints it, one that begins at either end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, NoReturn

from nonosat.core.errors import PuzzleError, Remedy, counted
from nonosat.core.limits import polled
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import WORDS, Numbered, numbered, uncommented
from nonosat.formats._text import decode, fail, of_file, shorten
from nonosat.puzzles.knight import way
from nonosat.puzzles.knight.data import MAX_SQUARES, Given, Knight, Square, check_drawn

CAPABILITIES = FormatCapabilities(family="knight")

_HEADER = re.compile(r"\s*knight\s+([0-9]+)\s+([0-9]+)(\s+closed)?")
_MAGIC = re.compile(rb"(\s*#[^\n]*\n)*\s*knight\s+[0-9]+\s+[0-9]+(\s|$)")
_LISTED = re.compile(r"\s*(-?[0-9]+)\s*,\s*(-?[0-9]+)(?:\s+([0-9]+))?")
_TOUR = re.compile(r"\s*[0-9]{1,9},[0-9]{1,9}(?:\s+[0-9]{1,9},[0-9]{1,9})*\s*")
_MAX_DIGITS = 9


class Marks(NamedTuple):
    """Holes and numbers of the squares of a board in a file."""

    holes: list[Square]
    given: list[Given]


def sniff(data: bytes) -> bool:
    """Return True if the text begins, comments aside, with `knight` and two numbers."""
    return _MAGIC.match(data[:1000]) is not None


def read(data: bytes) -> list[Knight]:
    """Return the one puzzle of the file."""
    lines = list(uncommented(numbered(decode(data))))
    header = _HEADER.fullmatch(lines[0].text) if lines else None
    if header is None:
        fail(
            "expected the first line to be 'knight ROWS COLUMNS', perhaps with 'closed'",
            _first(lines),
        )
    line = lines.pop(0).line
    rows, columns = _sides(header, line)
    if rows * columns > MAX_SQUARES:
        fail(f"{rows} x {columns} squares, expected at most {MAX_SQUARES}", line)
    holes, given = _board(lines, rows, columns) if lines else Marks([], [])
    try:
        puzzle = Knight(
            rows, columns, closed=bool(header[3]), holes=tuple(holes), given=tuple(given)
        )
    except PuzzleError as error:
        raise of_file(error, line) from error
    return [puzzle]


def marks(data: bytes, rows: int, columns: int, closed: bool, start: Square | None = None) -> Marks:
    """Return holes and given numbers that a file names on a board whose size is known.

    Args:
        data: The file: a board, with or without its first line, or squares one per line.
        rows: Rows of the board.
        columns: Columns of the board.
        closed: True for a closed tour.
        start: First square of the tour, if known; else a drawn path may begin at either end.

    Raises:
        FormatError: The file has another form, or a square off the board; with line and column.
    """
    lines = list(uncommented(numbered(decode(data))))
    if lines and (header := _HEADER.fullmatch(lines[0].text)):
        line = lines.pop(0).line
        if (sides := _sides(header, line)) != (rows, columns):
            fail(f"a board of {sides[0]} x {sides[1]}, expected {rows} x {columns}", line)
        if header[3] and not closed:
            fail(
                "a board for a closed tour by its word 'closed', expected one for an open tour",
                line,
                remedy=Remedy("set", "closed", ("True",)),
            )
    if lines and way.is_drawn(lines[0].text):
        return _drawn(lines, (rows, columns), closed, start)
    is_one = rows == columns == 1  # its square is not a hole
    if lines and _TOUR.fullmatch(lines[0].text) and (is_one or len(lines[0].text.split()) > 1):
        return _toured(lines, rows, columns)
    if lines and "," in lines[0].text:
        return _listed(lines, rows, columns)
    return _board(lines, rows, columns) if lines else Marks([], [])


def mark(puzzle: Knight, data: bytes) -> Knight:
    """Return the board with the holes and numbers of a file; see `marks`."""
    found = marks(data, puzzle.rows, puzzle.columns, puzzle.closed, puzzle.start)
    return replace(
        puzzle,
        holes=tuple(dict.fromkeys((*puzzle.holes, *found.holes))),
        given=tuple(dict.fromkeys((*puzzle.given, *found.given))),
    )


def write(puzzles: Sequence[Knight]) -> bytes:
    """Return the file of one puzzle."""
    require("knight", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    head = f"knight {puzzle.rows} {puzzle.columns}{' closed' if puzzle.closed else ''}\n"
    if not puzzle.numbered and not puzzle.holes:
        return head.encode()
    check_drawn(puzzle)
    return (head + "".join(f"{line}\n" for line in puzzle.lines())).encode()


def _first(lines: list[Numbered]) -> int:
    return lines[0].line if lines else 1


def _sides(header: re.Match[str], line: int) -> tuple[int, int]:
    """Return the rows and columns in the first line."""
    return _number(header[1], line, header.start(1)), _number(header[2], line, header.start(2))


def _number(text: str, line: int, place: int) -> int:
    if len(text.lstrip("0")) > _MAX_DIGITS or not text.strip("0"):
        base = "" if text.strip("0") else "; sizes and moves are numbered from 1"
        expected = f"expected a number from 1 to {10**_MAX_DIGITS - 1}{base}"
        fail(f"{shorten(text)}, {expected}", line, place + 1)
    return int(text.lstrip("0"))


def _board(lines: list[Numbered], rows: int, columns: int) -> Marks:
    """Return the holes and numbers in the words of the rows."""
    found = Marks([], [])
    if len(lines) != rows:
        where = lines[min(rows, len(lines) - 1)].line
        fail(f"a board of {counted(len(lines), 'row')}, expected {rows}", where)
    for row, line in enumerate(lines):
        words = list(WORDS.finditer(line.text))
        if len(words) != columns:
            fail(f"a row of {counted(len(words), 'square')}, expected {columns}", line.line)
        for column, word in enumerate(words):
            if word[0] == "x":
                found.holes.append((row, column))
            elif re.fullmatch(r"[0-9]+", word[0]):
                found.given.append((row, column, _number(word[0], line.line, word.start())))
            elif word[0] != ".":
                what = f"{shorten(word[0])}, expected '.', 'x' or a number"
                fail(what, line.line, word.start() + 1)
    return found


def _toured(lines: list[Numbered], rows: int, columns: int) -> Marks:
    """Return the numbers of the squares of a line that lists them in their order."""
    if len(lines) > 1:
        fail("a second line after a list of squares, expected one tour", lines[1].line)
    found = Marks([], [])
    for number, word in enumerate(WORDS.finditer(lines[0].text), start=1):
        row, column = map(int, word[0].split(","))
        for name, place, size in (("row", row, rows), ("column", column, columns)):
            if not 1 <= place <= size:
                _refuse_place(name, str(place), size, lines[0].line, word.start() + 1)
        found.given.append((row - 1, column - 1, number))
    return found


def _drawn(
    lines: list[Numbered], size: tuple[int, int], closed: bool, start: Square | None
) -> Marks:
    """Return the numbers of the squares of a path drawn in dots."""
    squares = way.read([line.text for line in polled(lines)], *size, closed=closed)
    if squares is None:
        tour = "a closed tour" if closed else "an open tour"
        what = f"dots that draw no way of {tour} on {size[0]} x {size[1]} squares"
        fail(f"{what}; expected the lines of one way, as printed, or its squares", lines[0].line)
    if start == squares[-1]:
        squares.reverse()
    return Marks([], [(*square, number) for number, square in enumerate(squares, start=1)])


def _refuse_place(name: str, text: str, size: int, line: int, column: int) -> NoReturn:
    base = "; rows and columns are numbered from 1" if not text.strip("0") else ""
    fail(f"the {name} {shorten(text)}, expected 1 to {size}{base}", line, column)


def _listed(lines: list[Numbered], rows: int, columns: int) -> Marks:
    """Return the holes and numbers of lines "row,column" and "row,column number"."""
    found = Marks([], [])
    for line in polled(lines):
        item = _LISTED.fullmatch(line.text)
        if item is None:
            what = f"{shorten(line.text.strip())}, expected a square such as '1,4', or '1,4 17'"
            fail(what, line.line)
        square = []
        for place, (name, size) in enumerate((("row", rows), ("column", columns)), start=1):
            if len(item[place]) > _MAX_DIGITS or not 1 <= int(item[place]) <= size:
                _refuse_place(name, item[place], size, line.line, item.start(place) + 1)
            square.append(int(item[place]) - 1)
        row, column = square
        if item[3] is None:
            found.holes.append((row, column))
        else:
            found.given.append((row, column, _number(item[3], line.line, item.start(3))))
    return found


PLUGIN = Format(
    summary="a board for a knight: '.' free, 'x' a hole, given numbers",
    suffixes=(".knight",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
    mark=mark,
)
