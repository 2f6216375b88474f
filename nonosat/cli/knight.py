"""`nonosat knight`: a knight's tour of a board.

The tour goes to standard output, as a matrix of move numbers unless asked otherwise; what is to be
said of it goes to standard error.
"""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat import render
from nonosat.cli._boards import how_and_as, result_json, told
from nonosat.cli._deciding import STATUS, checked
from nonosat.cli._files import draw, read_from
from nonosat.cli._options import place
from nonosat.cli._output import style_of_stdout
from nonosat.cli._progress import Working
from nonosat.cli._showing import made
from nonosat.formats.knight import Marks, marks
from nonosat.puzzles.knight import Knight
from nonosat.render.knight import way
from nonosat.solving import pipeline

if TYPE_CHECKING:
    from nonosat.puzzles.knight import Tour


@click.command("knight")
@click.argument("rows", metavar="ROWS", type=int)
@click.argument("columns", metavar="COLUMNS", type=int)
@click.option(
    "--start", metavar="R,C", callback=place, help="Square to begin on: row, column from 1."
)
@click.option("--closed", is_flag=True, help="The last square is a move away from the first.")
@click.option("--given", metavar="FILE", help="Numbers of moves that are known.")
@click.option("--holes", metavar="FILE", help="Squares that are not part of the board.")
@click.option(
    "--max-solutions",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Stop after so many tours.",
)
@how_and_as(
    "tour",
    ("loop=cut-sets", "loop=circuit"),
    ("matrix", "list", "way"),
    "Numbers of the moves by square, squares in their order, or the way drawn in dots.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    rows: int,
    columns: int,
    start: tuple[int, int] | None,
    closed: bool,
    given: str | None,
    holes: str | None,
    shape: str,
    svg: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Visit every square of ROWS x COLUMNS squares exactly once by knight's moves.

    FILE is a board (a line a row, a word a square: `.` free, `x` a hole, a number where it is
    given), or one square a line: "row,column" for a hole, "row,column number" for a given number.
    Rows, columns and moves count from 1 (with --json rows and columns from 0).

    A closed tour is the same in both directions, and counts once.

    That there is no tour is said with the reason: a theorem, the colours of the squares, a search
    that found none, or the refutation by an engine.
    """
    checked(options)
    puzzle = _puzzle(rows, columns, start, closed, (given, holes))
    ctx.exit(_solve(puzzle, options, shape, svg, as_json))


def _puzzle(
    rows: int,
    columns: int,
    start: tuple[int, int] | None,
    closed: bool,
    files: tuple[str | None, ...],
) -> Knight:
    """The board with what the files say."""
    Knight(rows, columns, start, closed)  # refuses what no file could mend
    found = Marks([], [])
    for file in files:
        if file is None:
            continue
        more = read_from(file, lambda data: marks(data, rows, columns, closed, start))
        found.holes.extend(more.holes)
        found.given.extend(more.given)
    return Knight(rows, columns, start, closed, tuple(found.holes), tuple(found.given))


def _solve(
    puzzle: Knight, options: dict[str, Any], shape: str, svg: str | None, as_json: bool
) -> int:
    """One tour, or some."""
    started = perf_counter()
    with Working(f"tour of {puzzle.size}"):
        result = pipeline.solve(puzzle, **options)

    def make() -> str:
        if as_json:
            return result_json(result)
        return "\n\n".join(_text(puzzle, tour, shape) for tour in result.solutions)

    if text := made(options, started, result, make):
        click.echo(text)
    if not as_json:
        kind = "closed tour" if puzzle.closed else "tour"
        click.echo(told(f"{kind} of {puzzle.size}", result), err=True)
    if svg:
        made(options, started, result, partial(draw, svg, result))
    return STATUS[result.verdict.value]


def _text(puzzle: Knight, tour: Tour, shape: str) -> str:
    if shape == "list":
        return " ".join(f"{row + 1},{column + 1}" for row, column in tour.squares())
    style = style_of_stdout()
    if shape == "way":
        return way(puzzle, tour, style)
    return render.text(puzzle, tour, style)
