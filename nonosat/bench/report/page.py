"""The page: one HTML file that needs no network and does not trust the records.

Every text from a record is escaped (see `nonosat.render.page`). The body, the style sheet and the
script are the files `page.*` beside this one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from nonosat.bench.judge import Wrong
from nonosat.bench.records import Status
from nonosat.bench.report.data import MAX_RUNS, data_of, folder_of
from nonosat.bench.report.numbers import (
    ALIGNED,
    EFFORT_NOTE,
    VIRTUAL_BEST,
    Numbers,
    Row,
    contributions_of,
    marked,
    summary_of,
)
from nonosat.bench.report.plots import MAX_MAP, STATUS_RGB, ends, plots, style_of
from nonosat.bench.report.text import environment
from nonosat.bench.results import described, options_of
from nonosat.core.errors import alternatives, counted
from nonosat.render.page import embedded, file, filled, framed, scripted, told

_LISTED = 200  # disputes on the page; Markdown has all
_COUNTS = {  # columns that are left out where all are 0, and what is said instead
    "wrong": "a wrong answer",
    "timeout": "a timeout",
    "memout": "a memory limit hit",
    "crash": "a crash",
    "unsupported": "a puzzle that it cannot take",
}


def page(found: Numbers) -> str:
    """A report as a page.

    Args:
        found: The numbers.

    Raises:
        UnsupportedError: matplotlib is not installed.
    """
    pair = _pair(found)
    drawn = plots(found, pair)
    header, table = found.results.header, found.table
    rows = summary_of(found.results, table, found.judgement, (found.baseline, ALIGNED))
    shown = [name for name in _COUNTS if any(row[name] != "0" for row in rows)]
    best = contributions_of(table, ALIGNED)
    alone = ["alone"] if any(row["alone"] not in ("", "0") for row in best) else []
    parts = {
        "title": told(header.suite),
        "lead": _lead(found),
        "alarms": _alarms(found),
        "summary": _table([_without(row, shown) for row in rows], "sortable"),
        "summary_note": _summary_note(found, shown),
        "cactus": drawn.cactus,
        "key": _curves(found),
        "limit": f"{table.limit_s:g}",
        "scatter": drawn.scatter,
        "pair": told(f"{pair[0]} across, {pair[1]} up."),
        "heat": drawn.heat,
        "heat_key": _key(_heat_key(found)),
        "heat_note": _heat_note(len(table.instances)),
        "contributions": _table([_without(row, alone) for row in best], "sortable"),
        "effort": _effort(found),
        "instances_note": _instances_note(found),
        "environment": _table([{"": a, " ": b} for a, b in environment(found)], "words"),
        "configurations": _table(_options(found), "words"),
    }
    scripts, policy = scripted(_file("page.js"), embedded(data_of(found, drawn, pair)))
    body = filled(_file("page.html"), parts)
    images = "img-src data:; "  # of the heat map
    return framed(header.suite, body, _file("page.css"), scripts, policy + images)


def _file(name: str) -> str:
    return file(name, __package__)


def _pair(found: Numbers) -> tuple[str, str]:
    """The baseline and the first other configuration."""
    others = [name for name in found.table.configurations if name != found.baseline]
    return found.baseline, others[0] if others else found.baseline


def _lead(found: Numbers) -> str:
    header, table = found.results.header, found.table
    return told(
        f"{described(header)} · {counted(len(table.instances), 'instance')} × "
        f"{counted(len(table.configurations), 'configuration')}, "
        f"{counted(len(found.results.runs), 'run')} · "
        f"{header.started[:16].replace('T', ' ')} UTC"
    )


def _alarms(found: Numbers) -> str:
    """Wrong answers first, then what is in dispute, then what was left out."""
    parts = []
    if found.judgement.wrong:
        told = "".join(map(_wrong, found.judgement.wrong))
        parts.append(f'<div class="alarm wrong"><h2>Wrong answers</h2>{told}</div>')
    if disputes := found.judgement.disputes:
        items = _items(disputes[:_LISTED])
        more = len(disputes) - _LISTED
        rest = f"<p>and {more} more; --markdown lists all</p>" if more > 0 else ""
        parts.append(f'<div class="alarm warn"><h2>Disputes</h2>{items}{rest}</div>')
    if remarks := [*found.results.remarks, *_gaps(found)]:
        parts.append(f'<div class="alarm warn"><h2>Notes</h2>{_items(remarks)}</div>')
    return "".join(parts)


def _wrong(wrong: Wrong) -> str:
    return (
        f"<p><strong>{told(wrong.configuration)}</strong> on {told(wrong.instance)}: "
        f"{told(wrong.reason)}. To see it again:</p><pre>{told(wrong.command)}</pre>"
    )


def _items(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{told(text)}</li>' for text in texts)}</ul>"


def _gaps(found: Numbers) -> list[str]:
    """Configurations that have not run on everything: their scores are of what has run."""
    total = len(found.table.instances)
    ran = {name: len(found.table.column(name)) for name in found.table.configurations}
    return [
        f"{name} ran on {num} of {total} instances; its score and counts are of those alone"
        for name, num in ran.items()
        if num < total
    ]


def _table(rows: Sequence[Row], classes: str) -> str:
    """A table with a line a row; the rows of wrong configurations are marked."""
    if not rows:
        return "<p>Every configuration gave a wrong answer.</p>"
    heads = "".join(f'<th scope="col">{told(head)}</th>' for head in rows[0])
    lines = []
    for row in rows:
        mark = ' class="wrong"' if row.get("wrong", "0") != "0" else ""
        cells = "".join(f"<td>{told(value)}</td>" for value in row.values())
        lines.append(f"<tr{mark}>{cells}</tr>")
    return (
        f'<table class="{classes}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _without(row: Row, shown: Sequence[str]) -> Row:
    """The row without the counts that are 0 for every configuration."""
    counts = (*_COUNTS, "alone")
    return {head: text for head, text in row.items() if head in shown or head not in counts}


def _summary_note(found: Numbers, shown: Sequence[str]) -> str:
    kind = "CPU" if found.table.kind == "cpu" else "wall"
    absent = [words for name, words in _COUNTS.items() if name not in shown]
    nothing = f"No configuration had {alternatives(absent)}. " if absent else ""
    return told(
        f"{nothing}Times are {kind} milliseconds of all processes of a run; of repetitions, the "
        "median run counts. PAR-2 is their mean where an instance that was not solved counts as "
        f"twice the limit of {found.table.limit_s:g} s. Ratio: geometric mean of times divided by "
        f"those of {found.baseline} on the instances (pairs) that both solved, below 1 is faster, "
        "with Student's confidence interval on the logarithms from 6 pairs on. Memory: the median "
        "and the most of peaks. A configuration with one wrong answer is marked wrong in every "
        "table."
    )


def _key(entries: Iterable[tuple[str, str]]) -> str:
    """Entries of a legend; styles are ours, names are not."""
    return "".join(f'<li><i style="{css}"></i>{told(name)}</li>' for name, css in entries)


def _curves(found: Numbers) -> str:
    """The legend of the cactus plot, in the order in which the curves end."""
    items = []
    for name, solved in ends(found.table):
        if name is None:
            label, colour, dashes, width = VIRTUAL_BEST, "var(--ink)", "none", 1.0
        else:
            label, width = marked(found.table, name), 2.4
            colour, dashes = style_of(found.table, name)
        items.append(
            f'<li><svg width="34" height="10" aria-hidden="true"><path d="M0 5h34" fill="none" '
            f'stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dashes}"/></svg>'
            f"<span>{told(label)}</span> <strong>{solved}</strong></li>"
        )
    return "".join(items)


def _heat_key(found: Numbers) -> list[tuple[str, str]]:
    """The statuses that occur, as squares of their colours."""
    seen = {cell.status for row in found.table.cells.values() for cell in row.values()}
    return [
        (status.value, f"border:0;width:.9rem;height:.9rem;background:rgb{STATUS_RGB[status]}")
        for status in Status
        if status in seen and status in STATUS_RGB
    ]


def _heat_note(num: int) -> str:
    text = "Brighter is faster; failures have colours of their own. A tap shows the puzzle."
    shared = f" Columns stand for several of the {num} instances, in the colour of the worst one."
    return text + (shared if num > MAX_MAP else "")


def _effort(found: Numbers) -> str:
    """What engines count; nothing where they cannot be compared by it."""
    if not found.effort:
        return ""
    rows = f'<div class="scroll">{_table(found.effort, "sortable")}</div>'
    return f'<section id="effort"><h2>Effort</h2>{rows}<p class="note">{EFFORT_NOTE}</p></section>'


def _instances_note(found: Numbers) -> str:
    kind = "CPU" if found.table.kind == "cpu" else "wall"
    text = f"{kind} milliseconds of the median run, the best of each instance in green. "
    text += "A name leads to the puzzle's picture and runs; a heading sorts."
    if folder := folder_of(found.results.runs):
        text += f" Files are in {folder}."
    if len(found.results.runs) > MAX_RUNS:
        text += " There are too many runs for a page: it lists the median ones; --csv-runs has all."
    return told(text)


def _options(found: Numbers) -> list[Row]:
    """Every configuration with the options that its header records."""
    runs = {run.configuration: run for run in found.results.runs}
    return [
        {
            "configuration": marked(found.table, name),
            "options": _shown(options_of(found.results.headers[name], runs[name])),
        }
        for name in found.table.configurations
    ]


def _shown(options: Mapping[str, object]) -> str:
    return json.dumps({key: value for key, value in options.items() if key != "sha256"})
