"""Option --repair, which several commands have: repair of files of results."""

from __future__ import annotations

from pathlib import Path

import click

from nonosat.batch import foreign
from nonosat.batch import repair as mending
from nonosat.bench.records import judge_of_bench
from nonosat.core.errors import path_text


def repair(target: str | Path) -> None:
    """Remove invalid records from a file of results, and report the changes.

    Raises:
        click.UsageError: It is not a file of results.
        NonosatError: Another process writes to it.
        OSError: The file, or its temporary neighbour, cannot be read or written.
    """
    command = mending.written_by(target)
    if command is None:
        file = path_text(target)
        raise click.UsageError(f"{file} has no record of results; there is nothing to repair")
    judges = {foreign.BATCH: mending.judge_of_batch, foreign.BENCH: judge_of_bench}
    done = mending.repair(target, judges[command]())
    click.echo(f"nonosat: {done.description()}", err=True)
