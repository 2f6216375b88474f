"""The painter of PNG, by Pillow.

A cell is a whole number of dots, so that runs and lines are sharp. Slanting lines and round shapes
are drawn enlarged and scaled down, which smooths them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo

from nonosat.core.errors import UnsupportedError
from nonosat.core.limits import polled
from nonosat.render._painting import fonts
from nonosat.render._painting.painter import Painter
from nonosat.render.shapes import (
    MM,
    Circle,
    Group,
    Page,
    Path,
    Point,
    Shape,
    Texts,
    is_box,
    outlines,
)

DOTS_PER_INCH = 300
_DOT_BYTES = 4  # bytes of a dot in Pillow's memory
MOST_DOTS = 32_000_000  # dots of a picture, 122 MiB; larger pictures have fewer dots per inch
_SMOOTH = 4  # largest enlargement of shapes with slanting or round edges
_HALO = 1.5  # half the width of a halo


def png(page: Page, reserve: Callable[[int], None] = lambda _: None) -> tuple[bytes, str]:
    """Return a page as a PNG file, and the letters that could not be drawn.

    Args:
        page: Content; its cells become whole numbers of dots.
        reserve: Called with the number of bytes of the picture before it is made.

    Raises:
        UnsupportedError: The page has too many dots.
    """
    scale = _scale(page)
    width, height = math.ceil(page.width * scale - 0.01), math.ceil(page.height * scale - 0.01)
    room = math.isqrt(int(MOST_DOTS / (width * height)))
    smooth = min(_SMOOTH, max(1, room)) if _is_bent(page.shapes) else 1
    reserve(_DOT_BYTES * width * height * (smooth**2 + (smooth > 1)))
    picture = Image.new("RGB", (width * smooth, height * smooth), page.ground)
    painter = _PngPainter(ImageDraw.Draw(picture, "RGBA"), smooth)
    painter.paint(page.shapes, 0, 0, scale * smooth)
    if smooth > 1:
        picture = picture.reduce(smooth)
    info = PngInfo()
    info.add_itxt("Title", page.title)
    dots = scale * MM * 25.4
    file = BytesIO()
    picture.save(file, "PNG", dpi=(dots, dots), pnginfo=info, optimize=width * height < 2_000_000)
    return file.getvalue(), "".join(dict.fromkeys(painter.missing))


def _scale(page: Page) -> float:
    """Return the dots per pixel of the page."""
    preferred = DOTS_PER_INCH / MM / 25.4
    most = math.sqrt(MOST_DOTS / (page.width * page.height))
    dots = round(page.cell * preferred) if preferred <= most else math.floor(page.cell * most)
    if dots < 1:
        raise UnsupportedError("its cells are smaller than a dot of a PNG file; SVG draws it")
    return dots / page.cell


def _is_bent(shapes: Iterable[Shape]) -> bool:
    """Return True if any shape has edges that are neither vertical nor horizontal."""
    return any(
        isinstance(shape, Circle)
        or (isinstance(shape, Group) and _is_bent(shape.shapes))
        or (isinstance(shape, Path) and (shape.is_round or "l" in shape.data.lower()))
        for shape in polled(shapes)
    )


class _PngPainter(Painter):
    """Painter of shapes.

    Args:
        draw: Pillow's object to paint with.
        smooth: Enlargement of the whole picture, which is scaled down afterwards.

    Attributes:
        missing: Letters that no font has.
    """

    def __init__(self, draw: ImageDraw.ImageDraw, smooth: int) -> None:
        self.draw = draw
        self.smooth = smooth
        self.missing: list[str] = []

    # Paths

    def _path(self, path: Path, x: float, y: float, scale: float) -> None:
        fill = _colour(path.fill, path.opacity) if path.fill else None
        width = max(1.0, path.width * scale)
        if width >= self.smooth:  # lines are whole dots, as edges are
            width = round(width / self.smooth) * self.smooth
        for corners, is_closed in outlines(path.data):
            points = [(x + a * scale, y + b * scale) for a, b in corners]
            if fill:
                self._fill(points, fill)
            if path.stroke:
                line = [*points, points[0]] if is_closed else points
                self._stroke(line, path, width, path.dash * scale, is_closed)

    def _fill(self, points: Sequence[Point], fill: tuple[int, ...]) -> None:
        if not is_box(points):
            self.draw.polygon(points, fill=fill)
            return
        (left, top), (right, bottom) = points[0], points[2]
        x, y = sorted((left, right)), sorted((top, bottom))
        self._box(x[0], x[1], y[0], y[1], fill)

    def _box(
        self, left: float, right: float, top: float, bottom: float, fill: tuple[int, ...]
    ) -> None:
        """Draw a rectangle whose edges are whole dots of the finished picture."""
        near = [self._whole(side) for side in (left, top, right, bottom)]
        if near[2] > near[0] and near[3] > near[1]:
            self.draw.rectangle((near[0], near[1], near[2] - 1, near[3] - 1), fill=fill)

    def _whole(self, length: float) -> int:
        return math.floor(length / self.smooth + 0.5) * self.smooth

    def _stroke(
        self, points: list[Point], path: Path, width: float, dash: float, is_closed: bool
    ) -> None:
        colour = _colour(path.stroke)
        is_straight = all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points))
        if len(points) > 1 and is_straight and not path.is_round:
            more = width / 2 if is_closed else 0  # corners are at whole dots
            for one, other in pairwise(points):
                for start, end in _dashes(one, other, dash):
                    self._bar(start, end, width, more, colour)
            return
        wide = max(1, round(width))
        self.draw.line(points, fill=colour, width=wide, joint="curve")
        ends = (points[0],) if is_closed else (points[0], points[-1])
        for a, b in ends if path.is_round else ():
            radius = width / 2
            self.draw.ellipse((a - radius, b - radius, a + radius, b + radius), fill=colour)

    def _bar(
        self, one: Point, other: Point, width: float, more: float, colour: tuple[int, ...]
    ) -> None:
        """Draw a straight line along an axis, as a rectangle."""
        (x0, x1), (y0, y1) = sorted((one[0], other[0])), sorted((one[1], other[1]))
        if y0 == y1:
            top = self._whole(y0 - width / 2)
            self._box(x0 - more, x1 + more, top, top + width, colour)
        else:
            left = self._whole(x0 - width / 2)
            self._box(left, left + width, y0 - more, y1 + more, colour)

    def _circle(self, circle: Circle, x: float, y: float, scale: float) -> None:
        for radius, colour in (
            (circle.radius + circle.width / 2, circle.stroke),
            (circle.radius - circle.width / 2, circle.fill),
        ):
            if colour:
                a, b, r = x + circle.x * scale, y + circle.y * scale, radius * scale
                self.draw.ellipse((a - r, b - r, a + r, b + r), fill=_colour(colour))

    # Texts

    def _texts(self, texts: Texts, x: float, y: float, scale: float) -> None:
        size = texts.size * scale
        halo = round(_HALO * scale) if texts.halo else 0
        for left, foot, text in polled(texts.places):
            parts, missing = fonts.runs(text)
            self.missing += missing
            written = [
                (run.text, _font(run.font, size, texts.is_bold, texts.is_even)) for run in parts
            ]
            at = x + left * scale
            if texts.anchor != "start":
                width = sum(font.getlength(part) for part, font in written)
                at -= width / (2 if texts.anchor == "middle" else 1)
            for part, font in written:
                self.draw.text(
                    (at, y + foot * scale),
                    part,
                    fill=texts.fill,
                    font=font,
                    anchor="ls",
                    stroke_width=halo,
                    stroke_fill=texts.halo or None,
                )
                at += font.getlength(part)


def _dashes(one: Point, other: Point, dash: float) -> list[tuple[Point, Point]]:
    """Return the dashes of a straight line along an axis."""
    if not dash:
        return [(one, other)]
    length = abs(other[0] - one[0]) + abs(other[1] - one[1])
    dx, dy = (other[0] - one[0]) / length, (other[1] - one[1]) / length
    starts = [2 * dash * index for index in range(math.ceil(length / dash / 2 - 1e-6))]
    return [
        (
            (one[0] + dx * at, one[1] + dy * at),
            (one[0] + dx * min(at + dash, length), one[1] + dy * min(at + dash, length)),
        )
        for at in starts
    ]


def _colour(text: str, opacity: float = 1) -> tuple[int, ...]:
    return (*bytes.fromhex(text[1:]), round(255 * opacity))


@cache
def _font(path: object, size: float, is_bold: bool, is_even: bool) -> Any:
    """Return a Pillow font; the bundled one if none is named or a system font cannot be read."""
    ours = fonts.BOLD if is_bold else fonts.REGULAR
    if path is None:
        path = (is_even and fonts.even()) or ours
    try:
        return ImageFont.truetype(str(ours if path == fonts.REGULAR else path), size)
    except OSError:
        return ImageFont.truetype(str(ours), size)
