"""A whole puzzle as a short text, to send to a friend: `nonosat:1:` and letters.

    nonosat:1:q1YqySzJSVWyUkrKzy9R0lEqz0wpyVCyMtZRSs9PzAGKGxoaAKFSLQA

After `nonosat:1:` (1 is the version of the layout) follows JSON: UTF-8, compressed as raw deflate
(RFC 1951; no header, no checksum), written in base64url (RFC 4648, section 5: `-` and `_`) without
the `=` at its end, which are accepted. A browser makes the same with
`CompressionStream("deflate-raw")` and reads it with `DecompressionStream("deflate-raw")`; different
programs may compress to different letters.

The JSON is one object as `formats.jsonl` describes it, of any family, with all keys that it has
there (`title`, `author`, `colors`, `background`, `given`, `goal`, ...). Only a drawn nonogram may
be shortened: without `rows` and `columns`, the clues are those of `goal`, and only `width` is
required as a size:

    {"title":"Heart","width":5,"goal":"0101011111111110111000100"}

`goal` is row-major, a character per cell: 0 for empty, then the colours as 1-9, a-z, A-Z; above 61
colours it is a list of numbers. `colors` maps each colour's key to `#rrggbb` in the order of their
numbers; without it there is one colour, black. Unknown keys are ignored.

An address may precede the text, up to `#` or, as older studios wrote it, `#p=`, and `%3A` may
replace each of its colons, as some messengers write them: `https://host/path/#nonosat:1:...`. A
text per line; lines that begin with `#` are left out. Decompression stops with an error at 16 MiB.
Linear in the cells.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from nonosat.core.errors import FormatError, UnsupportedError
from nonosat.core.plugins import Format, FormatCapabilities, Puzzle
from nonosat.formats import jsonl
from nonosat.formats._hold import require
from nonosat.formats._json import show
from nonosat.formats._runs import first_word, read_each
from nonosat.formats._text import clues_of, fail, sized
from nonosat.puzzles.nonogram.data import Nonogram

CAPABILITIES = FormatCapabilities(family=None, unknown=True, given=True, many=True)
MOST_BYTES = 16 * 2**20  # bytes of JSON
VERSION = "1"

_COLON = "(?::|%3[Aa])"
_WORD = re.compile(
    rf"(?:\S{{1,500}}#(?:p=)?)?nonosat{_COLON}([0-9]{{1,9}}){_COLON}([\w=-]*)", re.ASCII
)
_IMPLIED_BY_GOAL = ("rows", "columns", "height")
_RAW = -15  # deflate without a header, as zlib names it


def sniff(data: bytes) -> bool:
    """Return True if the first line is a text of this format."""
    return _WORD.fullmatch(first_word(data).decode(errors="replace")) is not None


def read(data: bytes) -> Iterator[Puzzle]:
    """Yield a puzzle for each text."""
    return read_each(
        data, _WORD, "nonosat:1:q1YqySzJSVWyUkrKzy9R0lEqz0wpyVCyMtZRSs9PzAGKGxoaAKFSLQA", _puzzle
    )


def _puzzle(found: re.Match[str], line: int) -> Puzzle:
    if found[1] != VERSION:
        what = f"version {found[1]} of shared puzzles, expected {VERSION}"
        fail(f"{what}; a newer nonosat may read it", line)
    value = _object(_unfolded(found[2], line), line)
    try:
        is_drawn = value.get("family", "nonogram") == "nonogram" and value.keys().isdisjoint(
            ("rows", "columns")
        )
        return _drawn(value, line) if is_drawn else jsonl.puzzle_of(value)
    except FormatError as error:
        error.line = line
        raise


def _unfolded(letters: str, line: int) -> bytes:
    """Return the JSON in the letters of a text."""
    letters = letters.rstrip("=")
    if "=" in letters or len(letters) % 4 == 1:
        _cut_off(line)
    stream = zlib.decompressobj(wbits=_RAW)
    try:
        data = stream.decompress(
            urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), MOST_BYTES + 1
        )
    except zlib.error:
        _cut_off(line)
    if len(data) > MOST_BYTES:
        fail(f"a shared puzzle that unfolds to more than {MOST_BYTES} bytes, expected fewer", line)
    if not stream.eof or stream.unused_data:
        _cut_off(line)
    return data


def _cut_off(line: int) -> NoReturn:
    what = "a shared puzzle that is damaged"
    fail(f"{what}, expected the whole text from 'nonosat:1:' to its last letter", line)


def _object(data: bytes, line: int) -> dict[str, Any]:
    try:
        value = json.loads(data.decode())
    except (ValueError, RecursionError):  # no JSON, no UTF-8, a number of thousands of digits
        fail("a shared puzzle that holds no JSON; was it made by another program?", line)
    if not isinstance(value, dict):
        fail(f"a shared puzzle that holds {show(value)}, expected an object", line)
    return value


def _drawn(value: dict[str, Any], line: int) -> Nonogram:
    """Return the nonogram of a picture."""
    width, goal = value.get("width"), value.get("goal")
    if type(width) is not int or width < 1 or not isinstance(goal, str | list):
        what = "a shared puzzle without clues, expected 'rows' and 'columns', or 'width' and 'goal'"
        fail(what, line)
    height = len(goal) // width
    sized(height, width, line)
    puzzle: Any = jsonl.puzzle_of({**value, "rows": [[]] * height, "columns": [[]] * width})
    drawn: Nonogram = replace(puzzle, **clues_of(puzzle.goal))
    return drawn


def write(puzzles: Sequence[Puzzle]) -> bytes:
    """Return a text per line."""
    require("share", CAPABILITIES, puzzles)
    return "".join(f"nonosat:{VERSION}:{_letters(puzzle)}\n" for puzzle in puzzles).encode()


def _letters(puzzle: Puzzle) -> str:
    data = jsonl.data_of(puzzle)
    if isinstance(puzzle, Nonogram) and puzzle.goal is not None:
        sentence = clues_of(puzzle.goal)
        if sentence == {"rows": puzzle.rows, "columns": puzzle.columns}:
            data = {key: value for key, value in data.items() if key not in _IMPLIED_BY_GOAL}
    try:
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise UnsupportedError(f"{puzzle} has text that is not Unicode ({error})") from error
    if len(text) > MOST_BYTES:
        raise UnsupportedError(
            f"{puzzle} is too large to be shared as a text ({len(text)} bytes, at most "
            f"{MOST_BYTES}); use jsonl"
        )
    stream = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    return urlsafe_b64encode(stream.compress(text) + stream.flush()).decode().rstrip("=")


PLUGIN = Format(
    summary="a puzzle of any family as a short text, to send or to append to an address",
    suffixes=(".share",),
    holds=CAPABILITIES,
    sniff=sniff,
    inline=True,
    read=read,
    write=write,
)
