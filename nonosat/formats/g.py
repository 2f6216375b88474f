"""Petr Olšák's .g: grid puzzles in one or more colours, as his program `grid` reads them.

    a title
    #d
       0:.  #ffffff
       1:X  #000000
    : rows
    2 1

    2
    : columns
    1
    ...
    :

A blank line is an empty line (a single 0 is tolerated), so every line between the markers
counts. The character after a length is its colour, none is colour `1`; colour `1`
has the key "#", any other its own character. Of the metadata only the title is kept, and no goal.
Triddlers (`#t`) and triangles are refused. Time is linear in the text.
Source: the documentation of grid (Petr Olšák) and the readers of pbnsolve and number-loom.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence

from nonosat.core.about import About
from nonosat.core.errors import counted
from nonosat.core.limits import polled
from nonosat.core.model import Clue
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._colours import characters, rgb
from nonosat.formats._hold import require
from nonosat.formats._lines import Numbered, clues, numbered
from nonosat.formats._text import build, clean, decode, fail, shorten, sized
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, Nonogram

CAPABILITIES = FormatCapabilities(inks=53)

_DEFINITION = re.compile(r"\s*(\S):(\S)\s+(\S+)(?:\s.*)?")
_MAGIC = re.compile(rb"(?:^|[\r\n])(:[ \t]*rows|#[dD])[ \t]*(?=[\r\n])")


def sniff(data: bytes) -> bool:
    """Return True if the text has a line `: rows`, or `#d` with a marker line after it."""
    if not any(mark in data for mark in (b":", b"#d", b"#D")):
        return False  # fast exit: for a large picture the search below is a fifth of all reading
    found = _MAGIC.search(data)
    return found is not None and (
        found[1][:1] == b":" or re.search(rb"[\r\n]:", data[found.end() :]) is not None
    )


def read(data: bytes) -> list[Nonogram]:
    """Return the one puzzle of the file."""
    lines = numbered(decode(data))
    marks = [at for at, text in enumerate(lines.texts) if text[:1] == ":"]
    if len(marks) < 2:
        found = f"{counted(len(marks), 'line')} beginning with ':'"
        fail(f"{found}, expected ': rows' and ': columns'", len(lines) or 1)
    end = marks[2] if len(marks) > 2 else len(lines)
    blocks = [lines[marks[0] + 1 : marks[1]], lines[marks[1] + 1 : end]]
    title, colours, inks, background = _head(lines[: marks[0]])
    sized(len(blocks[0]), len(blocks[1]), lines[marks[0]].line)
    labels = [lines[mark].text[1:].strip().lower() for mark in marks[:2]]
    if labels[0].startswith("col") and labels[1].startswith("row"):
        blocks.reverse()
    rows, columns = (clues(block, inks) for block in blocks)
    return [
        build(
            lines[marks[0]].line,
            rows=rows,
            columns=columns,
            colours=colours,
            background=Colour(WHITE.key, background),
            about=About(title=title),
        )
    ]


def _head(lines: Sequence[Numbered]) -> tuple[str, tuple[Colour, ...], Mapping[str, int], str]:
    """Return title, colours, their numbers by character, and the background."""
    title = ""
    palette: dict[str, str] | None = None
    for line in polled(lines):
        if line.text[:2].lower() == "#t":
            fail("a triddler or triangles (#t), expected a grid puzzle", line.line)
        elif palette is not None and not line.blank:
            _define(palette, line)
        elif line.text[:2].lower() == "#d":
            palette = {}
        elif not title and line.text[:1] != "#":
            title = clean(line.text)
    if palette is None:
        return title, (BLACK,), {"": 1}, WHITE.rgb
    background = palette.pop("0", WHITE.rgb)
    inks = {"" if char == "1" else char: at for at, char in enumerate(palette, 1)}
    colours = tuple(
        Colour(BLACK.key if char == "1" else char, shade) for char, shade in palette.items()
    )
    return title, colours or (BLACK,), inks or {"": 1}, background


def _define(palette: dict[str, str], line: Numbered) -> None:
    found = _DEFINITION.fullmatch(line.text)
    if found is None:
        fail(f"{shorten(line.text.strip())}, expected a colour, e.g. 'r:r #FF0000'", line.line)
    char, _, text = found.groups()
    shade = rgb(text)
    if shade is None:
        fail(f"the colour {shorten(text)}, expected '#RRGGBB' or a plain English name", line.line)
    if char in palette or (char in "23456789#") or clean(char) != char:
        fail(f"the colour character {char!r}, expected 0, 1 or a letter not used yet", line.line)
    palette[char] = shade


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """Return the file of one puzzle."""
    require("g", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    chars = characters(puzzle.colours, BLACK.key + string.ascii_letters)
    inks = ["" if char == BLACK.key else char for char in chars]
    lines = []
    if title := clean(puzzle.about.title).partition("\n")[0]:
        lines.append(f" {title}" if title[0] in ":#" else title)
    if puzzle.colours != (BLACK,) or puzzle.background.rgb != WHITE.rgb:
        lines += ["#d", f"   0:.  {puzzle.background.rgb}"]
        for char, colour in zip(inks, puzzle.colours, strict=True):
            lines.append(f"   {char or '1'}:{char or 'X'}  {colour.rgb}")
    for label, side in ((": rows", puzzle.rows), (": columns", puzzle.columns)):
        lines += [label, *(_items(clue, inks) for clue in polled(side))]
    return "\n".join([*lines, ":", ""]).encode("utf-8", "replace")


def _items(clue: Clue, inks: Sequence[str]) -> str:
    return " ".join(f"{length}{inks[ink - 1]}" for length, ink in clue)


PLUGIN = Format(
    summary="Olšák's .g: up to 53 colours, one puzzle",
    suffixes=(".g",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
