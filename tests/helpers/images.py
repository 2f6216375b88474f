"""Small pictures as image files: pixel art, enlarged, with lines between cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from random import Random
from typing import Any

from PIL import Image

Rgb = tuple[int, int, int]
WHITE, BLACK, RED, GREY = (255, 255, 255), (0, 0, 0), (220, 30, 30), (128, 128, 128)
COLOURS: Mapping[str, Rgb] = {".": WHITE, "#": BLACK, "r": RED}
_random = Random(5)
ROWS = ["".join(_random.choice("..#r") for _ in range(12)) for _ in range(9)]


def drawn(rows: Sequence[str], colours: Mapping[str, Any] = COLOURS, mode: str = "RGB") -> Any:
    """Image of a text: a pixel a character."""
    image = Image.new(mode, (len(rows[0]), len(rows)))
    image.putdata([colours[sign] for row in rows for sign in row])
    return image


def enlarged(image: Any, times: int) -> Any:
    """Enlarge an image: each pixel becomes a square."""
    size = (image.width * times, image.height * times)
    return image.resize(size, Image.Resampling.NEAREST)


def ruled(
    rows: Sequence[str],
    cell: int,
    line: int,
    colour: Rgb,
    edge: int,
    margin: int = 0,
    fifth: int = 0,
) -> Any:
    """Draw cells with lines between them.

    Args:
        rows: A character a cell.
        cell: Pixels of a cell, in each direction.
        line: Thickness of a line.
        colour: Colour of the lines.
        edge: Thickness of the lines around all cells.
        margin: White around that.
        fifth: Additional thickness of every fifth line.
    """
    (down, height), (across, width) = (
        _places(number, cell, line, edge, fifth) for number in (len(rows), len(rows[0]))
    )
    board = Image.new("RGB", (width, height), colour)
    for top, row in zip(down, rows, strict=True):
        for left, sign in zip(across, row, strict=True):
            board.paste(COLOURS[sign], (left, top, left + cell, top + cell))
    whole = Image.new("RGB", (width + 2 * margin, height + 2 * margin), WHITE)
    whole.paste(board, (margin, margin))
    return whole


def _places(number: int, cell: int, line: int, edge: int, fifth: int) -> tuple[list[int], int]:
    """Return the beginnings of the cells, and their total length."""
    found = [edge + at * (cell + line) + at // 5 * fifth for at in range(number)]
    return found, found[-1] + cell + edge


def file(image: Any, kind: str = "PNG", **options: Any) -> bytes:
    """Return the image as a file."""
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def plain_text() -> str:
    """Grey image as text, P2: a dark disc, and a pale square that only an outline shows."""
    values = [
        20
        if (row - 15) ** 2 + (column - 10) ** 2 < 64
        else 190
        if 8 < row < 22 < column < 36
        else 250
        for row in range(30)
        for column in range(40)
    ]
    return "P2\n40 30\n255\n" + "\n".join(map(str, values)) + "\n"
