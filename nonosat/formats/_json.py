"""JSON in any format: values as messages quote them, fields of `About`, and unknown keys.

A key that is nearly one of ours is refused, for without it the puzzle would be another one. Nearly
is: the same but for capitals, `_` and `-`, or one edit away from a name of up to five letters, two
from a longer one (an edit adds, drops or changes a letter, or swaps two neighbours). Any other
unknown key is ignored with a warning, once for a file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from nonosat.core.about import About
from nonosat.formats._text import Remark, clean, fail, listed, printable, shorten

_ABOUT = tuple(field.name for field in fields(About))
COMMON = frozenset(("family", *_ABOUT))  # the keys of every puzzle
_MOST = 1000  # different keys of a file that are looked at
_SHORT = 5  # letters of a name that one edit may have changed, and no more


def show(value: Any) -> str:
    """A JSON value as a message quotes it, however large or deep it is."""
    nested = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if len(nested) > 3 or any(isinstance(part, list | dict) for part in nested):
        return "a list" if isinstance(value, list) else "an object"
    return shorten(value) if isinstance(value, str) else shorten(json.dumps(value))[1:-1]


def _string(value: dict[str, Any], name: str, line: int) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str):
        fail(f"{name} is {show(text)}, expected a string", line)
    return clean(text) if name == "id" else printable(text)


def about_of(value: dict[str, Any], line: int) -> About:
    """The fields of `About` among those of an object."""
    return About(**{name: _string(value, name, line) for name in _ABOUT})


def about_data(about: About) -> dict[str, str]:
    """The fields of `About` that say something."""
    return {name: text for name in _ABOUT if (text := getattr(about, name))}


class Unknown:
    """The unknown keys of one file.

    Args:
        meant: Names that others use, and ours.

    Attributes:
        remarks: What is to be said of them.
    """

    def __init__(self, meant: Mapping[str, str]) -> None:
        self.remarks: list[Remark] = []
        self._meant = meant
        self._seen: set[str] = set()

    def look(self, value: Mapping[str, Any], known: Collection[str], line: int) -> None:
        """Refuse a misspelt key of an object, remark others that are not known.

        Raises:
            FormatError: A key is nearly a known one.
        """
        for key in value:
            if key in known or key in self._seen or len(self._seen) >= _MOST:
                continue
            if near := nearest(key, known):
                fail(f"the unknown key {shorten(key)}, expected {near!r}: rename it", line)
            self._seen.add(key)
            ours = self._meant.get(plain(key), "")
            what = f"ours is {ours!r}" if ours in known else f"known are {', '.join(sorted(known))}"
            message = f"the unknown key {shorten(key)} is ignored; {what}"
            self.remarks.append(Remark(message, line))


def plain(key: str) -> str:
    """A key without what names differ in from program to program."""
    return key.lower().replace("_", "").replace("-", "")


def nearest(key: str, known: Collection[str]) -> str | None:
    """The known key that another one was meant to be, if one is near enough."""
    word = plain(key)
    found = []
    for name in known:
        most = 0 if len(name) < 3 else 1 if len(name) <= _SHORT else 2
        if abs(len(word) - len(name)) <= most and (edits := _edits(word, name)) <= most:
            found.append((edits, name))
    return min(found)[1] if found else None


def _edits(word: str, name: str) -> int:
    """How many edits make a name of a word."""
    before: list[int] = []
    row = list(range(len(name) + 1))
    for at, char in enumerate(word, 1):
        last, before, row = before, row, [at]
        for to, other in enumerate(name, 1):
            best = min(before[to] + 1, row[-1] + 1, before[to - 1] + (char != other))
            if at > 1 and to > 1 and char == name[to - 2] and word[at - 2] == other:
                best = min(best, last[to - 2] + 1)
            row.append(best)
    return row[-1]


def missing(value: Mapping[str, Any], expected: Collection[str]) -> str:
    """What to say where some of the expected keys are not there."""
    names = [repr(name) for name in expected if name not in value]
    needed = " and ".join(map(repr, expected))
    found = listed(map(shorten, value))
    plural = "s" if len(names) > 1 else ""
    verb = "are" if plural else "is"
    return f"the key{plural} {' and '.join(names)} {verb} missing; expected {needed}, found {found}"
