"""Drawing with matplotlib for a page: SVG fragments coloured by the page's style sheet.

matplotlib draws with placeholder colours; each is replaced by a CSS variable, so that one drawing
serves light and dark mode. Text remains text. A fragment contains only the ids that it refers to;
they differ between plots of different salts.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

INK, GRID, LIMIT, FAINT = "#010203", "#010204", "#010205", "#010206"
VARIABLES = {INK: "--ink", GRID: "--grid", LIMIT: "--limit", FAINT: "--faint"}
NUM_SERIES = 8  # colours of the style sheet; further series differ by dashes
SERIES = tuple(f"#0102{16 + index:02x}" for index in range(NUM_SERIES))
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (7, 2, 1, 2)))


@contextmanager
def styled(font_size: int = 10) -> Iterator[None]:
    """Set matplotlib's style to the placeholder colours, for the duration of a `with` block.

    Args:
        font_size: Size of all text, in units of the figure; 13 for narrow screens.
    """
    settings: dict[str, Any] = {
        "svg.fonttype": "none",
        "text.parse_math": False,  # a name may contain dollar signs
        "font.family": "sans-serif",
        "font.size": font_size,
        "path.simplify": False,
        "text.color": INK,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": INK,
        "axes.labelpad": 9,  # tick labels are a third larger on narrow screens
        "xtick.color": INK,
        "ytick.color": INK,
        "grid.color": GRID,
        "savefig.transparent": True,
        "axes.unicode_minus": False,
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # matplotlib's fonts only measure text; the browser has the missing glyphs
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a figure without pyplot, whose global state a library must not change."""
    figure = Figure(figsize=(width / 72, height / 72), dpi=72, layout="constrained")
    return figure, figure.add_subplot()


def plain_ticks(axis: Any) -> None:
    """Label ticks as 0.01, 0.1, 1, 10 instead of powers, which would need two sizes of text."""
    axis.set_major_formatter(FuncFormatter(lambda value, _place: _plain(value)))
    axis.set_minor_formatter(NullFormatter())


def whole_ticks(axis: Any) -> None:
    """Put the ticks of an axis of counts at whole numbers only."""
    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def millisecond_ticks(axis: Any) -> None:
    """Label the ticks of a logarithmic axis of seconds in milliseconds.

    Ticks are at powers of 10, with further ones between them if those are few.
    """
    low, high = axis.get_view_interval()
    parts = (1, 2, 5) if high < 200 * low else (1, 3) if high < 20_000 * low else (1,)
    axis.set_major_locator(LogLocator(subs=parts))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _place: _plain(1000 * value)))
    axis.set_minor_formatter(NullFormatter())


def _plain(value: float) -> str:
    return f"{value:g}" if value < 10_000 else f"{value:,.0f}"


_ID = re.compile(r'<g id="(?!dots|name-[xy])[^"]*"')
_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_DOT = re.compile(r"M (\S+) (\S+) \nL \1 \2 \n?")
_COLOUR = re.compile("|".join([*VARIABLES, *SERIES]))


def svg_of(figure: Figure, salt: str, title: str) -> str:
    """Return a figure as SVG fragment: CSS variables as colours, short numbers, few ids."""
    text = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": salt}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = _ID.sub("<g", svg)
    head, images = _without_images(svg)
    svg = re.sub(r"<[^>]*>", lambda tag: _tag(tag[0]), head)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{title}" ', 1)
    svg = re.sub(r' (width|height)="[\d.]+pt"', "", svg, count=2)
    for index, image in enumerate(images):
        svg = svg.replace(f"@image{index}@", image)
    return svg.strip()


def _tag(tag: str) -> str:
    """Return an SVG tag with its numbers shortened, and variables instead of colours."""
    if tag.startswith("<image"):  # its scale may be far below 1
        return tag
    tag = _NUMBER.sub(lambda found: f"{float(found[0]):.1f}", tag)
    tag = _DOT.sub(r"M\1 \2h0", tag)
    return _COLOUR.sub(lambda found: f"var({_variable(found[0])})", tag)


def _without_images(svg: str) -> tuple[str, list[str]]:
    """Return the document with placeholders for images, and the unchanged images."""
    images: list[str] = []

    def mark(found: re.Match[str]) -> str:
        images.append(re.sub(r"\s", "", found[0]))
        return f"@image{len(images) - 1}@"

    return re.sub(r"data:image/png;base64,[^\"]*", mark, svg), images


def _variable(colour: str) -> str:
    return VARIABLES.get(colour) or f"--s{SERIES.index(colour)}"
