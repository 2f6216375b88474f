"""Addresses of puzz.link and its relatives: `https://puzz.link/p?slither/5/4/...`, `nonogram/...`.

The kind of puzzle, columns, rows, then the clues as a word in base 36. The site may be any (pzv.jp,
pzplus, pzprxs) or none; `_edit`, `_play`, `type=editor&` and an empty variant `v:` are ignored. An
address per line; lines that begin with `#` are ignored. Linear in the text.

Slitherlink: row by row 0 to 4 is a clue, 5 to 9 a clue less 5 and one blank cell, a to e a clue
less 10 and two blank cells, g to z 1 to 20 blank cells; `.` is an unknown clue, that is, a blank
cell.

Nonogram: COLUMNS first, each with places for (rows + 1) // 2 numbers, then the rows with places for
(columns + 1) // 2. A line's numbers are written from the board OUTWARDS, so a clue is read from its
last block to its first. 0 to f is a number, `-` and two digits one up to 255, g to z 1 to 20 places
without a number, which have no meaning; `.` is a hidden number, a block of unknown length
(read only: the sites have no input for one). Places at the end may be missing.

Source: the encodings "4Cell" and "Number16ExCell" of pzpr.js (puzz.link, MIT licence), by its own
description and its test data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, digits

from nonosat.core.errors import UnsupportedError, counted
from nonosat.core.limits import polled
from nonosat.core.model import Block, Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._runs import Runs, board, first_word, num_blanks, read_each
from nonosat.formats._text import build, fail, plain, shorten, sized
from nonosat.puzzles.nonogram.data import Nonogram
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink

CAPABILITIES = FormatCapabilities(family="slitherlink", also=("nonogram",), inks=1, many=True)

_KIND = r"(?:_edit|_play)?/"
_REST = r"((?:[^/\s0-9][^/\s]*/|/)*)([0-9]{1,9})/([0-9]{1,9})(?:/(\S*?)/?)?"
_SITE = r"https?:/{1,2}[^\s?]{1,300}\?(?:type=[a-z]+&)*"
_URL = re.compile(rf"(?:{_SITE}|\?)?([a-z][0-9a-z]*){_KIND}{_REST}")
_MAGIC = re.compile(rf"(?:{_SITE}[a-z][0-9a-z]*|\??(?:nonogram|slither|slitherlink)){_KIND}{_REST}")
_NUMBER = re.compile(r"-([0-9a-f]{2})|([0-9a-f])|([g-z])|\.")
_DIGITS = digits + ascii_lowercase
_FEW, _BLANKS, _LONGEST = 5, 15, 20
_MOST = 255  # the largest number that two hexadecimal digits hold


def sniff(data: bytes) -> bool:
    """Return True if the first line is the address of a puzzle."""
    return _MAGIC.fullmatch(first_word(data).decode(errors="replace")) is not None


def read(data: bytes) -> Iterator[Nonogram | Slitherlink]:
    """Yield a puzzle for each address."""
    return read_each(data, _URL, "https://puzz.link/p?slither/5/4/ag2b33", _puzzle)


def _puzzle(found: re.Match[str], line: int) -> Nonogram | Slitherlink:
    kind, variant = found[1], found[2].replace("v:", "").strip("/")
    if kind not in ("nonogram", "slither", "slitherlink"):
        fail(
            f"a puzzle of the kind {shorten(kind)}, expected nonogram or slither",
            line,
            found.start(1) + 1,
        )
    if variant:
        what = f"the variant {shorten(variant)}, expected none, that is, the plain rules"
        fail(what, line, found.start(2) + 1)
    if kind == "nonogram":
        return _nonogram(found, line)
    return board((found[4], found[3]), _runs(found, line), line, spare=2)


def _runs(found: re.Match[str], line: int) -> Runs:
    for place, char in enumerate(polled(found[5] or ""), start=found.start(5)):
        digit = _DIGITS.find(char)
        if char == ".":
            yield BLANK, 1, place
        elif digit > _BLANKS:
            yield BLANK, digit - _BLANKS, place
        elif 0 <= digit < _BLANKS:
            yield digit % _FEW, digit // _FEW, place
        else:
            fail(f"the character {char!r}, expected 0 to 9, a to e, g to z or '.'", line, place + 1)


def _nonogram(found: re.Match[str], line: int) -> Nonogram:
    width, height = int(found[3]), int(found[4])
    sized(height, width, line)
    above, beside = _rooms(height, width)
    outwards: list[list[int | None]] = [[] for _ in range(width + height)]
    place, size = 0, width * above + height * beside
    for part in polled(_parts(found, line)):
        step = _DIGITS.index(part[3]) - _BLANKS if part[3] else 1
        if place + step > size:
            fail(f"numbers beyond the {counted(size, 'place')} for them", line, part.start() + 1)
        if not part[3]:
            row = (place - width * above) // beside
            index = place // above if row < 0 else width + row
            outwards[index].append(None if part[0] == "." else int(part[0].lstrip("-"), 16))
        place += step
    clues = [_clue(numbers, index, width, line) for index, numbers in enumerate(polled(outwards))]
    return build(line, rows=tuple(clues[width:]), columns=tuple(clues[:width]))


def _rooms(height: int, width: int) -> tuple[int, int]:
    """Return the number of places for numbers of a column and a row: the most blocks that fit."""
    return (height + 1) // 2, (width + 1) // 2


def _parts(found: re.Match[str], line: int) -> Iterator[re.Match[str]]:
    """Yield the numbers and gaps of a nonogram's word."""
    place, end = found.span(5)
    while place < end:
        part = _NUMBER.match(found.string, place, end)
        if part is None:
            expected = "expected 0 to f, '-' and two of these, g to z or '.'"
            fail(f"the character {found.string[place]!r}, {expected}", line, place + 1)
        yield part
        place = part.end()


def _clue(outwards: Sequence[int | None], index: int, width: int, line: int) -> Clue:
    """Return a clue from the numbers of a line, the last one first; a single 0 is empty."""
    if outwards and 0 in outwards[len(outwards) == 1 :]:
        where = f"column {index + 1}" if index < width else f"row {index - width + 1}"
        fail(f"{where} has a block of length 0, expected 1 or more", line)
    return tuple(Block(length) for length in reversed(outwards) if length != 0)


def write(puzzles: Sequence[Nonogram | Slitherlink]) -> bytes:
    """Return an address per line."""
    require("puzzlink", CAPABILITIES, puzzles)
    return "".join(f"https://puzz.link/p?{_word(puzzle)}\n" for puzzle in puzzles).encode()


def _word(puzzle: Nonogram | Slitherlink) -> str:
    if isinstance(puzzle, Slitherlink):
        kind, word = "slither", "".join(_cells(puzzle.clues))
    else:
        kind, word = "nonogram", "".join(_outwards(puzzle))
    return f"{kind}/{puzzle.width}/{puzzle.height}/{word}"


def _cells(clues: bytes) -> Iterator[str]:
    """Yield the clues, each with one or two blank cells after it if another clue follows these."""
    at = 0
    while at < len(clues):
        blanks = num_blanks(clues, at, _LONGEST)
        if blanks:
            yield _DIGITS[_BLANKS + blanks]
        else:
            blanks = num_blanks(clues, at + 1, 2)
            yield _DIGITS[clues[at] + _FEW * blanks]
            at += 1
        at += blanks


def _outwards(puzzle: Nonogram) -> Iterator[str]:
    """Yield the word's parts: the numbers of every line from its last block on, and gaps."""
    empty = 0
    above, beside = _rooms(puzzle.height, puzzle.width)
    for clues, room in ((puzzle.columns, above), (puzzle.rows, beside)):
        for clue in polled(clues):
            lengths = [block.length or 0 for block in clue]
            if len(clue) > room or max(lengths, default=0) > _MOST:
                raise UnsupportedError(
                    f"puzzlink has room for {counted(room, 'number')} up to {_MOST} in such a "
                    f"line, not for the clue {shorten(plain(clue))} of {puzzle}; use another "
                    "format, such as non"
                )
            for length in reversed(lengths):
                yield from _gap(empty)
                yield f"{length:x}" if length < 16 else f"-{length:x}"
                empty = 0
            empty += room - len(clue)
    yield from _gap(empty)


def _gap(places: int) -> Iterator[str]:
    """Yield the letters for a gap of this many places without a number."""
    yield "z" * (places // _LONGEST)
    if places % _LONGEST:
        yield _DIGITS[_BLANKS + places % _LONGEST]


PLUGIN = Format(
    summary="addresses of puzz.link: nonograms and Slitherlinks",
    suffixes=(".puzzlink",),
    holds=CAPABILITIES,
    sniff=sniff,
    inline=True,
    read=read,
    write=write,
)
