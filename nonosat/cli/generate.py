"""`nonosat generate`: new puzzles with exactly one solution, the same ones for the same seed."""

from __future__ import annotations

import click

from nonosat.cli import UNKNOWN, Group
from nonosat.cli._files import STDOUT, force_option, new_file, write
from nonosat.cli._options import limits, seed
from nonosat.cli._progress import Progress


@click.group("generate", cls=Group, short_help="Make new puzzles.")
def command() -> None:
    """Make new puzzles of a family, each with exactly one solution."""


@command.command("slitherlink", short_help="Make Slitherlink or Slink boards.")
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
    default=STDOUT,
    callback=new_file(),
    help="Where to write; the suffix says the format. - is standard output.",
    show_default=True,
)
@click.option("--to", metavar="FORMAT", help="Format of OUT or of standard output.")
@force_option
@limits("all of them")
@click.pass_context
def slitherlink(
    ctx: click.Context,
    rows: int,
    columns: int,
    clues: float,
    seed: int,
    number: int,
    out: str,
    to: str | None,
    time_limit_s: float | None,
    memory_limit_mib: int | None,
) -> None:
    """Make boards of ROWS x COLUMNS cells on which exactly one loop is possible.

    A loop is drawn first; then clues are taken away as long as no second one appears.
    """
    from nonosat import formats
    from nonosat.errors import LimitReached
    from nonosat.generate.slitherlink import generate_slitherlink
    from nonosat.processes.guard import left_of, watch_of

    several = "slitherlink" if number == 1 else "jsonl"
    format_ = to or (several if out == STDOUT else formats.format_of(out))
    watch = watch_of(time_limit_s, memory_limit_mib)
    made = []
    try:
        with Progress(range(seed, seed + number), "generate") as bar:
            for each in bar:
                puzzle = generate_slitherlink(rows, columns, clues, each, **left_of(watch))
                made.append(puzzle.about_with(id=f"{rows}x{columns}-{clues:g}-{each}"))
    except LimitReached as limit:
        click.echo(f"nonosat: {limit}: nothing is written", err=True)
        ctx.exit(UNKNOWN)
    data = formats.write(made, format_)
    write(out, data)
    ctx.exit(0)
