"""Nonograms: half-block pictures, printed sheets with clues, and both as SVG."""

from nonosat.plugins import Drawing
from nonosat.render.nonogram.show import text
from nonosat.render.nonogram.svg import svg

__all__ = ["PLUGIN", "svg", "text"]

PLUGIN = Drawing(summary="pictures of cells, printed sheets with clues", text=text, svg=svg)
