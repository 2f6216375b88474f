"""Hashes that identify equal puzzles and equal solutions; linear in their size."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from nonosat import _core
from nonosat.core.families import family_of, name_of
from nonosat.core.model import MAX_COLOURS, MAX_LENGTH, Block
from nonosat.core.plugins import Puzzle

_TOGETHER = 100  # cells up to which the clues are one piece
_encode = json.JSONEncoder(separators=(",", ":")).encode


def fingerprint(puzzle: Puzzle) -> str:
    """Return the hash of a puzzle without metadata: colours, clues, given cells for a nonogram.

    It is the hash of a JSON object. Clues are serialised natively, in a tenth of the time.
    """
    name = name_of(puzzle)
    family = {} if name == "nonogram" else {"family": name}
    found = sha256()
    for piece in _pieces(family | family_of(puzzle).to_data(puzzle)):
        found.update(piece.encode())
    return found.hexdigest()


_key = lru_cache(maxsize=256)(_encode)  # few values, one for each family


def _pieces(data: dict[str, Any]) -> Iterator[str]:
    """Yield an object as JSON in pieces; the whole text may need more memory than the object."""
    before = "{"
    for name, value in data.items():
        key, before = f"{before}{_key(name)}:", ","
        if type(value) is not tuple:
            yield key + (str(value) if type(value) is int else _encode(value))
        elif len(value) <= _TOGETHER:  # pieces cost more for small puzzles
            yield f"{key}[{_elements(value)}]"
        else:
            yield f"{key}["
            for start in range(0, len(value), _TOGETHER):
                yield "," * (start > 0) + _elements(value[start : start + _TOGETHER])
            yield "]"
    yield "}" if data else "{}"


def _elements(part: tuple[Any, ...]) -> str:
    """Return the JSON text of list elements, without the brackets of the list."""
    if not part:
        return ""
    if _core.are_clues(part, Block, MAX_LENGTH, MAX_COLOURS):
        return _core.clues_json(part)
    return ",".join(map(_encode, part))


def digest(rows: Sequence[str]) -> str:
    """Return a short hash of a solution, given as row strings; 96 bits."""
    return sha256("\n".join(rows).encode(errors="backslashreplace")).hexdigest()[:24]
