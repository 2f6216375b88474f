"""Several pictures of one result in one drawing, side by side, each with its title below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import ceil, sqrt
from typing import Any

from nonosat.core.presenting import Drawn, Scene
from nonosat.render.figures import captioned, figure_of, svg_of
from nonosat.render.plates import joined
from nonosat.render.shapes import FONT, Figure, Texts, wrapped

MOST = 24  # pictures; more would be too small
_LINES = 2  # lines of a title
_LEADING = 1.25


def picture_of(shown: Any) -> str:
    """Return the SVG document of an object: all pictures of a result, or the only one of others.

    Args:
        shown: A puzzle, a solution or a reply. All pictures of a reply are shown if its
            `is_gallery` is true.
    """
    story = shown.story() if isinstance(shown, Drawn) and shown.is_gallery else ()
    if len(story) < 2:
        return svg_of(shown)
    several = [_titled(*one) for one in story[:MOST]]
    in_a_row, each = ceil(sqrt(len(several))), iter(several)
    rows = []
    while row := list(islice(each, in_a_row)):
        rows.append(joined(row, is_stacked=False))
    left_out = len(story) - len(several)
    more = f"; {left_out} more are not drawn" if left_out else ""
    return captioned(joined(rows, is_stacked=True), f"{shown.in_a_line()}{more}")


def _titled(title: str, scene: Scene) -> Figure:
    drawn = figure_of(scene)
    size = max(FONT, drawn.smallest)
    lines: Sequence[str] = wrapped(title, drawn.width, size, _LINES)
    feet = (drawn.height + (1 + at) * _LEADING * size for at in range(len(lines)))
    places = [(0.0, foot, line) for foot, line in zip(feet, lines, strict=True)]
    height = drawn.height + (_LINES + 0.5) * _LEADING * size
    return drawn._replace(shapes=[*drawn.shapes, Texts(places, size)], height=height)
