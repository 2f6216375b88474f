"""JSON in any format: values as messages quote them, fields of `About`, and unknown keys.

An unknown key similar to a known one is refused, for ignoring it would change the puzzle. Similar
means: equal except for capitals, `_` and `-`, or one edit away from a name of up to five letters,
two from a longer one (an edit adds, drops or changes a letter, or swaps two neighbours). Any other
unknown key is ignored with a warning, once per file.
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
_MOST = 1000  # limit of different keys of a file to check
_SHORT = 5  # longest name for which only one edit is allowed


def show(value: object) -> str:
    """Return a JSON value as a message quotes it, however large or deep it is."""
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
    """Return the fields of `About` among those of an object."""
    return About(**{name: _string(value, name, line) for name in _ABOUT})


def about_data(about: About) -> dict[str, str]:
    """Return the fields of `About` that are not empty."""
    return {name: text for name in _ABOUT if (text := getattr(about, name))}


class Unknown:
    """The unknown keys of one file.

    Args:
        meant: Maps keys that other programs use to ours.

    Attributes:
        remarks: Warnings about unknown keys so far.
    """

    def __init__(self, meant: Mapping[str, str]) -> None:
        self.remarks: list[Remark] = []
        self._meant = meant
        self._seen: set[str] = set()

    def check_keys(self, value: Mapping[str, Any], known: Collection[str], line: int) -> None:
        """Refuse a misspelt key of an object, add remarks on other unknown keys.

        Raises:
            FormatError: A key is similar to a known one.
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
    """Return a key without its style: in lower case, without `_` and `-`."""
    return key.lower().replace("_", "").replace("-", "")


def nearest(key: str, known: Collection[str]) -> str | None:
    """Return the known key that another one is similar to, or None."""
    word = plain(key)
    found = []
    for name in known:
        most = 0 if len(name) < 3 else 1 if len(name) <= _SHORT else 2
        if abs(len(word) - len(name)) <= most and (edits := _edits(word, name)) <= most:
            found.append((edits, name))
    return min(found)[1] if found else None


def _edits(word: str, name: str) -> int:
    """Return the number of edits between a word and a name."""
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
    """Return a message about missing keys."""
    names = [repr(name) for name in expected if name not in value]
    needed = " and ".join(map(repr, expected))
    found = listed(map(shorten, value))
    plural = "s" if len(names) > 1 else ""
    verb = "are" if plural else "is"
    return f"the key{plural} {' and '.join(names)} {verb} missing; expected {needed}, found {found}"
