"""The numbers of a report, computed once for the page, for Markdown and for CSV.

All forms show the same strings of the same rows. Linear in the number of cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isinf
from statistics import fmean, median
from typing import NamedTuple

from nonosat.bench.cells import Cell, CellTable, tabulate
from nonosat.bench.judge import Judgement, judge
from nonosat.bench.noise import FEWEST
from nonosat.bench.outcome import SKIPPED
from nonosat.bench.records import Status
from nonosat.bench.results import Results
from nonosat.bench.statistics import LEAST_S, Ratio, ratio
from nonosat.core.errors import UnsupportedError

Row = dict[str, str]
FAILURES = (Status.TIMEOUT, Status.MEMOUT, Status.CRASH, Status.UNSUPPORTED)
VIRTUAL_BEST = "virtual best"
TOO_FEW = "too few pairs for an interval"
EFFORT = (
    "auxiliaries",
    "clauses",
    "literals",
    "conflicts",
    "propagations",
)  # counters shown if all have them


EFFORT_NOTE = (
    "Sums over the instances that all of these solved; a configuration that solved less than two "
    "thirds of them, or counts no conflicts, is left out."
)


class NumberFormat(NamedTuple):
    """Format of numbers.

    Args:
        unit: Unit of times.
        time: Function that converts seconds to text in that unit.
        other: Function that converts ratios and memory to text.
    """

    unit: str
    time: Callable[[float], str]
    other: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class ReportContent:
    """Content of a report.

    Args:
        results: The runs.
        judgement: Judged statuses of the runs.
        table: Cells of all instances and configurations.
        baseline: The configuration that ratios refer to.
        summary: One row per configuration.
        contributions: One row per configuration, and one for the virtual best solver.
        effort: One row per configuration that counts conflicts; empty if fewer than two do.
    """

    results: Results
    judgement: Judgement
    table: CellTable
    baseline: str
    summary: Sequence[Row]
    contributions: Sequence[Row]
    effort: Sequence[Row]


def numbers(results: Results, baseline: str | None, kind: str) -> ReportContent:
    """Judge the runs and compute the tables.

    Args:
        results: The runs.
        baseline: Name of a configuration; None for the first that gave no wrong answer.
        kind: "cpu" or "wall" seconds.

    Raises:
        UnsupportedError: No configuration has that name; the message lists all.
    """
    judgement = judge(results)
    table = tabulate(results, judgement, kind)
    names = table.configurations
    if baseline is None:
        baseline = next((name for name in names if name not in table.wrong), names[0])
    if baseline not in names:
        raise UnsupportedError(f"no configuration {baseline!r}, expected one of {', '.join(names)}")
    return ReportContent(
        results,
        judgement,
        table,
        baseline,
        summary_of(results, table, judgement, (baseline, PLAIN)),
        contributions_of(table, PLAIN),
        effort_of(results, table),
    )


def marked(table: CellTable, name: str) -> str:
    """Return a configuration's name for tables, marked if it gave a wrong answer."""
    return f"{name} (WRONG)" if name in table.wrong else name


def num(value: float) -> str:
    """Return a number with three significant digits, without an exponent if that is readable."""
    if isinf(value):
        return "∞"
    if value and not 1e-4 <= abs(value) < 1e6:
        return f"{value:.2e}"
    text = f"{value:.3g}"
    return f"{value:.0f}" if "e" in text or abs(value) >= 100 else text


def milliseconds(seconds: float) -> str:
    """Return milliseconds with one decimal, so that decimal points align in a column."""
    return "∞" if isinf(seconds) else f"{1000 * seconds:,.1f}"


def fixed(value: float) -> str:
    """Return a number with two decimals, for alignment; small ones with more, so as not to be 0."""
    return num(value) if isinf(value) or 0 < value < 0.095 else f"{value:,.2f}"


PLAIN = NumberFormat("s", num, num)
ALIGNED = NumberFormat("ms", milliseconds, fixed)


def summary_of(
    results: Results, table: CellTable, judgement: Judgement, compared: tuple[str, NumberFormat]
) -> list[Row]:
    """Return a row for each configuration.

    Args:
        results: The runs.
        table: Cells of all instances and configurations.
        judgement: Wrong answers of the runs.
        compared: The configuration that ratios refer to, and the format of numbers.
    """
    return [_summary(results, table, judgement, name, compared) for name in table.configurations]


def _summary(
    results: Results,
    table: CellTable,
    judgement: Judgement,
    name: str,
    compared: tuple[str, NumberFormat],
) -> Row:
    baseline, style = compared
    cells = table.column(name)
    statuses = Counter(cell.status for cell in cells.values())
    peaks = [cell.peak_mib for cell in cells.values()]
    skipped = sum(results.runs[cell.run].reason.startswith(SKIPPED) for cell in cells.values())
    failures = {status.value: str(statuses[status]) for status in FAILURES}
    if skipped:
        failures[Status.UNSUPPORTED.value] += f" ({skipped} skipped: too large)"
    return {
        "configuration": marked(table, name),
        "wrong": str(judgement.num_wrong.get(name, 0)),
        "solved": f"{statuses[Status.OK]} of {len(cells)}",
        **failures,
        f"PAR-2 {style.unit}": style.time(fmean(cell.score for cell in cells.values())),
        **_ratio(table, name, baseline, style),
        "memory MiB": style.other(median(peaks)),
        "most MiB": style.other(max(peaks)),
    }


def _ratio(table: CellTable, name: str, baseline: str, style: NumberFormat) -> Row:
    found = None if name == baseline else against(table, name, baseline)
    if name == baseline:
        return {"ratio": "baseline", "95 % interval": "", "pairs": ""}
    if found is None:
        return {"ratio": "-", "95 % interval": "", "pairs": "0"}
    interval = TOO_FEW
    if found.num >= FEWEST:
        interval = f"{style.other(found.low)} to {style.other(found.high)}"
    return {"ratio": style.other(found.value), "95 % interval": interval, "pairs": str(found.num)}


def against(table: CellTable, name: str, baseline: str) -> Ratio | None:
    """Return the geometric mean ratio of seconds on the instances that both solved."""
    pairs = [
        (row[name].seconds, row[baseline].seconds)
        for row in table.cells.values()
        if name in row and baseline in row and row[name].is_solved and row[baseline].is_solved
    ]
    return ratio(pairs, LEAST_S)


# The virtual best solver: on each instance, the best configuration without wrong answers


def contributions_of(table: CellTable, style: NumberFormat) -> list[Row]:
    """Return a row per configuration: the loss of the virtual best solver without it."""
    rivals = [name for name in table.configurations if name not in table.wrong]
    rows = [{name: row[name] for name in rivals if name in row} for row in table.cells.values()]
    rows = [row for row in rows if row]
    if not rows:
        return []
    whole = _virtual_score(rows, table.limit_s)
    found = [_contribution(table, rows, name, whole, style) for name in rivals]
    solved = sum(any(cell.is_solved for cell in row.values()) for row in rows)
    virtual = {
        "configuration": VIRTUAL_BEST,
        "solved": str(solved),
        "fastest": "",
        "alone": "",
        f"PAR-2 {style.unit}": style.time(whole),
        "without it": "",
    }
    return [virtual, *found]


def _contribution(
    table: CellTable,
    rows: Sequence[Mapping[str, Cell]],
    name: str,
    whole: float,
    style: NumberFormat,
) -> Row:
    solved = [row for row in rows if name in row and row[name].is_solved]
    fastest = sum(row[name].score == min(cell.score for cell in row.values()) for row in solved)
    alone = sum(sum(cell.is_solved for cell in row.values()) == 1 for row in solved)
    others = [{other: cell for other, cell in row.items() if other != name} for row in rows]
    without = _virtual_score(others, table.limit_s)
    own = [row[name].score for row in rows if name in row]
    return {
        "configuration": name,
        "solved": str(len(solved)),
        "fastest": str(fastest),
        "alone": str(alone),
        f"PAR-2 {style.unit}": style.time(fmean(own)) if own else "-",
        "without it": style.time(without) + (f" (+{without / whole - 1:.1%})" if whole else ""),
    }


def _virtual_score(rows: Sequence[Mapping[str, Cell]], limit_s: float) -> float:
    """Return the mean PAR-2 of the best configuration per instance.

    An instance on which no configuration ran counts as unsolved.
    """
    return fmean(min((cell.score for cell in row.values()), default=2 * limit_s) for row in rows)


# Effort: totals of engines' counters on instances that several configurations solved


def effort_of(results: Results, table: CellTable) -> list[Row]:
    """Return sums of counters on the instances that all listed configurations solved.

    A configuration that solved less than two thirds of the instances is not listed, because it
    would leave few common instances.
    """
    counted = {
        name: {
            sha: results.runs[cell.run].statistics
            for sha, cell in table.column(name).items()
            if cell.is_solved and type(results.runs[cell.run].statistics.get("conflicts")) is int
        }
        for name in table.configurations
    }
    able = {name: own for name, own in counted.items() if 3 * len(own) >= 2 * len(table.instances)}
    if len(able) < 2:
        return []
    common = set.intersection(*(set(own) for own in able.values()))
    names = [
        name
        for name in EFFORT
        if all(type(own[sha].get(name)) is int for own in able.values() for sha in common)
    ]
    return [
        {
            "configuration": marked(table, label),
            "instances": str(len(common)),
            **{name: f"{sum(own[sha][name] for sha in common):,}" for name in names},
        }
        for label, own in able.items()
        if common
    ]
