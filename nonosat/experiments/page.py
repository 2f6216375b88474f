"""What the experiments found as a page: one HTML file without scripts that needs no network.

The plots are drawn and coloured as those of benchmark reports (`bench.report.drawing`), and the
style sheet is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from nonosat.bench.report.drawing import (
    DASHES,
    GRID,
    SERIES,
    new_figure,
    plain_ticks,
    styled,
    svg_of,
)
from nonosat.experiments import Data, Experiment, Row
from nonosat.experiments.run import ORDER, experiment, lead
from nonosat.experiments.text import TITLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DASHED = "dashed"
_BORDERS = {"-": "solid", "--": _DASHED, ":": "dotted", "-.": _DASHED}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def page(found: Data) -> str:
    """A run as a page.

    Raises:
        UnsupportedError: matplotlib is not installed.
    """
    style = files("nonosat.bench.report").joinpath("page.css").read_text(encoding="utf-8")
    with styled():
        sections = [_section(name, found["experiments"][name]) for name in ORDER]
    links = (f'<a href="#{name}">{escape(experiment(name).TITLE)}</a>' for name in ORDER)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(TITLE)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<header>\n<h1>{escape(TITLE)}</h1>\n<p class="lead">{escape(lead(found))}</p>\n'
        f"<nav>{' '.join(links)}</nav>\n</header>\n<main>\n{''.join(sections)}</main>\n"
        "</body>\n</html>\n"
    )


def _section(name: str, data: Data) -> str:
    module = experiment(name)
    plot, key = _plot(name, module, data)
    return (
        f'<section id="{name}">\n<h2>{escape(module.TITLE)}</h2>\n<p>{escape(module.says(data))}'
        f'</p>\n<figure class="plot">{plot}</figure>\n<ul class="key">{key}</ul>\n'
        f'<div class="scroll">{_table(module.table(data))}</div>\n</section>\n'
    )


def _plot(name: str, module: Experiment, data: Data) -> tuple[str, str]:
    """The plot, and its legend as list items."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = new_figure(480, 330)
    axes.set_prop_cycle(_styles())
    module.draw(axes, data)
    axes.set_xlabel(module.ACROSS)
    axes.set_ylabel(module.UP)
    axes.grid(True, which="major", linewidth=0.6, color=GRID)
    axes.spines[["top", "right"]].set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            plain_ticks(axis)
        else:
            axis.set_major_locator(MaxNLocator(integer=True))
    title = f"{module.TITLE}: {module.UP} over {module.ACROSS}"
    return svg_of(figure, name, escape(title)), _key(axes)


def _styles() -> Any:
    """Colours in turn, then the same with dashes."""
    from cycler import cycler

    return cycler(linestyle=DASHES[:2]) * cycler(color=SERIES)


def _key(axes: Axes) -> str:
    items = []
    for line in axes.get_lines():
        colour, border = SERIES.index(line.get_color()), _BORDERS[line.get_linestyle()]
        mark = f'<i style="border-top:3px {border} var(--s{colour})"></i>'
        items.append(f"<li>{mark}{escape(str(line.get_label()))}</li>")
    return "".join(items)


def _table(rows: Sequence[Row]) -> str:
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in rows[0])
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(str(value))}</td>' for value in row.values())}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
