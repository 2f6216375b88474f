"""Dithering: shades as a mixture of ink and paper, or of a few inks, at one pixel per cell.

There are two methods: each cell's error is distributed to its neighbours (R. Floyd and L. Steinberg
1976), or a matrix contains, for each cell, the shade from which on it is filled (B. Bayer 1973).
Transparent places stay empty: they receive and distribute no error.

The page without a server does the same in JavaScript (`studio/page/answers/core_tones.js`,
`core_dither.js`), and a test requires equal cells. All arithmetic therefore uses integers, or sums
and products of doubles in the same order. Time is linear in cells times inks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import floor, sqrt
from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.limits import polled
from nonosat.formats.image import inks_of, paper_of
from nonosat.generate.image._loading import Scaled
from nonosat.generate.image._tones import Tones, otsu
from nonosat.puzzles.nonogram.data import Colour, Rgb

if TYPE_CHECKING:
    from PIL.Image import Image

DITHERS = ("floyd-steinberg", "bayer")
_SHARES = ((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1))  # rows down, columns right, share in 16ths
_MATRIX = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))
_ROUNDS = 8  # iterations of k-means
_WHITE = (255, 255, 255)

Shade = Sequence[float]  # grey level, or red, green and blue, 0 to 255


class _Shades(NamedTuple):
    """Shades by row and column; `opaque` is False in transparent places."""

    width: int
    shades: list[Shade]
    opaque: list[bool]


def dithered(scaled: Scaled, tones: Tones) -> bytes:
    """Return the cells of a board of one colour, 1 for filled.

    Args:
        scaled: The picture at one pixel per cell.
        tones: Method and threshold; a shade equal to the threshold is half filled.
    """
    from PIL import ImageOps

    image, opaque = _on_paper(scaled)
    mask = scaled.picture.opacity.point([0] * 128 + [255] * 128)
    grey = image.convert("L")
    if any(opaque):
        grey = ImageOps.autocontrast(grey, cutoff=(1, 1), mask=mask)
    data = _sharpened(grey.tobytes(), scaled.width, tones.edges)
    level = _level(
        [value for value, is_opaque in zip(data, opaque, strict=True) if is_opaque], tones
    )
    shades: list[Shade] = [(_exposed(value, level),) for value in polled(data)]
    found = _mixed(_Shades(scaled.width, shades, opaque), ((255,), (0,)), tones)
    ink = 0 if tones.invert else 1
    return bytes(is_opaque and name == ink for name, is_opaque in zip(found, opaque, strict=True))


def dithered_colours(
    scaled: Scaled, most: int, tones: Tones
) -> tuple[bytes, tuple[Colour, ...], Colour]:
    """Return the cells, the inks, and the colour of empty cells: the colour nearest to white.

    Args:
        scaled: The picture at one pixel per cell.
        most: Maximum number of inks.
        tones: Method, and strength of the details.
    """
    image, opaque = _on_paper(scaled)
    parts = [part.tobytes() for part in image.split()]
    palette = palette_of(list(zip(*parts, strict=True)), most + 1)
    shades = list(
        zip(*(_sharpened(part, scaled.width, tones.edges) for part in parts), strict=True)
    )
    cells = _mixed(_Shades(scaled.width, list(shades), opaque), palette, tones)
    used = sorted({name for name in cells if name})
    value = {name: number for number, name in enumerate(used, start=1)} | {0: 0}
    inks = inks_of([palette[name] for name in used])
    return bytes(value[name] for name in cells), inks, paper_of(palette[0], inks)


def _on_paper(scaled: Scaled) -> tuple[Image, list[bool]]:
    """Return the picture on white paper and a mask of its visible pixels."""
    from PIL import Image

    colours, opacity = scaled.picture
    opaque = [value >= 128 for value in opacity.tobytes()]
    return Image.composite(colours, Image.new("RGB", colours.size, "white"), opacity), opaque


def _sharpened(values: bytes, width: int, by: float) -> list[int]:
    """Return brightness values with details emphasised: each is moved away from its 3x3 mean."""
    if not by:
        return list(values)
    found = []
    for at, value in enumerate(polled(values)):
        first, last = max(at % width - 1, 0), min(at % width + 1, width - 1)
        total = count = 0
        for start in range(at // width * width - width, at // width * width + width + 1, width):
            if 0 <= start < len(values):
                total += sum(values[start + first : start + last + 1])
                count += last + 1 - first
        found.append(min(255, max(0, floor(value + by * (value - total / count) + 0.5))))
    return found


def _level(values: Sequence[int], tones: Tones) -> int:
    if tones.threshold is not None:
        return floor(255 * tones.threshold + 0.5)
    counts = Counter(values)
    return otsu([counts[value] for value in range(256)])


def _exposed(value: int, level: int) -> int:
    """Return a brightness, rescaled so that `level` becomes middle grey; 0 and 255 stay."""
    if value < level:
        return value * 128 // level
    if level in (0, 255):
        return 255
    return 128 + (value - level) * 127 // (255 - level)


def palette_of(colours: Sequence[Rgb], most: int) -> list[Rgb]:
    """Return at most `most` colours by k-means (S. Lloyd 1957), the colour nearest to white first.

    The initial colours are far from each other, so that no random numbers are needed.
    """
    counts = Counter(colours)
    centres = _spread(list(counts), most)
    for _ in range(_ROUNDS):
        sums = [[0, 0, 0, 0] for _ in centres]
        for colour, count in polled(counts.items()):
            into = sums[_nearest(centres, colour)]
            into[0] += count
            for part in range(3):
                into[part + 1] += count * colour[part]
        means = [
            tuple(part / own[0] for part in own[1:]) if own[0] else centre
            for own, centre in zip(sums, centres, strict=True)
        ]
        is_still = all(_apart(a, b) < 0.25 for a, b in zip(means, centres, strict=True))
        centres = means
        if is_still:
            break
    centres.sort(key=lambda centre: _apart(centre, _WHITE))
    return [(floor(r + 0.5), floor(g + 0.5), floor(b + 0.5)) for r, g, b in centres]


def _spread(colours: list[Rgb], most: int) -> list[Shade]:
    """Return colours that are far from each other; fewer if the picture has fewer."""
    centres: list[Shade] = [colours[0]]
    distances = [_apart(colour, colours[0]) for colour in polled(colours)]
    while len(centres) < most and (furthest := max(distances)):
        centre = colours[distances.index(furthest)]
        centres.append(centre)
        distances = [
            min(distance, _apart(colour, centre))
            for distance, colour in polled(zip(distances, colours, strict=True))
        ]
    return centres


def _apart(one: Shade, other: Shade) -> float:
    total = 0.0  # from Python 3.12 on, `sum` rounds differently
    for a, b in zip(one, other, strict=True):
        total += (a - b) * (a - b)
    return total


def _nearest(palette: Sequence[Shade], shade: Shade) -> int:
    distances = [_apart(shade, other) for other in palette]
    return distances.index(min(distances))


def _mixed(board: _Shades, palette: Sequence[Shade], tones: Tones) -> list[int]:
    """Return each cell's index into the palette, 0 in transparent places."""
    return (_diffused if tones.dither == "floyd-steinberg" else _ordered)(board, palette)


def _diffused(board: _Shades, palette: Sequence[Shade]) -> list[int]:
    """Return each cell's index into the palette, by diffusion of errors.

    Errors go row by row from the left; sums are clamped to 0 to 255, so errors stay bounded.
    """
    width, opaque = board.width, board.opaque
    shades = [list(shade) for shade in polled(board.shades)]
    names = [0] * len(shades)
    for at, mixed in enumerate(polled(shades)):
        if not opaque[at]:
            continue
        clipped = [min(255, max(0, part)) for part in mixed]
        names[at] = _nearest(palette, clipped)
        errors = [part - got for part, got in zip(clipped, palette[names[at]], strict=True)]
        for down, right, share in _SHARES:
            place = at + down * width + right
            if place < len(shades) and 0 <= at % width + right < width and opaque[place]:
                shades[place] = [
                    part + error * share / 16
                    for part, error in zip(shades[place], errors, strict=True)
                ]
    return names


def _ordered(board: _Shades, palette: Sequence[Shade]) -> list[int]:
    """Return each cell's index into the palette, by Bayer's matrix.

    Each shade is moved by up to half of the palette's mean step, depending on its place, and then
    gets the nearest colour.
    """
    if len(palette) < 2:
        return [0] * len(board.shades)
    total = 0.0
    for at, one in enumerate(palette):
        total += sqrt(min(_apart(one, two) for to, two in enumerate(palette) if to != at))
    step = total / len(palette) / sqrt(len(palette[0]))
    names = []
    for at, shade in enumerate(polled(board.shades)):
        row, column = divmod(at, board.width)
        by = step * ((_MATRIX[row % 4][column % 4] + 0.5) / 16 - 0.5)
        names.append(_nearest(palette, [part + by for part in shade]) if board.opaque[at] else 0)
    return names
