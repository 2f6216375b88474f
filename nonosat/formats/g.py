"""Petr Olšák's .g: grid puzzles and triddlers, in one or more colours, for his program `grid`.

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
A triddler has a line `#t` and six groups: upper left, lower left, bottom, lower right, upper right,
top. Blocks at the two lower sides of lanes \\ are listed upwards, and lanes at the two upper sides
of lanes / from right to left. Triangles are refused. Time is linear in the text.
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
from nonosat.formats._lines import Numbered, NumberedLines, clues, numbered
from nonosat.formats._text import build, clean, decode, fail, shorten, sized
from nonosat.formats._triddlers import of_sides, sides_of
from nonosat.puzzles.lanes.data import LaneNonogram
from nonosat.puzzles.nonogram.data import BLACK, WHITE, Colour, Nonogram

CAPABILITIES = FormatCapabilities(also=("lanes",), inks=53)
_GROUPS = ("topleft", "bottomleft", "bottom", "bottomright", "topright", "top")
_UPWARDS = ("bottom", "bottomright")  # groups with their blocks in reverse order
_LEFTWARDS = ("topright", "top")  # groups with their lanes in reverse order

_DEFINITION = re.compile(r"\s*(\S):(\S)\s+(\S+)(?:\s.*)?")
_MAGIC = re.compile(rb"(?:^|[\r\n])(:[ \t]*rows|#[dDtT])[ \t]*(?=[\r\n])")


def sniff(data: bytes) -> bool:
    """Return True if the text has a line `: rows`, or `#d` with a marker line after it."""
    if not any(mark in data for mark in (b":", b"#d", b"#D", b"#t", b"#T")):
        return False  # fast exit: for a large picture the search below is a fifth of all reading
    found = _MAGIC.search(data)
    return found is not None and (
        found[1][:1] == b":" or re.search(rb"[\r\n]:", data[found.end() :]) is not None
    )


def read(data: bytes) -> list[Nonogram] | list[LaneNonogram]:
    """Return the one puzzle of the file."""
    lines = numbered(decode(data))
    marks = [at for at, text in enumerate(lines.texts) if text[:1] == ":"]
    if len(marks) < 2:
        found = f"{counted(len(marks), 'line')} beginning with ':'"
        fail(f"{found}, expected ': rows' and ': columns'", len(lines) or 1)
    if _is_triddler(lines[: marks[0]]):
        return [_triddler(lines, marks)]
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


def _is_triddler(head: Sequence[Numbered]) -> bool:
    return any(line.text[:2].lower() == "#t" for line in head)


def _triddler(lines: NumberedLines, marks: Sequence[int]) -> LaneNonogram:
    """Return the puzzle of a file with a line `#t`; `marks` are the lines that begin groups."""
    first = lines[marks[0]].line
    if len(marks) < len(_GROUPS):
        found = f"a triddler (#t) with {counted(len(marks), 'line')} beginning with ':'"
        fail(f"{found}, expected one above each of six groups of clues", first)
    title, colours, inks, _ = _head(lines[: marks[0]])
    ends = [*marks[1:], len(lines)]
    sides = {
        side: clues(lines[mark + 1 : end], inks)
        for side, mark, end in zip(_GROUPS, marks, ends, strict=False)
    }
    return of_sides(_turned(sides), colours, About(title=title), first)


def _turned(sides: Mapping[str, Sequence[Clue]]) -> dict[str, Sequence[Clue]]:
    """Return groups of this format in the order of ours, or ours in the order of this format."""
    turned = {
        side: [clue[::-1] if side in _UPWARDS else clue for clue in sides[side]] for side in sides
    }
    return {side: group[::-1] if side in _LEFTWARDS else group for side, group in turned.items()}


def _head(lines: Sequence[Numbered]) -> tuple[str, tuple[Colour, ...], Mapping[str, int], str]:
    """Return title, colours, their numbers by character, and the background."""
    title = ""
    palette: dict[str, str] | None = None
    for line in polled(lines):
        if palette is not None and not line.blank and line.text[:1] != "#":
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


def write(puzzles: Sequence[Nonogram | LaneNonogram]) -> bytes:
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
    groups: Mapping[str, Sequence[Clue]]
    if isinstance(puzzle, LaneNonogram):
        lines.append("#t")
        groups = {side: _turned(sides_of(puzzle))[side] for side in _GROUPS}
    else:
        groups = {"rows": puzzle.rows, "columns": puzzle.columns}
    for label, side in groups.items():
        lines += [f": {label}", *(_items(clue, inks) for clue in polled(side))]
    return "\n".join([*lines, ":", ""]).encode("utf-8", "replace")


def _items(clue: Clue, inks: Sequence[str]) -> str:
    return " ".join(f"{length}{inks[ink - 1]}" for length, ink in clue)


PLUGIN = Format(
    summary="Olšák's .g: up to 53 colours, one puzzle, also a triddler",
    suffixes=(".g",),
    holds=CAPABILITIES,
    sniff=sniff,
    read=read,
    write=write,
)
