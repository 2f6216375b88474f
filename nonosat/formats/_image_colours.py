"""Colours of an image: pixels as codes, which of them is the background, and inks of the others.

Invariant: pixels that look alike have the same code; what cannot be seen at all has one of its own.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from nonosat.core.errors import Remedy
from nonosat.core.grid import MAX_COLOURS
from nonosat.formats._colours import NAMED
from nonosat.formats._pixel_art import Pixels
from nonosat.formats._text import fail
from nonosat.puzzles.nonogram.data import BLACK, UNMISTAKABLE, WHITE, Colour, Rgb, rgb_of

if TYPE_CHECKING:
    from PIL.Image import Image


_MOST = MAX_COLOURS + 1  # the background is one, too
_FEW = 8  # colours that may look as similar as they like
_MOST_DRAWN = 64  # colours that somebody has chosen one by one
_SIMILAR = 24  # distance of two colours that are hardly told apart
_BLACKISH = 48  # brightness of an ink that is called black
_NAMES = 4  # of similar colours that may give a key
_DARK = 128  # a board in one colour is full below this brightness, else empty
_PAPERS = ("#ffffff", "#c0c0c0", "#808080", "#404040", "#000000")
_KEYS = UNMISTAKABLE + "qszBDQSZioIOl"  # the last ones only when there are very many inks
_PHOTOGRAPH = ", expected pixel art, which has few distinct colours and no soft edges"
_MAKE_ONE = Remedy("image")


def pixels_of(image: Image) -> tuple[Pixels, dict[int, Rgb | None]]:
    """An image as pixels, and what each code looks like, None for transparent.

    Raises:
        FormatError: It has more colours than a puzzle may have.
    """
    image = plain(image)
    if image.mode in ("P", "L"):
        seen = {code: _visible(rgba) for code, rgba in enumerate(_palette(image))}
        first: dict[Rgb | None, int] = {}
        table = bytes(first.setdefault(colour, code) for code, colour in seen.items())
        data = image.tobytes().translate(table)
        return Pixels(image.height, image.width, 1, data), seen
    image = _with_one_nothing(image)
    found = cast("list[tuple[int, tuple[int, ...]]] | None", image.getcolors(_MOST))
    if found is None:
        fail(f"more than {_MOST} different colours{_PHOTOGRAPH}", remedy=_MAKE_ONE)
    colours = {int.from_bytes(bytes(rgba), sys.byteorder): _visible(rgba) for _, rgba in found}
    return Pixels(image.height, image.width, 4, image.tobytes()), colours


def plain(image: Image) -> Image:
    """The image in a mode of 8 bits: P, L or RGBA."""
    from PIL.Image import frombytes

    if image.mode.startswith("I"):  # 16 bits of grey: the higher 8 are what one sees
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
    if image.mode == "La":  # which Pillow converts to nothing else
        image = image.convert("LA")
    if image.mode in ("1", "LA", "PA", "RGBa", "RGB"):
        return image.convert("RGBA")
    return image.convert("RGB").convert("RGBA")


def _palette(image: Image) -> list[Sequence[int]]:
    """Red, green, blue and opacity of each of the 256 codes of an image of mode P or L."""
    swatch = image.crop((0, 0, 1, 1)).resize((256, 1))
    swatch.putdata(range(256))
    data = swatch.convert("RGBA").tobytes()
    return [data[at : at + 4] for at in range(0, 1024, 4)]


def _with_one_nothing(image: Image) -> Image:
    """The image of mode RGBA with the same bytes wherever nothing is seen."""
    from PIL.Image import composite, new

    alpha = image.getchannel("A")
    lowest, _ = alpha.getextrema()
    if lowest:
        return image
    return composite(image, new("RGBA", image.size), alpha.point([0] + [255] * 255))


def _visible(rgba: Sequence[int]) -> Rgb | None:
    """What is seen on white paper; None for nothing."""
    red, green, blue, opacity = rgba
    if not opacity:
        return None

    def seen(part: int) -> int:
        return (part * opacity + 255 * (255 - opacity) + 127) // 255

    return seen(red), seen(green), seen(blue)


def codes_of(pixels: Pixels) -> Sequence[int]:
    """The codes of all pixels, row by row."""
    return pixels.data if pixels.unit == 1 else memoryview(pixels.data).cast("I")


def present(pixels: Pixels, colours: Mapping[int, Rgb | None]) -> dict[int, Rgb | None]:
    """What the codes in a picture look like, in the order of a palette, else in that of reading."""
    codes = sorted(set(pixels.data)) if pixels.unit == 1 else dict.fromkeys(codes_of(pixels))
    return {code: colours[code] for code in codes}


def check_drawn(colours: Mapping[int, Rgb | None]) -> None:
    """Refuse what has soft edges, or has been photographed.

    Raises:
        FormatError: There are very many colours, or most of them look nearly like another one.
    """
    seen = [colour for colour in colours.values() if colour is not None]
    if len(seen) <= _FEW:
        return
    if len(seen) > _MOST_DRAWN:
        fail(f"{len(seen)} different colours{_PHOTOGRAPH}", remedy=_MAKE_ONE)
    similar = sum(any(0 < _squared(one, other) < _SIMILAR**2 for other in seen) for one in seen)
    if 2 * similar > len(seen):
        what = f"{similar} of {len(seen)} colours look nearly like another one"
        fail(f"{what}{_PHOTOGRAPH}", remedy=_MAKE_ONE)


def _squared(one: Rgb, other: Rgb) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def background_of(pixels: Pixels, colours: Mapping[int, Rgb | None]) -> int | None:
    """The code of empty cells; None where a dark picture in one colour has none.

    What is transparent, else white, else the colour of all four corners, else the commonest.
    """
    for wanted in (None, (255, 255, 255)):
        for code, colour in colours.items():
            if colour == wanted:
                return code
    if len(colours) == 1:
        ((code, only),) = colours.items()
        return None if only is not None and _brightness(only) < _DARK else code
    codes = codes_of(pixels)
    last = pixels.width - 1
    corners = {codes[0], codes[last], codes[-1], codes[len(codes) - 1 - last]}
    return corners.pop() if len(corners) == 1 else Counter(codes).most_common(1)[0][0]


def _brightness(rgb: Rgb) -> float:
    return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]


def inks_of(colours: Sequence[Rgb]) -> tuple[Colour, ...]:
    """An ink a colour: black where there is no other, else a key that its name begins with."""
    if len(colours) < 2:
        return tuple(Colour(BLACK.key, _hex(colour)) for colour in colours) or (BLACK,)
    used: set[str] = set()
    inks = []
    for number, colour in enumerate(colours, start=1):
        wanted = [*_initials(colour), *_KEYS]
        if _brightness(colour) < _BLACKISH:
            wanted.insert(0, BLACK.key)
        key = next((key for key in wanted if key not in used), f"ink{number}")
        used.add(key)
        inks.append(Colour(key, _hex(colour)))
    return tuple(inks)


def _initials(colour: Rgb) -> list[str]:
    """The first letters of plain English names of similar colours, the nearest one first."""

    def distance(name: str) -> int:
        return _squared(colour, rgb_of(NAMED[name]))

    initials = [name[0] for name in sorted(NAMED, key=distance)[:_NAMES]]
    return [letter for letter in initials if letter in UNMISTAKABLE]


def paper_of(colour: Rgb | None, inks: Sequence[Colour]) -> Colour:
    """What empty cells look like; where that is not said, white, or what differs from all inks."""
    if colour is not None:
        return Colour(WHITE.key, _hex(colour))
    shades = [rgb_of(ink.rgb) for ink in inks]

    def nearest(paper: str) -> int:
        return min(_squared(rgb_of(paper), shade) for shade in shades)

    clear = [paper for paper in _PAPERS if nearest(paper) >= _SIMILAR**2]
    return Colour(WHITE.key, clear[0] if clear else max(_PAPERS, key=nearest))


def _hex(colour: Rgb) -> str:
    return f"#{bytes(colour).hex()}"
