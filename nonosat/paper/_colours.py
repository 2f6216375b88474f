"""Colours of printed clues: numbers on coloured fields, or numbers in coloured ink.

A field becomes paper again: its colour is the most frequent one around each of its pixels, and the
ink of a number is the distance from that colour. Colours of numbers are clustered by single
linkage; a distance at which colours could be equal or not is reported, never decided.

Linear in the pixels of the page, cubic in the distinguishable colours, quadratic in the numbers.
Source: Sibson, SLINK: an optimally efficient algorithm for the single-link cluster method (1973).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from nonosat.core.limits import checkpoint
from nonosat.core.model import MAX_COLOURS
from nonosat.formats.image import inks_of
from nonosat.paper._fields import Box
from nonosat.paper._page import Page
from nonosat.puzzles.nonogram.data import BLACK, Colour

_FIELD = 0.2  # darkness of a field in one channel at least
_SOLID = 0.5  # of a cell: side of a square that a field holds and a digit does not
_HOLE = 0.7  # of a cell: sides of a digit within a field
_EDGE = 0.06  # of a cell: width of the border of a field
_BIN = 32  # levels of a channel that are one shade
_SHARE = 0.01  # of the pixels of fields, of a shade
_NEAR = 45.0  # distance of a pixel from the shade of its field, in levels of a channel
_FLAT = 24  # levels: greatest step between pixels within a field
_TALLEST = 0.58  # of a cell: height of a number on a field
_SHADE = 12.0  # distance of two shades in CIELAB
_EQUAL, _OTHER = 9.0, 20.0  # distances in CIELAB of numbers in one colour and in two
_UNREAD = 0.4  # of a cell: a field without a number
_SPLIT = 0.4  # of the numbers of a colour, whose letter is separate
_TWO, _MOSTLY = 1.25, 0.9  # widths of a letter that a number with it has, and their share
_INK = (0.3, 0.7, 0.7)  # weights of differences in CIELAB of thin strokes of ink
_COLOURFUL = 70  # levels between the channels of what is no line of the board
_CHROMA = 22.0  # of coloured ink in CIELAB; less may be an error of a camera


class Paint(NamedTuple):
    """Colours of a page.

    Args:
        page: The page, whose ink is that of the numbers alone.
        dark: Darkness of its three channels, bytes shaped (height, width, 3).
        fields: True for pixels of coloured fields.
        shades: Colours of fields, as darknesses.
        base: Index of the shade of the field around each pixel.
    """

    page: Page
    dark: Any
    fields: Any
    shades: Any = None
    base: Any = None


class Palette(NamedTuple):
    """Colours of numbers.

    Args:
        colours: The inks.
        of_numbers: Colour of each number, from 1.
        doubt: Reason why the colours are uncertain; "" if they are not.
    """

    colours: tuple[Colour, ...] = (BLACK,)
    of_numbers: tuple[int, ...] = ()
    doubt: str = ""


def painted(page: Page, dark: Any) -> Paint:
    """Return the colours of a page.

    Args:
        page: The page.
        dark: Darkness of the three channels of the photograph, bytes shaped (height, width, 3).
    """
    high, wide = page.ink.shape
    seen = cv2.warpPerspective(
        dark, np.linalg.inv(page.to_photo), (wide, high), flags=cv2.INTER_LINEAR
    )
    most = seen.max(axis=2)
    fields = _fields(page, most, _edge(page, dark.shape))
    ink = most.astype(np.float32) / 255
    shades = base = None
    if fields.any():
        checkpoint()
        flat = cv2.morphologyEx(cv2.GaussianBlur(seen, (0, 0), 1), cv2.MORPH_GRADIENT, _square(1))
        is_flat = (fields > 0) & (flat.max(axis=2) < _FLAT)  # blur mixes colours at edges
        shades = np.array(_shades(seen[is_flat if is_flat.any() else fields > 0]), np.float32)
        base = _bases(page, seen, fields, shades)
        inner = cv2.erode(fields, _square(_EDGE * page.cell))
        outer = cv2.dilate(fields, _square(2 * _EDGE * page.cell))
        ink = np.where(inner > 0, _on_fields(page, seen, shades, base), np.where(outer > 0, 0, ink))
    ink = cv2.GaussianBlur(ink, (0, 0), 0.7)
    return Paint(page._replace(ink=ink), seen, fields > 0, shades, base)


def _board(page: Page) -> Any:
    """Return the pixels of the board."""
    edge = page.cell // 8
    return np.s_[
        page.top - edge : page.top + page.height * page.cell + edge,
        page.left - edge : page.left + page.width * page.cell + edge,
    ]


def _square(side: float) -> Any:
    return np.ones((2 * round(side) + 1,) * 2, np.uint8)


def _edge(page: Page, shape: tuple[int, ...]) -> Any:
    """Return the pixels near the edges of the photograph and of the page, as bytes 0 and 1."""
    high, wide = page.ink.shape
    inside = np.zeros(shape[:2], np.uint8)
    inside[1:-1, 1:-1] = 1
    seen = cv2.warpPerspective(inside, np.linalg.inv(page.to_photo), (wide, high))
    return 1 - cv2.erode(seen, _square(0.1 * page.cell), borderValue=0)


def _fields(page: Page, most: Any, edge: Any) -> Any:
    """Return the pixels of coloured fields above and left of the board, as bytes 0 and 1."""
    solid = (most > 255 * _FIELD).astype(np.uint8)
    board = _board(page)
    beside = np.zeros_like(solid)
    beside[board[0], : board[1].start] = 1
    beside[: board[0].start, board[1]] = 1
    solid *= beside
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - solid, connectivity=4)
    sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    is_hole = (sides < _HOLE * page.cell).all(axis=1)
    is_hole[0] = False  # the solid pixels themselves
    solid |= is_hole[labels].astype(np.uint8)
    side = round(_SOLID * page.cell)
    found = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    # Something dark around the paper reaches the edge of the photograph, or of the page.
    num, labels = cv2.connectedComponents(found)
    is_around = np.bincount(labels[(edge > 0) & (found > 0)], minlength=num) > 0
    return np.where(is_around[labels], 0, found).astype(np.uint8)


def _bases(page: Page, seen: Any, fields: Any, shades: Any) -> Any:
    """Return for each pixel the most frequent shade of fields around it."""
    inside = seen[fields > 0].astype(np.float32)
    distances = np.array([((inside - one) ** 2).sum(axis=1) for one in shades])
    nearest = np.full(fields.shape, 255, np.uint8)
    nearest[fields > 0] = np.where(distances.min(axis=0) < _NEAR**2, distances.argmin(axis=0), 255)
    window = round(_SOLID * page.cell) | 1
    counts = []
    for at in range(len(shades)):
        # Mixtures of a shade with the ink on it are less frequent on the sheet than the shade.
        weight = np.float32((nearest == at).sum())
        counts.append(
            cv2.boxFilter((nearest == at).astype(np.float32) * weight, -1, (window, window))
        )
    return np.array(counts).argmax(axis=0).astype(np.uint8)


def _on_fields(page: Page, seen: Any, shades: Any, base: Any) -> Any:
    """Return the ink on fields: the distance from the colour of the field, from 0 to 1."""
    # Numbers are printed in white or in black.
    reach = np.maximum(np.linalg.norm(shades, axis=1), np.linalg.norm(255 - shades, axis=1))
    ink = np.linalg.norm(seen.astype(np.float32) - shades[base], axis=2) / reach[base]
    border = _square(_EDGE * page.cell)
    is_edge = cv2.dilate(base, border) != cv2.erode(base, border)
    ink = np.where(is_edge, 0, np.clip(ink, 0, 1)).astype(np.float32)
    # Borders between fields of one colour are taller than numbers.
    _, labels, stats, _ = cv2.connectedComponentsWithStats((ink > 0.25).astype(np.uint8))
    is_border = stats[:, cv2.CC_STAT_HEIGHT] > _TALLEST * page.cell
    is_border[0] = False
    return np.where(is_border[labels], 0, ink)


def _shades(pixels: Any) -> list[Any]:
    """Return the most frequent colours of pixels that are clearly different."""
    bins = pixels.astype(np.int32) // _BIN
    names = (bins[:, 0] * 8 + bins[:, 1]) * 8 + bins[:, 2]
    counts = np.bincount(names, minlength=512)
    found: list[Any] = []
    for name in np.argsort(-counts)[: 4 * MAX_COLOURS]:
        if counts[name] < _SHARE * len(pixels):
            break
        mean = np.median(pixels[names == name], axis=0)
        if all(_away(mean, other) > _SHADE for other in found):
            found.append(mean)
    return found or [np.median(pixels, axis=0)]


def _lab(dark: Any) -> Any:
    """Return colours in CIELAB, of darknesses of three channels from 0 to 255."""
    light = 1 - np.asarray(dark, np.float32).reshape(1, -1, 3) / 255
    return cv2.cvtColor(light, cv2.COLOR_RGB2LAB)[0]


def _away(one: Any, other: Any) -> float:
    return float(np.linalg.norm(_lab(one) - _lab(other)))


def without_colours(ink: Any, dark: Any) -> Any:
    """Return the ink of a photograph without that in colours, which may touch the frame."""
    coloured = np.ptp(dark, axis=2) > _COLOURFUL
    return np.where(cv2.dilate(coloured.astype(np.uint8), _square(1)) > 0, 0, ink)


def palette(paint: Paint, boxes: Sequence[Box]) -> Palette:
    """Return the colours of numbers; a single black for numbers without different colours."""
    if len(boxes) < 2:
        return Palette()
    found = [_colour(paint, box) for box in boxes]
    on_fields = [_is_on_field(paint, box) for box in boxes]
    lab = _lab(
        [_full(dark) if not field else dark for dark, field in zip(found, on_fields, strict=True)]
    )
    weighted = lab * np.where(np.array(on_fields)[:, None], 1, _INK)
    groups, doubtful = _linked(weighted)
    chroma = np.array([np.linalg.norm(np.median(lab[one], axis=0)[1:]) for one in groups])
    if len(groups) < 2 or not (any(on_fields) or (chroma > _CHROMA).any()):
        return Palette()
    if len(groups) > MAX_COLOURS:
        return Palette(doubt=f"{len(groups)} colours are seen, expected {MAX_COLOURS} at most")
    means = [255 - np.median([found[at] for at in one], axis=0) for one in groups]
    rgb = [tuple(round(float(part)) for part in mean) for mean in means]
    colours = inks_of([(red, green, blue) for red, green, blue in rgb])
    of_numbers = [0] * len(boxes)
    for colour, members in enumerate(groups, 1):
        for at in members:
            of_numbers[at] = colour
    doubt = ""
    if doubtful is not None:
        near = [colours[of_numbers[at] - 1].rgb for at in doubtful]
        doubt = f"colours that may be one or two: {near[0]} and {near[1]}"
    return Palette(colours, tuple(of_numbers), doubt)


def _colour(paint: Paint, box: Box) -> Any:
    """Return the darkness of the colour of a number, or of the field that it is on."""
    part = _pixels(box)
    if _is_on_field(paint, box):
        return paint.shades[np.bincount(paint.base[part].ravel()).argmax()]
    dark, ink = paint.dark[part].reshape(-1, 3), paint.page.ink[part].ravel()
    return np.median(dark[ink >= np.percentile(ink, 95)].astype(float), axis=0)


def _full(dark: Any) -> Any:
    """Return a darkness at full strength: blur mixes ink with paper, but keeps its proportions."""
    return dark * 255 / max(float(dark.max()), 1.0)


def _linked(lab: Any) -> tuple[list[list[int]], tuple[int, int] | None]:
    """Return clusters by single linkage, the largest first, and two members of doubtful ones."""
    count = len(lab)
    near = np.full(count, np.inf)
    before = np.zeros(count, int)
    edges: list[tuple[float, int, int]] = []
    at, left = 0, set(range(1, count))
    while left:  # a minimal spanning tree, by Prim
        away = np.linalg.norm(lab - lab[at], axis=1)
        before[away < near] = at
        near = np.minimum(near, away)
        at = min(left, key=lambda one: near[one])
        left.remove(at)
        edges.append((float(near[at]), int(before[at]), at))
    group = list(range(count))

    def root(one: int) -> int:
        while group[one] != one:
            one = group[one]
        return one

    doubtful = None
    for away, one, other in edges:
        if away < _OTHER and away >= _EQUAL:
            doubtful = one, other
        if away < _EQUAL:
            group[root(other)] = root(one)
    members: dict[int, list[int]] = {}
    for one in range(count):
        members.setdefault(root(one), []).append(one)
    return sorted(members.values(), key=lambda one: (-len(one), one[0])), doubtful


def without_letters(
    paint: Paint, boxes: Sequence[Box], colours: Palette
) -> list[tuple[Box, float]]:
    """Return boxes without the letter that is printed after each number of some colours.

    All numbers of a colour have the same letter, and if a colour has one all fields have letters.

    Returns:
        For each number its box, and the probability that the letter is one.
    """
    ink = paint.page.ink
    groups = [
        [at for at, one in enumerate(colours.of_numbers) if one == colour]
        for colour in range(1, len(colours.colours) + 1)
    ]
    runs = [_runs(ink, box) for box in boxes]
    last = [[runs[at][-1] for at in group if len(runs[at]) > 1] for group in groups]
    wide = [float(np.median([one.wide for one in some])) if some else 0.0 for some in last]
    known = [
        len(last[at]) >= _SPLIT * len(group)
        and _alike(ink, last[at])
        and sum(boxes[one].wide > _TWO * wide[at] for one in group) >= _MOSTLY * len(group)
        for at, group in enumerate(groups)
    ]
    found = [(box, 0.0) for box in boxes]
    if not any(known):
        return found
    usual = float(np.median([one for one, is_known in zip(wide, known, strict=True) if is_known]))
    numbers = sum(len(some) for some in last)
    for at, group in enumerate(groups):
        for one in group:
            box, parts = boxes[one], runs[one]
            if not known[at] and not _is_on_field(paint, box):
                continue
            end = parts[-2].right if len(parts) > 1 else box.right - (wide[at] or usual) - 1
            found[one] = box._replace(right=max(end, box.left + 2)), 0.5 if numbers < 3 else 1.0
    return found


def _is_on_field(paint: Paint, box: Box) -> bool:
    return bool(paint.fields[_pixels(box)].mean() > 0.5)


def _pixels(box: Box) -> Any:
    return np.s_[int(box.top) : int(box.bottom) + 1, int(box.left) : int(box.right) + 1]


def unread(paint: Paint, lines: Sequence[Sequence[Box]]) -> bool:
    """Return True if a coloured field beside numbers of a clue has no number.

    Args:
        paint: The colours of the page.
        lines: Numbers of each line, rows first.
    """
    page, covered = paint.page, np.zeros_like(paint.fields)
    reach = round(0.5 * page.cell)
    for at, clue in enumerate(lines):
        for box in clue:
            y, x = int(box.y), int(box.x)
            half = max(reach, round(box.wide / 2 + 0.3 * page.cell))
            covered[max(y - reach, 0) : y + reach, max(x - half, 0) : x + half] = True
        middle = page.cell // 2 + page.cell * (at if at < page.height else at - page.height)
        if at < page.height:
            far = int(min((box.left for box in clue), default=page.left - page.cell))
            strip: Any = np.s_[page.top + middle, far : page.left]
        else:
            far = int(min((box.top for box in clue), default=page.top - page.cell))
            strip = np.s_[far : page.top, page.left + middle]
        if (paint.fields[strip] & ~covered[strip]).sum() > _UNREAD * page.cell:
            return True
    return False


def _runs(ink: Any, box: Box) -> list[Box]:
    """Return the glyphs of a number, which columns without ink separate."""
    part = ink[_pixels(box)]
    dark = part.max(axis=0) > 0.5 * part.max()
    steps = np.diff(np.concatenate([[0], dark.astype(int), [0]]))
    starts, ends = np.flatnonzero(steps > 0), np.flatnonzero(steps < 0)
    left = int(box.left)
    return [
        Box(left + start, box.top, left + end, box.bottom)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        if end - start >= 2
    ]


def _alike(ink: Any, boxes: Sequence[Box]) -> bool:
    """Return True if boxes have about the same glyph."""
    images = [
        cv2.resize(
            ink[int(one.top) : int(one.bottom) + 1, int(one.left) : int(one.right)], (12, 16)
        ).ravel()
        for one in boxes
    ]
    middle = np.median(images, axis=0)

    fits = [float(np.corrcoef(image, middle)[0, 1]) for image in images]
    return float(np.median(fits)) > 0.8 and float(np.percentile(fits, 10)) > 0.5
