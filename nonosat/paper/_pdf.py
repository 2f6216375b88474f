"""Pages of PDF files as pictures, by PDFium.

It reads any bytes and allocates what a file demands, so that it works only in a child process
(`photo.py`). The picture of a page has a bounded number of pixels, whatever size the page claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nonosat.core.errors import FormatError, UnsupportedError, install_command

_BEGINNING = b"%PDF-"
_END, _AFTER_END = b"%%EOF", 2048  # bytes that hold the end mark
_DPI = 300  # of the picture of a page
_POINTS = 72  # per inch
_THINNEST = 50  # times the shorter side, at most, is the longer one


def is_pdf(data: bytes) -> bool:
    """Return True if a file begins as a PDF, after white space or not."""
    return data[:1024].lstrip().startswith(_BEGINNING)


def num_pages(data: bytes) -> int:
    """Return the number of pages of a PDF.

    Raises:
        FormatError: It is damaged, encrypted, or has no page.
    """
    with _opened(data) as pdf:
        count = len(pdf)
    if not count:
        raise FormatError("a PDF without pages, expected at least one")
    return count


def picture(data: bytes, at: int, longest: int) -> tuple[Any, Any]:
    """Return the brightness of a page of a PDF, and its colours or None if it has none.

    Both are arrays of bytes, shaped (height, width) and (height, width, 3).

    Args:
        data: The file.
        at: Number of the page, from 0.
        longest: Pixels of the longer side at most.

    Raises:
        FormatError: The page is damaged or has no area.
    """
    with _opened(data) as pdf:
        page = pdf[at]
        sides = page.get_size()
        if not 0 < max(sides) <= _THINNEST * min(sides):
            size = " x ".join(f"{side:g}" for side in sides)
            raise FormatError(f"page {at + 1} has {size} points, expected the size of a sheet")
        scale = min(_DPI / _POINTS, (longest - 1) / max(sides))
        seen = page.render(scale=scale, grayscale=True).to_numpy()
        rendered = page.render(scale=scale, rev_byteorder=True).to_numpy()
        grey, colours = seen.copy().reshape(seen.shape[:2]), rendered.copy()[..., :3]
        is_grey = (colours.max(axis=2) == colours.min(axis=2)).all()
        return grey, None if is_grey else colours
    raise AssertionError("an error in this block is raised again")


@contextmanager
def _opened(data: bytes) -> Iterator[Any]:
    """Open a PDF; errors of PDFium are raised as FormatError."""
    try:
        import pypdfium2
    except ImportError as error:
        what = f"PDF files are read by pypdfium2, which cannot be imported ({error})"
        raise UnsupportedError(f"{what}; {install_command('paper')}") from error
    if _END not in data[-_AFTER_END:]:  # PDFium repairs such files, but pages may be lost
        raise FormatError("a PDF without its end, expected a whole file; copy it again")
    try:
        with pypdfium2.PdfDocument(data) as pdf:
            yield pdf
    except pypdfium2.PdfiumError as error:
        raise FormatError(
            f"a PDF that cannot be read ({error}); expected a whole file without a password"
        ) from error
