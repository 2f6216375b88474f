"""`nonosat generate`: new puzzles, reproducible from their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nonosat import formats
from nonosat.cli import UNKNOWN, SuggestingGroup
from nonosat.cli._files import STDOUT, force_option, format_for, new_file, write
from nonosat.cli._options import decorated, limits, limits_of, seed
from nonosat.cli._progress import ProgressIterator
from nonosat.core.errors import LimitReached, counted
from nonosat.core.limits import left_of, watch_of
from nonosat.generate.image import from_image
from nonosat.generate.lanes import generate_lanes
from nonosat.generate.nonogram import generate_nonogram, generate_tournament
from nonosat.generate.patterns import generate_pattern
from nonosat.generate.slitherlink import generate_slitherlink
from nonosat.generate.structured import generate_structured
from nonosat.puzzles.lanes.shape import triddler as triddler_shape

if TYPE_CHECKING:
    from nonosat.core.plugins import Puzzle
    from nonosat.puzzles.lanes import LaneNonogram
    from nonosat.puzzles.nonogram import Nonogram
    from nonosat.puzzles.slitherlink.data import Slitherlink

# Options that the commands share: target and format.


def _out(default: str) -> Callable[[Any], Any]:
    """Return a decorator that adds -o, --to and --force; `default` is the format without -o."""
    return decorated(
        click.option(
            "-o",
            "--output",
            "out",
            metavar="OUT",
            default=STDOUT,
            callback=new_file(),
            help="Output file; its suffix selects the format. - is standard output.",
            show_default=True,
        ),
        click.option(
            "--to",
            metavar="FORMAT",
            help=f"Format of OUT or of standard output (default there: {default}).",
        ),
        force_option,
    )


def _generated(
    make: Callable[[int], Puzzle], numbers: Sequence[int], out: str, to: str | None, usual: str
) -> int:
    """Make a puzzle for each number and write them all; return the exit status.

    Args:
        make: Function that makes a puzzle of a number.
        numbers: Its arguments.
        out: The file, or standard output.
        to: The format; None for that of the file's suffix.
        usual: The format for standard output.
    """
    format_ = format_for(out, to, usual, len(numbers))
    try:
        with ProgressIterator(numbers, "generate") as bar:
            made = [make(each) for each in bar]
    except LimitReached as limit:
        click.echo(f"nonosat: {limit}: nothing is written", err=True)
        return UNKNOWN
    write(out, formats.write(made, format_), counted(len(made), "puzzle"))
    return 0


# `nonosat generate pattern`: well-known pictures in any size.


@click.command("pattern", short_help="Draw fractals, curves and other well-known pictures.")
@click.argument("name")
@click.option(
    "--size", metavar="N", type=click.IntRange(min=1), required=True, help="Maximum number of rows."
)
@click.option("--dark", is_flag=True, help="Exchange filled and empty cells.")
@_out("picture")
@limits("the picture")
@click.pass_context
def pattern(ctx: click.Context, /, name: str, out: str, to: str | None, **params: Any) -> None:
    """Make the nonogram of a well-known picture.

    NAME is carpet, dominoes, dragon, glider-gun, hilbert, knot, mandelbrot, moire, pentagrid,
    primes, rose, rule-30, sierpinski, spirograph, triangles or truchet. Some exist in some sizes
    only: then it is the largest one of at most N rows. The puzzle may have several solutions:
    `nonosat check` decides it.
    """

    def made(size: int) -> Nonogram:
        return generate_pattern(name, size, dark=params["dark"], **limits_of(params))

    ctx.exit(_generated(made, [params["size"]], out, to, "picture"))


# `nonosat generate image`: a puzzle made from a photograph or a drawing.


@click.command("image", short_help="Make a nonogram from a photograph or a drawing.")
@click.argument("picture")
@click.option("--columns", metavar="C", type=click.IntRange(min=1), help="Columns of the puzzle.")
@click.option(
    "--rows",
    metavar="R",
    type=click.IntRange(min=1),
    help="Rows of the puzzle. One of both is sufficient; with both, empty lines keep the shape.",
)
@click.option(
    "--colours",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Maximum number of inks, in addition to the background.",
)
@click.option(
    "--threshold",
    metavar="T",
    type=click.FloatRange(0, 1),
    help="Fill areas darker than this, 0 for black to 1 for white; default: computed.",
)
@click.option(
    "--invert/--no-invert",
    default=None,
    help="Fill light areas. Default: if the edge is dark, without T and --dither.",
)
@click.option(
    "--edges",
    metavar="E",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Emphasis of details and outlines, 0 for none to 1.",
)
@click.option(
    "--dither",
    type=click.Choice(["floyd-steinberg", "bayer"]),
    help="Show shades as a mixture of cells: by error diffusion, or by a regular 4x4 pattern.",
)
@click.option(
    "--unique", is_flag=True, help="Change some cells so that the clues have one solution."
)
@click.option(
    "--logic-only",
    is_flag=True,
    help="Like --unique, and line logic alone, one line at a time, finds the solution.",
)
@click.option(
    "--grade",
    metavar="1-7",
    type=click.IntRange(1, 7),
    help="Like --unique, with this difficulty (see `nonosat rate`), which may be impossible.",
)
@_out("picture")
@limits("the puzzle")
@click.pass_context
def image(ctx: click.Context, /, picture: str, out: str, to: str | None, **params: Any) -> None:
    """Make a nonogram of PICTURE, a photograph or a drawing.

    PICTURE is a PNG, JPEG, GIF, BMP, WebP or PPM, or - for standard input. In one colour dark parts
    are filled, thin strokes are kept, and outlines are drawn between two equally dark colours; with
    --dither shades are shown instead, as a mixture of cells. Without --unique the puzzle may have
    several solutions: `nonosat check` decides it, and `nonosat repair` finds the fewest changes.
    Pixel art needs no conversion: use it in place of any FILE. Needs Pillow.
    """
    if params["columns"] is None and params["rows"] is None:
        raise click.UsageError("no size; use --columns, --rows or both (10 to 60 are usual)")
    if params["colours"] > 1 and (params["threshold"] is not None or params["invert"] is not None):
        raise click.UsageError("--threshold and --invert are for one colour; leave out --colours")

    def made(_: int) -> Nonogram:
        name = "" if picture == STDOUT else Path(picture).stem
        return from_image(picture, id=name, **limits_of(params), **_image_options(params))

    ctx.exit(_generated(made, [1], out, to, "picture"))


def _image_options(params: dict[str, Any]) -> dict[str, Any]:
    how = ("columns", "rows", "colours", "threshold", "invert", "edges", "dither")
    return {name: params[name] for name in (*how, "unique", "logic_only", "grade")}


@click.group("generate", cls=SuggestingGroup)
def command() -> None:
    """Make new puzzles, equal on every machine: random ones, structured ones, pictures."""


_count = click.option(
    "--count",
    metavar="M",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of puzzles, with this seed and the following ones.",
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
    help="Share of cells with a clue, or the nearest share with one solution; 1: Slink.",
)
@click.option(
    "--grade",
    metavar="1-7",
    type=click.IntRange(1, 7),
    help="Difficulty (see `nonosat rate`), with more or fewer clues if it needs them.",
)
@click.option(
    "--symmetric",
    type=click.Choice(["rotation", "mirror"]),
    default=None,
    help="Places of clues: symmetric under a half turn, or left and right mirrored.",
)
@seed("Seed of the first board.")
@_count
@_out("slitherlink, or jsonl of several")
@limits("all of them")
@click.pass_context
def slitherlink(ctx: click.Context, /, **params: Any) -> None:
    """Make boards of ROWS x COLUMNS cells with exactly one loop as their solution.

    A loop is drawn first; then clues are removed as long as no second loop is possible.
    """
    rows, columns, share, first = (
        params.pop(name) for name in ("rows", "columns", "clues", "seed")
    )
    numbers = range(first, first + params.pop("count"))
    out, to, symmetric = params.pop("out"), params.pop("to"), params.pop("symmetric") or ""
    watch = watch_of(params.pop("time_limit_s"), params.pop("memory_limit_mib"))

    def made(each: int) -> Slitherlink:
        puzzle = generate_slitherlink(
            rows, columns, share, each, symmetric=symmetric, **params, **left_of(watch)
        )
        return puzzle.about_with(id=f"{rows}x{columns}-{share:g}-{each}")

    usual = "slitherlink" if len(numbers) == 1 else "jsonl"
    ctx.exit(_generated(made, numbers, out, to, usual))


@command.command("nonogram", short_help="Make random nonograms, optionally unique.")
@click.argument("rows", type=int)
@click.argument("columns", type=int)
@click.option(
    "--density",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Share of filled cells. If it is small, most are emptied to get one solution.",
)
@click.option("--unique", is_flag=True, help="Exactly one solution each; default: any number.")
@click.option(
    "--logic-only", is_flag=True, help="Unique, and solvable by line logic, one line at a time."
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
@seed("Seed of the first puzzle.")
@_count
@_out("jsonl")
@limits("all of them")
@click.pass_context
def nonogram(ctx: click.Context, /, **params: Any) -> None:
    """Make random nonograms of ROWS x COLUMNS cells; their pictures are stored as goals.

    With --unique, cells of a random picture are changed until its clues have one solution. A puzzle
    of grade 7 has a staircase of dominoes among its random cells, with empty cells around it.
    """
    rows, columns, first = params.pop("rows"), params.pop("columns"), params.pop("seed")
    numbers = range(first, first + params.pop("count"))
    where = params.pop("out"), params.pop("to"), "jsonl"
    watch = watch_of(params.pop("time_limit_s"), params.pop("memory_limit_mib"))

    def made(each: int) -> Nonogram:
        puzzle = generate_nonogram(rows, columns, seed=each, **params, **left_of(watch))
        return puzzle.about_with(id=f"{rows}x{columns}-{params['density']:g}-{each}")

    ctx.exit(_generated(made, numbers, *where))


@command.command("tournament", short_help="Make a set as in the TAAI and TCGA tournaments.")
@click.option(
    "--count",
    metavar="M",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of puzzles.",
)
@click.option(
    "--size", metavar="N", type=int, default=25, show_default=True, help="Rows, and columns."
)
@seed("Seed of the set.")
@_out("tournament")
@limits("all of them")
@click.pass_context
def tournament(ctx: click.Context, /, out: str, to: str | None, **params: Any) -> None:
    """Make a set of random square nonograms, as the tournaments of the TAAI and TCGA use.

    The share of filled cells falls from 0.5 in the first puzzle to 0.35 in the last one. Most have
    many solutions. `nonosat batch --rules tcga` solves a set by the rules of the tournaments.
    """
    count, size, first = params["count"], params["size"], params["seed"]
    watch = watch_of(**limits_of(params))

    def made(number: int) -> Nonogram:
        return generate_tournament(number, count, size, first, **left_of(watch))

    ctx.exit(_generated(made, range(1, count + 1), out, to, "tournament"))


@command.command("structured", short_help="Make nonograms that search finds hard.")
@click.argument("family")
@click.argument("sizes", metavar="N...", type=int, nargs=-1, required=True)
@_out("jsonl")
@limits("all of them")
@click.pass_context
def structured(
    ctx: click.Context,
    /,
    family: str,
    sizes: tuple[int, ...],
    out: str,
    to: str | None,
    **params: Any,
) -> None:
    """Make nonograms of N small shapes each, whose only solution depends on the whole board.

    FAMILY is dominoes, combs, spirals, interleaved, swapped, coloured, unknown-lengths,
    beside-noise, knights, trominoes, mirrored or diamonds. Each N makes one puzzle, the same each
    time. Search takes exponential time to prove that there is no other solution. Uniqueness was
    checked for small N; it is checked again only for beside-noise, which draws until it holds.
    """
    watch = watch_of(**limits_of(params))

    def made(each: int) -> Nonogram:
        return generate_structured(family, each, **left_of(watch))

    ctx.exit(_generated(made, sizes, out, to, "jsonl"))


@command.command("triddler", short_help="Make random triddlers, optionally unique.")
@click.argument("sides", metavar="SIDE...", type=int, nargs=-1, required=True)
@click.option(
    "--density",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Share of filled cells. If it is small, --unique takes long on large boards.",
)
@click.option("--unique", is_flag=True, help="Exactly one solution each; default: any number.")
@seed("Seed of the first puzzle.")
@_count
@_out("jsonl")
@limits("all of them")
@click.pass_context
def triddler(ctx: click.Context, /, sides: tuple[int, ...], **params: Any) -> None:
    """Make random triddlers: hexagons of triangles with clues in three directions.

    SIDE... is one length for all sides, or six lengths clockwise: top, upper right, lower right,
    bottom, lower left, upper left. With --unique, cells of a random picture are changed until its
    clues have one solution.
    """
    shape = triddler_shape(*sides)
    first, density = params.pop("seed"), params.pop("density")
    numbers = range(first, first + params.pop("count"))
    where = params.pop("out"), params.pop("to"), "jsonl"
    watch, name = watch_of(**limits_of(params)), "-".join(map(str, sides))

    def made(each: int) -> LaneNonogram:
        puzzle = generate_lanes(shape, density, each, unique=params["unique"], **left_of(watch))
        return puzzle.about_with(id=f"triddler-{name}-{density:g}-{each}")

    ctx.exit(_generated(made, numbers, *where))


command.add_command(image)
command.add_command(pattern)
