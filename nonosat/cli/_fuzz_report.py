"""How far `nonosat fuzz` is, and what it has covered and found in the end."""

from __future__ import annotations

from collections import Counter
from math import inf
from time import monotonic
from typing import Any

import click

from nonosat.cli._progress import Line, clock
from nonosat.core.errors import counted
from nonosat.testing.fuzzing.coverage import OF_ANSWERS, OF_CASES
from nonosat.testing.fuzzing.findings import replay
from nonosat.testing.fuzzing.record import Totals

SLOWEST = 8
WIDTH = 98


class Live(Line):
    """A line that tells how far a campaign is; a context manager.

    Args:
        totals: Of the campaign.
        seconds: How long it will be.
    """

    def __init__(self, totals: Totals, seconds: float) -> None:
        super().__init__()
        self._totals = totals
        self._seconds = seconds
        self._started = monotonic()
        self._before = totals.coverage.cases

    def show_now(self) -> None:
        """Take notice of how far it is."""
        self.show(self.text)

    def text(self) -> str:
        """What the line says."""
        spent = monotonic() - self._started
        cases, failures = self._totals.coverage.cases, len(self._totals.failures)
        rate = (cases - self._before) / max(spent, 0.001)
        parts = [counted(cases, "case"), counted(failures, "failure"), f"{rate:.0f}/s"]
        if self._seconds < inf:
            parts.append(f"{clock(self._seconds - spent)} left")
        return ", ".join(parts)


def show(totals: Totals, unlooked: int, as_json: bool) -> None:
    """Print what was covered and found."""
    if as_json:
        from nonosat.cli._output import print_json

        print_json(data_of(totals, unlooked))
        return
    for lines in (_summary(totals, unlooked), *_tables(totals), _slow(totals), _failures(totals)):
        for line in lines:
            click.echo(line)


def data_of(totals: Totals, unlooked: int) -> dict[str, Any]:
    """All of it as JSON data."""
    from nonosat.core.versions import versions

    failures = [
        {name: value for name, value in failure.items() if name not in ("kind", "session")}
        for failure in totals.failures.values()
    ]
    return {
        **totals.coverage.to_data(),
        "failed_cases": totals.failed_cases,
        "not_looked_into": unlooked,
        "failures": failures,
        "mib": totals.mib,
        "wall_s": round(totals.wall_s, 3),
        "sessions": totals.session,
        "versions": versions(),
    }


def _summary(totals: Totals, unlooked: int) -> list[str]:
    found = totals.coverage
    rate = found.cases / max(totals.wall_s, 0.001)
    sessions = f" in {counted(totals.session, 'session')}" if totals.session > 1 else ""
    lines = [
        f"{counted(found.cases, 'case')}, {counted(found.answers, 'answer')}, "
        f"{counted(len(totals.failures), 'failure')} "
        f"({totals.wall_s:.1f} s{sessions}, {rate:.1f} cases/s, "
        f"at most {totals.mib:.0f} MiB a process)"
    ]
    if unlooked:
        lines.append(f"{counted(unlooked, 'failing case')} more that nobody has looked into")
    return lines


def _tables(totals: Totals) -> list[list[str]]:
    counts = totals.coverage.counts
    titles = {name: f"{name}, cases" for name in OF_CASES}
    titles |= {name: f"{name}, answers" for name in OF_ANSWERS}
    return [_table(titles[name], counts[name]) for name in (*OF_CASES, *OF_ANSWERS) if counts[name]]


def _table(title: str, counts: Counter[str]) -> list[str]:
    """Names with their numbers, the most frequent first, as many to a line as fit."""
    lines, line = [f"{title}:"], " "
    for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        part = f" {name} {number},"
        if len(line) + len(part) > WIDTH and line.strip():
            lines.append(line)
            line = " "
        line += part
    return [*lines, line.rstrip(",")]


def _slow(totals: Totals) -> list[str]:
    """What took most of the time."""
    rows = totals.coverage.slowest(SLOWEST)
    if not rows:
        return []
    told = (
        f"  {name}: {total:.1f} s, {1000 * mean:.1f} ms an answer" for name, total, mean in rows
    )
    return ["slowest choices:", *told]


def _failures(totals: Totals) -> list[str]:
    lines = []
    for failure in totals.failures.values():
        times = counted(failure["times"], "case")
        first = failure["text"].partition("\n")[0]
        shrunk = "" if failure["is_shrunk"] else ", not shrunk to the end"
        lines += [
            f"FAILURE {failure['id']} ({failure['what']}, {times}, {failure['size']}{shrunk})"
        ]
        lines += [f"  {first}"]
        if failure["file"]:
            lines += [f"  {replay(failure['file'])}"]
    return lines
