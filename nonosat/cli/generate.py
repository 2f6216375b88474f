"""`nonosat generate`: new puzzles with exactly one solution, the same ones for the same seed."""

from __future__ import annotations

from pathlib import Path

import click

from nonosat.cli import EPILOG, UNKNOWN, Group
from nonosat.cli._files import check_target, write_atomically
from nonosat.cli._options import limits, seed


@click.group("generate", cls=Group, short_help="Make new puzzles.")
def command() -> None:
    """Make new puzzles of a family, each with exactly one solution."""


@command.command("slitherlink", short_help="Make Slitherlink or Slink boards.", epilog=EPILOG)
@click.argument("rows", type=int)
@click.argument("columns", type=int)
@click.option(
    "--clues",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.4,
    show_default=True,
    help="Share of the cells that have a clue, or as near to it as one solution allows; 1: Slink.",
)
@seed("Of the first board; another one makes another board.")
@click.option(
    "--number",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many, with this seed and the following ones.",
)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="OUT",
    help="Where to write; the suffix says the format. Else standard output.",
)
@click.option("--to", metavar="FORMAT", help="Format of OUT or of standard output.")
@click.option("--force", is_flag=True, help="Replace OUT if it exists.")
@limits("all of them")
@click.pass_context
def slitherlink(
    ctx: click.Context,
    rows: int,
    columns: int,
    clues: float,
    seed: int,
    number: int,
    out: str | None,
    to: str | None,
    force: bool,
    time_limit_s: float | None,
    memory_limit_mib: int | None,
) -> None:
    """Make boards of ROWS x COLUMNS cells on which exactly one loop is possible.

    A loop is drawn first; then clues are taken away as long as no second one appears.
    """
    from nonosat import formats
    from nonosat.errors import LimitReached
    from nonosat.generate.slitherlink import generate
    from nonosat.limits import Limits, Watch

    if out is not None:
        check_target(out, force=force)
    several = "slitherlink" if number == 1 else "jsonl"
    format_ = to or (formats.format_of(out) if out is not None else several)
    watch = Watch(Limits(time_limit_s, memory_limit_mib))
    made = []
    try:
        for each in range(seed, seed + number):
            puzzle = generate(rows, columns, clues, each, watch)
            made.append(puzzle.about_with(id=f"{rows}x{columns}-{clues:g}-{each}"))
    except LimitReached as limit:
        click.echo(f"nonosat: {limit}: nothing is written", err=True)
        ctx.exit(UNKNOWN)
    data = formats.write(made, format_)
    if out is None:
        click.echo(data, nl=False)
    else:
        write_atomically(Path(out), data)
    ctx.exit(0)
