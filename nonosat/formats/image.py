"""Pixel art as image files, one pixel per cell: .png, .gif, .bmp and .webp; .png is written, too.

The clues are derived and the picture is kept as the goal. Each colour is an ink, in the order of an
indexed image's palette, else in the order of reading. The background is the transparent part, else
white, else the colour of all four corners, else the commonest colour. Half transparent pixels have
their colour on white. Enlarged pictures, in which each cell is a square of k x k pixels, with or
without lines between the cells, are reduced to one pixel per cell, with a remark (`_pixel_art.py`).
With `--from png:K` each cell has K x K pixels; with `png:1` it has one. The first picture of an
animation is read, with a remark. Photographs, and drawings with soft edges, are refused: they have
hundreds of colours. JPEGs are refused, because they keep no colour exactly.

Writing needs a goal that satisfies the clues, and makes an indexed PNG whose colour 0 is the
background. Its metadata name nonosat, and such a file is read back exactly.

Needs Pillow, the extra `images`. Linear in the pixels.
Source: PNG specification, third edition (W3C 2025); the conventions of other programs for pixel
art.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, cast

from nonosat.core.errors import NonosatError, Remedy, UnsupportedError, shown
from nonosat.core.grid import Grid
from nonosat.core.limits import polled, reserve
from nonosat.core.model import MAX_COLOURS
from nonosat.core.plugins import Format, FormatCapabilities
from nonosat.formats._colours import NAMED
from nonosat.formats._hold import goal_of, require
from nonosat.formats._image_file import kind_of, opened, pillow
from nonosat.formats._pixel_art import Pixels, cells_of, cells_of_size, picked
from nonosat.formats._text import Remark, build, clues_of, fail, sized
from nonosat.puzzles.nonogram.data import (
    BLACK,
    UNMISTAKABLE,
    WHITE,
    Colour,
    Nonogram,
    Rgb,
    rgb_of,
)

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "CAPABILITIES",
    "PLUGINS",
    "inks_of",
    "is_clear",
    "opened",
    "paper_of",
    "pillow",
    "unenlarged",
]

CAPABILITIES = FormatCapabilities(clues=False)

_MOST_SIZE = 1_000  # pixels per cell
_LARGE = 300  # limit of rows or columns of a puzzle to solve by hand
_MOST_PIXELS = 2**25  # pixels of an enlarged picture; a board has half of that at most
_MARK = ("Software", "nonosat")  # in written files
_MOST_CODES = MAX_COLOURS + 1  # the background is one, too
_PIXEL_BYTES = 8  # of a pixel as RGBA, in the image and in a copy of its data
_FEW = 8  # number of colours for which any similarity is allowed
_MOST_DRAWN = 64  # limit of colours chosen one by one
_SIMILAR = 24  # distance of two colours that are hardly distinct
_BLACKISH = 48  # brightness of an ink that is called black
_NAMES = 4  # limit of similar colours that may give a key
_DARK = 128  # a board in one colour is full below this brightness, else empty
_PAPERS = ("#ffffff", "#c0c0c0", "#808080", "#404040", "#000000")
_KEYS = UNMISTAKABLE + "qszBDQSZioIOl"  # the last ones only if there are very many inks
_PHOTOGRAPH = ", expected pixel art, which has few distinct colours and no soft edges"
_MAKE_ONE = Remedy("image")


def sniff(kind: str, data: bytes) -> bool:
    """Return True if the first bytes are those of a kind of image."""
    return kind_of(data) == kind


def is_clear(data: bytes) -> bool:
    """Return True if an image in a folder is pixel art beyond doubt; False without Pillow."""
    try:
        kind = kind_of(data)
        found = [] if kind is None else [*read(kind, None, data)]
    except NonosatError:
        return False
    return any(
        not isinstance(one, Remark) and max(one.height, one.width) <= _LARGE for one in found
    )


def read(kind: str, size: int | None, data: bytes) -> Iterator[Nonogram | Remark]:
    """Yield the puzzle of a picture, and remarks on its reading.

    Args:
        kind: Pillow's name of the kind of image.
        size: Pixels per cell in each direction; None to detect it.
        data: The file.
    """
    image, is_animated = opened(data, [kind], _MOST_PIXELS)
    if is_animated:
        yield Remark("an animation; its first picture is read, the others are not")
    if _is_ours(image) and size is None:
        yield _of_ours(image)
        return
    with pillow(kind):
        pixels, colours = _pixels_of(image)
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
                f"the format {kind.lower()}:1 has a cell for each pixel"
            )
        pixels = picked(pixels, cells)
    sized(pixels.height, pixels.width, None)
    colours = _present(pixels, colours)
    _check_drawn(colours)
    if max(pixels.height, pixels.width) > _LARGE:
        yield Remark(
            f"{pixels.height} rows x {pixels.width} columns, a cell a pixel, which is more than "
            "people solve; an image can be scaled down to a puzzle"
        )
    yield _puzzle(pixels, colours)


def unenlarged(image: Image) -> Image:
    """Return the image in mode P, L or RGBA; enlarged pixel art has a pixel per cell."""
    image = _plain(image)
    if image.getcolors(MAX_COLOURS + 1) is None or image.width * image.height > _MOST_PIXELS:
        return image
    pixels, colours = _pixels_of(image)
    cells = cells_of(pixels)
    if cells.size == 1:
        return image
    pixels = picked(pixels, cells)
    nothing = (0, 0, 0, 0)
    inks = {code: nothing if rgb is None else (*rgb, 255) for code, rgb in colours.items()}
    from PIL.Image import frombytes

    data = b"".join(bytes(inks[code]) for code in polled(_codes_of(pixels)))
    return frombytes("RGBA", (pixels.width, pixels.height), data)


def _puzzle(pixels: Pixels, colours: dict[int, Rgb | None]) -> Nonogram:
    """Return the puzzle of a picture whose pixels are its cells.

    Args:
        pixels: The picture.
        colours: Colour of each pixel value, in the order of the inks; None is transparent.
    """
    empty = _background_of(pixels, colours)
    shades: dict[Rgb, int] = {}
    values: dict[int, int] = {}
    for code, colour in colours.items():
        if code == empty or colour is None:
            values[code] = 0
        else:
            values[code] = shades.setdefault(colour, len(shades) + 1)
    inks = inks_of(list(shades))
    paper = paper_of(None if empty is None else colours[empty], inks)
    cells = bytes(map(values.__getitem__, polled(_codes_of(pixels))))
    goal = Grid(pixels.height, pixels.width, cells)
    return build(None, **clues_of(goal), colours=inks, background=paper, goal=goal)


def _is_ours(image: Image) -> bool:
    name, value = _MARK
    return image.mode == "P" and image.info.get(name) == value


def _of_ours(image: Image) -> Nonogram:
    """Return the puzzle of a picture that nonosat wrote.

    The palette is the background followed by all inks, including inks without cells.
    """
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
    """Return the picture of one puzzle with a goal, as an indexed PNG."""
    require("png", CAPABILITIES, puzzles)
    puzzle = puzzles[0]
    goal = goal_of(puzzle)
    with pillow() as pil:
        from PIL.PngImagePlugin import PngInfo

        image = pil.frombytes("P", (goal.width, goal.height), goal.cells)
        inks = (puzzle.background, *puzzle.colours)
        image.putpalette(b"".join(bytes.fromhex(ink.rgb[1:]) for ink in inks))
        info = PngInfo()
        info.add_text(*_MARK)
        out = BytesIO()
        image.save(out, "PNG", pnginfo=info)
        return out.getvalue()
    raise AssertionError("an error in this block is raised again")


# Colours: equal visible colours have the same code; all that is transparent has one of its own.


def _pixels_of(image: Image) -> tuple[Pixels, dict[int, Rgb | None]]:
    """Return an image as pixels, and the colour of each pixel value (code), None for transparent.

    Raises:
        FormatError: The image has more colours than a puzzle may have.
    """
    reserve(_PIXEL_BYTES * image.width * image.height)
    image = _plain(image)
    if image.mode in ("P", "L"):
        seen = {code: _visible(rgba) for code, rgba in enumerate(_palette(image))}
        first: dict[Rgb | None, int] = {}
        table = bytes(first.setdefault(colour, code) for code, colour in seen.items())
        data = image.tobytes().translate(table)
        return Pixels(image.height, image.width, 1, data), seen
    image = _with_one_nothing(image)
    found = cast("list[tuple[int, tuple[int, ...]]] | None", image.getcolors(_MOST_CODES))
    if found is None:
        fail(f"more than {_MOST_CODES} different colours{_PHOTOGRAPH}", remedy=_MAKE_ONE)
    colours = {int.from_bytes(bytes(rgba), sys.byteorder): _visible(rgba) for _, rgba in found}
    return Pixels(image.height, image.width, 4, image.tobytes()), colours


def _plain(image: Image) -> Image:
    """Return the image in a mode of 8 bits: P, L or RGBA."""
    from PIL.Image import frombytes

    if image.mode.startswith("I"):  # 16 bits of grey: the higher 8 are visible
        data = image.tobytes()
        unit = 4 if image.mode == "I" else 2
        is_little = sys.byteorder == "little" if unit == 4 else not image.mode.endswith("B")
        grey = frombytes("L", image.size, data[1::unit] if is_little else data[unit - 2 :: unit])
        if isinstance(hidden := image.info.get("transparency"), int):
            grey.info["transparency"] = hidden >> 8
        return grey
    if image.mode in ("P", "L", "RGBA"):
        return image
    if image.mode == "1" and "transparency" not in image.info:
        return image.convert("L")
    if image.mode == "La":  # Pillow converts it to nothing else
        image = image.convert("LA")
    if image.mode in ("1", "LA", "PA", "RGBa", "RGB"):
        return image.convert("RGBA")
    return image.convert("RGB").convert("RGBA")


def _palette(image: Image) -> list[Sequence[int]]:
    """Return red, green, blue and opacity of each of the 256 codes of an image of mode P or L."""
    swatch = image.crop((0, 0, 1, 1)).resize((256, 1))
    swatch.putdata(range(256))
    data = swatch.convert("RGBA").tobytes()
    return [data[at : at + 4] for at in range(0, 1024, 4)]


def _with_one_nothing(image: Image) -> Image:
    """Return an RGBA image after giving all invisible pixels the same bytes."""
    from PIL.Image import composite, new

    alpha = image.getchannel("A")
    lowest, _ = alpha.getextrema()
    if lowest:
        return image
    return composite(image, new("RGBA", image.size), alpha.point([0] + [255] * 255))


def _visible(rgba: Sequence[int]) -> Rgb | None:
    """Return the colour on white paper; None if it is invisible."""
    red, green, blue, opacity = rgba
    if not opacity:
        return None

    def seen(part: int) -> int:
        return (part * opacity + 255 * (255 - opacity) + 127) // 255

    return seen(red), seen(green), seen(blue)


def _codes_of(pixels: Pixels) -> Sequence[int]:
    """Return the codes (pixel values as integers) of all pixels, row by row."""
    return pixels.data if pixels.unit == 1 else memoryview(pixels.data).cast("I")


def _present(pixels: Pixels, colours: Mapping[int, Rgb | None]) -> dict[int, Rgb | None]:
    """Return the colours of codes that occur, in the order of a palette, else of reading."""
    codes = (
        sorted(set(pixels.data)) if pixels.unit == 1 else dict.fromkeys(polled(_codes_of(pixels)))
    )
    return {code: colours[code] for code in codes}


def _check_drawn(colours: Mapping[int, Rgb | None]) -> None:
    """Refuse pictures with soft edges, and photographs.

    Raises:
        FormatError: There are very many colours, or most of them are similar to another one.
    """
    seen = [colour for colour in colours.values() if colour is not None]
    if len(seen) <= _FEW:
        return
    if len(seen) > _MOST_DRAWN:
        fail(f"{len(seen)} different colours{_PHOTOGRAPH}", remedy=_MAKE_ONE)
    similar = sum(any(0 < _squared(one, other) < _SIMILAR**2 for other in seen) for one in seen)
    if 2 * similar > len(seen):
        what = f"{similar} of {len(seen)} colours are similar to another one"
        fail(f"{what}{_PHOTOGRAPH}", remedy=_MAKE_ONE)


def _squared(one: Rgb, other: Rgb) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def _background_of(pixels: Pixels, colours: Mapping[int, Rgb | None]) -> int | None:
    """Return the code of empty cells; None if a dark picture in one colour has none.

    The code is that of transparent pixels, else of white, else of all four corners, else the
    commonest.
    """
    for paper in (None, (255, 255, 255)):
        for code, colour in colours.items():
            if colour == paper:
                return code
    if len(colours) == 1:
        ((code, only),) = colours.items()
        return None if only is not None and _brightness(only) < _DARK else code
    codes = _codes_of(pixels)
    last = pixels.width - 1
    corners = {codes[0], codes[last], codes[-1], codes[len(codes) - 1 - last]}
    return corners.pop() if len(corners) == 1 else Counter(codes).most_common(1)[0][0]


def _brightness(rgb: Rgb) -> float:
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]


def inks_of(colours: Sequence[Rgb]) -> tuple[Colour, ...]:
    """Return an ink per colour: black if it is the only one, else keyed by initials of its name."""
    if len(colours) < 2:
        return tuple(Colour(BLACK.key, _hex(colour)) for colour in colours) or (BLACK,)
    used: set[str] = set()
    inks = []
    for number, colour in enumerate(colours, start=1):
        candidates = [*_initials(colour), *_KEYS]
        if _brightness(colour) < _BLACKISH:
            candidates.insert(0, BLACK.key)
        key = next((key for key in candidates if key not in used), f"ink{number}")
        used.add(key)
        inks.append(Colour(key, _hex(colour)))
    return tuple(inks)


def _initials(colour: Rgb) -> list[str]:
    """Return the first letters of plain English names of similar colours, the nearest one first."""

    def distance(name: str) -> int:
        return _squared(colour, rgb_of(NAMED[name]))

    initials = [name[0] for name in sorted(NAMED, key=distance)[:_NAMES]]
    return [letter for letter in initials if letter in UNMISTAKABLE]


def paper_of(colour: Rgb | None, inks: Sequence[Colour]) -> Colour:
    """Return the colour of empty cells; if it is unknown, white, or a colour unlike all inks."""
    if colour is not None:
        return Colour(WHITE.key, _hex(colour))
    shades = [rgb_of(ink.rgb) for ink in inks]

    def nearest(paper: str) -> int:
        return min(_squared(rgb_of(paper), shade) for shade in shades)

    clear = [paper for paper in _PAPERS if nearest(paper) >= _SIMILAR**2]
    return Colour(WHITE.key, clear[0] if clear else max(_PAPERS, key=nearest))


def _hex(colour: Rgb) -> str:
    return f"#{bytes(colour).hex()}"


def _cannot_write(name: str, puzzles: Sequence[Nonogram]) -> bytes:
    del puzzles
    raise UnsupportedError(f"{name} is read only; these pictures are written: png, pbm, picture")


def _format(kind: str, suffixes: tuple[str, ...], what: str, size: int | None = None) -> Format:
    name = kind.lower()
    return Format(
        summary=what,
        suffixes=suffixes,
        shared=True,
        holds=CAPABILITIES,
        sniff=partial(sniff, kind),
        read=partial(read, kind, size),
        write=write if kind == "PNG" else partial(_cannot_write, name),
        with_argument=partial(_of_size, kind) if size is None else None,
    )


def _of_size(kind: str, argument: str) -> Format:
    """Return the format of pictures with cells of this size in pixels."""
    size = int(argument) if argument.isascii() and argument.isdigit() and len(argument) < 6 else 0
    if not 1 <= size <= _MOST_SIZE:
        raise UnsupportedError(
            f"{kind.lower()}:{argument}: {shown(argument)} is not a number of pixels per cell, "
            f"expected 1 to {_MOST_SIZE}, such as {kind.lower()}:1"
        )
    return _format(kind, (), f"{kind}, {size} x {size} pixels a cell", size)


PLUGINS = {
    "png": _format("PNG", (".png",), "pixel art as PNG, a pixel a cell (needs Pillow)"),
    "gif": _format("GIF", (".gif",), "pixel art as GIF, read only (needs Pillow)"),
    "bmp": _format("BMP", (".bmp",), "pixel art as BMP, read only (needs Pillow)"),
    "webp": _format("WEBP", (".webp",), "pixel art as WebP, read only (needs Pillow)"),
}
