"""Damaged files: bytes that were changed, left out or put in."""

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
    """A place in a file, how many bytes are left out there, and what is put in."""

    at: int
    length: int
    piece: bytes


def damaged(data: bytes, damages: Iterable[Damage]) -> bytes:
    """The bytes with all of it done to them, in turn; places beyond the end begin anew."""
    found = bytearray(data)
    for at, length, piece in damages:
        place = at % (len(found) + 1)
        found[place : place + length] = piece
    return bytes(found)
