"""A picture as plain characters, a line a row; its clues are derived and it is kept as the goal.

Empty cells are any of `.`, space, `_`, `-` and `0`; every other character is a colour. With one
such character the puzzle has the default ink; with several, `#` is black, a letter has a colour of
our choice and the colours are in the order of their characters. Spaces missing at the ends of
lines are added only where the picture has no other sign for empty.

Writing needs a goal that satisfies the clues. Time is linear in the number of cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nonosat.errors import counted
from nonosat.formats._colours import characters, ink
from nonosat.formats._hold import goal_of, require
from nonosat.formats._text import Numbered, build, clues_of, decode, fail, numbered, sized
from nonosat.grid import MAX_COLOURS, Grid
from nonosat.plugins import Format, Holds
from nonosat.puzzles.nonogram.data import BLACK, Nonogram

EMPTY = ". _-0"
_INKS = "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789" + "".join(
    chr(code) for code in range(0xC0, 0x1C0)
)
HOLDS = Holds(clues=False)
_MAGIC = re.compile(rb"[#@*Xxo. _-]+")


def sniff(data: bytes) -> bool:
    """Lines of one length made of the usual signs, and filled cells among them."""
    lines = data.rstrip(b"\r\n").splitlines()
    return (
        bool(lines)
        and len({len(line) for line in lines}) == 1
        and all(_MAGIC.fullmatch(line) for line in lines)
        and any(sign in data for sign in b"#@*Xxo")
    )


def read(data: bytes) -> list[Nonogram]:
    """The puzzle that the picture is a solution of."""
    lines = _rows(numbered(decode(data)))
    width = len(lines[0].text)
    text = "".join(line.text for line in lines)
    inks = sorted(set(text) - set(EMPTY))
    if strange := [char for char in inks if char == "?" or not char.isprintable()]:
        where = next(line for line in lines if strange[0] in line.text)
        fail(
            f"the character {strange[0]!r}, expected a sign for an empty cell or a colour",
            where.line,
            where.text.index(strange[0]) + 1,
        )
    sized(len(lines), width, lines[0].line)
    colours = (BLACK,) if len(inks) < 2 else tuple(map(ink, inks))
    values = dict.fromkeys(EMPTY, 0) | {char: index for index, char in enumerate(inks, 1)}
    if len(inks) > MAX_COLOURS:
        fail(f"{len(inks)} different characters, expected at most {MAX_COLOURS}", lines[0].line)
    goal = Grid(len(lines), width, bytes(map(values.__getitem__, text)))
    return [build(lines[0].line, **clues_of(goal), colours=colours, goal=goal)]


def _rows(lines: list[Numbered]) -> list[Numbered]:
    """The lines of the picture, all of one length."""
    while lines and not lines[-1].text:
        lines.pop()
    while lines and not lines[0].text:
        lines.pop(0)
    if not lines:
        fail("the file is empty, expected a line a row of the picture", 1)
    width = len(lines[0].text)
    spaced = not any(char in line.text for line in lines for char in EMPTY if char != " ")
    if spaced:
        width = max(len(line.text) for line in lines)
        lines = [Numbered(line.line, line.text.ljust(width)) for line in lines]
    for line in lines:
        if len(line.text) != width:
            found = f"a row of {counted(len(line.text), 'cell')}"
            fail(f"{found}, expected {width} as in the first row", line.line)
    return lines


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """The picture of one puzzle with a goal."""
    require("picture", HOLDS, puzzles)
    puzzle = puzzles[0]
    symbols = "." + "".join(characters(puzzle.colours, _INKS))
    return "\n".join([*goal_of(puzzle).lines(symbols), ""]).encode()


PLUGIN = Format(
    summary="a picture as plain characters, '.' for empty cells",
    suffixes=(".txt",),
    shared=True,
    holds=HOLDS,
    sniff=sniff,
    read=read,
    write=write,
)
