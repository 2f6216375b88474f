"""Nonograms: half-block pictures, printed sheets with clues, and both as SVG."""

from nonosat.render.nonogram.show import text
from nonosat.render.nonogram.svg import svg

SUMMARY = "pictures of cells, printed sheets with clues"

__all__ = ["svg", "text"]
