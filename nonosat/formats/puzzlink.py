"""Addresses of puzz.link and its relatives: `https://puzz.link/p?slither/5/4/...`.

Columns, rows, then the clues row by row in base 36: 0 to 4 is a clue, 5 to 9 a clue less 5 and one
blank cell, a to e a clue less 10 and two blank cells, g to z 1 to 20 blank cells; `.` is a clue of
which nothing is known, that is, a blank cell. An address a line; lines that begin with `#` are
ignored. Linear in the text.

Source: the encoding "4Cell" of pzpr.js (puzz.link, MIT licence), by its own description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, digits

from nonosat.formats._hold import require
from nonosat.formats._runs import Runs, board, num_blanks, read_each
from nonosat.formats._text import fail
from nonosat.plugins import Format, Holds
from nonosat.puzzles.slitherlink.data import BLANK, Slitherlink

HOLDS = Holds(family="slitherlink", many=True)

_WHERE = r"(?:https?://[^\s?]+)?\??slither(?:link)?"
_URL = re.compile(_WHERE + r"(?:/v:)?/([0-9]{1,9})/([0-9]{1,9})/([0-9a-z.]*)")
_MAGIC = re.compile(rb"\s*https?://[^\s?]+\?slither(link)?/(v:/)?[0-9]")
_DIGITS = digits + ascii_lowercase
_FEW, _BLANKS, _LONGEST = 5, 15, 20


def sniff(data: bytes) -> bool:
    """A first line that is the address of a Slitherlink."""
    return _MAGIC.match(data) is not None


def read(data: bytes) -> list[Slitherlink]:
    """A puzzle for each address."""
    return read_each(data, _URL, "https://puzz.link/p?slither/5/4/ag2b33", _puzzle)


def _puzzle(found: re.Match[str], line: int) -> Slitherlink:
    return board((found[2], found[1]), _runs(found, line), line, spare=2)


def _runs(found: re.Match[str], line: int) -> Runs:
    for place, char in enumerate(found[3], start=found.start(3)):
        digit = _DIGITS.find(char)
        if char == ".":
            yield BLANK, 1, place
        elif digit > _BLANKS:
            yield BLANK, digit - _BLANKS, place
        elif digit < _BLANKS:
            yield digit % _FEW, digit // _FEW, place
        else:
            fail(f"the character {char!r}, expected 0 to 9, a to e, g to z or '.'", line, place + 1)


def write(puzzles: Sequence[Slitherlink]) -> bytes:
    """An address a line."""
    require("puzzlink", HOLDS, puzzles)
    return "".join(f"{_address(puzzle)}\n" for puzzle in puzzles).encode()


def _address(puzzle: Slitherlink) -> str:
    word = "".join(_word(puzzle.clues))
    return f"https://puzz.link/p?slither/{puzzle.width}/{puzzle.height}/{word}"


def _word(clues: bytes) -> Iterator[str]:
    """The clues, each with the one or two blank cells behind it where a clue follows these."""
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


PLUGIN = Format(
    summary="Slitherlink as addresses of puzz.link",
    suffixes=(".puzzlink",),
    holds=HOLDS,
    sniff=sniff,
    read=read,
    write=write,
)
