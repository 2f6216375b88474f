"""What readers of JSON share: values as messages quote them, strings, what is known of a puzzle."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from nonosat.core.about import About
from nonosat.formats._text import clean, fail, printable, shorten

_ABOUT = tuple(field.name for field in fields(About))
COMMON = frozenset(("family", *_ABOUT))  # the keys of every puzzle


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
