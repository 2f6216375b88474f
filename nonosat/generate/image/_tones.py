"""One colour: separate a picture into ink and paper, and decide which cells are filled.

Details are emphasised by subtracting their surroundings (an unsharp mask, as in Winnemoeller's
extended difference of Gaussians, 2012); Otsu's method (1979) finds the threshold between ink and
paper. A cell is filled if half of it is ink. Ink in strokes thinner than a cell would vanish or
become blobs: it fills the cells that a stroke passes through, and these are thinned to a line.
Borders that two tones do not show get outlines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

from nonosat.core.limits import polled
from nonosat.generate.image._loading import Scaled
from nonosat.generate.image._palette import distance, shades, voted
from nonosat.generate.image._strokes import Bitmap, despeckled, pieces, thinned
from nonosat.puzzles.nonogram.data import Rgb

if TYPE_CHECKING:
    from PIL.Image import Image

# Outlines: lines at borders of two colours that would both be ink, or both paper.
#
# A board of one colour has two tones. A border between a house and an equally dark sky, or between
# a white letter and yellow, would be lost: the darker side gets a line of ink, or the lighter side
# a line of paper. Candidates are the borders of a few colours, each cell having its most frequent
# colour. A candidate counts only if the picture changes abruptly there: within the width of a cell
# it changes more than a minimum contrast, several times as much as on either side, and several
# times as much as at most other places. A gradient, however steep or curved, changes nearly as much
# next to each of its borders, and noise nearly as much everywhere.


_COLOURS = 12  # colours whose borders are candidates
_CLEAR = 96  # minimum distance of colours at a border for `edges` 0; half of it for 0.5
_FAINTEST = 24  # distance of colours at the faintest border, 8 grey levels, for `edges` 0.75 to 1
_ABRUPT = 25 / 4  # least ratio of squared changes, border to surroundings: 1 in an even gradient
_RARE = 16  # least ratio of squared changes, border to median of the picture
_FEWEST = 5  # cells of a line
_DEEP = 3  # cells of ink at a border, of which one may become a line of paper


class _LineTones(NamedTuple):
    """Row or column: its cells, and the mean colours of its half cells, in order."""

    cells: Sequence[int]
    halves: Sequence[Rgb]


def outlined(
    scaled: Scaled, filled: list[bool], busy: Sequence[bool], edges: float, is_inverted: bool
) -> list[bool]:
    """Return the cells with lines along the borders that two tones do not show.

    Args:
        scaled: The picture.
        filled: Mask of the cells that are ink.
        busy: Mask of the cells near a stroke, which need no outline.
        edges: Sensitivity to faint borders, see `from_image`.
        is_inverted: True if light areas are ink.
    """
    if not edges:
        return filled
    alike = int((_CLEAR * (1 - edges)) ** 2)
    labels, found = shades(scaled, _COLOURS, alike)
    names = voted(scaled, labels, len(found))
    colours = _colours(scaled, scaled.width, scaled.height)
    lines = list(_lines(scaled))
    least = max(_FAINTEST**2, alike, _RARE * _usual_change(lines))
    changed = [False] * len(filled)
    for near, far, changes in _borders(lines, names):
        one, other = near[0], far[0]
        if filled[one] != filled[other] or busy[one] or busy[other]:
            continue
        if not _is_abrupt(changes, least):
            continue
        is_near_dark = (sum(colours[near[1]]) < sum(colours[far[1]])) != is_inverted
        side = near if is_near_dark != filled[one] else far
        if not filled[one] or len({names[at] for at in side}) == 1:
            changed[side[0]] = True
    lined = list(filled)
    for piece in pieces(Bitmap(scaled.height, scaled.width, changed)):
        if len(piece) >= _FEWEST:
            for at in piece:
                lined[at] = not filled[at]
    return lined


def _colours(scaled: Scaled, width: int, height: int) -> list[Rgb]:
    """Return the mean colours of `width` x `height` equal parts of the picture, row by row."""
    from PIL.Image import Resampling

    small = scaled.picture.colours.resize((width, height), Resampling.BOX)
    data = small.tobytes()
    return [(data[at], data[at + 1], data[at + 2]) for at in polled(range(0, len(data), 3))]


def _lines(scaled: Scaled) -> Iterator[_LineTones]:
    """Yield all rows, then all columns."""
    height, width = scaled.height, scaled.width
    across, down = _colours(scaled, 2 * width, height), _colours(scaled, width, 2 * height)
    for row in polled(range(height)):
        cells = range(row * width, (row + 1) * width)
        yield _LineTones(cells, across[2 * cells.start : 2 * cells.stop])
    for column in polled(range(width)):
        yield _LineTones(range(column, height * width, width), down[column::width])


def _usual_change(lines: Sequence[_LineTones]) -> int:
    """Return the median of the squared changes of colour over the width of a cell; 0 if none."""
    found = [
        distance(halves[at], halves[at + 2])
        for _, halves in polled(lines)
        for at in range(len(halves) - 2)
    ]
    return median_low(found) if found else 0


def _borders(
    lines: Sequence[_LineTones], names: Sequence[int]
) -> Iterator[tuple[list[int], list[int], list[tuple[int, int, int]]]]:
    """Yield the borders between cells of different colours.

    A border is yielded as (cells on one side, cells on the other side, changes). Cells are
    row-major numbers, the nearest first. A change is the squared distance of the colours at two
    points one cell apart. There are two triples of changes, half a cell apart: (before, at, after
    the border).
    """
    for cells, halves in lines:
        last = len(cells) - 1

        def change(start: int, halves: Sequence[Rgb] = halves) -> int:
            ends = (min(max(at, 0), len(halves) - 1) for at in (start, start + 2))
            return distance(*(halves[at] for at in ends))

        for at, (one, other) in enumerate(polled(pairwise(cells))):
            if names[one] != names[other]:
                near = [cells[max(at - away, 0)] for away in range(_DEEP)]
                far = [cells[min(at + 1 + away, last)] for away in range(_DEEP)]
                yield (
                    near,
                    far,
                    [
                        (change(start - 2), change(start), change(start + 2))
                        for start in (2 * at, 2 * at + 1)
                    ],
                )


def _is_abrupt(changes: Sequence[tuple[int, int, int]], least: int) -> bool:
    """Return True if a change is large, and much larger than the changes next to it."""
    return any(
        there > least and there > _ABRUPT * max(before, behind) for before, there, behind in changes
    )


_HALF = 128
_STROKE = 56  # of 255: share of a cell that a stroke covers where it passes through
_EDGE_SHARE = 0.6  # share of dark cells at the edge above which the background is dark


class Tones(NamedTuple):
    """Arguments of `from_image` that concern tones."""

    threshold: float | None = None
    invert: bool | None = None
    edges: float = 0.5
    dither: str | None = None


def toned(scaled: Scaled, tones: Tones) -> bytes:
    """Return the cells of a board, 1 for filled."""
    ink, is_inverted = ink_of(scaled, tones)
    filled, strokes, _ = _filled(scaled, ink)
    return bytes(outlined(scaled, filled, strokes, tones.edges, is_inverted))


def strokes_of(scaled: Scaled, edges: float) -> tuple[list[bool], Image]:
    """Return the cells that thin strokes pass through, thinned, and an image of the strokes."""
    ink, _ = ink_of(scaled, Tones(invert=False, edges=edges))
    filled, _, found = _filled(scaled, ink)
    covered = map(bool, scaled.averaged(found).tobytes())
    return [a and b for a, b in zip(filled, covered, strict=True)], found


def ink_of(scaled: Scaled, tones: Tones) -> tuple[Image, bool]:
    """Return the mask of ink, and True if light areas are the ink."""
    from PIL import ImageChops

    grey = _on_paper(scaled, tones.invert)
    grey = _sharpened(grey, scaled, tones.edges)
    level = otsu(grey.histogram()) if tones.threshold is None else round(255 * tones.threshold)
    ink = grey.point([255] * level + [0] * (256 - level)) if level else grey.point([0] * 256)
    is_inverted = _is_inverted(scaled, ink, tones)
    if is_inverted:
        ink = ImageChops.invert(ink)
    opaque = scaled.picture.opacity.point([0] * _HALF + [255] * _HALF)
    return ImageChops.multiply(ink, opaque), is_inverted


def _on_paper(scaled: Scaled, invert: bool | None) -> Image:
    """Return the brightness on white paper; bright pixels on a transparent ground become dark."""
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
    """Return the image with full contrast and emphasised details."""
    from PIL import ImageFilter, ImageOps

    grey = ImageOps.autocontrast(grey, cutoff=(1, 1))
    if not edges:
        return grey
    smooth = grey.filter(ImageFilter.GaussianBlur(scaled.fine / 6))
    around = scaled.fine * max(2.0, min(scaled.height, scaled.width) / 14)
    mask = ImageFilter.UnsharpMask(radius=around, percent=round(240 * edges), threshold=0)
    return smooth.filter(mask)


def otsu(counts: Sequence[int]) -> int:
    """Return the threshold between dark and light with the largest between-class variance.

    Args:
        counts: Histogram over the values 0 to 255.
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
    return (found[0] + found[-1]) // 2 if found else _HALF  # middle of an interval without values


def _is_inverted(scaled: Scaled, ink: Image, tones: Tones) -> bool:
    """Return True if light areas are filled: on request, or because the edge is dark."""
    if tones.invert is not None:
        return tones.invert
    if tones.threshold is not None or scaled.is_sprite:
        return False
    board = scaled.averaged(ink).tobytes()
    opaque = scaled.averaged(scaled.picture.opacity).tobytes()
    cells = [ink >= _HALF for ink, is_opaque in zip(board, opaque, strict=True) if is_opaque]
    width = scaled.width
    dark, at_edge = (
        sum(
            value >= _HALF
            for part in (line[:width], line[-width:], line[::width], line[width - 1 :: width])
            for value in part
        )
        for line in (board, opaque)
    )
    return dark > _EDGE_SHARE * at_edge and 2 * sum(cells) > len(cells)


def _filled(scaled: Scaled, ink: Image) -> tuple[list[bool], list[bool], Image]:
    """Return the cells filled by ink or crossed by a stroke, and the cells near strokes."""
    from PIL import ImageChops

    size = scaled.fine // 2 * 2 + 1  # strokes are thinner than this, about a cell
    solid = _grown(_shrunk(ink, size), size)
    strokes = ImageChops.subtract(ink, solid)
    full = [value >= _HALF for value in scaled.averaged(ink).tobytes()]
    thin = [value >= _STROKE for value in scaled.averaged(strokes).tobytes()]
    board = Bitmap(scaled.height, scaled.width, [a or b for a, b in zip(full, thin, strict=True)])
    for _ in range(4):  # corners of solid areas count as solid
        solid = ImageChops.multiply(ink, _grown(solid, size))
    kept = [value >= _HALF for value in scaled.averaged(solid).tobytes()]
    strokes = ImageChops.subtract(ink, solid)
    busy = scaled.averaged(_grown(strokes, 2 * scaled.fine + 1)).tobytes()
    return despeckled(thinned(board, kept), full).filled, list(map(bool, busy)), strokes


def _shrunk(image: Image, size: int) -> Image:
    """Return the minimum over the square of `size` pixels around each pixel; `size` is odd."""
    from PIL import ImageFilter

    return image if size == 1 else image.filter(ImageFilter.MinFilter(size))


def _grown(image: Image, size: int) -> Image:
    """Return the maximum over the square of `size` pixels around each pixel; `size` is odd.

    With size 1 the filters of Pillow 12 divide by zero.
    """
    from PIL import ImageFilter

    return image if size == 1 else image.filter(ImageFilter.MaxFilter(size))
