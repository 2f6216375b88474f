"""Griddlers Solver's .sgriddler (also .griddler): sizes, a picture, clues from the board outwards.

    MK Version 3.0

    4 3

     # # . #
     . . . .
     . # # .

    1
    1 1
    1
    1

    1 2
    0
    2

The WIDTH and the height are followed by a line for each row of the picture, the clues of the
columns, each from BOTTOM to top, and the clues of the rows, each from RIGHT to left. A blank line
precedes each part. In the picture `#` is filled and `.` is empty; `o`, `,`, `?` and missing cells
are unknown. A picture that was not begun is left out or consists of blank lines. A number below 0
is a number that is crossed out. Anything after the clues is ignored. If a file has no clues, they
are derived from the picture.

A complete picture that satisfies the clues is kept as the goal, another one as a saved state. Some
programs write clues from left to right and from top to bottom: they are read in this direction,
with a remark, if a complete picture satisfies them. One colour, one puzzle, no metadata. Linear in
the text.

Source: the manual of Griddlers Solver (Juraj Simlovic), chapter on the format of its files.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from nonosat.core.errors import counted
from nonosat.core.grid import UNKNOWN, Grid
from nonosat.core.limits import polled
from nonosat.core.model import Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, NumberedLines, clues, header, numbered
from nonosat.formats._text import Remark, build, clues_of, decode, fail, plain, shorten
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1)

_MAGIC = b"MK Version 3"
_CELLS = {"#": 1, ".": 0, "o": UNKNOWN, ",": UNKNOWN, "?": UNKNOWN}
_PICTURE = re.compile(r"[\s#.o,?]*")
_CROSSED = re.compile(r"-(?=[0-9])")


class Parts(NamedTuple):
    """The lines of the picture, of the columns and of the rows; empty if there are none."""

    picture: NumberedLines
    columns: NumberedLines
    rows: NumberedLines


def sniff(data: bytes) -> bool:
    """Return True if the file begins with the first line of this format."""
    return data.removeprefix(b"\xef\xbb\xbf").startswith(_MAGIC)


def read(data: bytes) -> list[Nonogram | Remark]:
    """Return the one puzzle of the file, possibly with a remark."""
    lines = numbered(decode(data))
    if not lines or not lines.texts[0].startswith(_MAGIC.decode()):
        first = shorten(lines.texts[0]) if lines else "an empty file"
        fail(f"{first}, expected the first line 'MK Version 3.0'", 1)
    sizes, start = header(lines[1:], ("width", "height"))
    height, width = sizes["height"], sizes["width"]
    line = lines[start].line
    parts = _parts(lines[start + 1 :], height, width, line)
    picture = _grid(parts.picture, height, width) if parts.picture else None
    is_whole = picture is not None and UNKNOWN not in picture.cells
    drawn = clues_of(picture) if picture is not None and is_whole else None
    if not parts.columns:
        if drawn is None:
            fail("no clues, and no complete picture to derive them from", line)
        return [build(line, **drawn, goal=picture)]
    clues = {"rows": _clues(parts.rows), "columns": _clues(parts.columns)}
    turned = {name: tuple(clue[::-1] for clue in polled(side)) for name, side in clues.items()}
    if drawn is not None and clues == drawn and turned != drawn:
        remark = Remark("the clues are in their usual direction, as the picture shows", line)
        return [remark, build(line, **clues, goal=picture)]
    is_goal = drawn is not None and turned == drawn
    is_begun = picture is not None and picture.cells.count(UNKNOWN) < len(picture.cells)
    saved = (picture,) if is_begun and not is_goal else ()
    return [build(line, **turned, goal=picture if is_goal else None, saved=saved)]


def _parts(body: NumberedLines, height: int, width: int, line: int) -> Parts:
    """Return the parts of the text below the sizes."""
    if (found := _in_place(body, height, width)) is not None:
        return found
    groups = _groups(body)
    has_picture = bool(groups) and all(map(_PICTURE.fullmatch, groups[0].texts))
    none = body[:0]
    picture, *rest = groups if has_picture else [none, *groups]
    if has_picture and not rest and len(picture) == height:
        return Parts(picture, none, none)
    lengths = [len(each) for each in rest[:2]]
    if lengths == [width, height] and len(picture) in (0, height):
        return Parts(picture, rest[0], rest[1])
    parts = ", ".join(str(len(each)) for each in groups[:8]) or "none"
    expected = f"a picture of {height}, {width} of columns and {height} of rows"
    return fail(f"lines between blank ones: {parts}; expected {expected}", line)


def _in_place(body: NumberedLines, height: int, width: int) -> Parts | None:
    """Return the parts if each has its full number of lines and follows one blank line.

    Return None otherwise.
    """
    columns = height + 2
    rows = columns + width + 1
    blank = (0, columns - 1, rows - 1)
    if len(body) < rows + height or not all(body[at].blank for at in blank):
        return None
    picture = body[1 : columns - 1]
    if not all(map(_PICTURE.fullmatch, picture.texts)):
        return None
    return Parts(picture, body[columns : rows - 1], body[rows : rows + height])


def _groups(body: NumberedLines) -> list[NumberedLines]:
    """Return the groups of consecutive lines that are not blank."""
    found, start = [], None
    for at, text in enumerate([*body.texts, ""]):
        if text.strip() and start is None:
            start = at
        elif not text.strip() and start is not None:
            found.append(body[start:at])
            start = None
    return found


def _grid(lines: NumberedLines, height: int, width: int) -> Grid:
    return Grid(height, width, b"".join(_row(line, width) for line in polled(lines)))


def _row(line: Numbered, width: int) -> bytes:
    """Return the cells of a row; missing cells are unknown."""
    words = line.text.split()
    if len(words) > width:
        fail(f"a row of {counted(len(words), 'cell')}, expected {width}", line.line)
    if strange := [word for word in words if word not in _CELLS]:
        what = f"the cell {shorten(strange[0])}, expected '#', '.' or '?'"
        fail(what, line.line, line.text.index(strange[0]) + 1)
    return bytes(map(_CELLS.__getitem__, words)).ljust(width, bytes([UNKNOWN]))


def _clues(lines: NumberedLines) -> tuple[Clue, ...]:
    return clues(lines.of([_CROSSED.sub(" ", text) for text in lines.texts]))


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the file of one puzzle, with an empty picture."""
    require("sgriddler", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    lines = ["MK Version 3.0", "", f"{puzzle.width} {puzzle.height}", "", *[""] * puzzle.height]
    for side in (puzzle.columns, puzzle.rows):
        lines += ["", *(plain(clue[::-1]) for clue in polled(side))]
    return "\n".join([*lines, ""]).encode()


PLUGIN = Format(
    summary="Griddlers Solver's .sgriddler: clues, a picture that was begun",
    suffixes=(".sgriddler", ".griddler"),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
