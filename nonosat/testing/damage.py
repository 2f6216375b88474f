"""Damaged files: bytes changed, removed or inserted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

PIECES = (
    b"",
    b"0",
    b"-1",
    b"\xff",
    b"9" * 12,
    b"\n",
    b"\0",
    b" ",
    b",",
    b'"',
    b"}",
    b"<",
    b"\xef\xbb\xbf",
)


class Damage(NamedTuple):
    """A place in a file, the number of bytes removed there, and the bytes inserted."""

    at: int
    length: int
    piece: bytes


def damaged(data: bytes, damages: Iterable[Damage]) -> bytes:
    """Return the bytes with all damages applied in turn; places beyond the end wrap around."""
    found = bytearray(data)
    for at, length, piece in damages:
        place = at % (len(found) + 1)
        found[place : place + length] = piece
    return bytes(found)
