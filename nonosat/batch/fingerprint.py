"""Hashes by which equal puzzles, and equal solutions, are known; linear in their size."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

from nonosat.families import family_of, name_of
from nonosat.model import Block
from nonosat.plugins import Puzzle

_encode = json.JSONEncoder(separators=(",", ":")).encode


def fingerprint(puzzle: Puzzle) -> str:
    """Hash of what there is to solve: of a nonogram colours, clues, cells given.

    It is that of a JSON object. Clues are put together here, which takes a third of the time.
    """
    name = name_of(puzzle)
    family = {} if name == "nonogram" else {"family": name}
    data = family | family_of(puzzle).to_data(puzzle)
    text = ",".join(f"{_encode(name)}:{_text(value)}" for name, value in data.items())
    return sha256(f"{{{text}}}".encode()).hexdigest()


def _text(value: Any) -> str:
    """A value as JSON."""
    if type(value) is tuple:
        return f"[{','.join(map(_element, value))}]"
    return _encode(value)


def _element(value: Any) -> str:
    """An element of a tuple, a clue perhaps, as JSON."""
    if type(value) is tuple and set(map(type, value)) == {Block}:
        return f"[{','.join(map(_block, value))}]"
    return _encode(value)


@lru_cache(4096)
def _block(block: Block) -> str:
    return _encode(block)


def digest(rows: Sequence[str]) -> str:
    """Short hash of a solution, given as row strings; 96 bits."""
    return sha256("\n".join(rows).encode(errors="backslashreplace")).hexdigest()[:24]
