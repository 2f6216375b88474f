"""`nonosat bench run`: every configuration of a suite on every instance, recorded continuously."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat.bench.again import command as command_of
from nonosat.bench.book import RunBook
from nonosat.bench.records import Status
from nonosat.bench.runner import RunDriver, Running
from nonosat.bench.suite import load_suite, restricted
from nonosat.cli import FAILURE, INTERRUPTED, message_of
from nonosat.cli._bench_report import check_report, write_report
from nonosat.cli._files import check_results, force_option, is_forced
from nonosat.cli._jobs import checked, places
from nonosat.cli._options import going_on
from nonosat.cli._progress import StatusLine, bar, clock, quiet_option
from nonosat.cli._repair import repair as mend
from nonosat.core import hooks
from nonosat.core.errors import UnsupportedError, counted, path_text, printable
from nonosat.processes.journal import Journal
from nonosat.processes.places import pool_of
from nonosat.processes.system import check_trees

if TYPE_CHECKING:
    from nonosat.bench.suite import Suite

_NAME_WIDTH = 40  # characters of the slowest run's name
_AT_LEAST_S = 1.0  # seconds from which a run is reported as slow


@click.command("run")
@click.argument("suite", metavar="SUITE.toml", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    metavar="RESULTS",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="File of the runs, one JSON object per line.",
)
@force_option
@quiet_option
@places("Parallel runs; by default one.")
@click.option(
    "--report",
    metavar="OUT",
    help="Write a report at the end: OUT.html (a page), OUT.md or OUT.csv. --resume replaces it.",
)
@going_on("runs")
@click.option(
    "--instance",
    "instances",
    metavar="NAME",
    multiple=True,
    help="Run this instance only. Repeatable.",
)
@click.option(
    "--configuration",
    "configurations",
    metavar="NAME",
    multiple=True,
    help="Run this configuration only. Repeatable.",
)
@click.pass_context
def command(
    ctx: click.Context, /, suite: Path, output: Path, report: str | None, **params: Any
) -> None:
    """Run every configuration of a suite on every instance, each run in a process of its own.

    Limits on wall time, CPU time and memory hold for a run with all its child processes. Each
    result is on the disk before the next run begins (a cluster does half a second of work in
    between), so that --resume continues after any interruption. The status is 0 when all is done,
    whatever the results of the runs; 70 when an answer is wrong.
    """
    jobs = checked(params["jobs"], params["force_jobs"], params["cluster"], usual=1)
    whole = load_suite(suite)
    try:
        part = restricted(whole, params["instances"], params["configurations"])
    except UnsupportedError as error:
        raise click.UsageError(message_of(error)) from None
    for name in part.repeated:
        click.echo(f"nonosat: {name} is left out: an instance before it is the same", err=True)
    for name, needed in () if params["configurations"] else part.absent.items():
        text = f"{name} is left out: {needed} is not installed"
        click.echo(f"nonosat: {printable(text)}", err=True)
    if params["repair"]:
        mend(output)
    check_results(output, params["resume"], "nonosat bench run")
    if report is not None:
        check_report(report, str(output), replaces=params["resume"])
    status = record(part, output, (jobs, params["cluster"]), params["retry"])
    if report is not None and status != INTERRUPTED:
        write_report(report, str(output))
    ctx.exit(status)


def record(suite: Suite, output: Path, place: tuple[int, str | None], retry: frozenset[str]) -> int:
    """Run the pairs that the file of results lacks; return the exit status.

    Args:
        suite: The suite.
        output: The file.
        place: Number of jobs, and the address of a cluster.
        retry: Statuses of runs that are repeated.
    """
    jobs, cluster = place
    if cluster is None:
        check_trees()
    work = Running(tuple(one.options for one in suite.configurations))
    with (
        closing(pool_of(jobs, cluster, work)) as pool,
        Journal(output, replaces=is_forced()) as file,
    ):
        book = RunBook(suite, file, retry)
        for note in filter(None, (file.note, *book.notes)):
            click.echo(f"nonosat: {note}", err=True)
        before = book.num_done
        with StatusLine() as line:

            def report(crew: RunDriver) -> None:
                line.show(lambda: f"{bar(crew.done, crew.total)} {described(crew, hooks.clock())}")

            crew = RunDriver(book, pool, report, is_batched=cluster is not None)
            try:
                crew.run()
            except KeyboardInterrupt:
                text = f"interrupted, {crew.done} of {counted(crew.total, 'run')} done"
                click.echo(f"nonosat: {text}", err=True)
                return INTERRUPTED
    _summary(crew, before, output)
    return _wrong(book)


def described(crew: RunDriver, now: float) -> str:
    """Return the progress in words: running, failed, rate, time left, the slowest active run."""
    running = crew.running()
    parts = [f"{len(running)} running"]
    if failed := crew.done - crew.statuses[Status.OK]:
        parts.append(f"{failed} not ok")
    if crew.done and now > crew.started:
        rate = crew.done / (now - crew.started)
        parts += [f"{rate:.3g}/s", f"{clock((crew.total - crew.done) / rate)} left"]
    if running and now - running[0][1] >= _AT_LEAST_S:
        job, since = running[0]
        parts.append(f"{now - since:.0f} s: {_shortened(str(job))}")
    return ", ".join(parts)


def _shortened(name: str) -> str:
    text = printable(name)
    return text if len(text) <= _NAME_WIDTH else f"{text[: _NAME_WIDTH - 3]}..."


def _summary(crew: RunDriver, before: int, output: Path) -> None:
    kinds = ", ".join(
        f"{crew.statuses[status]} {status.value}" for status in Status if crew.statuses[status]
    )
    file = path_text(output)
    earlier = f", {before} done before" if before else ""
    click.echo(f"{counted(crew.done, 'run')}{f': {kinds}' if kinds else ''}{earlier}; {file}")


def _wrong(book: RunBook) -> int:
    """Report wrong runs and the commands that reproduce them; return the exit status."""
    for run in book.wrong:
        what = f"{run.configuration} on {run.instance}: {run.reason}"
        again = command_of(book.header, run)
        click.echo(f"nonosat: WRONG: {what}; to reproduce it: {again}", err=True)
    return FAILURE if book.wrong else 0
