"""Nonograms: half-block pictures, printed sheets with clues, and both as figures."""

from nonosat.core.plugins import Drawing
from nonosat.render.nonogram import groups
from nonosat.render.nonogram.drawing import figure
from nonosat.render.nonogram.show import text

__all__ = ["PLUGIN", "figure", "text"]

PLUGIN = Drawing(
    summary="pictures of cells, printed sheets with clues",
    text=text,
    figure=figure,
    grouped=groups.text,
)
