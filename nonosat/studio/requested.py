"""Validation of requests: sizes, seconds, and JSON that is neither large nor deep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from nonosat.core.errors import FormatError

MOST_FILE_BYTES = 8 * 2**20  # of an upload
MOST_JSON_BYTES = 2**20  # of a question or an edit; clues of 200 x 200 in colour have 0.7 MiB
MOST_DEPTH = 8  # nesting of lists and objects
MOST_S = 600.0  # of a question or an edit
LEAST_S = 0.01


def parsed(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object of a text; raise FormatError if it is none, or nested too deeply."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise FormatError("lists or objects inside each other too deep") from None
    except ValueError as error:  # also bytes that are not text, and numbers of thousands of digits
        raise FormatError(f"this is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise FormatError("expected a JSON object")
    _check_depth(found)
    return found


def _check_depth(found: object) -> None:
    level: list[Any] = [found]
    for _ in range(MOST_DEPTH):
        parts = [one.values() if isinstance(one, dict) else one for one in level]
        level = [item for part in parts for item in part if isinstance(item, dict | list)]
        if not level:
            return
    raise FormatError(f"lists or objects inside each other deeper than {MOST_DEPTH} levels")


def seconds_of(requested: dict[str, Any], usual_s: float) -> float:
    """Return the requested limit, clamped; raise FormatError if it is not a number."""
    seconds = requested.get("seconds", usual_s)
    if type(seconds) is int:  # may be too long for the conversion
        seconds = min(max(seconds, 0), int(MOST_S))
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not isfinite(seconds):
        raise FormatError("'seconds' is not a number")
    return min(MOST_S, max(LEAST_S, float(seconds)))


def whole_of(requested: Mapping[str, Any], name: str, usual: int | None = None) -> Any:
    """Return a requested integer; raise FormatError for any other value."""
    number = requested.get(name, usual)
    if number is not None and type(number) is not int:
        raise FormatError(f"{name!r} is not a whole number")
    return usual if number is None else number


def word_of(requested: Mapping[str, Any], name: str, usual: str) -> str:
    """Return a requested text; raise FormatError for any other value."""
    word = requested.get(name)
    if word is not None and not isinstance(word, str):
        raise FormatError(f"{name!r} is not text")
    return usual if word is None else word


def yes_of(requested: Mapping[str, Any], name: str) -> bool:
    """Return a requested boolean, by default false; raise FormatError for any other value."""
    yes = requested.get(name)
    if yes is not None and not isinstance(yes, bool):
        raise FormatError(f"{name!r} is neither true nor false")
    return yes or False


def cells_of(requested: Mapping[str, Any], name: str) -> Any:
    """Return requested cells, by default none; raise FormatError for any other value."""
    cells = requested.get(name)
    if cells is None:
        return []
    if not isinstance(cells, list) or not all(isinstance(cell, list) for cell in cells):
        raise FormatError(f"{name!r} is not a list of cells, expected such as [[0, 1]]")
    return [tuple(cell) for cell in cells]
