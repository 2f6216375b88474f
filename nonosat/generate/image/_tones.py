"""One colour: what of a picture is ink, and which cells it fills.

Details are made to stand out by subtracting what is around them (an unsharp mask, as in
Winnemoeller's extended difference of Gaussians, 2012); a threshold between ink and paper is found
by Otsu's method (1979). A cell is filled where half of it is ink. Ink in strokes thinner than a
cell would vanish, or become blobs: it fills the cells that a stroke goes through, and these are
thinned to a line. Borders that two tones do not show get outlines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from nonosat.generate.image._loading import Scaled
from nonosat.generate.image._outlines import outlined
from nonosat.generate.image._strokes import Board, despeckled, thinned

if TYPE_CHECKING:
    from PIL.Image import Image

_HALF = 128
_STROKE = 56  # of 255: the share of a cell that a stroke covers where it goes through
_EDGE_SHARE = 0.6  # of dark cells at the edge, above which dark is the background


class Tones(NamedTuple):
    """See `from_image`."""

    threshold: float | None = None
    invert: bool | None = None
    edges: float = 0.5
    dither: str | None = None


def toned(scaled: Scaled, tones: Tones) -> bytes:
    """The cells of a board, 1 for filled."""
    ink, is_inverted = ink_of(scaled, tones)
    filled, strokes, _ = _filled(scaled, ink)
    return bytes(outlined(scaled, filled, strokes, tones.edges, is_inverted))


def strokes_of(scaled: Scaled, edges: float) -> tuple[list[bool], Image]:
    """The cells that thin strokes go through, thinned, and an image of the strokes."""
    ink, _ = ink_of(scaled, Tones(invert=False, edges=edges))
    filled, _, found = _filled(scaled, ink)
    covered = map(bool, scaled.averaged(found).tobytes())
    return [a and b for a, b in zip(filled, covered, strict=True)], found


def ink_of(scaled: Scaled, tones: Tones) -> tuple[Image, bool]:
    """What is ink, and whether that is what is light."""
    from PIL import ImageChops

    grey = _on_paper(scaled, tones.invert)
    grey = _sharpened(grey, scaled, tones.edges)
    level = otsu(grey.histogram()) if tones.threshold is None else round(255 * tones.threshold)
    ink = grey.point([255] * level + [0] * (256 - level)) if level else grey.point([0] * 256)
    is_inverted = _is_inverted(scaled, ink, tones)
    if is_inverted:
        ink = ImageChops.invert(ink)
    seen = scaled.picture.opacity.point([0] * _HALF + [255] * _HALF)
    return ImageChops.multiply(ink, seen), is_inverted


def _on_paper(scaled: Scaled, invert: bool | None) -> Image:
    """The brightness, on white paper; what is bright and stands on nothing is turned to dark."""
    from PIL import Image, ImageChops

    grey = scaled.picture.colours.convert("L")
    opacity = scaled.picture.opacity
    if not scaled.is_sprite:
        return Image.composite(grey, Image.new("L", grey.size, 255), opacity)
    counts = grey.histogram(opacity.point([0] * _HALF + [255] * _HALF))
    mean = sum(value * count for value, count in enumerate(counts)) / max(1, sum(counts))
    if mean > 160 and invert is None:
        grey = ImageChops.invert(grey)
    return Image.composite(grey, Image.new("L", grey.size, 255), opacity)


def _sharpened(grey: Image, scaled: Scaled, edges: float) -> Image:
    """Full contrast, with details that stand out."""
    from PIL import ImageFilter, ImageOps

    grey = ImageOps.autocontrast(grey, cutoff=(1, 1))
    if not edges:
        return grey
    smooth = grey.filter(ImageFilter.GaussianBlur(scaled.fine / 6))
    around = scaled.fine * max(2.0, min(scaled.height, scaled.width) / 14)
    mask = ImageFilter.UnsharpMask(radius=around, percent=round(240 * edges), threshold=0)
    return smooth.filter(mask)


def otsu(counts: Sequence[int]) -> int:
    """The threshold that parts dark from light best: the variance between both is the largest.

    Args:
        counts: How often there is each value from 0 to 255.
    """
    total, weighed = sum(counts), sum(value * count for value, count in enumerate(counts))
    best = -1.0
    found: list[int] = []
    below = sum_below = 0
    for value, count in enumerate(counts[:-1]):
        below += count
        sum_below += value * count
        if below and total - below:
            apart = sum_below / below - (weighed - sum_below) / (total - below)
            variance = below * (total - below) * apart * apart
            if variance > best * (1 + 1e-12):
                best, found = variance, []
            if variance >= best * (1 - 1e-12):
                found.append(value + 1)
    return (found[0] + found[-1]) // 2 if found else _HALF  # the middle of an empty stretch


def _is_inverted(scaled: Scaled, ink: Image, tones: Tones) -> bool:
    """Whether light is to be filled: because it was asked for, or because the edge is dark."""
    if tones.invert is not None:
        return tones.invert
    if tones.threshold is not None or scaled.is_sprite:
        return False
    board = scaled.averaged(ink).tobytes()
    seen = scaled.averaged(scaled.picture.opacity).tobytes()
    cells = [ink >= _HALF for ink, is_seen in zip(board, seen, strict=True) if is_seen]
    width = scaled.width
    dark, at_edge = (
        sum(
            value >= _HALF
            for part in (line[:width], line[-width:], line[::width], line[width - 1 :: width])
            for value in part
        )
        for line in (board, seen)
    )
    return dark > _EDGE_SHARE * at_edge and 2 * sum(cells) > len(cells)


def _filled(scaled: Scaled, ink: Image) -> tuple[list[bool], list[bool], Image]:
    """The cells that ink fills, or that a stroke goes through; what is near strokes."""
    from PIL import ImageChops

    size = scaled.fine // 2 * 2 + 1  # strokes are thinner than this, about a cell
    solid = _grown(_shrunk(ink, size), size)
    strokes = ImageChops.subtract(ink, solid)
    full = [value >= _HALF for value in scaled.averaged(ink).tobytes()]
    thin = [value >= _STROKE for value in scaled.averaged(strokes).tobytes()]
    board = Board(scaled.height, scaled.width, [a or b for a, b in zip(full, thin, strict=True)])
    for _ in range(4):  # the tips of what is solid are solid, too
        solid = ImageChops.multiply(ink, _grown(solid, size))
    kept = [value >= _HALF for value in scaled.averaged(solid).tobytes()]
    strokes = ImageChops.subtract(ink, solid)
    busy = scaled.averaged(_grown(strokes, 2 * scaled.fine + 1)).tobytes()
    return despeckled(thinned(board, kept), full).filled, list(map(bool, busy)), strokes


def _shrunk(image: Image, size: int) -> Image:
    """The least value in the square of so many pixels around each pixel; `size` is odd."""
    from PIL import ImageFilter

    return image if size == 1 else image.filter(ImageFilter.MinFilter(size))


def _grown(image: Image, size: int) -> Image:
    """The same with the largest value. With size 1 the filters of Pillow 12 divide by zero."""
    from PIL import ImageFilter

    return image if size == 1 else image.filter(ImageFilter.MaxFilter(size))
