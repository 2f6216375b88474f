"""Image files by Pillow: the kind of bytes, and the first picture of a file, decoded.

Invariant: any bytes give an image or a `FormatError`, and memory of the size that a file declares
is allocated only after that size is checked. Pillow is imported when the first image is opened.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

from nonosat.core.errors import (
    NonosatError,
    Remedy,
    UnsupportedError,
    alternatives,
    install_command,
)
from nonosat.core.limits import checkpoint, reserve
from nonosat.formats._text import fail

if TYPE_CHECKING:
    from PIL.Image import Image

_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
    b"\xff\xd8\xff": "JPEG",
}
_BMP_HEADERS = (12, 40, 52, 56, 64, 108, 124)  # their lengths
_MAPS = (b"1", b"2", b"3", b"4", b"5", b"6")
_LONGEST_REASON = 100  # characters of Pillow's message that ours quotes
_PIECE = 2**20  # bytes of pixels that are decompressed at once
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # samples per pixel, by the colour type of PNG
# Adam7: first column and row of each pass, and the steps to the next ones.
_PASSES = (
    *((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2)),
    (0, 1, 1, 2),
)


def kind_of(data: bytes) -> str | None:
    """Return Pillow's name of the kind of an image file, by its first bytes."""
    for beginning, kind in _BEGINNINGS.items():
        if data.startswith(beginning):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    # "BM" may begin a text: a size, four zeros, and the length of a header follow.
    header = int.from_bytes(data[14:18], "little")
    if data[:2] == b"BM" and data[6:10] == bytes(4) and header in _BMP_HEADERS:
        return "BMP"
    is_map = data[:1] == b"P" and data[1:2] in _MAPS and data[2:3].isspace()
    return "PPM" if is_map else None


@contextmanager
def pillow(kind: str = "image") -> Iterator[Any]:
    """Provide the module `PIL.Image`; inside the context, Pillow's errors become `FormatError`.

    Raises:
        UnsupportedError: Pillow is not installed; the message states how to install it.
    """
    try:
        from PIL import Image
    except ImportError as error:
        what = f"images are read and written by Pillow, which cannot be imported ({error})"
        raise UnsupportedError(f"{what}; {install_command('images')}") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings about metadata, which are not used
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            yield Image
        except (NonosatError, MemoryError):
            raise
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            _refuse_bomb(str(error), Image.MAX_IMAGE_PIXELS)
        except Exception as error:  # Pillow's plug-ins raise various exceptions for damaged files
            reason = str(error) or type(error).__name__
            if "cannot identify" in reason:  # with the address of an object in memory
                reason = "its header is not as it should be"
            fail(
                f"this {kind} cannot be decoded ({reason[:_LONGEST_REASON]}), expected a whole "
                "one; was the file cut off, or damaged? Save it again"
            )


def _refuse_bomb(message: str, most: int | None) -> None:
    """Reword Pillow's error for an image that may have been made to fill the memory."""
    number = next(
        (word for word in message.replace("(", " ").split() if word.isdigit()), "too many"
    )
    fail(f"an image of {number} pixels, expected at most {most}; scale it down in an image program")


def opened(data: bytes, kinds: Sequence[str], most_pixels: int | None = None) -> tuple[Image, bool]:
    """Return the first picture of an image file, decoded, and True if more follow.

    Args:
        data: The file.
        kinds: Allowed kinds, as `kind_of` names them.
        most_pixels: Limit in addition to Pillow's own of 89 million.

    Raises:
        FormatError: The file is no image of these kinds, damaged, or too large.
        UnsupportedError: Pillow is not installed.
    """
    kind = kind_of(data)
    if kind is None or kind not in kinds:
        found = "no image" if kind is None else f"a {kind} by its first bytes"
        fail(f"{found}, expected a {alternatives(kinds)}")
    with pillow(kind) as pil:
        image = pil.open(BytesIO(data), formats=(kind,))
        width, height = image.size
        if min(width, height) < 1:
            fail(f"an image of {height} x {width} pixels, expected at least 1 x 1")
        if most_pixels is not None and width * height > most_pixels:
            fail(
                f"an image of {height} x {width} pixels, expected at most {most_pixels} in all; "
                "scale it down to one pixel a cell",
                remedy=Remedy("image"),
            )
        is_animated = bool(getattr(image, "is_animated", False))
        reserve((1 if image.mode in ("1", "L", "P") else 4) * width * height)
        image.load()
        if kind == "PNG":
            _check_whole(data)
        return image, is_animated
    raise AssertionError("an error in this block is raised again")


# If a PNG lacks pixels, Pillow leaves these rows black, as long as the stream ends well.


def _check_whole(data: bytes) -> None:
    """Refuse a PNG, which Pillow has decoded, that has fewer pixels than it declares."""
    header = next(content for name, content in _chunks(data) if name == b"IHDR")
    needed = _num_bytes(*struct.unpack(">IIBBxxB", header))
    stream = zlib.decompressobj()
    for part in (content for name, content in _chunks(data) if name == b"IDAT"):
        while part and needed > 0:
            checkpoint()
            needed -= len(stream.decompress(part, min(_PIECE, needed)))
            part = stream.unconsumed_tail
    if needed > 0:
        fail("this PNG ends before its last pixel; was the file cut off, or damaged? Save it again")


def _num_bytes(width: int, height: int, bits: int, sort: int, is_interlaced: int) -> int:
    """Return the number of bytes of a PNG's pixels, with a byte for the filter before every row."""
    passes = _PASSES if is_interlaced else ((0, 0, 1, 1),)
    sides = ((-(-(width - x) // dx), -(-(height - y) // dy)) for x, y, dx, dy in passes)
    depth = bits * _SAMPLES[sort]
    return sum(high * (1 + (wide * depth + 7) // 8) for wide, high in sides if wide > 0 < high)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield names and contents of the chunks of a PNG."""
    at = 8
    while at + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, at)
        yield name, data[at + 8 : at + 8 + length]
        at += 12 + length
