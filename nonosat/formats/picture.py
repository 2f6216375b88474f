"""A picture as plain characters, a line per row; its clues are derived and it is kept as the goal.

Cells 0 and 1 may have a blank between them.

Without a request a text is read as a picture only if it is unambiguous: lines of one length,
blanks at their ends aside, of one sign for filled cells (`#`, `@`, `X`, `x`, `o`, `*`, a block) and
at most one for empty ones (`.`, `-`, `_`, a light block, or a blank). Digits 0 and 1 are left
to `clues`, which checks that they cannot be numbers. Any other picture has a heading, a first line
such as `picture: 3 colours`; it is written if it is needed.

If a picture is requested (or has the heading), empty cells are any of `.`, space, `_`, `-`, `0`
and light blocks; every other character is a colour. With one such character the puzzle has the
default ink; with several, `#` is black, a letter has a default colour and the colours are in
the order of their characters. Spaces missing at the ends of lines are added only on
request and if the picture has no other sign for empty.

Writing needs a goal that satisfies the clues. Time is linear in the number of cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nonosat.core.errors import FormatError, counted
from nonosat.core.grid import Grid
from nonosat.core.limits import polled
from nonosat.core.model import MAX_COLOURS
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._colours import characters, ink
from nonosat.formats._hold import goal_of, require
from nonosat.formats._lines import NumberedLines, numbered
from nonosat.formats._text import build, cells_of, clues_of, decode, fail, signs_of, sized
from nonosat.puzzles.nonogram.data import BLACK, Nonogram
from nonosat.puzzles.nonogram.grids import EMPTY

_FILLED = "#@Xxo*\u2588\u2593\u25a0\u2b1b"  # full block, dark shade, black squares
_INKS = "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789" + "".join(
    chr(code) for code in range(0xC0, 0x1C0)
)
CAPABILITIES = FormatCapabilities(clues=False)
_HEADING = re.compile(r"picture: ([0-9]{1,3}) colours?")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*\w*+\s*")
_MARKS = re.compile(f"[{re.escape(EMPTY.replace('0', '') + _FILLED)}]+")
_MOST_SNIFFED = 1_000  # characters of the first line that are checked before all others


def sniff(data: bytes) -> bool:
    """Return True if the text has a heading, or lines of one length with one sign per value."""
    start = data[:_MOST_SNIFFED].decode("utf-8-sig", "ignore").lstrip("\r\n").splitlines()
    if not start:
        return False
    if _HEADING.fullmatch(start[0].rstrip()):
        return True
    if not (_MARKS.fullmatch(start[0]) or _FENCE.fullmatch(start[0])):
        return False
    try:
        lines = _framed(numbered(decode(data)))
    except FormatError:
        return False
    return unclear(_even(lines).texts) is None


def is_binary(data: bytes) -> bool:
    """Return True if the text is several rows of 0 and 1, of one length."""
    rows = _binary(data)
    return len(rows) > 1 and all(len(row) == 1 for row in rows)


def rivals(data: bytes) -> list[str]:
    """Return ["picture"] if a text has rows of 0 and 1 with blanks between all cells, else []."""
    rows = _binary(data)
    return ["picture"] if rows and len(rows[0]) > 1 and _is_spaced(rows) else []


def _binary(data: bytes) -> list[list[str]]:
    """Return the words of rows of 0 and 1 that have one length; none of any other text."""
    if data.strip(b"01 \t\r\n\xef\xbb\xbf"):
        return []
    rows = [line.split() for line in decode(data).strip("\n").split("\n")]
    widths = {len("".join(row)) for row in rows}
    return rows if len(widths) == 1 and widths != {0} else []


def _is_spaced(rows: Iterable[Sequence[str]]) -> bool:
    """Return True if every word of the rows is a single cell, 0 or 1."""
    return all(word in ("0", "1") for row in rows for word in row)


def unclear(lines: Sequence[str]) -> str | None:
    """Return why lines are not unambiguously a picture, so that they need a heading; else None."""
    signs = signs_of("".join(lines))
    filled = "".join(sorted(signs & set(_FILLED)))
    empty = "".join(sorted(signs & set(EMPTY) - {"0"}))
    if others := sorted(signs - set(filled) - set(empty)):
        return (
            f"the character {others[0]!r}, expected one sign for filled cells and one for empty; "
            "several colours need a heading such as 'picture: 2 colours'"
        )
    if not filled:
        return "no filled cell, expected a sign such as '#'"
    if "" in lines:
        return "a blank line inside, expected one picture"
    if " " in empty and empty != " ":
        return f"blanks besides {empty[1]!r}, expected one sign for empty cells and none between"
    for what, found in (("filled", filled), ("empty", empty)):
        if len(found) > 1:
            return f"the signs {found[0]!r} and {found[1]!r} for {what} cells, expected one"
    widths = set(map(len, lines))
    if len(widths) > 1:
        return f"lines of different length, {min(widths)} and {max(widths)} cells, expected one"
    return None


def refusal(data: bytes) -> str:
    """Return why a text without a heading is not read as a picture."""
    return unclear(_even(_framed(numbered(decode(data)))).texts) or "none"


def _framed(lines: NumberedLines) -> NumberedLines:
    """Return the lines between code fences, or else without blank lines at both ends."""
    start, stop = 0, len(lines)
    while start < stop and _is_frame(lines.texts[stop - 1]):
        stop -= 1
    while start < stop and _is_frame(lines.texts[start]):
        start += 1
    return lines[start:stop]


def _is_frame(text: str) -> bool:
    return not text or _FENCE.fullmatch(text) is not None


def _even(lines: NumberedLines) -> NumberedLines:
    """Return the lines without blanks around them, if empty cells have another sign."""
    if not _has_sign_for_empty(lines) or not any(" " in text for text in lines.texts):
        return lines
    margins = {len(text) - len(text.lstrip(" ")) for text in lines.texts}
    return lines.of([text.strip(" ") for text in lines.texts]) if len(margins) == 1 else lines


def _has_sign_for_empty(lines: NumberedLines) -> bool:
    """Return True if a character other than a blank means an empty cell."""
    return any(char in text for text in lines.texts for char in EMPTY if char != " ")


def read(data: bytes) -> list[Nonogram]:
    """Return the puzzle of which the picture is a solution."""
    every = _framed(numbered(decode(data)))
    heading = _HEADING.fullmatch(every[0].text.rstrip()) if every else None
    lines = _rows(every[1:] if heading else every)
    first, width = lines[0].line, len(lines[0].text)
    text = "".join(lines.texts)
    inks = sorted(signs_of(text) - set(EMPTY))
    if strange := [char for char in inks if char == "?" or not char.isprintable()]:
        where = next(line for line in polled(lines) if strange[0] in line.text)
        fail(
            f"the character {strange[0]!r}, expected a sign for an empty cell or a colour",
            where.line,
            where.text.index(strange[0]) + 1,
        )
    if heading and len(inks) > int(heading[1]):
        found = f"{len(inks)} colours, {' '.join(inks[:8])}"
        fail(f"{found}, expected {heading[1]} as the heading states", first)
    sized(len(lines), width, first)
    colours = (BLACK,) if len(inks) < 2 else tuple(map(ink, inks))
    values = dict.fromkeys(EMPTY, 0) | {char: index for index, char in enumerate(inks, 1)}
    if len(inks) > MAX_COLOURS:
        fail(f"{len(inks)} different characters, expected at most {MAX_COLOURS}", first)
    goal = Grid(len(lines), width, cells_of(text, values))
    return [build(first, **clues_of(goal), colours=colours, goal=goal)]


def _rows(lines: NumberedLines) -> NumberedLines:
    """Return the lines of the picture, without spaces between cells.

    If empty cells are blanks, shorter lines are padded; otherwise different lengths are an error.
    """
    lines = _even(_framed(lines))
    words = [text.split() for text in lines.texts]
    if any(len(row) > 1 for row in words) and _is_spaced(words):
        lines = lines.of(["".join(row) for row in words])
    if not lines:
        fail("the file is empty, expected a line a row of the picture", 1)
    width = len(lines[0].text)
    if not _has_sign_for_empty(lines):
        width = max(map(len, lines.texts))
        sized(len(lines), width, lines[0].line)  # check before blanks are added
        lines = lines.of([text.ljust(width) for text in lines.texts])
    for at, text in enumerate(lines.texts):
        if len(text) != width:
            found = f"a row of {counted(len(text), 'cell')}"
            fail(f"{found}, expected {width} as in the first row", lines[at].line)
    return lines


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the picture of one puzzle with a goal."""
    require("picture", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    symbols = "." + "".join(characters(puzzle.colours, _INKS))
    lines = list(goal_of(puzzle).lines(symbols))
    head = [f"picture: {counted(len(puzzle.colours), 'colour')}"] if unclear(lines) else []
    return "\n".join([*head, *lines, ""]).encode()


PLUGIN = Format(
    summary="a picture as plain characters, '.' for empty cells",
    suffixes=(".txt",),
    shared=True,
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
