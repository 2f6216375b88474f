"""Puzzle and pictures of a certificate.

A picture is a line a row, a character a cell, "." for empty (`grid.SYMBOLS`).
"""

from __future__ import annotations

import json

from nonosat.certify.reading import json_of, text_of
from nonosat.core.errors import CertificateError, FormatError, rows_by_columns
from nonosat.core.grid import SYMBOLS, Grid
from nonosat.core.plugins import Puzzle
from nonosat.formats import jsonl
from nonosat.puzzles.nonogram.data import Nonogram


def picture_text(grid: Grid) -> bytes:
    """The content of a picture's file."""
    return f"{grid}\n".encode()


def read_picture(data: bytes, name: str, height: int, width: int) -> Grid:
    """The picture of a file.

    Raises:
        CertificateError: It has another size, or characters that are no colours.
    """
    rows = text_of(data, name).removesuffix("\n").split("\n")
    if len(rows) != height or any(len(row) != width for row in rows):
        raise CertificateError(f"{name}: the picture is not {rows_by_columns(height, width)}")
    values = {symbol: value for value, symbol in enumerate(SYMBOLS[:256])}
    try:
        return Grid(height, width, bytes(values[symbol] for row in rows for symbol in row))
    except KeyError as error:
        raise CertificateError(f"{name}: the character {error} is no colour") from None


def read_nonogram(data: bytes, name: str) -> Nonogram:
    """The one nonogram in the project's JSON. Raises CertificateError, which names `name`."""
    puzzle = read_puzzle(data, name)
    if not isinstance(puzzle, Nonogram):
        raise CertificateError(f"{name}: {puzzle}, expected a nonogram")
    return puzzle


def read_puzzle(data: bytes, name: str, expected: Puzzle | None = None) -> Puzzle:
    """The one puzzle in the project's JSON.

    Args:
        data, name: Of the file.
        expected: What it has to be, title and all; None where any puzzle will do.

    Raises:
        CertificateError: It is no puzzle, or another one; the message names the file.
    """
    if expected is not None:
        if json.loads(jsonl.write([expected])) != json_of(data, name):
            raise CertificateError(f"{name}: another puzzle than the one that was asked about")
        return expected
    try:
        puzzles = jsonl.read(text_of(data, name).encode())
    except FormatError as error:
        raise CertificateError(f"{name}: {error}") from None
    if len(puzzles) != 1:
        raise CertificateError(f"{name}: {len(puzzles)} puzzles, expected one")
    return puzzles[0]
