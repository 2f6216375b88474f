"""The painter of PDF, by fpdf2.

Why fpdf2 and not reportlab: both are well maintained. fpdf2 accepts fonts with PostScript outlines,
which most Chinese, Japanese and Korean fonts have and reportlab refuses; it joins Arabic letters
and reverses lines that run from right to left. Its licence, LGPL, allows this use: it is an extra
that is imported unchanged; reportlab's BSD licence would have been simpler.

Paths are written as operators: fpdf2's own paths are an object per line, and 50 times as slow.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path as File
from typing import Any

from fpdf import FPDF

from nonosat.core.limits import polled
from nonosat.render._painting import fonts
from nonosat.render._painting.painter import Painter
from nonosat.render.shapes import Circle, Page, Path, Texts, is_box, outlines

POINTS = 0.75  # points per pixel
_ARC = 0.5523  # distance of the Bezier control points of a quarter circle, in radii
_AT_ONCE = 4096  # operators per write
_FAMILY = {False: "Helvetica", True: "Courier"}


def pdf(
    pages: Sequence[Page],
    title: str,
    author: str = "",
    reserve: Callable[[int], None] = lambda _: None,
) -> tuple[bytes, str]:
    """Return pages as a PDF file, and the letters that could not be drawn.

    Args:
        pages: Pages, at least one.
        title: Title of the file.
        author: Author of the file.
        reserve: Called with the number of bytes of the file's parts before they are joined.
    """
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it reports tables that it omits
    document = FPDF(unit="pt")
    document.set_auto_page_break(False)
    document.core_fonts_encoding = "cp1252"  # the encoding of PDF's own fonts
    document.set_margin(0)
    document.c_margin = 0
    document.set_title(title)
    document.set_author(author)
    document.set_creator("nonosat")
    # fpdf2 always writes a date; with a fixed one equal drawings give equal files.
    document.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    painter = _PdfPainter(document)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its warnings about fonts are of no use here
        for page in polled(pages):
            painter.page(page)
        # Compressed parts, the file and its copy; each is smaller than the uncompressed pages.
        written = (one.contents for one in document.pages.values())
        reserve(sum(len(one) for one in written if isinstance(one, bytearray)))
        content = bytes(document.output())
    return content, "".join(dict.fromkeys(painter.missing))


class _PdfPainter(Painter):
    """Painter of pages.

    Args:
        document: The fpdf2 document to paint on.

    Attributes:
        missing: Letters that no font has.
    """

    def __init__(self, document: FPDF) -> None:
        self.document = document
        self.missing: list[str] = []
        self._height = 0.0
        self._families: dict[File, str] = {}

    def page(self, page: Page) -> None:
        """Add a page."""
        document = self.document
        document.add_page(format=(page.width * POINTS, page.height * POINTS))
        self._height = page.height * POINTS
        if page.section:
            document.start_section(page.section)
        if page.ground != "#ffffff":
            paper = f"M0 0h{page.width:.2f}v{page.height:.2f}h-{page.width:.2f}z"
            self.paint([Path(paper, fill=page.ground)], 0, 0, POINTS)
        self.paint(page.shapes, 0, 0, POINTS)
        for x, y, width, height, target in page.links:
            link = document.add_link(page=target + 1)
            document.link(x * POINTS, y * POINTS, width * POINTS, height * POINTS, link)

    # Paths

    def _path(self, path: Path, x: float, y: float, scale: float) -> None:
        words = [_colours(path)]
        if path.dash:
            words.append(f"[{path.dash:g}] 0 d")
        words.append("1 J 1 j" if path.is_round else "0 J 0 j")
        operators = chain(words, _constructed(path.data), [_ending(path)])
        is_clear = path.opacity != 1
        context: Any = nullcontext()
        if is_clear:
            context = self.document.local_context(fill_opacity=path.opacity)
        with context:
            self._write(operators, x, y, scale)

    def _circle(self, circle: Circle, x: float, y: float, scale: float) -> None:
        a, b, r, k = circle.x, circle.y, circle.radius, circle.radius * _ARC
        words = [
            _colours(circle),
            f"{a + r:g} {b:g} m",
            f"{a + r:g} {b + k:g} {a + k:g} {b + r:g} {a:g} {b + r:g} c",
            f"{a - k:g} {b + r:g} {a - r:g} {b + k:g} {a - r:g} {b:g} c",
            f"{a - r:g} {b - k:g} {a - k:g} {b - r:g} {a:g} {b - r:g} c",
            f"{a + k:g} {b - r:g} {a + r:g} {b - k:g} {a + r:g} {b:g} c h",
            _ending(circle),
        ]
        self._write(words, x, y, scale)

    def _write(self, words: Iterable[str], x: float, y: float, scale: float) -> None:
        """Write the operators of a path, in the coordinates of its group."""
        moved = f"{scale:.6g} 0 0 {-scale:.6g} {x:.6g} {self._height - y:.6g} cm"
        rest = chain(("q", moved), words, ("Q",))
        while some := list(islice(rest, _AT_ONCE)):  # a page of runs has over 100,000
            self.document._out("\n".join(some))

    # Texts

    def _texts(self, texts: Texts, x: float, y: float, scale: float) -> None:
        document = self.document
        document.set_text_color(texts.fill)
        size = texts.size * scale
        for is_halo in (True, False) if texts.halo else (False,):
            document.text_mode = "STROKE" if is_halo else "FILL"
            if is_halo:
                document.set_draw_color(texts.halo)
                document.set_line_width(3 * scale)
            for left, foot, text in polled(texts.places):
                self._text(texts, text, x + left * scale, y + foot * scale, size)

    def _text(self, texts: Texts, text: str, x: float, y: float, size: float) -> None:
        """Paint one text with its anchor at (x, y)."""
        document = self.document
        parts, missing = fonts.runs(text)
        self.missing += missing
        if texts.anchor != "start":
            width = 0.0
            for run in parts:
                self._use(run.font, texts, size)
                width += document.get_string_width(run.text)
            x -= width / (2 if texts.anchor == "middle" else 1)
        for run in parts:
            self._use(run.font, texts, size)
            if run.font is None:
                document.text(x, y, run.text)
            else:  # `cell` joins letters and reverses lines, and has another baseline
                document.set_xy(x, y - 0.8 * size)
                document.cell(0, size, run.text)
            if len(parts) > 1:
                x += document.get_string_width(run.text)

    def _use(self, font: File | None, texts: Texts, size: float) -> None:
        """Select a font for the text that follows."""
        document = self.document
        if font is None:
            document.set_text_shaping(False)
            document.set_font(_FAMILY[texts.is_even], "B" if texts.is_bold else "", size)
            return
        if font == fonts.REGULAR and texts.is_bold:
            font = fonts.BOLD
        if font not in self._families:
            self._families[font] = f"font{len(self._families)}"
            document.add_font(self._families[font], "", str(font))
        document.set_font(self._families[font], "", size)
        document.set_text_shaping(_can_shape())


def _constructed(data: str) -> Iterator[str]:
    """Yield the PDF operators that construct the outlines of path data."""
    for corners, is_closed in outlines(data):
        if is_closed and is_box(corners):
            (left, top), (right, bottom) = corners[0], corners[2]
            yield f"{left:g} {top:g} {right - left:.6g} {bottom - top:.6g} re"
            continue
        lines = " ".join(f"{a:.6g} {b:.6g} l" for a, b in corners[1:])
        yield f"{corners[0][0]:.6g} {corners[0][1]:.6g} m {lines}{' h' * is_closed}"


def _can_shape() -> bool:
    try:
        import uharfbuzz  # noqa: F401
    except ImportError:
        return False
    return True


def _colours(shape: Path | Circle) -> str:
    words = []
    if shape.fill:
        words.append(f"{_rgb(shape.fill)} rg")
    if shape.stroke:
        words.append(f"{_rgb(shape.stroke)} RG {shape.width:g} w")
    return " ".join(words)


def _rgb(colour: str) -> str:
    return " ".join(f"{part / 255:.4g}" for part in bytes.fromhex(colour[1:]))


def _ending(shape: Path | Circle) -> str:
    """Return the operator that fills, strokes or does both."""
    if shape.fill and shape.stroke:
        return "B"
    return "f" if shape.fill else "S"
