"""Paper: its sizes, its margins, and the scale of a drawing on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nonosat.render.shapes import MM, POINT, Figure

MARGIN = 12 * MM  # margin of every printer
LEAST_POINTS = 4  # size of the smallest numbers that are still legible
LARGEST = 1.5  # largest enlargement if no size of cells was requested
FIT = "fit"  # a page as large as its content


class Paper(NamedTuple):
    """A sheet of paper, upright; lengths in pixels."""

    name: str
    width: float
    height: float

    def turned(self) -> Paper:
        """Return the paper on its side."""
        return Paper(self.name, self.height, self.width)


_MM = {
    "a6": (105, 148),
    "a5": (148, 210),
    "a4": (210, 297),
    "letter": (215.9, 279.4),
    "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
    "a3": (297, 420),
    "a2": (420, 594),
    "a1": (594, 841),
    "a0": (841, 1189),
}
PAPERS: Mapping[str, Paper] = {
    name: Paper(name, width * MM, height * MM) for name, (width, height) in _MM.items()
}


def largest(figure: Figure, cell_mm: float | None) -> float:
    """Return the largest allowed scale of a drawing.

    Args:
        figure: The drawing.
        cell_mm: Requested side of its cells.
    """
    return LARGEST if cell_mm is None else cell_mm * MM / figure.cell


def fitting(figure: Figure, width: float, height: float, cell_mm: float | None) -> float:
    """Return the largest allowed scale at which a drawing fits into `width` x `height`."""
    return min(largest(figure, cell_mm), width / figure.width, height / figure.height)


def illegible(
    figure: Figure, scale: float, cell_mm: float | None, paper: Paper, spare: tuple[float, float]
) -> str:
    """Return a message if a drawing's numbers are illegibly small, with advice; else "".

    Args:
        figure: The drawing.
        scale: Scale at which it is drawn.
        cell_mm: Requested side of its cells: small ones are allowed on request.
        paper: The paper.
        spare: Part of the paper's width and height that the drawing cannot use.
    """
    least = LEAST_POINTS * POINT / figure.smallest if figure.smallest else 0
    if scale >= least * 0.999 or (cell_mm is not None and cell_mm * MM / figure.cell <= scale):
        return ""
    wide, high = figure.width * least + spare[0], figure.height * least + spare[1]
    cell, points = figure.cell * scale / MM, figure.smallest * scale / POINT
    found = f"cells of {cell:.2f} mm and numbers of {points:.1f} points"
    advice = _advice(wide, high, figure.cell * least / MM)
    return (
        f"on {paper.name} it has {found}, expected at least {LEAST_POINTS} points; {advice}, or "
        f"cells of {_down(cell)} mm if they may be that small"
    )


def _down(length: float) -> str:
    """Return a length in millimetres, rounded down."""
    return f"{int(length * 100) / 100:g}"


def _advice(wide: float, high: float, cell: float) -> str:
    """Return advice on the paper that a sheet needs."""
    size = f"cells of {cell:.2f} mm need {wide / MM:.0f} x {high / MM:.0f} mm"
    sides = sorted((wide, high))
    for name, paper in PAPERS.items():
        if sides[0] <= paper.width and sides[1] <= paper.height:
            return f"{size}: choose the paper {name}"
    return f"{size}: choose the paper {FIT}, a page as large as the sheet"
