"""The report as one HTML file that needs no network and does not trust the records.

Every text from a record is escaped (see `nonosat.render.page`). The body, the style sheet and the
script are the files `page.*` in this folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from nonosat.bench.judge import WrongAnswer
from nonosat.bench.records import Run, Status
from nonosat.bench.report.numbers import (
    ALIGNED,
    EFFORT_NOTE,
    VIRTUAL_BEST,
    ReportContent,
    Row,
    contributions_of,
    marked,
    summary_of,
)
from nonosat.bench.report.plots import LABEL, MAX_MAP, STATUS_RGB, Plots, ends, plots, style_of
from nonosat.bench.report.text import environment
from nonosat.bench.results import described, options_of
from nonosat.core.errors import alternatives, counted
from nonosat.core.grid import SYMBOLS
from nonosat.core.result import Verdict
from nonosat.render.page import embedded, escaped, file, filled, framed, scripted

_LISTED = 200  # disputes on the page; Markdown lists all
_MOST_PICTURES = 800_000  # letters of all pictures together
_MOST_PICTURE = 40_000  # letters of the pictures of one puzzle
_MOST_RUNS = 60_000
_MOST_REASON = 300
_MOST_DIGITS = 12  # digits of a number of solutions that is shown in full
_STATUSES = tuple(Status)
_VERDICTS = tuple(Verdict)
_COUNTS = {  # columns omitted if all values are 0, and their words in the note
    "wrong": "a wrong answer",
    "timeout": "a timeout",
    "memout": "a memory limit hit",
    "crash": "a crash",
    "unsupported": "a puzzle that it cannot take",
}


def page(found: ReportContent) -> str:
    """Return a report as a page.

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
        "title": escaped(header.suite),
        "lead": _lead(found),
        "alarms": _alarms(found),
        "summary": _table([_without(row, shown) for row in rows], "sortable"),
        "summary_note": _summary_note(found, shown),
        "cactus": drawn.cactus,
        "key": _curves(found),
        "limit": f"{table.limit_s:g}",
        "scatter": drawn.scatter,
        "pair": escaped(f"{pair[0]} across, {pair[1]} up."),
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
    images = "img-src data:; "  # for the heat map
    return framed(header.suite, body, _file("page.css"), scripts, policy + images)


def _file(name: str) -> str:
    return file(name, __package__)


def _pair(found: ReportContent) -> tuple[str, str]:
    """Return the baseline and the first other configuration."""
    others = [name for name in found.table.configurations if name != found.baseline]
    return found.baseline, others[0] if others else found.baseline


def _lead(found: ReportContent) -> str:
    header, table = found.results.header, found.table
    return escaped(
        f"{described(header)} · {counted(len(table.instances), 'instance')} × "
        f"{counted(len(table.configurations), 'configuration')}, "
        f"{counted(len(found.results.runs), 'run')} · "
        f"{header.started[:16].replace('T', ' ')} UTC"
    )


def _alarms(found: ReportContent) -> str:
    """Return wrong answers, then disputes, then notes on omitted data."""
    parts = []
    if found.judgement.wrong:
        items = "".join(map(_wrong, found.judgement.wrong))
        parts.append(f'<div class="alarm wrong"><h2>Wrong answers</h2>{items}</div>')
    if disputes := found.judgement.disputes:
        items = _items(disputes[:_LISTED])
        more = len(disputes) - _LISTED
        rest = f"<p>and {more} more; --markdown lists all</p>" if more > 0 else ""
        parts.append(f'<div class="alarm warn"><h2>Disputes</h2>{items}{rest}</div>')
    if remarks := [*found.results.remarks, *_gaps(found)]:
        parts.append(f'<div class="alarm warn"><h2>Notes</h2>{_items(remarks)}</div>')
    return "".join(parts)


def _wrong(wrong: WrongAnswer) -> str:
    return (
        f"<p><strong>{escaped(wrong.configuration)}</strong> on {escaped(wrong.instance)}: "
        f"{escaped(wrong.reason)}. To repeat it:</p><pre>{escaped(wrong.command)}</pre>"
    )


def _items(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escaped(text)}</li>' for text in texts)}</ul>"


def _gaps(found: ReportContent) -> list[str]:
    """Return notes on configurations that have not run on all instances."""
    total = len(found.table.instances)
    ran = {name: len(found.table.column(name)) for name in found.table.configurations}
    return [
        f"{name} ran on {num} of {total} instances; its score and counts are of those alone"
        for name, num in ran.items()
        if num < total
    ]


def _table(rows: Sequence[Row], classes: str) -> str:
    """Return a table with one line per row; the rows of wrong configurations are marked."""
    if not rows:
        return "<p>Every configuration gave a wrong answer.</p>"
    heads = "".join(f'<th scope="col">{escaped(head)}</th>' for head in rows[0])
    lines = []
    for row in rows:
        mark = ' class="wrong"' if row.get("wrong", "0") != "0" else ""
        cells = "".join(f"<td>{escaped(value)}</td>" for value in row.values())
        lines.append(f"<tr{mark}>{cells}</tr>")
    return (
        f'<table class="{classes}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _without(row: Row, shown: Sequence[str]) -> Row:
    """Return the row without the columns of counts that are not in `shown`."""
    counts = (*_COUNTS, "alone")
    return {head: text for head, text in row.items() if head in shown or head not in counts}


def _summary_note(found: ReportContent, shown: Sequence[str]) -> str:
    kind = "CPU" if found.table.kind == "cpu" else "wall"
    absent = [words for name, words in _COUNTS.items() if name not in shown]
    nothing = f"No configuration had {alternatives(absent)}. " if absent else ""
    return escaped(
        f"{nothing}Times are {kind} milliseconds of all processes of a run; of repetitions, the "
        "median run counts. PAR-2 is their mean where an instance that was not solved counts as "
        f"twice the limit of {found.table.limit_s:g} s. Ratio: geometric mean of times divided by "
        f"those of {found.baseline} on the instances (pairs) that both solved, below 1 is faster, "
        "with Student's confidence interval on the logarithms from 6 pairs on. Memory: the median "
        "and the most of peaks. A configuration with one wrong answer is marked wrong in every "
        "table."
    )


def _key(entries: Iterable[tuple[str, str]]) -> str:
    """Return entries of a legend; styles are trusted, names are escaped."""
    return "".join(f'<li><i style="{css}"></i>{escaped(name)}</li>' for name, css in entries)


def _curves(found: ReportContent) -> str:
    """Return the legend of the cactus plot, in the order of the ends of the curves."""
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
            f"<span>{escaped(label)}</span> <strong>{solved}</strong></li>"
        )
    return "".join(items)


def _heat_key(found: ReportContent) -> list[tuple[str, str]]:
    """Return the statuses that occur, as squares of their colours."""
    seen = {cell.status for row in found.table.cells.values() for cell in row.values()}
    return [
        (status.value, f"border:0;width:.9rem;height:.9rem;background:rgb{STATUS_RGB[status]}")
        for status in Status
        if status in seen and status in STATUS_RGB
    ]


def _heat_note(num: int) -> str:
    text = "Brighter is faster; failures have colours of their own. A tap shows the puzzle."
    shared = f" Columns represent several of the {num} instances, in the colour of the worst one."
    return text + (shared if num > MAX_MAP else "")


def _effort(found: ReportContent) -> str:
    """Return the section of engines' counters; "" if they cannot be compared."""
    if not found.effort:
        return ""
    rows = f'<div class="scroll">{_table(found.effort, "sortable")}</div>'
    return f'<section id="effort"><h2>Effort</h2>{rows}<p class="note">{EFFORT_NOTE}</p></section>'


def _instances_note(found: ReportContent) -> str:
    kind = "CPU" if found.table.kind == "cpu" else "wall"
    text = f"{kind} milliseconds of the median run, the best of each instance in green. "
    text += "A name leads to the puzzle's picture and runs; a heading sorts."
    if folder := folder_of(found.results.runs):
        text += f" Files are in {folder}."
    if len(found.results.runs) > _MOST_RUNS:
        text += " There are too many runs for a page: it lists the median ones; --csv-runs has all."
    return escaped(text)


def _options(found: ReportContent) -> list[Row]:
    """Return every configuration with the options that its header records."""
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


# Data of the page's script: instances, their runs and pictures. A picture is text with run lengths,
# or readable text after a "="; if not all fit, those of the hardest puzzles are kept. If there are
# very many runs, only the median ones are listed. Linear in the number of runs.


def data_of(found: ReportContent, plots: Plots, pair: tuple[str, str]) -> dict[str, Any]:
    """Return the data of the page's script, ready for JSON.

    Args:
        found: The numbers.
        plots: Positions of the plots' axes, and the order of the heat map.
        pair: Configurations of the first scatter plot.
    """
    table = found.table
    place = {instance: index for index, instance in enumerate(table.instances)}
    number = {name: index for index, name in enumerate(table.configurations)}
    pictures = _pictures(found, plots.order)
    reasons: dict[str, int] = {}
    rows = [
        _row(found, instance, number, pictures.get(instance, []), reasons)
        for instance in table.instances
    ]
    return {
        "folder": folder_of(found.results.runs),
        "label": LABEL,
        "names": [marked(table, name) for name in table.configurations],
        "statuses": [status.value for status in _STATUSES],
        "verdicts": [verdict.value for verdict in _VERDICTS],
        "wall": table.kind == "wall",
        "frame": plots.frame,
        "heat": plots.heat_box,
        "order": [place[instance] for instance in plots.order],
        "pair": [number[name] for name in pair],
        "reasons": list(reasons),
        "rows": rows,
    }


def folder_of(runs: Sequence[Run]) -> str:
    """Return the common folder of all files, with its slash; "" if there is none."""
    files = {run.instance.partition("#")[0] for run in runs if "#" in run.instance}
    folders = {file[: file.rfind("/") + 1] for file in files}
    return folders.pop() if len(folders) == 1 else ""


def _row(
    found: ReportContent,
    instance: str,
    number: dict[str, int],
    pictures: list[str],
    reasons: dict[str, int],
) -> list[Any]:
    """Return an instance in the form that page.js documents."""
    cells = found.table.cells[instance]
    runs = found.results.runs
    if len(runs) <= _MOST_RUNS:
        kept = [index for cell in cells.values() for index in cell.runs]
    else:
        kept = [cell.run for cell in cells.values()]
    medians = [-1] * len(number)
    for name, cell in cells.items():
        medians[number[name]] = kept.index(cell.run)
    first = runs[kept[0]]
    verdict = first.expected or _agreed(found, kept)
    count = _count(found, kept)
    listed = [_run(runs[index], number, found.judgement.statuses[index], reasons) for index in kept]
    return [
        first.instance,
        *first.size,
        (verdict.value if verdict else "") + (f", {count}" if count else ""),
        medians,
        pictures,
        listed,
    ]


def _agreed(found: ReportContent, indices: Sequence[int]) -> Verdict | None:
    """Return the common verdict of all runs that are ok; None if they differ."""
    statuses, runs = found.judgement.statuses, found.results.runs
    verdicts = {runs[index].verdict for index in indices if statuses[index] is Status.OK}
    return verdicts.pop() if len(verdicts) == 1 else None


def _count(found: ReportContent, indices: Sequence[int]) -> str:
    """Return the complete number of solutions, if all runs that are ok agree; else ""."""
    if found.results.header.max_solutions is not None:
        return ""
    statuses, runs = found.judgement.statuses, found.results.runs
    counts = {runs[index].count for index in indices if statuses[index] is Status.OK} - {None}
    digits = str(counts.pop()) if len(counts) == 1 else ""
    is_long = len(digits) > _MOST_DIGITS
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}" if is_long else digits


def _run(run: Run, number: dict[str, int], status: Status, reasons: dict[str, int]) -> list[Any]:
    """Return a run in the form that page.js documents, without trailing empty parts."""
    conflicts = run.statistics.get("conflicts")
    is_count = isinstance(conflicts, int) and not isinstance(conflicts, bool)
    reason = run.reason[:_MOST_REASON]
    line = [
        number[run.configuration],
        run.repetition,
        _STATUSES.index(status),
        _VERDICTS.index(run.verdict),
        *map(_short, (run.cpu_s, run.wall_s, run.encode_s, run.solve_s)),
        round(run.peak_mib),
        conflicts if is_count else None,
        reasons.setdefault(reason, len(reasons) + 1) if reason else None,
    ]
    while line[-1] is None:
        line.pop()
    return line


def _short(seconds: float | None) -> float | int | None:
    """Round to ten microseconds, which is below the page's resolution in text and plots."""
    if seconds is None:
        return None
    value = round(seconds, 5)
    return int(value) if value == int(value) else value


def _pictures(found: ReportContent, order: Sequence[str]) -> dict[str, list[str]]:
    """Return up to two verified solutions of each instance, as far as the page has room.

    The hardest instances, which are last in `order`, come first.
    """
    kept: dict[str, list[str]] = {}
    left = _MOST_PICTURES
    runs = found.results.runs
    for instance in reversed(order):
        indices = (i for cell in found.table.cells[instance].values() for i in cell.runs)
        # The driver's status counts: its verified solutions hold even if the verdict is refuted.
        right = (runs[i].solutions for i in indices if runs[i].status is Status.OK)
        best = max(right, key=len, default=())
        texts = [_picture(rows) for rows in best[:2]]
        size = sum(map(len, texts))
        if texts and size <= min(left, _MOST_PICTURE):
            kept[instance] = texts
            left -= size
    return kept


def _picture(rows: Sequence[str]) -> str:
    """Return a picture as rows of run lengths, joined by "/"; other solutions as text after "="."""
    if not set().union(*rows) <= set(SYMBOLS):
        return "=" + "\n".join(rows)
    return "/".join(map(_counted, rows))


def _counted(row: str) -> str:
    """Return a row with run lengths before each repeated letter."""
    letters = "".join("?" if char.isdecimal() or char == "/" else char for char in row)
    runs = ((letter, len(list(group))) for letter, group in groupby(letters))
    return "".join(f"{num}{letter}" if num > 1 else letter for letter, num in runs)
