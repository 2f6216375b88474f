"""Pictures in a certificate: a line a row, a character a cell, "." for empty (`grid.SYMBOLS`)."""

from __future__ import annotations

from nonosat.errors import CertificateError
from nonosat.grid import SYMBOLS, Grid


def picture_text(grid: Grid) -> bytes:
    """The content of a picture's file."""
    return f"{grid}\n".encode()


def read_picture(data: bytes, name: str, height: int, width: int) -> Grid:
    """The picture of a file.

    Raises:
        CertificateError: It has another size, or characters that are no colours.
    """
    try:
        rows = data.decode().removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise CertificateError(f"{name}: this is no UTF-8 text: {error.reason}") from None
    if len(rows) != height or any(len(row) != width for row in rows):
        raise CertificateError(f"{name}: the picture is not {height} rows x {width} columns")
    values = {symbol: value for value, symbol in enumerate(SYMBOLS[:256])}
    try:
        return Grid(height, width, bytes(values[symbol] for row in rows for symbol in row))
    except KeyError as error:
        raise CertificateError(f"{name}: the character {error} is no colour") from None
