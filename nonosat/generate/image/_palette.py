"""Several colours: choose a few distinguishable ones, and assign one to each cell.

Pillow's median cut with k-means finds many shades; the two whose union costs least are merged until
there are few enough and no two are alike (Ward's method, 1963, with the square root of areas, so
that small bright spots keep a colour of their own). A cell has the colour that covers most of it:
mixing colours would create shades that are not in the palette.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.limits import checkpoint, polled
from nonosat.formats.image import inks_of, paper_of
from nonosat.generate.image._loading import Scaled
from nonosat.generate.image._strokes import Bitmap
from nonosat.puzzles.nonogram.data import Colour, Rgb

if TYPE_CHECKING:
    from PIL.Image import Image


_SHADES = 48  # number of initial shades
_ALIKE = 64**2  # squared distance below which colours are merged
_WHITE = 225  # minimum of red, green and blue of colours that count as paper
_SURE = 0.6  # share of a cell that decides it against all its neighbours


class Shade(NamedTuple):
    """Pixels merged into one colour: their number, channel sums, and the merged shades."""

    number: int
    sums: Rgb
    members: frozenset[int]

    @property
    def mean(self) -> Rgb:
        """Average colour of the pixels."""
        red, green, blue = ((2 * part + self.number) // (2 * self.number) for part in self.sums)
        return red, green, blue


def coloured(
    scaled: Scaled, most: int, strokes: tuple[list[bool], Image] | None
) -> tuple[bytes, tuple[Colour, ...], Colour]:
    """Return the cells of a board, their inks, and the colour of empty cells.

    Args:
        scaled: The picture.
        most: Maximum number of inks.
        strokes: Cells that thin strokes pass through, and an image of the strokes, if any matter.
    """
    has_nothing = not scaled.picture.is_whole
    labels, found = shades(scaled, most if has_nothing else most + 1)
    names = voted(scaled, labels, len(found), strokes)
    means = [None, *(shade.mean for shade in found)]
    empty = 0 if has_nothing else _background(scaled, names, means[1:]) + 1
    used = [name for name in dict.fromkeys(names) if name not in (0, empty)]
    inks = inks_of([mean for name in used if (mean := means[name]) is not None])
    value = {name: number for number, name in enumerate(used, start=1)}
    return bytes(value.get(name, 0) for name in names), inks, paper_of(_paper(means[empty]), inks)


def _paper(mean: Rgb | None) -> Rgb | None:
    """Return the colour of the paper; None if it is nearly white or there is none."""
    return None if mean is None or min(mean) >= _WHITE else mean


def shades(scaled: Scaled, most: int, alike: int = _ALIKE) -> tuple[Image, list[Shade]]:
    """Return (image of each pixel's colour number, at most `most` distinguishable colours).

    Args:
        scaled: The picture.
        most: Maximum number of colours.
        alike: Squared distance below which colours are merged.
    """
    from PIL.Image import Quantize

    image = scaled.picture.colours.quantize(_SHADES, Quantize.MEDIANCUT, kmeans=2)
    counts = image.histogram(scaled.picture.opacity.point([0] * 128 + [255] * 128))
    palette = image.getpalette() or []
    found = [
        Shade(count, _times(palette[3 * at : 3 * at + 3], count), frozenset({at}))
        for at, count in enumerate(polled(counts))
        if count
    ]
    while len(found) > 1:
        checkpoint()
        first, second = min(combinations(found, 2), key=_price)
        if len(found) <= most and distance(first.mean, second.mean) >= alike:
            break
        found = [shade for shade in found if shade not in (first, second)]
        found.append(_united(first, second))
    table = [0] * 256
    for number, shade in enumerate(found):
        for member in shade.members:
            table[member] = number
    return image.point(table, "L"), found


def _times(rgb: Sequence[int], count: int) -> Rgb:
    return rgb[0] * count, rgb[1] * count, rgb[2] * count


def _united(one: Shade, other: Shade) -> Shade:
    red, green, blue = (a + b for a, b in zip(one.sums, other.sums, strict=True))
    return Shade(one.number + other.number, (red, green, blue), one.members | other.members)


def _price(pair: tuple[Shade, Shade]) -> float:
    one, other = pair
    return distance(one.mean, other.mean) * sqrt(
        one.number * other.number / (one.number + other.number)
    )


def distance(one: Rgb, other: Rgb) -> int:
    """Return the perceived squared distance ("redmean", Riemersma 2003), white to black 585 225."""
    red = (one[0] + other[0]) // 2
    down, across, deep = (a - b for a, b in zip(one, other, strict=True))
    return (512 + red) * down * down // 256 + 4 * across * across + (767 - red) * deep * deep // 256


def voted(
    scaled: Scaled,
    labels: Image,
    num_colours: int,
    strokes: tuple[list[bool], Image] | None = None,
) -> list[int]:
    """Return each cell's most frequent colour by its number from 1; 0 for transparent cells."""
    seen = scaled.picture.opacity.point([0] * 128 + [255] * 128)
    shares = _shares(scaled, labels, num_colours, seen)
    shares.insert(0, scaled.averaged(seen.point([255] * 128 + [0] * 128)).tobytes())
    votes = list(zip(*shares, strict=True))
    names = [vote.index(max(vote)) for vote in polled(votes)]
    sure = [max(vote) >= 255 * _SURE for vote in votes]
    names = _even(Bitmap(scaled.height, scaled.width, sure), names)
    if strokes is not None:
        drawn = list(zip(*_shares(scaled, labels, num_colours, strokes[1]), strict=True))
        for at, is_stroke in enumerate(strokes[0]):
            if is_stroke:
                names[at] = drawn[at].index(max(drawn[at])) + 1
    return names


def _shares(scaled: Scaled, labels: Image, num_colours: int, within: Image) -> list[bytes]:
    """Return the share of each colour in each cell, among the pixels that a mask admits."""
    from PIL import ImageChops

    masks = (
        labels.point([255 if at == number else 0 for at in range(256)])
        for number in polled(range(num_colours))
    )
    return [scaled.averaged(ImageChops.multiply(mask, within)).tobytes() for mask in masks]


def _even(board: Bitmap, names: list[int]) -> list[int]:
    """Return the cells' colours after uncertain cells that match no neighbour have got another.

    They get the most frequent colour of their neighbours.
    """
    found = list(names)
    for at, name in enumerate(polled(names)):
        around = [names[place] for place in board.around(at) if place >= 0]
        if around and not board.filled[at] and name not in around:
            found[at] = Counter(around).most_common(1)[0][0]
    return found


def _background(scaled: Scaled, names: Sequence[int], means: Sequence[Rgb | None]) -> int:
    """Return the number of the colour of empty cells.

    It is the colour at the board's edge that is nearly white, else the most frequent one there.
    """
    width = scaled.width
    edge = [*names[:width], *names[-width:], *names[::width], *names[width - 1 :: width]]
    common = [name - 1 for name, _ in Counter(edge).most_common()]
    white = [number for number in common if min(means[number] or (0,)) >= _WHITE]
    return (white or common)[0]
