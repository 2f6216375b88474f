"""Letters for numbers in clues: "C BA" is a clue 3 and a clue 2 1, as Rosetta Code writes them.

A text says so by a line "A = 1". A word is a clue and each of its letters a block; `0` and `-` are
empty clues. A line of several words is a list of clues; if every line has one word, a line is a
clue. A heading such as "ROWS" stays. The lines keep their numbers. Linear in the text.
"""

from __future__ import annotations

import re
from functools import partial

from nonosat.formats._clues_words import side_of

_KEY = re.compile(r"(?m)^[ \t#/]*[Aa][ \t]*=[ \t]*1[ \t]*,?(?:[ \t]*[Bb][ \t]*=[ \t]*2.*)?$")
_LINE = re.compile(
    r"(?m)^(?P<head>[ \t]*[^\W\d]\w*[ \t]*[:=])?[ \t]*"
    r"(?P<clues>(?:[A-Z]+|0|-)(?:[ \t]+(?:[A-Z]+|0|-))*)[ \t]*$"
)


def spelled(text: str) -> str:
    """Return the text with numbers for letters, if it says that A is 1."""
    key = _KEY.search(text)
    if key is None:
        return text
    rest = text[: key.start()] + text[key.end() :]
    is_list = any(len(line["clues"].split()) > 1 for line in _LINE.finditer(rest))
    return _LINE.sub(partial(_numbers, is_list=is_list), rest)


def are_letters(text: str) -> bool:
    """Return True for lines of words in capital letters and of nothing else."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(map(_LINE.fullmatch, lines))


def _numbers(line: re.Match[str], *, is_list: bool) -> str:
    """Return a line with numbers for its words."""
    words = line["clues"].split()
    if side_of(words):
        return line[0]
    lists = (
        "" if word in "0-" else ", ".join(str(ord(letter) - ord("A") + 1) for letter in word)
        for word in words
    )
    if not is_list:
        return f"{line['head'] or ''}{next(lists) or '0'}"
    return f"{line['head'] or ''}[{', '.join(f'[{each}]' for each in lists)}]"
