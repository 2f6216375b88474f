"""The dialect of .non that nonny writes: colours have names, which precede lengths.

    color red FF0000 #
    rows
    red: 2, 1, blue: 3

A name holds for the lengths after it, up to the next name or the end of the line; without one a
length is black. Such a text is turned into plain .non, line by line, with a letter for each name.

Source: the reader and writer of nonny (Gregory Kikola), by their behaviour.
"""

from __future__ import annotations

import re
import string
from typing import NamedTuple

from nonosat.formats._text import fail, listed, shorten

_DEFINITION = re.compile(
    r"^(?P<head>[ \t]*color[ \t]+)(?P<name>[^\W\d_][^\s,:]*)[ \t]+(?P<rgb>#?[0-9A-Fa-f]{3,6})"
    r"[ \t]*\S?[ \t]*$",
    re.MULTILINE,
)
_BLOCK = re.compile(r"^[ \t]*(rows|columns)[ \t]*$")
_KEYWORD = re.compile(
    r"^[ \t]*(?:(?:width|height|rows|columns)[ \t]+[0-9]|(?:title|by|copyright|catalogue|collection"
    r"|id|license|goal|saved|color|description)[ \t]+\S|rows[ \t]*$|columns[ \t]*$)"
)
_WORDS = re.compile(r"[^\s,:]+")
_NUMBER = re.compile(r"([0-9]+)([^\W\d_].*)?")
_PAPER = "background"
_BLACK = ("black", "default")


class PlainText(NamedTuple):
    """A text of plain .non, and for each of its colour letters the colour's name in the source."""

    text: str
    names: dict[str, str]


def is_nonny(text: str) -> bool:
    """Return True if a colour has a name of several letters."""
    return "color" in text and any(len(found["name"]) > 1 for found in _DEFINITION.finditer(text))


def plain(text: str, first: int) -> PlainText:
    """Turn a puzzle of nonny into plain .non, with the same number of lines.

    Args:
        text: The puzzle.
        first: Number of its first line.

    Raises:
        FormatError: A clue has an undefined colour, or there are too many colours.
    """
    letters: dict[str, str] = {}
    lines = text.split("\n")
    inside = False
    for at, line in enumerate(lines):
        if (found := _DEFINITION.match(line)) is not None:
            lines[at] = _definition(found, letters, first + at)
            inside = False
        elif _KEYWORD.match(line):
            inside = _BLOCK.match(line) is not None
        elif inside and line.strip():
            lines[at] = _clue(line, letters, first + at)
    return PlainText("\n".join(lines), {letter: name for name, letter in letters.items() if letter})


def _definition(found: re.Match[str], letters: dict[str, str], line: int) -> str:
    """Return a colour's definition with a letter for its name; "" for background and black."""
    name, shade = found["name"], found["rgb"]
    is_black = name in _BLACK and not shade.strip("#0")
    if name == _PAPER or is_black:
        letters[name] = ""
        return ""
    unused = [letter for letter in string.ascii_letters if letter not in letters.values()]
    if not unused:
        fail(f"{len(letters) + 1} colours, expected at most {len(string.ascii_letters)}", line)
    letters[name] = unused[0]
    return f"{found['head']}{unused[0]} {shade}"


def _clue(line: str, letters: dict[str, str], number: int) -> str:
    """Return the lengths of a clue, each with the letter of its colour."""
    letter = next((letters[name] for name in _BLACK if name in letters), "")
    items = []
    for word in _WORDS.finditer(line):
        if found := _NUMBER.fullmatch(word[0]):
            items.append(found[1] + (letter if found[1].strip("0") else ""))
            name = found[2] or ""
        else:
            name = word[0]
        if name and name not in letters and name not in _BLACK:
            what = f"{shorten(name)} is not a colour, expected one that a line 'color' defines"
            fail(f"{what}: {listed(letters)}", number, word.start() + 1)
        letter = letters.get(name, "") if name else letter
    return ",".join(items)
