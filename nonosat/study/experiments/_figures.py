"""Numbers of the experiments: fits of growth, spreads, and their drawing and wording."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import linear_regression, mean, median_low
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def slope(across: Sequence[float], up: Sequence[float]) -> float | None:
    """Return the slope of the regression line; None if there are fewer than three points."""
    if len(across) < 3:
        return None
    return round(linear_regression(across, up).slope, 3)


def rounded_mean(values: Sequence[float]) -> float:
    """Return the mean of values, with two decimals."""
    return round(mean(values), 2)


def shown(value: float | None, what: str = "{:.2f}") -> str:
    """Return a number as text for a table; a dash for None."""
    return "-" if value is None else what.format(value)


def spread(points: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Group points by their first number.

    Returns:
        For each group: the first number, and the median and the maximum of the second numbers.
    """
    groups: dict[int, list[int]] = {}
    for across, up in points:
        groups.setdefault(across, []).append(up)
    return [[across, median_low(ups), max(ups)] for across, ups in sorted(groups.items())]


def draw_spreads(axes: Axes, spreads: Mapping[str, Sequence[Sequence[int]]]) -> None:
    """Draw a curve for the medians of each source, and a dashed one for the maxima."""
    for source, points in spreads.items():
        if points:
            across, middle, most = zip(*points, strict=True)
            (line,) = axes.plot(across, middle, label=f"{source}, median", marker="o", markersize=3)
            axes.plot(across, most, label=f"{source}, most", ls="--", color=line.get_color())
