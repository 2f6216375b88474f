"""The picture of a reading: the photograph, with each number as it was read.

Linear in the pixels of the photograph and in the numbers.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from nonosat import formats
from nonosat.core.limits import polled
from nonosat.formats.image import opened, pillow
from nonosat.paper.photo import KINDS, PhotoReading, ReadNumber
from nonosat.render.look import ASSUMED, MARK, SEEN

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST = 2000  # pixels of the photograph in the picture


def overlay(found: Sequence[PhotoReading], photo: str | Path) -> str:
    """Return an SVG document of a photograph with the numbers that were read over it.

    Changed numbers are pink, doubtful ones orange, the others blue.

    Args:
        found: The readings of its puzzles.
        photo: The file that was read.

    Raises:
        FormatError: The file is not an image.
    """
    with pillow():
        from PIL import ImageOps

        image = opened(formats.inflate(formats.content(str(photo))), KINDS)[0]
        seen = ImageOps.exif_transpose(image).convert("RGB")
        width, height = seen.size
        seen.thumbnail((_LONGEST, _LONGEST))
        file = BytesIO()
        seen.save(file, "JPEG", quality=85)
    data = b64encode(file.getvalue()).decode()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" text-anchor="middle">',
        f"<title>{', '.join(one.puzzle.size for one in found)}</title>",
        f'<image width="{width}" height="{height}" opacity="0.75" '
        f'href="data:image/jpeg;base64,{data}"/>',
        *(part for one in found for part in _numbers(one)),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _numbers(found: PhotoReading) -> Iterator[str]:
    changed, doubtful = set(found.changed), set(found.doubtful)
    for one in polled(found.numbers):
        colour = MARK if one in changed else ASSUMED if one in doubtful else SEEN
        yield _number(one, colour)


def _number(one: ReadNumber, colour: str) -> str:
    """Return a frame around a number, and its value at the right of its foot."""
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in one.corners)
    _, (right, high), (x, y), _ = one.corners
    size = max(6.0, 0.8 * abs((x - right) ** 2 + (y - high) ** 2) ** 0.5)
    value = "-" if one.value is None else str(one.value)
    middle = (x + right) / 2 + size / 2, (y + high) / 2 + size / 2
    return (
        f'<polygon points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<text x="{middle[0]:.1f}" y="{middle[1]:.1f}" font-size="{size:.1f}" fill="{colour}" '
        f'font-weight="bold">{value}</text>'
    )
