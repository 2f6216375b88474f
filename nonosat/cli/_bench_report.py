"""`nonosat bench report`: what benchmarks found, as a page, as Markdown or as CSV."""

from __future__ import annotations

from pathlib import Path

import click

PAGE = "report.html"


@click.command("report", short_help="Show what benchmarks found: a page, Markdown or CSV.")
@click.argument("files", metavar="RESULTS...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help=f"Where to write; else {PAGE}, or standard output for Markdown and CSV.",
)
@click.option("--markdown", "form", flag_value="markdown", help="Summary and contributions.")
@click.option("--csv", "form", flag_value="csv", help="The summary, a line a configuration.")
@click.option("--csv-runs", "form", flag_value="csv-runs", help="A line a run.")
@click.option("--baseline", metavar="NAME", help="Configuration that ratios are against.")
@click.option(
    "--seconds",
    type=click.Choice(["cpu", "wall"]),
    default="cpu",
    show_default=True,
    help="Which seconds are compared.",
)
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    output: str | None,
    form: str | None,
    baseline: str | None,
    seconds: str,
) -> None:
    """Compare the configurations in RESULTS..., which `bench run` wrote.

    The page is one HTML file that needs no network: summary, plots, every puzzle and its runs. It
    needs matplotlib (pip install 'nonosat[report]'). Wrong answers are told on standard error as
    well, with the commands that show them again.
    """
    from nonosat.bench.report.numbers import numbers
    from nonosat.bench.results import load

    found = numbers(load(files), baseline, seconds)
    text = _text(found, form)
    target = output or (None if form else PAGE)
    if target is None:
        click.echo(text, nl=False)
    else:
        from nonosat.cli.convert import write_atomically

        write_atomically(Path(target), text.encode(errors="backslashreplace"))
        click.echo(f"wrote {target}", err=True)
    for wrong in found.judgement.wrong:
        click.echo(f"nonosat: wrong answer of {_told(wrong.configuration)}: ", err=True, nl=False)
        click.echo(f"{_told(wrong.instance)}: {_told(wrong.reason)}", err=True)
        click.echo(f"  {wrong.command}", err=True)
    ctx.exit(0)


def _told(text: str) -> str:
    from nonosat.cli._sources import printable

    return printable(text)


def _text(found: object, form: str | None) -> str:
    """The report in the form asked for."""
    from nonosat.bench.report import text
    from nonosat.bench.report.numbers import Numbers

    assert isinstance(found, Numbers)
    if form == "markdown":
        return text.markdown(found)
    if form == "csv":
        return text.summary_csv(found)
    if form == "csv-runs":
        return text.runs_csv(found)
    from nonosat.bench.report.page import page

    return page(found)
