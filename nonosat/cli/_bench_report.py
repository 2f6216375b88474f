"""`nonosat bench report`: results of benchmarks as a page, as Markdown or as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.bench.report import check_installed
from nonosat.bench.report.numbers import numbers
from nonosat.bench.report.text import markdown, runs_csv, summary_csv
from nonosat.bench.results import load
from nonosat.cli._files import PAGE, STDOUT, check_target, force_option, suffix_of, write
from nonosat.cli._options import which_seconds
from nonosat.cli._progress import Working, quiet_option
from nonosat.core.errors import counted, path_text, printable

if TYPE_CHECKING:
    from nonosat.bench.judge import Judgement
    from nonosat.bench.report.numbers import ReportContent

USUAL = "report.html"
_LISTED = 10  # disputes that are listed
FORMS = {**dict.fromkeys(PAGE, "page"), ".md": "markdown", ".csv": "csv"}  # by suffix


@click.command("report")
@click.argument("files", metavar="RESULTS...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    help=f"Where to write: OUT.html, OUT.md or OUT.csv, or any name with a form (below). Else "
    f"{USUAL}, or standard output for Markdown and CSV.",
)
@force_option
@quiet_option
@click.option("--markdown", is_flag=True, help="Write Markdown: summary and contributions.")
@click.option("--csv", is_flag=True, help="Write CSV: the summary, one line per configuration.")
@click.option("--csv-runs", is_flag=True, help="Write CSV: one line per run.")
@click.option("--baseline", metavar="NAME", help="Configuration that ratios refer to.")
@which_seconds
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    output: str | None,
    baseline: str | None,
    seconds: str,
    **forms: bool,
) -> None:
    """Compare the configurations in RESULTS..., which `bench run` wrote.

    Files of `batch`, and folders of its --shards, are read as well: their options are one
    configuration, and their wall seconds are used as CPU seconds.

    The page is one HTML file that needs no network: summary, plots, every puzzle and its runs. It
    needs matplotlib. Wrong answers are also listed on standard error, with the commands that
    reproduce them.
    """
    chosen = [name.replace("_", "-") for name, is_chosen in forms.items() if is_chosen]
    if len(chosen) > 1:
        raise click.UsageError(f"--{' and --'.join(chosen)}: expected one form")
    target = output or (None if chosen else USUAL)
    if target is not None:
        _check_target(target, files, () if chosen else tuple(FORMS))
    form = chosen[0] if chosen else _form_of(target or USUAL)
    with Working("reading results") as work:
        found = _numbers(files, baseline, seconds)
        work.doing("draw the page" if form == "page" else "write")
        text = _text(found, form)
    if target is None:
        click.echo(text, nl=False)
    else:
        _write(text, target)
    _warn(found.judgement)
    ctx.exit(0)


def check_report(target: str, results: str, *, replaces: bool) -> None:
    """Raise early the errors that `write_report` would raise.

    Args:
        target: The file to write.
        results: The file of results.
        replaces: True if it may be replaced without --force.

    Raises:
        UnsupportedError: It is a page, and matplotlib is not installed.
    """
    _check_target(target, [results], tuple(FORMS), replaces=replaces)
    if _form_of(target) == "page":
        check_installed()


def write_report(target: str, results: str) -> None:
    """Write the report on one file of results as a page, or in the format of its suffix."""
    with Working("making the report"):
        text = _text(_numbers([results], None, "cpu"), _form_of(target))
    _write(text, target)


def _form_of(target: str) -> str:
    return FORMS[suffix_of(target, FORMS) or PAGE[0]]


def _check_target(
    target: str, results: Sequence[str], suffixes: Sequence[str], *, replaces: bool = False
) -> None:
    path = Path(target)
    if target == STDOUT and suffixes:
        raise click.UsageError("- has no suffix; use --markdown, --csv or --csv-runs")
    if any(path.resolve() == Path(file).resolve() for file in results):
        raise click.UsageError(
            f"{path_text(target)} has the results; choose another file for the report"
        )
    check_target(target, suffixes, replaces=replaces)


def _numbers(files: Sequence[str], baseline: str | None, seconds: str) -> ReportContent:
    return numbers(load(files), baseline, seconds)


def _write(text: str, target: str) -> None:
    write(target, text.encode(errors="backslashreplace"), "the report")


def _warn(judgement: Judgement) -> None:
    """Write wrong answers and disputes to standard error."""
    for wrong in judgement.wrong:
        text = f"{wrong.configuration}: {wrong.instance}: {wrong.reason}"
        click.echo(f"nonosat: wrong answer of {printable(text)}", err=True)
        click.echo(f"  {wrong.command}", err=True)
    for dispute in judgement.disputes[:_LISTED]:
        click.echo(f"nonosat: dispute: {printable(dispute)}", err=True)
    if (more := len(judgement.disputes) - _LISTED) > 0:
        click.echo(f"nonosat: and {counted(more, 'dispute')} more; --markdown lists all", err=True)


def _text(found: ReportContent, form: str) -> str:
    """Return the report in the requested format."""
    if form == "markdown":
        return markdown(found)
    if form == "csv":
        return summary_csv(found)
    if form == "csv-runs":
        return runs_csv(found)
    check_installed()
    from nonosat.bench.report.page import page

    return page(found)
