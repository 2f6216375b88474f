"""The data of a page's script: instances, their runs and pictures, small enough to be sent.

Pictures are text with counted repetitions, or behind a "=" text to be read; the hardest puzzles'
are kept where not all fit. Where there are very many runs, only the median ones are listed. Linear
in the runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from nonosat.bench.records import Run, Status
from nonosat.bench.report.numbers import Numbers, marked
from nonosat.bench.report.plots import LABEL, Plots
from nonosat.core.grid import SYMBOLS
from nonosat.core.result import Verdict

MAX_PICTURES = 800_000  # letters of all pictures together
MAX_PICTURE = 40_000  # of one puzzle
MAX_RUNS = 60_000
MAX_REASON = 300
MAX_DIGITS = 12  # of a number of solutions
STATUSES = tuple(Status)
VERDICTS = tuple(Verdict)


def data_of(found: Numbers, plots: Plots, pair: tuple[str, str]) -> dict[str, Any]:
    """The data, as JSON takes it.

    Args:
        found: The numbers.
        plots: Where the plots' axes are, and the order of the heat map.
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
        "statuses": [status.value for status in STATUSES],
        "verdicts": [verdict.value for verdict in VERDICTS],
        "wall": table.kind == "wall",
        "frame": plots.frame,
        "heat": plots.heat_box,
        "order": [place[instance] for instance in plots.order],
        "pair": [number[name] for name in pair],
        "reasons": list(reasons),
        "rows": rows,
    }


def folder_of(runs: Sequence[Run]) -> str:
    """The folder that all files are in, with its slash; "" where there is no such one."""
    files = {run.instance.partition("#")[0] for run in runs if "#" in run.instance}
    folders = {file[: file.rfind("/") + 1] for file in files}
    return folders.pop() if len(folders) == 1 else ""


def _row(
    found: Numbers,
    instance: str,
    number: dict[str, int],
    pictures: list[str],
    reasons: dict[str, int],
) -> list[Any]:
    """An instance as page.js describes it."""
    cells = found.table.cells[instance]
    runs = found.results.runs
    if len(runs) <= MAX_RUNS:
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


def _agreed(found: Numbers, indices: Sequence[int]) -> Verdict | None:
    """The verdict of all runs that are ok, if it is one."""
    statuses, runs = found.judgement.statuses, found.results.runs
    verdicts = {runs[index].verdict for index in indices if statuses[index] is Status.OK}
    return verdicts.pop() if len(verdicts) == 1 else None


def _count(found: Numbers, indices: Sequence[int]) -> str:
    """The number of solutions of which all runs that are ok agree that it is all; else nothing."""
    if found.results.header.max_solutions is not None:
        return ""
    statuses, runs = found.judgement.statuses, found.results.runs
    counts = {runs[index].count for index in indices if statuses[index] is Status.OK} - {None}
    digits = str(counts.pop()) if len(counts) == 1 else ""
    is_long = len(digits) > MAX_DIGITS
    return f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}" if is_long else digits


def _run(run: Run, number: dict[str, int], status: Status, reasons: dict[str, int]) -> list[Any]:
    """A run as page.js describes it; trailing parts that say nothing are left out."""
    conflicts = run.statistics.get("conflicts")
    is_count = isinstance(conflicts, int) and not isinstance(conflicts, bool)
    reason = run.reason[:MAX_REASON]
    line = [
        number[run.configuration],
        run.repetition,
        STATUSES.index(status),
        VERDICTS.index(run.verdict),
        *map(_short, (run.cpu_s, run.wall_s, run.encode_s, run.solve_s)),
        round(run.peak_mib),
        conflicts if is_count else None,
        reasons.setdefault(reason, len(reasons) + 1) if reason else None,
    ]
    while line[-1] is None:
        line.pop()
    return line


def _short(seconds: float | None) -> float | int | None:
    """Ten microseconds are less than the page shows, and than a dot of the scatter plot is wide."""
    if seconds is None:
        return None
    value = round(seconds, 5)
    return int(value) if value == int(value) else value


def _pictures(found: Numbers, order: Sequence[str]) -> dict[str, list[str]]:
    """Up to two verified solutions of each instance, the hardest first, while there is room."""
    kept: dict[str, list[str]] = {}
    left = MAX_PICTURES
    runs = found.results.runs
    for instance in reversed(order):
        indices = (i for cell in found.table.cells[instance].values() for i in cell.runs)
        # The driver's status: what it verified holds, whatever others refute of the verdict.
        right = (runs[i].solutions for i in indices if runs[i].status is Status.OK)
        best = max(right, key=len, default=())
        texts = [_picture(rows) for rows in best[:2]]
        size = sum(map(len, texts))
        if texts and size <= min(left, MAX_PICTURE):
            kept[instance] = texts
            left -= size
    return kept


def _picture(rows: Sequence[str]) -> str:
    """Cells by their symbols; what families say in words and numbers as it is."""
    if not set().union(*rows) <= set(SYMBOLS):
        return "=" + "\n".join(rows)
    return "/".join(map(_counted, rows))


def _counted(row: str) -> str:
    """A row with the number of repetitions before each letter that is repeated."""
    letters = "".join("?" if char.isdecimal() or char == "/" else char for char in row)
    runs = ((letter, len(list(group))) for letter, group in groupby(letters))
    return "".join(f"{num}{letter}" if num > 1 else letter for letter, num in runs)
