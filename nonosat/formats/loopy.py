"""Game ids of "Loopy", Simon Tatham's Slitherlink, on the square grid: `5x4t0de:a2b33...`.

Width x height, `t0` for squares (or nothing), optionally `d` and a letter of difficulty, then the
clues row by row: a digit is a clue, a letter of `a` to `z` as many blank cells as its place in the
alphabet. An id per line, optionally after the program's name (`loopy:`) or the address of its page
(`.../loopy.html#`); lines that begin with `#` are ignored. Linear in the text.

Source: Simon Tatham's Portable Puzzle Collection, loopy.c and its manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nonosat.core.limits import polled
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._runs import Runs, board, first_word, num_blanks, of_program, read_each
from nonosat.formats._text import fail
from nonosat.puzzles.slitherlink.data import BLANK, MAX_CLUE, Slitherlink

CAPABILITIES = FormatCapabilities(family="slitherlink", many=True)

_ID = re.compile(
    of_program("loopy") + r"([0-9]{1,9})x([0-9]{1,9})(?:t([0-9]{1,9}))?(?:d[a-z])?:([0-9a-z]+)"
)
_MAGIC = re.compile(
    rb"[0-9]+x[0-9]+(t[0-9]+)?(d[a-z])?:[0-9a-z]+|(?i:\S{0,300}\bloopy(\.html)?[:#])[0-9][0-9a-z]*[:#].*"
)
_LONGEST = 26


def sniff(data: bytes) -> bool:
    """Return True if the first line is a game id, or has the prefix of one."""
    return _MAGIC.fullmatch(first_word(data)) is not None


def read(data: bytes) -> Iterator[Slitherlink]:
    """Yield a puzzle for each id."""
    return read_each(data, _ID, "5x4t0:a2b33m", _puzzle)


def _puzzle(found: re.Match[str], line: int) -> Slitherlink:
    if int(found[3] or "0"):
        fail(f"the grid t{found[3]}, expected t0, the one of squares", line, found.start(3))
    return board((found[2], found[1]), _runs(found, line), line)


def _runs(found: re.Match[str], line: int) -> Runs:
    for place, char in enumerate(polled(found[4]), start=found.start(4)):
        if char.isalpha():
            yield BLANK, ord(char) - ord("a") + 1, place
        elif int(char) <= MAX_CLUE:
            yield int(char), 0, place
        else:
            fail(f"the clue {char}, expected 0 to {MAX_CLUE}", line, place + 1)


def write(puzzles: Sequence[Slitherlink]) -> bytes:
    """Return an id per line."""
    require("loopy", CAPABILITIES, puzzles)
    return "".join(f"{_id(puzzle)}\n" for puzzle in puzzles).encode()


def _id(puzzle: Slitherlink) -> str:
    return f"{puzzle.width}x{puzzle.height}t0:{''.join(_word(puzzle.clues))}"


def _word(clues: bytes) -> Iterator[str]:
    at = 0
    while at < len(clues):
        blanks = num_blanks(clues, at, _LONGEST)
        yield chr(ord("a") + blanks - 1) if blanks else str(clues[at])
        at += max(1, blanks)


PLUGIN = Format(
    summary="Slitherlink as game ids of Loopy (Simon Tatham), square grid",
    suffixes=(".loopy",),
    holds=CAPABILITIES,
    sniff=sniff,
    inline=True,
    read=read,
    write=write,
)
