"""Files that are not puzzles, recognised by their first bytes: documents, archives, pictures.

A message that quotes bytes of such a file does not help its owner; its kind and the next step do.
"""

from __future__ import annotations

import re
from pathlib import Path

from nonosat.core.errors import FormatError, Remedy
from nonosat.formats._image_file import kind_of

_TEXT = "copy the clues into a plain text file (.txt) and name that"
_SHEET = "save the sheet with the picture as CSV (.csv), or copy the clues into a text file (.txt)"
_ARCHIVE = "unpack it and name a puzzle file in it"
_PICTURE = "save it as PNG and name that"

_ZIP = b"PK\3\4"
_KINDS = (  # first bytes, later bytes at any position, kind, advice; the first that fits
    (b"%PDF-", b"", "a PDF document", _TEXT),
    (b"{\\rtf", b"", "a document (.rtf)", _TEXT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", "an old Office document (.doc, .xls)", _SHEET),
    (_ZIP, b"word/", "a Word document (.docx)", _TEXT),
    (_ZIP, b"xl/", "an Excel workbook (.xlsx)", _SHEET),
    (_ZIP, b"ppt/", "a PowerPoint presentation (.pptx)", _TEXT),
    (_ZIP, b"application/vnd.oasis.opendocument.spreadsheet", "a spreadsheet (.ods)", _SHEET),
    (_ZIP, b"application/vnd.oasis.opendocument", "an OpenDocument file", _TEXT),
    (_ZIP, b"application/epub", "a book (.epub)", _TEXT),
    (_ZIP, b"", "a ZIP archive", _ARCHIVE),
    (b"PK\5\6", b"", "a ZIP archive", _ARCHIVE),  # an empty one
    (b"PK\7\x08", b"", "a ZIP archive", _ARCHIVE),  # in several parts
    (b"7z\xbc\xaf\x27\x1c", b"", "a 7z archive", _ARCHIVE),
    (b"Rar!\x1a\x07", b"", "a RAR archive", _ARCHIVE),
    (b"\xfd7zXZ\0", b"", "data compressed by xz", _ARCHIVE),
    (b"\x28\xb5\x2f\xfd", b"", "data compressed by zstd", _ARCHIVE),
    (b"SQLite format 3\0", b"", "a database (SQLite)", _TEXT),
    (b"\x7fELF", b"", "a program", "name a puzzle file"),
    (b"\x93NUMPY", b"", "an array of NumPy (.npy)", "make a puzzle of the array in Python"),
    (b"II*\0", b"", "a TIFF picture", _PICTURE),
    (b"MM\0*", b"", "a TIFF picture", _PICTURE),
    (b"8BPS", b"", "a Photoshop picture", _PICTURE),
    (b"\0\0\1\0", b"", "an icon (.ico)", _PICTURE),
)
_HEAD = 4096  # bytes in which the root of an SVG file is searched
_NO_ELEMENT = rb"(?s)<\?.{0,999}?\?>|<!--.{0,999}?-->|<![A-Za-z][^>]{0,999}>"
_TAR = (257, b"ustar")
_BZIP2 = (b"BZh", b"1AY&SY")  # with one digit in between
_IMAGES = ("PNG", "GIF", "BMP", "WEBP")  # formats that read files of these kinds


def refuse_foreign(data: bytes, path: str | Path, format_: str | None = None) -> None:
    """Refuse a file that no format reads, and an image if a format of text is chosen.

    Args:
        data: The file, unpacked.
        path: Name of the file, for the message; may be empty.
        format_: The chosen format; None if it is not known yet.

    Raises:
        FormatError: The file is one of these; the message states its kind and advice.
    """
    if (kind := kind_of(data)) == "JPEG":
        raise FormatError(
            "a JPEG, which keeps no colour exactly, expected pixel art as PNG, GIF, BMP or WebP",
            path=str(path) or None,
            remedy=Remedy("image"),
        )
    if kind in _IMAGES and format_ is not None and format_.partition(":")[0].upper() not in _IMAGES:
        what = f"a {kind} image, not a file of the format {format_}"
        raise FormatError(what, path=str(path) or None, remedy=Remedy("leave", "format"))
    if (found := _foreign(data)) is not None:
        raise FormatError(
            f"{found[0]}, which is not a puzzle file; {found[1]}",
            path=str(path) or None,
            remedy=Remedy("image") if found[1] == _PICTURE else None,
        )


def _foreign(data: bytes) -> tuple[str, str] | None:
    """Return the kind of a file that is not a puzzle, and advice; None for any other file."""
    for beginning, part, kind, advice in _KINDS:
        if data.startswith(beginning) and part in data:
            return kind, advice
    if data.startswith(_TAR[1], _TAR[0]):
        return "a tar archive", _ARCHIVE
    if data.startswith(_BZIP2[0]) and data.startswith(_BZIP2[1], 4):
        return "data compressed by bzip2", _ARCHIVE
    if data[4:8] == b"ftyp":
        return "a picture (HEIC, AVIF) or a film", _PICTURE
    head = data.lstrip()[:_HEAD]
    if not head.startswith(b"<"):
        return None
    if head[:14].lower().startswith((b"<!doctype html", b"<html")):
        return "a web page (.html)", _TEXT
    if re.sub(_NO_ELEMENT, b"", head).lstrip().startswith(b"<svg"):
        return "an SVG drawing", _PICTURE
    return None
