"""Nonograms: half-block pictures, printed sheets with clues, and both as figures."""

from __future__ import annotations

from nonosat.core import lazy
from nonosat.core.plugins import Drawing
from nonosat.render.nonogram.text import text

PLUGIN = Drawing(
    summary="pictures of cells, printed sheets with clues",
    text=text,
    figure=lazy.function("nonosat.render.nonogram.figures", "figure"),
    grouped=lazy.function("nonosat.render.nonogram.groups", "text"),
)
