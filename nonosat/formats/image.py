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
from io import BytesIO
from typing import TYPE_CHECKING

from nonosat.errors import UnsupportedError, shown
from nonosat.formats._hold import goal_of, require
from nonosat.formats._image_colours import (
    Rgb,
    background_of,
    check_drawn,
    codes_of,
    inks_of,
    paper_of,
    pixels_of,
    plain,
    present,
)
from nonosat.formats._image_file import kind_of, opened, pillow
from nonosat.formats._pixel_art import Pixels, cells_of, cells_of_size, picked
from nonosat.formats._text import Remark, build, clues_of, fail, sized
from nonosat.grid import MAX_COLOURS, Grid
from nonosat.plugins import Format, Holds
from nonosat.puzzles.nonogram.data import Nonogram

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "HOLDS",
    "PLUGINS",
    "inks_of",
    "is_clear",
    "opened",
    "paper_of",
    "pillow",
    "plain",
    "unenlarged",
]

HOLDS = Holds(clues=False)

_MOST_PIXELS = 2**25  # of an enlarged picture; a board has half of that at most
_LARGE = 300  # rows or columns that nobody means to be solved by hand
_MARK = ("Software", "nonosat")  # in what we write
_MOST_SIZE = 1_000  # pixels a cell


def sniff(kind: str, data: bytes) -> bool:
    """Whether the first bytes are those of a kind of image."""
    return kind_of(data) == kind


def is_clear(data: bytes) -> bool:
    """Whether an image that lies in a folder is pixel art beyond doubt; False without Pillow."""
    from nonosat.errors import NonosatError

    try:
        kind = kind_of(data)
        return kind is not None and any(
            isinstance(item, Nonogram) and max(item.height, item.width) <= _LARGE
            for item in read(kind, None, data)
        )
    except NonosatError:
        return False


def read(kind: str, size: int | None, data: bytes) -> Iterator[Nonogram | Remark]:
    """The puzzle of a picture, and remarks on how it is read.

    Args:
        kind: Of image, as Pillow calls it.
        size: Pixels a cell has in each direction; None to find out.
        data: The file.
    """
    image, is_animated = opened(data, [kind], _MOST_PIXELS)
    if is_animated:
        yield Remark("an animation; its first picture is read, the others are not")
    if _is_ours(image) and size is None:
        yield _written(image)
        return
    with pillow(kind):
        pixels, colours = pixels_of(image)
        del image
        cells = cells_of(pixels) if size is None else cells_of_size(pixels, size)
        if cells is None:
            fail(
                f"an image of {pixels.height} x {pixels.width} pixels that is not made of squares "
                f"of {size} x {size}, expected cells of that size"
            )
        if cells.size > 1 and size is None:
            lines = ", parted by lines" if cells.is_ruled else ""
            yield Remark(
                f"squares of {cells.size} x {cells.size} pixels{lines}: read as "
                f"{len(cells.rows)} rows x {len(cells.columns)} columns; "
                f"--from {kind.lower()}:1 reads each pixel as a cell"
            )
        pixels = picked(pixels, cells)
    sized(pixels.height, pixels.width, None)
    colours = present(pixels, colours)
    check_drawn(colours)
    if max(pixels.height, pixels.width) > _LARGE:
        yield Remark(
            f"{pixels.height} rows x {pixels.width} columns, a cell a pixel; `nonosat generate "
            "image` makes a puzzle of a size to be solved"
        )
    yield _puzzle(pixels, colours)


def unenlarged(image: Image) -> Image:
    """The image, of mode P, L or RGBA, at a pixel a cell where it is enlarged pixel art."""
    if image.getcolors(MAX_COLOURS + 1) is None or image.width * image.height > _MOST_PIXELS:
        return image
    pixels, colours = pixels_of(image)
    cells = cells_of(pixels)
    if cells.size == 1:
        return image
    pixels = picked(pixels, cells)
    nothing = (0, 0, 0, 0)
    looks = {code: nothing if rgb is None else (*rgb, 255) for code, rgb in colours.items()}
    from PIL.Image import frombytes

    data = b"".join(bytes(looks[code]) for code in codes_of(pixels))
    return frombytes("RGBA", (pixels.width, pixels.height), data)


def _puzzle(pixels: Pixels, colours: dict[int, Rgb | None]) -> Nonogram:
    """The puzzle of a picture whose pixels are its cells.

    Args:
        pixels: The picture.
        colours: What each code in it looks like, in the order of the inks; None is transparent.
    """
    empty = background_of(pixels, colours)
    shades: dict[Rgb, int] = {}
    values: dict[int, int] = {}
    for code, colour in colours.items():
        if code == empty or colour is None:
            values[code] = 0
        else:
            values[code] = shades.setdefault(colour, len(shades) + 1)
    inks = inks_of(list(shades))
    paper = paper_of(None if empty is None else colours[empty], inks)
    cells = bytes(map(values.__getitem__, codes_of(pixels)))
    goal = Grid(pixels.height, pixels.width, cells)
    return build(None, **clues_of(goal), colours=inks, background=paper, goal=goal)


# What we have written


def _is_ours(image: Image) -> bool:
    name, value = _MARK
    return image.mode == "P" and image.info.get(name) == value


def _written(image: Image) -> Nonogram:
    """The puzzle of a picture whose palette is background and inks, used or not."""
    palette = bytes(image.getpalette() or b"")
    shades: list[Rgb] = [
        (palette[at], palette[at + 1], palette[at + 2]) for at in range(0, len(palette), 3)
    ]
    cells = image.tobytes()
    sized(image.height, image.width, None)
    if len(shades) < 2 or max(cells) >= len(shades):
        fail("a palette that lacks colours of the image, expected all; was the file changed?")
    goal = Grid(image.height, image.width, cells)
    inks = inks_of(shades[1:])
    paper = paper_of(shades[0], inks)
    return build(None, **clues_of(goal), colours=inks, background=paper, goal=goal)


def write(puzzles: Sequence[Nonogram]) -> bytes:
    """The picture of one puzzle with a goal, as an indexed PNG."""
    require("png", HOLDS, puzzles)
    (puzzle,) = puzzles
    goal = goal_of(puzzle)
    with pillow() as pil:
        from PIL.PngImagePlugin import PngInfo

        image = pil.frombytes("P", (goal.width, goal.height), goal.cells)
        looks = (puzzle.background, *puzzle.colours)
        image.putpalette(b"".join(bytes.fromhex(look.rgb[1:]) for look in looks))
        info = PngInfo()
        info.add_text(*_MARK)
        out = BytesIO()
        image.save(out, "PNG", pnginfo=info)
        return out.getvalue()
    raise AssertionError("an error in this block is raised anew")


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
