"""Pixel art as image files, one pixel a cell: .png, .gif, .bmp and .webp; .png is written, too.

The clues are derived and the picture is kept as the goal. Each colour is an ink, in the order of an
indexed image's palette, else in that of reading. The background is what is transparent, else white,
else the colour of all four corners, else the commonest one; of half transparent pixels one sees
what they look like on white. Pictures that have been enlarged, each cell to a square of k x k
pixels, with lines between the cells or without, are reduced to one pixel a cell, with a remark
(`_pixel_art.py`); as `--from png:K` each cell is said to have K x K pixels, `png:1` one. Of an
animation the first picture is read, with a remark. Photographs, and drawings with soft edges, are
refused: they have hundreds of colours. So are JPEGs, which keep no colour exactly.

Writing needs a goal that satisfies the clues, and makes an indexed PNG whose colour 0 is the
background. It says in its metadata that nonosat has written it, and is read as exactly that then.

Needs Pillow, the extra `images`. Linear in the pixels.
Source: PNG specification, third edition (W3C 2025); what other programs take for pixel art.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from nonosat.core.errors import NonosatError, UnsupportedError, shown
from nonosat.core.plugins import Format, Holds
from nonosat.formats._hold import require
from nonosat.formats._image_file import kind_of, opened, pillow
from nonosat.formats._text import Remark

if TYPE_CHECKING:
    from PIL.Image import Image

    from nonosat.puzzles.nonogram.data import Colour, Nonogram

__all__ = [
    "HOLDS",
    "PLUGINS",
    "inks_of",
    "is_clear",
    "opened",
    "paper_of",
    "pillow",
    "unenlarged",
]

HOLDS = Holds(clues=False)

_MOST_SIZE = 1_000  # pixels a cell

# Every text of no clear format is shown to this module: it imports the others when an image comes.


def sniff(kind: str, data: bytes) -> bool:
    """Whether the first bytes are those of a kind of image."""
    return kind_of(data) == kind


def is_clear(data: bytes) -> bool:
    """Whether an image that lies in a folder is pixel art beyond doubt; False without Pillow."""
    from nonosat.formats._image_puzzle import LARGE

    try:
        kind = kind_of(data)
        found = [] if kind is None else [*read(kind, None, data)]
    except NonosatError:
        return False
    return any(not isinstance(one, Remark) and max(one.height, one.width) <= LARGE for one in found)


def read(kind: str, size: int | None, data: bytes) -> Iterator[Nonogram | Remark]:
    """The puzzle of a picture, and remarks on how it is read.

    Args:
        kind: Of image, as Pillow calls it.
        size: Pixels a cell has in each direction; None to find out.
        data: The file.
    """
    from nonosat.formats import _image_puzzle

    return _image_puzzle.read(kind, size, data)


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """The picture of one puzzle with a goal, as an indexed PNG."""
    from nonosat.formats import _image_puzzle

    require("png", HOLDS, puzzles)
    return _image_puzzle.written(puzzles[0])


def unenlarged(image: Image) -> Image:
    """The image in mode P, L or RGBA, at a pixel a cell where it is enlarged pixel art."""
    from nonosat.formats import _image_puzzle

    return _image_puzzle.unenlarged(image)


def inks_of(colours: Sequence[tuple[int, int, int]]) -> tuple[Colour, ...]:
    """An ink a colour, with a key that its name begins with."""
    from nonosat.formats import _image_colours

    return _image_colours.inks_of(colours)


def paper_of(colour: tuple[int, int, int] | None, inks: Sequence[Colour]) -> Colour:
    """What empty cells look like; where that is not said, white, or what differs from all inks."""
    from nonosat.formats import _image_colours

    return _image_colours.paper_of(colour, inks)


def _cannot_write(name: str, puzzles: Sequence[Nonogram]) -> bytes:
    del puzzles
    raise UnsupportedError(f"{name} is read only; these pictures are written: png, pbm, picture")


def _format(kind: str, suffixes: tuple[str, ...], what: str, size: int | None = None) -> Format:
    name = kind.lower()
    return Format(
        summary=what,
        suffixes=suffixes,
        shared=True,
        holds=HOLDS,
        sniff=partial(sniff, kind),
        read=partial(read, kind, size),
        write=write if kind == "PNG" else partial(_cannot_write, name),
        with_argument=partial(_of_size, kind) if size is None else None,
    )


def _of_size(kind: str, argument: str) -> Format:
    """The format whose cells have so many pixels."""
    size = int(argument) if argument.isascii() and argument.isdigit() and len(argument) < 6 else 0
    if not 1 <= size <= _MOST_SIZE:
        raise UnsupportedError(
            f"{kind.lower()}:{argument}: {shown(argument)} is no number of pixels a cell, expected "
            f"1 to {_MOST_SIZE}, such as {kind.lower()}:1"
        )
    return _format(kind, (), f"{kind}, {size} x {size} pixels a cell", size)


PLUGINS = {
    "png": _format("PNG", (".png",), "pixel art as PNG, a pixel a cell (needs Pillow)"),
    "gif": _format("GIF", (".gif",), "pixel art as GIF, read only (needs Pillow)"),
    "bmp": _format("BMP", (".bmp",), "pixel art as BMP, read only (needs Pillow)"),
    "webp": _format("WEBP", (".webp",), "pixel art as WebP, read only (needs Pillow)"),
}
