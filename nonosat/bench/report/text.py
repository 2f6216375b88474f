"""A report's numbers as Markdown and as CSV.

Names come from untrusted files: Markdown escapes markup characters, CSV prefixes an apostrophe to
texts that a spreadsheet would read as a formula.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

from nonosat.bench.records import Run
from nonosat.bench.report.numbers import EFFORT_NOTE, ReportContent, Row
from nonosat.bench.results import described
from nonosat.core.errors import counted

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&!$])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
RUN_FIELDS = (
    "instance",
    "sha256",
    "rows",
    "columns",
    "expected",
    "configuration",
    "configuration_sha256",
    "repetition",
    "seed",
    "status",
    "verdict",
    "count",
    "cpu_s",
    "wall_s",
    "start_s",
    "encode_s",
    "solve_s",
    "check_s",
    "peak_mib",
    "conflicts",
    "reason",
    "exit",
    "signal",
    "commit",
    "started",
)


def markdown(found: ReportContent) -> str:
    """Return summary, wrong answers, disputes, contributions and environment."""
    header, table = found.results.header, found.table
    parts = [
        f"# {_plain(header.suite)}",
        f"{_plain(described(header))}. {counted(len(found.results.runs), 'run')} of "
        f"{counted(len(table.configurations), 'configuration')} on "
        f"{counted(len(table.instances), 'instance')}; "
        f"{table.kind.upper() if table.kind == 'cpu' else table.kind} seconds, ratios against "
        f"{_plain(found.baseline)}.",
        *(f"Note: {_plain(remark)}." for remark in found.results.remarks),
        *_alarms(found),
        "## Summary",
        _table(found.summary),
        "## Virtual best solver and contributions",
        _table(found.contributions) if found.contributions else "Every configuration was wrong.",
        *_effort(found),
        "## Environment",
        _table([{"what": name, "value": value} for name, value in environment(found)]),
    ]
    return "\n\n".join(parts) + "\n"


def _effort(found: ReportContent) -> list[str]:
    """Return the section of engines' counters, if at least two configurations can be compared."""
    return ["## Effort", EFFORT_NOTE, _table(found.effort)] if found.effort else []


def _alarms(found: ReportContent) -> list[str]:
    """Return wrong answers with the commands that repeat them, then disputes."""
    parts = []
    if found.judgement.wrong:
        parts.append("## Wrong answers")
    for wrong in found.judgement.wrong:
        text = f"**{_plain(wrong.configuration)}** on {_plain(wrong.instance)}"
        parts.append(f"{text}: {_plain(wrong.reason)}. To repeat it:")
        parts.append(f"    {wrong.command}")
    if found.judgement.disputes:
        parts.append("## Disputes")
        parts.append("\n".join(f"* {_plain(one)}" for one in found.judgement.disputes))
    return parts


def environment(found: ReportContent) -> list[tuple[str, str]]:
    """Return all conditions of the runs (versions, machine, limits) as pairs (name, text)."""
    header = found.results.header
    pairs: list[tuple[str, str]] = [("suite hash", str(header.suite_sha256))]
    for name, value in header.environment.items():
        if isinstance(value, Mapping):
            pairs += [(str(key), str(version)) for key, version in value.items()]
        else:
            pairs.append((str(name), "-" if value is None else str(value)))
    return [*pairs, ("started", str(header.started))]


def _plain(text: str) -> str:
    """Return text in one line with Markdown characters escaped."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return _MARKUP.sub(r"\\\1", line)


def _table(rows: Sequence[Row]) -> str:
    """Return a table with every column but the first aligned to the right."""
    heads = list(rows[0])
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    lines += [[_plain(row[head]) for head in heads] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def summary_csv(found: ReportContent) -> str:
    """Return the summary, one line per configuration."""
    return _csv(list(found.summary[0]), (row.values() for row in found.summary))


def runs_csv(found: ReportContent) -> str:
    """Return all runs with the judge's status, one line per run."""
    pairs = zip(found.results.runs, found.judgement.statuses, strict=True)
    headers = found.results.headers
    commits = {name: header.environment.get("commit") for name, header in headers.items()}
    return _csv(
        RUN_FIELDS, (_run(run, status.value, commits[run.configuration]) for run, status in pairs)
    )


def _run(run: Run, status: str, commit: object) -> list[object]:
    derived = {
        "rows": run.size[0],
        "columns": run.size[1],
        "expected": run.expected.value if run.expected else None,
        "status": status,
        "verdict": run.verdict.value,
        "conflicts": run.statistics.get("conflicts"),
        "commit": commit,
    }
    return [derived[name] if name in derived else getattr(run, name) for name in RUN_FIELDS]


def _csv(heads: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_field(value) for value in row] for row in rows)
    return text.getvalue()


def _field(value: object) -> object:
    is_formula = isinstance(value, str) and value.startswith(_FORMULA) and len(value) > 1
    return f"'{value}" if is_formula else value
