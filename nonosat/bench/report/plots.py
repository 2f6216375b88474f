"""Plots as SVG fragments for a page (drawn with `drawing`).

A scatter plot is one path of dots per status (a dot is a line of length 0 with a round cap), a heat
map one small image, so the size of a page does not grow with the number of runs. Linear in the
number of cells, apart from sorting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10
from typing import Any

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy import array

from nonosat.bench.cells import Cell, CellTable
from nonosat.bench.records import Status
from nonosat.bench.report.drawing import (
    DASHES,
    FAINT,
    GRID,
    INK,
    LIMIT,
    NUM_SERIES,
    SERIES,
    millisecond_ticks,
    new_figure,
    styled,
    svg_of,
    whole_ticks,
)
from nonosat.bench.report.numbers import ReportContent, marked
from nonosat.bench.statistics import LEAST_S

# In heat maps, which are images and the same in light and dark mode.
STATUS_RGB = {
    Status.TIMEOUT: (98, 98, 106),
    Status.MEMOUT: (214, 120, 200),
    Status.CRASH: (240, 130, 30),
    Status.UNSUPPORTED: (205, 205, 208),
    Status.WRONG: (230, 0, 60),
}
MAX_MAP = 2000  # columns of a heat map; more instances share columns, which show the worst one
MAX_POINTS = 600  # points of a curve
LABEL = 22  # characters of a name at a plot
_FAR = 4  # times the slowest run; a limit farther away would compress the plot


@dataclass(frozen=True, slots=True)
class Plots:
    """SVG fragments.

    Args:
        cactus: Instances solved against seconds.
        scatter: Frame and the dots of the first pair; the page's script moves the dots.
        frame: Positions of the scatter's axes: {"x0", "x1", "y0", "y1", "low", "high"}.
        heat: Instance against configuration.
        heat_box: Positions of its axes: {"x0", "x1", "y0", "y1"}.
        order: Instances in the order of the heat map, easiest first.
    """

    cactus: str
    scatter: str
    frame: Mapping[str, float]
    heat: str
    heat_box: Mapping[str, float]
    order: Sequence[str]


def plots(found: ReportContent, pair: tuple[str, str]) -> Plots:
    """Return all plots of a report.

    Args:
        found: The numbers.
        pair: Configurations of the first scatter plot: horizontal axis, vertical axis.

    Raises:
        UnsupportedError: matplotlib is not installed.
    """
    order = _order(found.table)
    with styled():
        scatter, frame = _scatter(found.table, pair)
        heat, box = _heat(found.table, order)
        return Plots(_cactus(found.table), scatter, frame, heat, box, order)


def _label_of(table: CellTable) -> str:
    return "CPU milliseconds" if table.kind == "cpu" else "wall milliseconds"


# Cactus


def _cactus(table: CellTable) -> str:
    """Plot the n-th fastest time of each configuration over n; lower and to the right is better."""
    figure, axes = new_figure(520, 360)
    most = max((num for _name, num in ends(table)), default=0)
    low, high = _range(table, is_limit_drawn=False)
    axes.set(yscale="log", ylim=(low, high), xlim=(0, max(most, 1) * 1.03))
    whole_ticks(axes.xaxis)
    axes.set_xlabel("instances solved")
    axes.set_ylabel(_label_of(table))
    axes.grid(True, which="major", linewidth=0.6)
    if table.limit_s < high:
        axes.axhline(table.limit_s, color=LIMIT, linewidth=1, linestyle=(0, (4, 3)))
    for index, name in enumerate(table.configurations):
        times, colour = _times(table, name), SERIES[index % NUM_SERIES]
        axes.plot(*_curve(times), color=colour, linestyle=_dashes(index), linewidth=1.6)
        axes.plot([len(times)][: len(times)], times[-1:], color=colour, marker="o", markersize=4)
    best = sorted(_best_times(table))
    axes.plot(*_curve(best), color=INK, linewidth=0.7)
    millisecond_ticks(axes.yaxis)
    return svg_of(figure, "cactus", f"Cactus plot: instances solved over {_label_of(table)}")


def _times(table: CellTable, name: str) -> list[float]:
    """Return the sorted times of the instances that a configuration solved."""
    return sorted(max(cell.seconds, LEAST_S) for cell in _solved(table.column(name)))


def _dashes(index: int) -> Any:
    """Return the dashes of a curve: others than those of its neighbours and of like colours."""
    return DASHES[(index + index // 4 + index // 16) % len(DASHES)]


def style_of(table: CellTable, name: str) -> tuple[str, str]:
    """Return colour and dashes of a configuration's curve in the notation of CSS and SVG."""
    index = list(table.configurations).index(name)
    dashes = _dashes(index)
    pattern = (
        "none" if isinstance(dashes, str) else " ".join(f"{1.6 * part:g}" for part in dashes[1])
    )
    return f"var(--s{index % NUM_SERIES})", pattern


def ends(table: CellTable) -> list[tuple[str | None, int]]:
    """Return name and number of solved instances of each curve, the most solved first.

    The name of the virtual best solver is None.
    """
    curves: dict[str | None, list[float]] = {None: sorted(_best_times(table))}
    curves.update({name: _times(table, name) for name in table.configurations})
    order = sorted(curves, key=lambda name: (-len(curves[name]), curves[name][-1:]))
    return [(name, len(curves[name])) for name in order]


def _curve(times: Sequence[float]) -> tuple[list[int], list[float]]:
    """Return indices and ascending times, thinned out to the resolution of the plot."""
    step = max(1, len(times) // MAX_POINTS)
    places = sorted({*range(0, len(times), step), *([len(times) - 1] if times else [])})
    return [place + 1 for place in places], [times[place] for place in places]


def _solved(cells: Mapping[str, Cell]) -> list[Cell]:
    return [cell for cell in cells.values() if cell.is_solved]


def _best_times(table: CellTable) -> list[float]:
    """Return, per instance, the best time of a configuration without wrong answers."""
    rows = (
        [cell.seconds for name, cell in row.items() if cell.is_solved and name not in table.wrong]
        for row in table.cells.values()
    )
    return [max(min(times), LEAST_S) for times in rows if times]


def _range(table: CellTable, is_limit_drawn: bool) -> tuple[float, float]:
    """Return the ends of an axis of seconds that contains everything drawn.

    Args:
        table: The cells.
        is_limit_drawn: True if dots lie on the limit's line; else the limit is included if near.
    """
    times = [c.seconds for row in table.cells.values() for c in row.values() if c.is_solved]
    least = max(min(times, default=table.limit_s / 10), LEAST_S)
    most = max(times, default=table.limit_s)
    if is_limit_drawn or most < table.limit_s < _FAR * most:
        most = max(most, table.limit_s)
    return min(least, most / 2) / 1.2, most * 1.3


# Scatter


def _scatter(table: CellTable, pair: tuple[str, str]) -> tuple[str, dict[str, float]]:
    """Plot two configurations; timeouts lie on the limit's line, other failures beyond it."""
    figure, axes = new_figure(420, 410)
    is_unsolved = any(not c.is_solved for row in table.cells.values() for c in row.values())
    low, high = _range(table, is_unsolved)
    axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high))
    axes.grid(True, which="major", linewidth=0.6)
    for axis, name, letter in zip((axes.xaxis, axes.yaxis), pair, "xy", strict=True):
        millisecond_ticks(axis)
        axis.set_label_text(f"{_short(marked(table, name))}, {_label_of(table)}")
        axis.label.set_gid(f"name-{letter}")
    axes.plot([low, high], [low, high], color=FAINT, linewidth=1)
    for factor in (0.1, 10):
        axes.plot([low, high], [low * factor, high * factor], color=GRID, linewidth=1)
    for line in (axes.axhline, axes.axvline) if table.limit_s < high else ():
        line(table.limit_s, color=LIMIT, linewidth=1, linestyle=(0, (4, 3)))
    _dots(axes, table, pair)
    ends = {"low": log10(low), "high": log10(high), "least": LEAST_S, "limit": table.limit_s}
    frame = {**_box(figure, axes), **ends}
    svg = svg_of(figure, "scatter", f"Scatter plot: {_label_of(table)} of two configurations")
    return svg, frame


def _box(figure: Figure, axes: Axes) -> dict[str, float]:
    """Return the final position of the axes in the SVG, with the origin at the upper left."""
    figure.draw_without_rendering()
    # saving would repeat the layout with slightly different results
    figure.set_layout_engine("none")
    box = axes.get_window_extent()
    scale, height = 72 / figure.dpi, figure.get_figheight() * 72
    found = {
        "x0": box.x0 * scale,
        "x1": box.x1 * scale,
        "y0": height - box.y0 * scale,
        "y1": height - box.y1 * scale,
    }
    return {name: round(float(value), 3) for name, value in found.items()}


def place(cell: Cell, limit_s: float) -> float:
    """Return the position of a cell on an axis: its seconds, or the limit if it is not solved."""
    return max(cell.seconds, LEAST_S) if cell.is_solved else limit_s


def _dots(axes: Axes, table: CellTable, pair: tuple[str, str]) -> None:
    """Draw a dot for each instance that both configurations ran, all as one path."""
    across, up = pair
    points = [
        (place(row[across], table.limit_s), place(row[up], table.limit_s))
        for row in table.cells.values()
        if across in row and up in row
    ]
    doubled = [point for point in points for _ in range(2)]
    codes = [Path.MOVETO, Path.LINETO] * len(points)
    path = Path(doubled, codes) if points else Path([(table.limit_s, table.limit_s)])
    size = 5 if len(points) <= 1000 else 3
    dots = PathPatch(path, fill=False, edgecolor=SERIES[0], linewidth=size, capstyle="round")
    dots.set_gid("dots")
    axes.add_patch(dots)


# Heat map


def _order(table: CellTable) -> list[str]:
    """Return instances from easy to hard, by their mean score."""
    hardness = {
        instance: sum(cell.score for cell in row.values()) / len(row)
        for instance, row in table.cells.items()
    }
    return sorted(table.cells, key=lambda instance: hardness[instance])


def _heat(table: CellTable, order: Sequence[str]) -> tuple[str, dict[str, float]]:
    """Plot one row per configuration, one column per instance; failures coloured by status."""
    names = table.configurations
    figure, axes = new_figure(480, 110 + 16 * len(names))
    norm = LogNorm(*_range(table, is_limit_drawn=False))
    shades = ScalarMappable(norm, colormaps["viridis_r"])
    image = _image(table, _columns(order), shades)
    axes.imshow(image, aspect="auto", interpolation="none", extent=(0, len(order), len(names), 0))
    axes.set_yticks([index + 0.5 for index in range(len(names))])
    axes.set_yticklabels([_short(marked(table, name)) for name in names], fontsize=9)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("instances, easy to hard")
    whole_ticks(axes.xaxis)
    bar = figure.colorbar(shades, ax=axes, orientation="horizontal", aspect=40, pad=0.03)
    bar.ax.set_xlabel(_label_of(table))
    millisecond_ticks(bar.ax.xaxis)
    box = _box(figure, axes)
    svg = svg_of(figure, "heat", "Heat map: seconds of each configuration on each instance")
    return svg, box


def _columns(order: Sequence[str]) -> list[Sequence[str]]:
    """Return the instances of each column of the heat map; large maps have several per column."""
    share = ceil(len(order) / MAX_MAP)
    return [order[start : start + share] for start in range(0, len(order), share)]


def _image(table: CellTable, groups: Sequence[Sequence[str]], shades: Any) -> Any:
    """Return colours by configuration and group: a group has the colour of its worst instance.

    Transparent for pairs that did not run.
    """
    worst = [[_worst(table, group, name) for group in groups] for name in table.configurations]
    seconds = [[max(cell.seconds, LEAST_S) if cell else LEAST_S for cell in row] for row in worst]
    image = shades.to_rgba(array(seconds), bytes=True)
    for y, row in enumerate(worst):
        for x, cell in enumerate(row):
            if cell is None:
                image[y, x] = 0
            elif not cell.is_solved:
                image[y, x] = (*STATUS_RGB[cell.status], 255)
    return image


def _worst(table: CellTable, group: Sequence[str], name: str) -> Cell | None:
    cells = [row[name] for instance in group if name in (row := table.cells[instance])]
    return max(cells, key=lambda cell: (cell.status is Status.WRONG, cell.score), default=None)


def _short(name: str) -> str:
    text = "".join(char if char.isprintable() else "\ufffd" for char in name)
    return text if len(text) <= LABEL else f"{text[: LABEL - 1]}…"
