"""Nonograms as webpbn's XML; `webpbn.py` reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nonosat.core.plugins import Holds
from nonosat.formats._colours import characters
from nonosat.formats._hold import require
from nonosat.formats._text import clean
from nonosat.puzzles.nonogram.data import BLACK, Nonogram

HOLDS = Holds(unknown=True, many=True)
ABOUT = ("source", "id", "title", "author", "copyright", "description")
_ILLEGAL = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IMAGE_CHARS = (
    "Xabcdefghijklmnopqrstuvwxyz"
    + "ABCDEFGHIJKLMNOPQRSTUVWYZ0123456789"
    + "".join(chr(code) for code in range(0xC0, 0x1C0))
)


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """A puzzle set, whatever the number of puzzles."""
    require("webpbn", HOLDS, puzzles)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    doctype = '<!DOCTYPE pbn SYSTEM "http://webpbn.com/pbn-0.3.dtd">\n<puzzleset>\n'
    body = "".join(map(_dump, puzzles))
    return (head + doctype + body + "</puzzleset>\n").encode()


def _escape(text: str) -> str:
    text = _ILLEGAL.sub("\ufffd", text).replace("&", "&amp;").replace("<", "&lt;")
    return text.replace(">", "&gt;").replace('"', "&quot;")


def _names(puzzle: Nonogram) -> tuple[list[str], str]:
    """A name a colour, and the background's."""
    if puzzle.colours == (BLACK,):
        return ["black"], "white"
    names = [
        colour.key if clean(colour.key) == colour.key else f"colour {index}"
        for index, colour in enumerate(puzzle.colours, 1)
    ]
    background = "white"
    while background in names:
        background += "-background"
    return names, background


def _dump(puzzle: Nonogram) -> str:
    names, background = _names(puzzle)
    signs = [".", *characters(puzzle.colours, _IMAGE_CHARS)]
    default = "" if len(names) > 1 else f' defaultcolor="{_escape(names[0])}"'
    lines = [f'<puzzle type="grid"{default} backgroundcolor="{background}">']
    for tag in ABOUT:
        if value := getattr(puzzle.about, tag):
            lines.append(f"<{tag}>{_escape(value)}</{tag}>")
    shades = [puzzle.background.rgb, *(colour.rgb for colour in puzzle.colours)]
    for name, sign, shade in zip([background, *names], signs, shades, strict=True):
        lines.append(f'<color name="{_escape(name)}" char="{sign}">{shade[1:]}</color>')
    opening = [
        f'<count color="{_escape(name)}">' if len(names) > 1 else "<count>" for name in names
    ]
    for side, clues in (("columns", puzzle.columns), ("rows", puzzle.rows)):
        lines.append(f'<clues type="{side}">')
        for clue in clues:
            counts = (f"{opening[ink - 1]}{length or 0}</count>" for length, ink in clue)
            lines.append("<line>" + "".join(counts) + "</line>")
        lines.append("</clues>")
    goals = [("goal", puzzle.goal)] if puzzle.goal else []
    for kind, grid in [*goals, *(("saved", state) for state in puzzle.saved)]:
        rows = "\n".join(f"|{row}|" for row in grid.lines("".join(signs)))
        lines.append(f'<solution type="{kind}"><image>\n{rows}\n</image></solution>')
    return "\n".join([*lines, "</puzzle>", ""])
