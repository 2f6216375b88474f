"""`nonosat study`: experiments of the documents that this project began with."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nonosat.bench.report import check_installed
from nonosat.cli import INTERRUPTED, SuggestingGroup
from nonosat.cli._files import (
    PAGE,
    STDOUT,
    check_target,
    force_option,
    suffix_of,
    wrote,
)
from nonosat.cli._options import decorated
from nonosat.cli._progress import is_quiet, quiet_option
from nonosat.core.errors import FormatError, path_text
from nonosat.formats import BUNDLED, load_all
from nonosat.processes.files import write_atomically
from nonosat.study.experiments import run as experiments
from nonosat.study.experiments.run import MOST_SIDE, as_json, suitable
from nonosat.study.experiments.text import markdown

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.study.experiments import Data

FORMS = (*PAGE, ".md", ".json")


@click.group("study", cls=SuggestingGroup)
def command() -> None:
    """Repeat the measurements and claims of the documents that this project began with.

    Their methods are backends, `--backend study:NAME`; `nonosat list study` names them.
    """


def _form_of(target: str) -> str | None:
    return suffix_of(target, FORMS)


def _targets(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse targets that could not be written after the measurements."""
    for value in values:
        check_target(value, FORMS)
        if value == STDOUT:
            raise click.UsageError("- has no suffix for the format; name a file")
    return values


_output = decorated(
    click.option(
        "-o",
        "--output",
        "outputs",
        metavar="OUT",
        multiple=True,
        required=True,
        callback=_targets,
        help="Where to write: OUT.html is the page, OUT.md the tables, OUT.json the numbers. "
        "Repeatable.",
    ),
    force_option,
)


@command.command("run", short_help="Run all measurements, and report them.")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@_output
@quiet_option
@click.option("--quick", is_flag=True, help="Measure little, in seconds instead of minutes.")
@click.pass_context
def run(ctx: click.Context, files: tuple[str, ...], outputs: tuple[str, ...], quick: bool) -> None:
    """Run every experiment: on random squares, and on the puzzles of FILE...

    Without FILE the bundled puzzles are used. Puzzles with colours, with blocks of unknown length
    or with more than 30 rows or columns are left out. The page needs matplotlib.
    """
    _check(outputs)
    try:
        puzzles = _puzzles(files, quick)
        found = experiments.run(puzzles, quick, _report)
        texts = _texts(found, outputs)
    except KeyboardInterrupt:
        click.echo("nonosat: interrupted, nothing is written", err=True)
        ctx.exit(INTERRUPTED)
    if errors := _write(texts):
        _keep(found)
        raise errors[0]


@command.command("report", short_help="Report a recorded run.")
@click.argument("file", metavar="RESULTS")
@_output
def report(file: str, outputs: tuple[str, ...]) -> None:
    """Make the page or the tables of the numbers in RESULTS, which `study run` wrote (.json)."""
    _check(outputs)
    if errors := _write(_recorded(file, outputs)):
        raise errors[0]


def _report(title: str) -> None:
    """Print the name of the experiment that begins."""
    if not is_quiet():
        click.echo(f"{title} ...", err=True)


def _check(outputs: Sequence[str]) -> None:
    """Raise early the errors of writing: matplotlib is missing, a folder cannot be written."""
    if any(_form_of(output) in PAGE for output in outputs):
        check_installed()

    for output in outputs:
        path = Path(output).resolve()
        if path.exists() and not path.is_file():
            continue  # a pipe or a device, which is written directly
        try:
            tempfile.TemporaryFile(dir=path.parent).close()
        except OSError as error:
            raise OSError(error.errno, error.strerror, output) from error


def _puzzles(files: Sequence[str], quick: bool) -> list[Nonogram]:
    """Return the puzzles that the documents' methods support.

    Raises:
        click.UsageError: Files were named, and they contain no such puzzle.
    """
    every = (puzzle for source in files or (BUNDLED,) for puzzle in load_all(source))
    puzzles = suitable(every, quick=quick)
    if files and not puzzles:
        raise click.UsageError(
            f"{', '.join(files)}: no solvable nonogram in one colour, with numbers for all blocks "
            f"and up to {MOST_SIDE} rows and columns; name others, or none for the bundled puzzles"
        )
    return puzzles


def _texts(found: Data, outputs: Sequence[str]) -> list[tuple[str, str]]:
    """Return files and their contents."""
    return [(output, _text(found, _form_of(output))) for output in outputs]


def _text(found: Data, form: str | None) -> str:
    if form == ".json":
        return as_json(found)
    if form == ".md":
        return markdown(found)
    check_installed()
    from nonosat.study.experiments.page import page

    return page(found)


def _write(texts: Sequence[tuple[str, str]]) -> list[OSError]:
    """Write all files that can be written; return the errors."""
    errors = []
    for output, text in texts:
        try:
            write_atomically(Path(output), text.encode())
        except OSError as error:
            errors.append(error)
        else:
            wrote(output, "the report")
    return errors


def _keep(found: Data) -> None:
    """Write the numbers to a temporary file, if there is room, and report its name."""
    path = Path(tempfile.mkdtemp(prefix="nonosat-study-"), "study.json")
    try:
        write_atomically(path, _text(found, ".json").encode())
    except OSError:
        path.parent.rmdir()
    else:
        click.echo(
            f"nonosat: the numbers are stored in {path_text(path)}, for `study report`", err=True
        )


def _recorded(file: str, outputs: Sequence[str]) -> list[tuple[str, str]]:
    """Return the page or the text made of the numbers in a file.

    Raises:
        FormatError: The file has other content.
    """
    data = Path(file).read_bytes()
    try:
        numbers = json.loads(data)
        _text(numbers, ".md")  # which imports all of them for any target
        return _texts(numbers, outputs)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        found = "these are not the numbers that `study run` of this version writes (-o FILE.json)"
        raise FormatError(found, path=file) from None
