"""Drawing with matplotlib for a page: SVG fragments that the page's style sheet colours.

matplotlib draws with stand-in colours; each becomes a CSS variable, so that one drawing serves
light and dark. Text stays text. A fragment has only the ids that it refers to; they differ between
plots of different salts.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nonosat.core.errors import UnsupportedError, install_command

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, GRID, LIMIT, FAINT = "#010203", "#010204", "#010205", "#010206"
VARIABLES = {INK: "--ink", GRID: "--grid", LIMIT: "--limit", FAINT: "--faint"}
NUM_SERIES = 8  # colours of the style sheet; then the dashes change
SERIES = tuple(f"#0102{16 + index:02x}" for index in range(NUM_SERIES))
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (7, 2, 1, 2)))


def check_installed() -> None:
    """Raise UnsupportedError where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401 - whether it can be imported is the question
    except ImportError:
        raise UnsupportedError(
            "the page's plots need matplotlib, which is not installed: "
            f"{install_command('report')} (Markdown and CSV work without it)"
        ) from None


@contextmanager
def styled(font_size: int = 10) -> Iterator[None]:
    """Draw with the stand-in colours of the style sheet.

    Args:
        font_size: Of all text, in units of the figure; narrow screens have 13.

    Raises:
        UnsupportedError: matplotlib is not installed.
    """
    check_installed()
    import matplotlib as mpl

    settings: dict[str, Any] = {
        "svg.fonttype": "none",
        "text.parse_math": False,  # a name may hold dollar signs
        "font.family": "sans-serif",
        "font.size": font_size,
        "path.simplify": False,
        "text.color": INK,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": INK,
        "axes.labelpad": 9,  # narrow screens make the ticks' text a third larger
        "xtick.color": INK,
        "ytick.color": INK,
        "grid.color": GRID,
        "savefig.transparent": True,
        "axes.unicode_minus": False,
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # its fonts only measure; the browser has the letters that they lack
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure without pyplot, whose global state a library must leave alone."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72), dpi=72, layout="constrained")
    return figure, figure.add_subplot()


def plain_ticks(axis: Any) -> None:
    """Ticks as 0.01, 0.1, 1, 10 rather than powers, which would need two sizes of text."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _place: _plain(value)))
    axis.set_minor_formatter(NullFormatter())


def whole_ticks(axis: Any) -> None:
    """Put the ticks of an axis of counts at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def millisecond_ticks(axis: Any) -> None:
    """Ticks of seconds on a logarithmic axis, as milliseconds.

    They stand at powers of 10, and between them where those are few.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

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
    """A figure as a fragment: variables for colours, short numbers, no ids, no metadata."""
    import matplotlib as mpl

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
    """A tag with short numbers and variables; the text between tags is people's."""
    if tag.startswith("<image"):  # whose scale may be far below 1
        return tag
    tag = _NUMBER.sub(lambda found: f"{float(found[0]):.1f}", tag)
    tag = _DOT.sub(r"M\1 \2h0", tag)
    return _COLOUR.sub(lambda found: f"var({_variable(found[0])})", tag)


def _without_images(svg: str) -> tuple[str, list[str]]:
    """The document with marks in place of pictures, whose letters must stay as they are."""
    images: list[str] = []

    def mark(found: re.Match[str]) -> str:
        images.append(re.sub(r"\s", "", found[0]))
        return f"@image{len(images) - 1}@"

    return re.sub(r"data:image/png;base64,[^\"]*", mark, svg), images


def _variable(colour: str) -> str:
    return VARIABLES.get(colour) or f"--s{SERIES.index(colour)}"
