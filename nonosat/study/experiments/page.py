"""Results of the experiments as a page: one HTML file without scripts that needs no network.

The plots are drawn and coloured as those of benchmark reports (`bench.report.drawing`), and the
style sheet is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator

from nonosat.bench.report.drawing import (
    DASHES,
    GRID,
    SERIES,
    new_figure,
    plain_ticks,
    styled,
    svg_of,
)
from nonosat.render.page import escaped, file, framed
from nonosat.study.experiments import Data, Plot, Row
from nonosat.study.experiments.run import ORDER, experiment, lead, plots
from nonosat.study.experiments.text import PARTS, TITLE
from nonosat.study.experiments.words import INTRODUCTION, WORDS

_DASHED = "dashed"
_BORDERS = {"-": "solid", "--": _DASHED, ":": "dotted", "-.": _DASHED}


def page(found: Data) -> str:
    """Return the results of a run as an HTML page."""
    with styled(font_size=12):
        sections = [_section(name, found) for name in ORDER]
    links = (f'<a href="#{name}">{escaped(experiment(name).TITLE)}</a>' for name in ORDER)
    body = (
        f'<header>\n<h1>{escaped(TITLE)}</h1>\n<p class="lead">{escaped(lead(found))}</p>\n'
        f"{_introduction()}<nav>{' '.join(links)}</nav>\n</header>\n"
        f"<main>\n{''.join(sections)}</main>\n"
    )
    return framed(TITLE, body, file("page.css", "nonosat.bench.report"))


def _introduction() -> str:
    paragraphs = "".join(f"<p>{escaped(text)}</p>\n" for text in INTRODUCTION)
    words = "".join(
        f"<dt>{escaped(word)}</dt><dd>{escaped(meaning)}</dd>\n" for word, meaning in WORDS
    )
    return (
        f'<div class="prose">\n{paragraphs}</div>\n'
        f"<details><summary>Words and methods</summary>\n<dl>\n{words}</dl>\n</details>\n"
    )


def _section(name: str, found: Data) -> str:
    module, data = experiment(name), found["experiments"][name]
    parts = (_part(f"{name}{number}", plot, data) for number, plot in enumerate(plots(name, found)))
    texts = (module.QUESTION, module.HOW, module.answer(data))
    answers = "".join(
        f"<p><strong>{head}.</strong> {escaped(text)}</p>\n"
        for head, text in zip(PARTS, texts, strict=True)
    )
    return (
        f'<section id="{name}">\n<h2>{escaped(module.TITLE)}</h2>\n'
        f'<div class="prose">\n{answers}</div>\n'
        f'<div class="pair">\n{"".join(parts)}</div>\n'
        f'<div class="scroll">{_table(module.table(data))}</div>\n</section>\n'
    )


def _part(salt: str, plot: Plot, data: Data) -> str:
    """Return the HTML of a plot with its title, its legend and its result in words."""
    figure, axes = new_figure(480, 330)
    axes.set_prop_cycle(_styles())
    plot.draw(axes, data)
    axes.set(xlabel=plot.across, ylabel=plot.up)
    axes.grid(True, which="major", linewidth=0.6, color=GRID)
    axes.spines[["top", "right"]].set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            _log_ticks(axis)
        else:
            axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    drawn = svg_of(figure, salt, escaped(f"{plot.title}: {plot.up} over {plot.across}"))
    return (
        f'<div>\n<h3>{escaped(plot.title)}</h3>\n<figure class="plot">{drawn}</figure>\n'
        f'<ul class="key">{_key(axes)}</ul>\n<p>{escaped(plot.conclusion(data))}</p>\n</div>\n'
    )


def _log_ticks(axis: Any) -> None:
    """Set ticks at powers of 10, and at 2 and 5 times those if there are few."""
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
    plain_ticks(axis)


def _styles() -> Any:
    """Return the styles of a plot's curves: each colour, then each colour with dashes."""
    return cycler(linestyle=DASHES[:2]) * cycler(color=SERIES)


def _key(axes: Axes) -> str:
    items = []
    for line in axes.get_lines():
        colour, style = SERIES.index(line.get_color()), line.get_linestyle()
        if border := _BORDERS.get(style):
            mark = f'<i style="border-top:3px {border} var(--s{colour})"></i>'
        else:
            kind = "ring" if line.get_fillstyle() == "none" else "dot"
            mark = f'<i class="{kind}" style="border-color:var(--s{colour})"></i>'
        items.append(f"<li>{mark}{escaped(str(line.get_label()))}</li>")
    return "".join(items)


def _table(rows: Sequence[Row]) -> str:
    heads = "".join(f'<th scope="col">{escaped(head)}</th>' for head in rows[0])
    lines = "".join(
        f"<tr>{''.join(f'<td>{escaped(str(value))}</td>' for value in row.values())}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
