"""Nonograms with open clues as text: a clue a line, below the words `rows` and `columns`.

    ranges
    rows
    3/5 *
    0
    columns
    2-4
    6+ ?
    *

An entry is a length, a choice (`3/5`, `2-4`, `6+`), `?` for any length, or `*` for any number of
blocks; an empty line is `0`. With several colours each block ends in the sign of its colour, and
lines `ink r #d55e00` above the clues define them. The first line may be missing if a clue is
open. Blank lines and lines that begin with `#` are ignored. One puzzle, no metadata. Linear in the
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nonosat.core.errors import PuzzleError, UnsupportedError, printable
from nonosat.core.limits import polled
from nonosat.core.model import OpenClue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, numbered
from nonosat.formats._text import decode, fail, of_file, shorten, sized
from nonosat.puzzles.nonogram.data import BLACK, Colour, Nonogram
from nonosat.puzzles.ranges.data import RangeNonogram, clue_of_text, clue_text

CAPABILITIES = FormatCapabilities(family="ranges", unknown=True)

_MAGIC = re.compile(rb"(\s*#[^\n]*\n)*\s*ranges\s*\n")
_COLOUR = re.compile(r"\s*ink\s+(\S)\s+(#[0-9a-f]{6})\s*")
_CLUES = re.compile(
    r"(?:[ \t]*(?:#.*)?\n)*[ \t]*rows:?[ \t]*\n[0-9 \t+*?/,\n-]+columns:?[ \t]*\n[0-9 \t+*?/,\n-]+"
)
_SIDES = {"rows": "row", "columns": "column"}
_NO_SIGNS = frozenset("0123456789+-/*?,")  # they have another meaning in a clue
_ONLY = "#"  # sign of the colour of a puzzle with one


def sniff(data: bytes) -> bool:
    """Return True for the word `ranges` on a line of its own, possibly below comments."""
    return _MAGIC.match(data[:1000]) is not None


def meant(data: bytes) -> bool:
    """Return True for two lists of clues with entries of open clues, one of them "*" or "6+"."""
    text = data[:100_000].decode("latin-1").replace("\r\n", "\n")
    return ("*" in text or "+" in text) and _CLUES.fullmatch(text) is not None


def read(data: bytes) -> list[RangeNonogram]:
    """Return the one puzzle of the file."""
    lines = [
        line
        for line in polled(numbered(decode(data)))
        if not line.blank and not line.text.startswith("#")
    ]
    last = lines[-1].line if lines else 1
    colours = tuple(_colours(lines))
    signs = Nonogram(((),), ((),), colours).signs if colours else ""
    sides: dict[str, list[OpenClue]] = {}
    for line in polled(lines):
        if (name := line.text.strip().removesuffix(":")) in _SIDES:
            if name in sides:
                fail(f"{name} again, expected one list of them", line.line)
            sides[name] = []
        elif not sides:
            fail(
                f"{shorten(line.text)}, expected 'ranges', a line as 'ink r #d55e00', or 'rows'",
                line.line,
            )
        else:
            *_, side = sides
            where = f"{_SIDES[side]} {len(sides[side]) + 1}"
            try:
                sides[side].append(clue_of_text(line.text, where, signs))
            except PuzzleError as error:
                raise of_file(error, line.line) from error
    if missing := [name for name in _SIDES if name not in sides]:
        fail(f"no line {missing[0]!r}, expected one above the clues of the {missing[0]}", last)
    sized(len(sides["rows"]), len(sides["columns"]), last)
    try:
        return [RangeNonogram(tuple(sides["rows"]), tuple(sides["columns"]), colours or (BLACK,))]
    except PuzzleError as error:
        raise of_file(error, last) from error


def _colours(lines: list[Numbered]) -> Iterator[Colour]:
    """Remove the header and the lines of colours, and yield the colours."""
    if lines and lines[0].text.strip() == "ranges":
        del lines[0]
    keys: set[str] = set()
    while lines and lines[0].text.split()[0] == "ink":
        line = lines.pop(0)
        found = _COLOUR.fullmatch(line.text)
        if found is None or found[1] in _NO_SIGNS | keys:
            fail(f"{shorten(line.text)}, expected a new sign as in 'ink r #d55e00'", line.line)
        keys.add(found[1])
        yield Colour(found[1], found[2])


def write(puzzles: Sequence[RangeNonogram]) -> bytes:
    """Return the file of one puzzle."""
    require("ranges", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    signs = puzzle.signs
    if wrong := _NO_SIGNS.intersection(signs):
        raise UnsupportedError(
            f"the colour key {printable(min(wrong))!r} has another meaning in a clue; use jsonl"
        )
    keys = signs[1:] or [_ONLY]  # a clue of one colour has no sign
    inks = [] if puzzle.colours == (BLACK,) else zip(keys, puzzle.colours, strict=True)
    text = ["ranges", *(f"ink {sign} {ink.rgb}" for sign, ink in inks)]
    for name in _SIDES:
        clues = getattr(puzzle, name)
        text += [name, *(clue_text(clue, signs) for clue in polled(clues))]
    return "".join(f"{line}\n" for line in text).encode()


PLUGIN = Format(
    summary="nonograms with open clues: 3/5, 2-4, 6+, ? and *",
    suffixes=(".ranges",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
