"""Game ids of "Pattern", Simon Tatham's nonograms: `4x3:1/1.1/1/1/2.1//2`.

Width x height (or one number, for a square), then the clues with `/` between them, COLUMNS first;
`.` separates the blocks of a clue, and an empty line has none (a single 0 is tolerated). Cells
known from the start may follow after a comma, row by row: a letter is the number of unknown
cells before the next known one (`a` none, `b` one, ...), a capital means that it is filled, a small
letter that it is empty; `z` is 25 unknown cells and no known one, and the last letter may be the
number of unknown cells that are left. No colours, no metadata.

An id per line, optionally after the program's name (`pattern:`) or the address of its page
(`.../pattern.html#`); lines that begin with `#` are ignored. A random seed (`15x15#...`) is no
puzzle without the program. Linear in the text.

Source: Simon Tatham's Portable Puzzle Collection, pattern.c (`new_game_desc`, `validate_desc`).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from nonosat.core.errors import counted
from nonosat.core.limits import polled
from nonosat.core.model import Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, NumberedLines, clue, clues
from nonosat.formats._runs import first_word, of_program, read_each
from nonosat.formats._text import build, fail, shorten, sized
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(inks=1, given=True, many=True)

_ID = re.compile(
    of_program("pattern") + r"([0-9]{1,9})(?:x([0-9]{1,9}))?:([0-9./]+)(?:,([A-Za-z]*))?"
)
_MAGIC = re.compile(rb"([0-9]{1,9})(x[0-9]{1,9})?:([0-9./]*/[0-9./]*)(,[A-Za-z]*)?")
_PREFIXED = re.compile(rb"(?i:\S{0,300}\bpattern(\.html)?[:#])[0-9][0-9a-z]*[:#].*")
_BLOCKS = re.compile(r"[^.]+")
_FAR = 25  # unknown cells of a `z`, which is not followed by a known one


def sniff(data: bytes) -> bool:
    """Return True if the first line is a game id, or has the prefix of one."""
    word = first_word(data)
    if (found := _MAGIC.fullmatch(word)) is None:
        return _PREFIXED.fullmatch(word) is not None
    return found[2] is not None or found[3].count(b"/") == 2 * int(found[1]) - 1


def read(data: bytes) -> Iterator[Nonogram]:
    """Yield a puzzle for each id."""
    return read_each(data, _ID, "4x3:1/1.1/1/1/2.1//2", _puzzle)


def _puzzle(found: re.Match[str], line: int) -> Nonogram:
    width, height = int(found[1]), int(found[2] or found[1])
    sized(height, width, line)
    fields = found[3].split("/")
    if len(fields) != width + height:
        what = f"{counted(len(fields), 'clue')}, expected {width} of columns and {height} of rows"
        fail(what, line, found.start(3) + 1)
    starts = array("I", accumulate((len(each) + 1 for each in fields), initial=found.start(3)))
    other = partial(_field, starts, line)
    every = clues(NumberedLines(fields, range(len(fields))), gaps=".", other=other)
    given = () if found[4] is None else tuple(_given(found, height, width, line))
    return build(line, rows=every[width:], columns=every[:width], given=given)


def _field(starts: Sequence[int], line: int, field: Numbered) -> Clue:
    """Return the clue of a field that is not only digits and dots; `field.line` is its index."""
    start = starts[field.line]
    if ".." in f".{field.text}." and field.text:
        what = f"{shorten(field.text)}, expected lengths with one '.' between them"
        fail(what, line, start + 1)
    return clue(Numbered(line, field.text), words=_BLOCKS, start=start)


def _given(
    found: re.Match[str], height: int, width: int, line: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the known cells that the letters encode; the last letter must reach the last cell."""
    place, size = 0, height * width
    for at, letter in enumerate(polled(found[4]), start=found.start(4)):
        if place >= size:
            fail(f"known cells beyond the {counted(size, 'cell')}", line, at + 1)
        skipped = ord(letter.lower()) - ord("a")
        place += skipped
        if place > size:
            fail(f"known cells beyond the {counted(size, 'cell')}", line, at + 1)
        if skipped < _FAR and place < size:
            yield *divmod(place, width), int(letter.isupper())
            place += 1
    if place < size:
        left = counted(size - place, "cell")
        fail(f"the known cells end {left} too early, expected letters up to the last cell", line)


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return an id per line."""
    require("pattern", CAPABILITIES, puzzles)
    return "".join(f"{_id(puzzle)}\n" for puzzle in puzzles).encode()


def _id(puzzle: Nonogram) -> str:
    lines = (*puzzle.columns, *puzzle.rows)
    fields = "/".join(".".join(str(block.length) for block in clue) for clue in polled(lines))
    known = f",{''.join(_letters(puzzle))}" if puzzle.given else ""
    return f"{puzzle.width}x{puzzle.height}:{fields}{known}"


def _letters(puzzle: Nonogram) -> Iterator[str]:
    """Yield the letters for a puzzle's known cells and the gaps of unknown cells."""
    known = {row * puzzle.width + column: colour for row, column, colour in polled(puzzle.given)}
    start = 0
    for place in polled((*sorted(known), puzzle.height * puzzle.width)):
        far, skipped = divmod(place - start, _FAR)
        yield "z" * far
        letter = chr(ord("a") + skipped)
        if place in known:
            yield letter.upper() if known[place] else letter
        elif skipped:
            yield letter
        start = place + 1


PLUGIN = Format(
    summary="game ids of Pattern (Simon Tatham): columns first, known cells",
    suffixes=(".pattern",),
    holds=CAPABILITIES,
    sniff=sniff,
    inline=True,
    read=read,
    write=write,
)
