"""`nonosat study`: the founding documents' experiments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from nonosat.experiments import Data

BUNDLED = "instances"
FORMS = (".html", ".md", ".json")


@click.group("study", short_help="Run the founding documents' experiments again.")
def command() -> None:
    """What the documents that this project began with measured or claimed, run again.

    Their methods are backends, `--backend study:NAME`; `nonosat list study` names them.
    """


def _targets(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    for value in values:
        if not value.endswith(FORMS):
            raise click.BadParameter(f"{value!r} ends in none of {', '.join(FORMS)}", ctx, param)
    return values


@command.command("run", short_help="Measure all of it, and report it.")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option(
    "-o",
    "--output",
    "outputs",
    metavar="FILE",
    multiple=True,
    required=True,
    callback=_targets,
    help="Where to write, as its ending says: .html is the page, .md the tables, .json the "
    "numbers. Can be given several times.",
)
@click.option("--quick", is_flag=True, help="Measure very little, in seconds instead of minutes.")
def run(files: tuple[str, ...], outputs: tuple[str, ...], quick: bool) -> None:
    """Run every experiment: on random squares, and on the puzzles of FILE...

    Without FILE the folder `instances` is taken where there is one. Puzzles with colours, with
    blocks of unknown length or with more than 30 rows or columns are left out. The page needs
    matplotlib (pip install 'nonosat[report]').
    """
    from nonosat.cli.convert import write_atomically
    from nonosat.experiments import run as experiments
    from nonosat.formats import load_all

    if any(output.endswith(".html") for output in outputs):
        from nonosat.bench.report.drawing import check_installed

        check_installed()
    for output in outputs:
        if not Path(output).resolve().parent.is_dir():
            raise click.BadParameter(f"there is no folder for {output!r}", param_hint="-o")
    sources = files or ((BUNDLED,) if Path(BUNDLED).is_dir() else ())
    puzzles = experiments.suitable(puzzle for source in sources for puzzle in load_all(source))
    found = experiments.run(puzzles, quick, lambda title: click.echo(f"{title} ...", err=True))
    for output in outputs:
        write_atomically(Path(output), _form(Path(output).suffix)(found).encode())
        click.echo(f"wrote {output}", err=True)


def _form(suffix: str) -> Callable[[Data], str]:
    """What turns a run into a file with this ending."""
    if suffix == ".json":
        from nonosat.experiments.run import as_json as form
    elif suffix == ".md":
        from nonosat.experiments.text import markdown as form
    else:
        from nonosat.experiments.page import page as form
    return form
