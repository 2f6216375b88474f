"""`nonosat generate`: new puzzles, the same ones each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from nonosat.cli import Group
from nonosat.cli._generate_image import image
from nonosat.cli._generate_pattern import pattern
from nonosat.cli._generating import generated as _generated
from nonosat.cli._generating import out as _out
from nonosat.cli._options import limits, seed

if TYPE_CHECKING:
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.slitherlink.data import Slitherlink


@click.group("generate", cls=Group, short_help="Make new puzzles.")
def command() -> None:
    """Make new puzzles, the same ones on every machine: random ones, structured ones, pictures."""


_count = click.option(
    "--count",
    metavar="M",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many, with this seed and the following ones.",
)


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
@click.option(
    "--grade",
    metavar="1-7",
    type=click.IntRange(1, 7),
    help="With this difficulty (see `nonosat rate`), and more or fewer clues where it needs them.",
)
@click.option(
    "--symmetric",
    type=click.Choice(["rotation", "mirror"]),
    default=None,
    help="Where clues stand: the same when the board is turned round, or left and right alike.",
)
@seed("Of the first board; another one makes another board.")
@_count
@_out("slitherlink, or jsonl of several")
@limits("all of them")
@click.pass_context
def slitherlink(ctx: click.Context, /, **asked: Any) -> None:
    """Make boards of ROWS x COLUMNS cells on which exactly one loop is possible.

    A loop is drawn first; then clues are taken away as long as no second one appears.
    """
    from nonosat.generate.slitherlink import generate_slitherlink
    from nonosat.processes.guard import left_of, watch_of

    rows, columns, share, first = (asked.pop(name) for name in ("rows", "columns", "clues", "seed"))
    numbers = range(first, first + asked.pop("count"))
    out, to, symmetric = asked.pop("out"), asked.pop("to"), asked.pop("symmetric") or ""
    watch = watch_of(asked.pop("time_limit_s"), asked.pop("memory_limit_mib"))

    def made(each: int) -> Slitherlink:
        puzzle = generate_slitherlink(
            rows, columns, share, each, symmetric=symmetric, **asked, **left_of(watch)
        )
        return puzzle.about_with(id=f"{rows}x{columns}-{share:g}-{each}")

    usual = "slitherlink" if len(numbers) == 1 else "jsonl"
    ctx.exit(_generated(made, numbers, out, to, usual))


@command.command("nonogram", short_help="Make random nonograms, unique ones if asked.")
@click.argument("rows", type=int)
@click.argument("columns", type=int)
@click.option(
    "--density",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Share of the cells that are filled. With few, most are emptied to get one solution.",
)
@click.option("--unique", is_flag=True, help="Exactly one solution each; else any number.")
@click.option(
    "--logic-only", is_flag=True, help="Unique, and solved by reasoning about one line at a time."
)
@click.option(
    "--grade",
    metavar="1-7",
    type=click.IntRange(1, 7),
    help="Unique, with this difficulty (see `nonosat rate`); 7 from 9 x 9 cells on.",
)
@click.option("--symmetric", is_flag=True, help="The right half mirrors the left one.")
@click.option(
    "--colours",
    metavar="K",
    type=click.IntRange(1, 7),
    default=1,
    show_default=True,
    help="Number of colours.",
)
@seed("Of the first puzzle; another one makes another puzzle.")
@_count
@_out("jsonl")
@limits("all of them")
@click.pass_context
def nonogram(ctx: click.Context, /, **asked: Any) -> None:
    """Make random nonograms of ROWS x COLUMNS cells; their pictures are kept as goals.

    With --unique, cells of a random picture are changed until its clues have one solution. A puzzle
    of grade 7 has a staircase of dominoes among its random cells, with empty cells around it.
    """
    from nonosat.generate.nonogram import generate_nonogram
    from nonosat.processes.guard import left_of, watch_of

    rows, columns, first = asked.pop("rows"), asked.pop("columns"), asked.pop("seed")
    numbers = range(first, first + asked.pop("count"))
    where = asked.pop("out"), asked.pop("to"), "jsonl"
    watch = watch_of(asked.pop("time_limit_s"), asked.pop("memory_limit_mib"))

    def made(each: int) -> Nonogram:
        puzzle = generate_nonogram(rows, columns, seed=each, **asked, **left_of(watch))
        return puzzle.about_with(id=f"{rows}x{columns}-{asked['density']:g}-{each}")

    ctx.exit(_generated(made, numbers, *where))


@command.command("structured", short_help="Make nonograms that search finds hard.")
@click.argument("family")
@click.argument("sizes", metavar="N...", type=int, nargs=-1, required=True)
@_out("jsonl")
@limits("all of them")
@click.pass_context
def structured(
    ctx: click.Context,
    family: str,
    sizes: tuple[int, ...],
    out: str,
    to: str | None,
    time_limit_s: float | None,
    memory_limit_mib: int | None,
) -> None:
    """Make nonograms of N small shapes each, whose one solution hangs together.

    FAMILY is dominoes, combs, spirals, interleaved, swapped, coloured, unknown-lengths,
    beside-noise, knights, trominoes, mirrored or diamonds. Each N makes one puzzle, the same each
    time. Search takes exponential time to prove that there is no other solution. That there is none
    was checked for small N; it is checked again only for beside-noise, which draws until it is so.
    """
    from nonosat.generate.structured import generate_structured
    from nonosat.processes.guard import left_of, watch_of

    watch = watch_of(time_limit_s, memory_limit_mib)

    def made(each: int) -> Nonogram:
        return generate_structured(family, each, **left_of(watch))

    ctx.exit(_generated(made, sizes, out, to, "jsonl"))


command.add_command(image)
command.add_command(pattern)
