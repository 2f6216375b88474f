"""The clues of a large nonogram in JSON, read natively, without a list in Python for each line.

Invariant: what comes out is what Python's reader of JSON would give, with tuples of blocks in the
place of lists; None where that is not sure. Linear in the text. A board of 4 million columns is
read in a quarter of the time and memory.
"""

from __future__ import annotations

import json
import re
from typing import Any

from nonosat.core.model import Block, Clue

_LEAST = 100_000  # characters of a text for which it pays
_MARK = "nonosat: clues "
# Inside a string the quotes would have backslashes: in JSON this can only be a key.
_LISTS = re.compile(rb'"(?:rows|columns)"[ \t\n\r]*:[ \t\n\r]*(?=\[)')
_COLOURS = re.compile(r'"colors"[ \t\n\r]*:[ \t\n\r]*(?=\{)')
_BLANKS = " \t\n\r"


def large(text: str, decoder: json.JSONDecoder) -> dict[str, Any] | None:
    """The object that is all of a large text; `rows` and `columns` may be tuples of clues.

    Args:
        text: The text.
        decoder: Reads what is not lists of clues.

    Returns:
        The object; None for small texts, other families, and where anything is wrong or unusual.
    """
    if len(text) < _LEAST or _MARK in text:
        return None
    try:
        found = _COLOURS.search(text)
        colours = decoder.raw_decode(text, found.end())[0] if found else {}
        rest, every = _lifted(text, list(colours))
        rest = rest.strip(_BLANKS)
        value, end = decoder.raw_decode(rest) if every else (None, 0)
    except (ValueError, RecursionError):  # the usual way tells what is wrong, and where
        return None
    if end < len(rest) or not isinstance(value, dict):
        return None
    if value.get("family", "nonogram") != "nonogram":
        return None
    said = value.get("colors")
    if list(said if isinstance(said, dict) else ()) != list(colours):  # those of something else
        return None
    marks = {f"{_MARK}{number}": clues for number, clues in enumerate(every)}
    for key in ("rows", "columns"):
        said = value.get(key)
        if isinstance(said, str) and said in marks:
            value[key] = marks.pop(said)
    return None if marks else value


def _lifted(text: str, keys: list[str]) -> tuple[str, list[tuple[Clue, ...]]]:
    """The text with marks in the place of lists of clues, and these; `keys` are its colours."""
    if any("\ud800" <= sign <= "\udfff" for key in keys for sign in key):
        return text, []  # which are no Unicode, and refused
    every: list[tuple[Clue, ...]] = []
    rest = _without(text.encode(), keys, every)  # which are gone before another copy is made
    return rest.decode(), every


def _without(data: bytes, keys: list[str], every: list[tuple[Clue, ...]]) -> bytes:
    """The text with marks in the place of lists of clues, which are added to `every`."""
    from nonosat import _core

    all_of = memoryview(data)
    kept: list[bytes | memoryview] = []
    place = 0
    for found in _LISTS.finditer(data):
        if (taken := _core.json_clues(data, found.end(), Block, keys)) is not None:
            kept += (all_of[place : found.end()], json.dumps(f"{_MARK}{len(every)}").encode())
            every.append(taken[0])
            place = taken[1]
    kept.append(all_of[place:])
    return b"".join(kept)
