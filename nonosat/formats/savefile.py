"""Games that Simon Tatham's puzzles save, of "Pattern" and of "Loopy" on the square grid.

    SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
    VERSION :1:1
    GAME    :7:Pattern
    PARAMS  :3:4x3
    CPARAMS :3:4x3
    DESC    :16:1/1.1/1/1/2.1//2
    NSTATES :1:1
    ...

Each record is a key of eight characters, the number of bytes of its value, and the value. The
parameters of the game and its description make up a game id, which the formats `pattern` and
`loopy` read; moves and everything else are ignored. Read only. Linear in the file.

Source: Simon Tatham's Portable Puzzle Collection, midend.c (`midend_serialise`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.plugins import Format, FormatCapabilities, Puzzle
from nonosat.formats import loopy, pattern
from nonosat.formats._text import decode, fail, of_file, shorten

CAPABILITIES = FormatCapabilities(
    family="slitherlink", also=("nonogram",), inks=1, given=True, clues=False
)

_MAGIC = b"SAVEFILE:41:Simon Tatham's Portable Puzzle Collection"
_RECORD = re.compile(rb"([A-Z0-9]{1,8}) *:([0-9]{1,9}):")
_GAP = re.compile(rb"\s*")
_READERS: dict[str, Callable[[bytes], Iterable[Any]]] = {
    "Pattern": pattern.read,
    "Loopy": loopy.read,
}
_KEYS = ("GAME", "CPARAMS", "PARAMS", "DESC")


class Entry(NamedTuple):
    """The value of a key, and its first line."""

    text: str
    line: int


def sniff(data: bytes) -> bool:
    """Return True if the file begins with the first record of a saved game."""
    return data.removeprefix(b"\xef\xbb\xbf").startswith(_MAGIC)


def read(data: bytes) -> list[Puzzle]:
    """Return the one game of the file."""
    records: dict[str, Entry] = {}
    for key, record in _records(decode(data).encode()):
        if key in _KEYS:
            records.setdefault(key, record)
    game = records.get("GAME")
    if game is None:
        fail("no record GAME, expected one that names the game", 1)
    if game.text not in _READERS:
        what = f"a saved game of {shorten(game.text)}, expected {' or '.join(_READERS)}"
        fail(what, game.line)
    sizes = records.get("CPARAMS", records.get("PARAMS"))
    clues = records.get("DESC")
    if sizes is None or clues is None:
        missing = "CPARAMS" if sizes is None else "DESC"
        fail(f"no record {missing}, expected the parameters and the description of a game", 1)
    try:
        return [*_READERS[game.text](f"{sizes.text}:{clues.text}".encode())]
    except FormatError as error:
        raise of_file(error, clues.line) from error


def _records(data: bytes) -> Iterator[tuple[str, Entry]]:
    """Yield every record with its key."""
    if not data.startswith(_MAGIC):
        _refuse(data, 0, 1, "the record SAVEFILE")
    place, line = 0, 1
    while place < len(data):
        found = _RECORD.match(data, place)
        if found is None:
            _refuse(data, place, line, "a record KEY:LENGTH:VALUE")
        key, end = found[1].decode(), found.end() + int(found[2])
        if data[end : end + 1] not in (b"\n", b"") or end > len(data):
            fail(f"the value of {key} does not end with the expected {int(found[2])} bytes", line)
        yield key, Entry(data[found.end() : end].decode(errors="replace"), line)
        gap = _GAP.match(data, end)
        line += data.count(b"\n", place, gap.end() if gap else end)
        place = gap.end() if gap else end


def _refuse(data: bytes, place: int, line: int, expected: str) -> NoReturn:
    text = data[place : place + 200].decode(errors="replace").partition("\n")[0]
    fail(f"{shorten(text)}, expected {expected}", line)


def write(puzzles: Sequence[Puzzle]) -> bytes:
    """Refuse to write: the programs read game ids as well."""
    del puzzles
    raise UnsupportedError(
        "savefile is read only; pattern and loopy write game ids, which the programs take under "
        "Game > Specific"
    )


PLUGIN = Format(
    summary="read only: saved games of Pattern and Loopy (Simon Tatham)",
    suffixes=(".sav",),
    shared=True,
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
