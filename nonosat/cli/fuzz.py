"""`nonosat fuzz`: solve random puzzles in many ways and report disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import closing, nullcontext
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import INTERRUPTED, _jobs, message_of
from nonosat.cli._files import check_results, force_option, is_forced
from nonosat.cli._options import decorated, duration, limits, one_json, seed
from nonosat.cli._output import print_json
from nonosat.cli._progress import StatusLine, clock
from nonosat.core import hooks
from nonosat.core.errors import UnsupportedError, counted, path_text
from nonosat.core.versions import versions
from nonosat.processes.journal import Journal
from nonosat.processes.places import pool_of
from nonosat.testing.fuzzing import drawing, findings
from nonosat.testing.fuzzing.campaign import Campaign, Effort
from nonosat.testing.fuzzing.coverage import OF_ANSWERS, OF_CASES
from nonosat.testing.fuzzing.findings import replay
from nonosat.testing.fuzzing.reach import ReachFilter
from nonosat.testing.fuzzing.record import JournalWriter, Totals
from nonosat.testing.fuzzing.shrinking import GONE, replayed
from nonosat.testing.fuzzing.trying import AnswerWork

if TYPE_CHECKING:
    from nonosat.testing.fuzzing.drawing import CaseSource


FOUND = 1  # exit status if a disagreement or failure was found
FOLDER = "fuzz-failures"
TIME_LIMIT_S, SHRINK_S = 10.0, 60.0
MEMORY_LIMIT_MIB = 4096
_SLOWEST = 8  # slowest choices that the report lists
_WIDTH = 98  # width of its lines


def _names(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of a repeatable option with several names per value, without duplicates."""
    found = (name.strip() for text in texts for name in text.split(","))
    return tuple(dict.fromkeys(filter(None, found)))


def _pairs(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return the pairs KIND=NAME of a repeatable option with several pairs per value."""
    found = []
    for text in _names(ctx, param, texts):
        kind, _, name = text.partition("=")
        if not (kind and name):
            raise click.BadParameter(f"{text!r} is not KIND=NAME, such as line=order", param=param)
        found.append((kind, name))
    return tuple(found)


def _what() -> tuple[Any, ...]:
    """Return decorators that add the options for the selection of puzzles and solvers."""
    return (
        click.option(
            "--family",
            "families",
            metavar="NAME",
            multiple=True,
            callback=_names,
            help="Draw puzzles of this family. Repeatable; default: all.",
        ),
        click.option(
            "--sort",
            "sorts",
            metavar="NAME",
            multiple=True,
            callback=_names,
            help="Draw only this sort: unique, multiple, unsolvable, hard, large, ... Repeatable.",
        ),
        click.option(
            "--backends",
            metavar="A,B",
            multiple=True,
            callback=_names,
            help="Use only these engines and methods, with `auto` and brute force.",
        ),
        click.option(
            "--encodings",
            metavar="KIND=NAME,...",
            multiple=True,
            callback=_pairs,
            help="Use only these encodings, e.g. line=order,count=ladder.",
        ),
        click.option(
            "--command",
            "commands",
            metavar="'SOLVER {file}'",
            multiple=True,
            help="Also compare another program: a command line, run without a shell, "
            "in which {file} is replaced by the puzzle as .non, {nin}, {mk}, ... by other formats. "
            "Repeatable.",
        ),
        seed("Seed of the random numbers; equal seeds draw equal cases."),
    )


def _how() -> tuple[Any, ...]:
    """Return decorators that add the options for limits and output."""
    return (
        duration("--seconds", "seconds", 60.0, "Duration: 90, 5m, 1h; inf is until Ctrl-C."),
        click.option(
            "--cases",
            metavar="N",
            type=click.IntRange(min=1),
            help="Stop after about N puzzles.",
        ),
        duration("--shrink-seconds", "shrink_s", SHRINK_S, "Maximum time to shrink a failure."),
        click.option(
            "-o",
            "--output",
            metavar="RECORD",
            type=click.Path(dir_okay=False),
            help="Record the results in RECORD (JSON Lines), for --resume.",
        ),
        click.option(
            "--resume", is_flag=True, help="Continue RECORD, without repeating its puzzles."
        ),
        force_option,
        click.option(
            "--failures",
            metavar="FOLDER",
            type=click.Path(file_okay=False),
            default=FOLDER,
            show_default=True,
            help="Folder for failing puzzles, each with the commands that reproduce it.",
        ),
        click.option(
            "--replay",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="Only answer a saved puzzle again with the methods that failed.",
        ),
    )


@click.command("fuzz")
@decorated(
    *_what(),
    *_how(),
    _jobs.places("Worker processes; by default one per core."),
    limits("each answer (default 10 s, in a replay those of the failure)"),
    one_json,
)
@click.pass_context
def command(ctx: click.Context, /, **params: object) -> None:
    """Draw random puzzles, answer each in many ways, and report any two that disagree.

    Ways are all backends, methods, counters, encodings, formulations and options that `list` shows,
    brute force if the puzzle is small, and the programs of --command. Verdicts, numbers and sets of
    solutions and backbones are compared; crashes and hangs are failures as well, and a way that has
    crashed or hung four times is then left out. A failing puzzle is shrunk and saved in FOLDER.
    Needs hypothesis.

    The status is 1 if anything disagreed or failed, else 0. With --resume it covers all of RECORD.
    """
    ctx.exit(_replay(params) if params["replay"] else _run(params))


def _drawn(params: Mapping[str, Any]) -> CaseSource:
    """Return the selection of puzzles; refuse unknown names and a missing hypothesis."""
    reach = ReachFilter(params["backends"], params["encodings"], params["commands"])
    drawn = drawing.CaseSource(
        params["seed"], tuple(sorted(params["families"])), tuple(sorted(params["sorts"])), reach
    )
    try:
        drawing.check(drawn)
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None
    return drawn


def _work(params: Mapping[str, Any], usual: AnswerWork | None = None) -> AnswerWork:
    """Return the limits of answers; the defaults if none are given."""
    usual = usual or AnswerWork(TIME_LIMIT_S, MEMORY_LIMIT_MIB)
    memory_mib = params["memory_limit_mib"] or usual.memory_limit_mib
    return AnswerWork(params["time_limit_s"] or usual.time_limit_s, memory_mib)


def _run(params: Mapping[str, Any]) -> int:
    started, output = hooks.clock(), params["output"]
    if output is not None:
        check_results(output, params["resume"], "nonosat fuzz")
    elif params["resume"]:
        raise click.UsageError("--resume continues RECORD; name it with -o")
    jobs = _jobs.checked(*(params[name] for name in _jobs.NAMES))
    drawn, work = _drawn(params), _work(params)

    until = started + params["seconds"]
    status = 0
    with (
        Journal(output, replaces=is_forced()) if output else nullcontext() as journal,
        closing(pool_of(jobs, params["cluster"], work)) as pool,
    ):
        if journal is not None and journal.note:
            click.echo(f"nonosat: {journal.note}", err=True)
        options = {
            "time_limit_s": work.time_limit_s,
            "memory_limit_mib": work.memory_limit_mib,
            "jobs": pool.num_workers,
        }
        recorder = JournalWriter(drawn, options, journal, params["resume"])
        live = _CampaignLine(recorder.totals, params["seconds"])
        effort = Effort(params["shrink_s"], until, params["cases"] or inf)
        campaign = Campaign(drawn, work, pool, recorder, Path(params["failures"]), effort)
        with live:
            try:
                campaign.run(live.show_now)
            except KeyboardInterrupt:
                status = INTERRUPTED
    _show(recorder.totals, campaign.num_dropped, params["as_json"])
    if status:
        click.echo(f"nonosat: interrupted, {_kept(recorder, output)}", err=True)
    return status or (FOUND if recorder.totals.failures else 0)


def _kept(recorder: JournalWriter, output: str | None) -> str:
    cases = counted(recorder.totals.coverage.cases, "case")
    if output is None:
        return f"{cases} done; -o RECORD would have recorded them for --resume"
    return f"{cases} in {path_text(output)}; the same command with --resume continues"


def _replay(params: Mapping[str, Any]) -> int:
    """Answer a saved puzzle again with the methods that failed."""
    saved = findings.load(params["replay"])
    found = replayed(saved.puzzle, saved.ways, _work(params, saved.work))
    if found.kind == GONE:
        ways = ", ".join(map(str, saved.ways))
        click.echo(f"{params['replay']}: nothing is wrong now ({ways})")
        return 0
    click.echo(found.text)
    return FOUND


class _CampaignLine(StatusLine):
    """Progress line of a campaign; a context manager.

    Args:
        totals: Totals of the campaign.
        seconds: Duration of the campaign.
    """

    def __init__(self, totals: Totals, seconds: float) -> None:
        super().__init__()
        self._totals = totals
        self._seconds = seconds
        self._started = hooks.clock()
        self._before = totals.coverage.cases

    def show_now(self) -> None:
        """Show the progress of the campaign."""
        self.show(self.text)

    def text(self) -> str:
        """Return cases, failures, cases per second, and the time that is left."""
        spent = hooks.clock() - self._started
        cases, failures = self._totals.coverage.cases, len(self._totals.failures)
        rate = (cases - self._before) / max(spent, 0.001)
        parts = [counted(cases, "case"), counted(failures, "failure"), f"{rate:.0f}/s"]
        if self._seconds < inf:
            parts.append(f"{clock(self._seconds - spent)} left")
        return ", ".join(parts)


def _show(totals: Totals, num_dropped: int, as_json: bool) -> None:
    """Print coverage and failures of a campaign, as text or as JSON."""
    if as_json:
        print_json(_data_of(totals, num_dropped))
        return
    for lines in (
        _summary(totals, num_dropped),
        *_tables(totals),
        _slow(totals),
        _failures(totals),
    ):
        for line in lines:
            click.echo(line)


def _data_of(totals: Totals, num_dropped: int) -> dict[str, Any]:
    """Return the report as JSON data."""
    failures = [
        {name: value for name, value in failure.items() if name not in ("kind", "session")}
        for failure in totals.failures.values()
    ]
    return {
        **totals.coverage.to_data(),
        "failed_cases": totals.failed_cases,
        "not_looked_into": num_dropped,
        "failures": failures,
        "mib": totals.mib,
        "wall_s": round(totals.wall_s, 3),
        "sessions": totals.session,
        "versions": versions(),
    }


def _summary(totals: Totals, num_dropped: int) -> list[str]:
    found = totals.coverage
    rate = found.cases / max(totals.wall_s, 0.001)
    sessions = f" in {counted(totals.session, 'session')}" if totals.session > 1 else ""
    lines = [
        f"{counted(found.cases, 'case')}, {counted(found.answers, 'answer')}, "
        f"{counted(len(totals.failures), 'failure')} "
        f"({totals.wall_s:.1f} s{sessions}, {rate:.1f} cases/s, "
        f"at most {totals.mib:.0f} MiB a process)"
    ]
    if num_dropped:
        lines.append(f"{counted(num_dropped, 'failing case')} more that were not examined")
    return lines


def _tables(totals: Totals) -> list[list[str]]:
    counts = totals.coverage.counts
    titles = {name: f"{name}, cases" for name in OF_CASES}
    titles |= {name: f"{name}, answers" for name in OF_ANSWERS}
    return [_table(titles[name], counts[name]) for name in (*OF_CASES, *OF_ANSWERS) if counts[name]]


def _table(title: str, counts: Counter[str]) -> list[str]:
    """Return names with their numbers, the most frequent first, as many per line as fit."""
    lines, line = [f"{title}:"], " "
    for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        part = f" {name} {number},"
        if len(line) + len(part) > _WIDTH and line.strip():
            lines.append(line)
            line = " "
        line += part
    return [*lines, line.rstrip(",")]


def _slow(totals: Totals) -> list[str]:
    """Return lines on the choices that took most of the time."""
    rows = totals.coverage.slowest(_SLOWEST)
    if not rows:
        return []
    text = (
        f"  {name}: {total:.1f} s, {1000 * mean:.1f} ms an answer" for name, total, mean in rows
    )
    return ["slowest choices:", *text]


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
