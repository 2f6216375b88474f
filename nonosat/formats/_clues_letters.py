"""Letters for numbers in clues: "C BA" is a clue 3 and a clue 2 1, as Rosetta Code writes them.

A text says so by a line "A = 1". A word is a clue and each of its letters a block; `0` and `-` are
empty clues. The lines keep their numbers. Linear in the text.
"""

from __future__ import annotations

import re

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
    return _LINE.sub(_numbers, text[: key.start()] + text[key.end() :])


def are_letters(text: str) -> bool:
    """Return True for lines of words in capital letters and of nothing else."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(map(_LINE.fullmatch, lines))


def _numbers(line: re.Match[str]) -> str:
    words = line["clues"].split()
    lists = (
        "" if word in "0-" else ", ".join(str(ord(letter) - ord("A") + 1) for letter in word)
        for word in words
    )
    return f"{line['head'] or ''}[{', '.join(f'[{each}]' for each in lists)}]"
