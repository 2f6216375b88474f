"""`nonosat knight`: a knight's tour of a board.

The tour goes to standard output, by default as a matrix of move numbers; remarks go to standard
error.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat import render
from nonosat.cli._boards import description, how_and_as, result_json
from nonosat.cli._deciding import options_of, status_of
from nonosat.cli._files import draw, read_from
from nonosat.cli._options import place
from nonosat.cli._output import style_of_stdout
from nonosat.cli._progress import Working
from nonosat.cli._showing import made
from nonosat.formats.knight import Marks, marks
from nonosat.puzzles.knight import Knight
from nonosat.render.knight import way
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem

if TYPE_CHECKING:
    from nonosat.puzzles.knight import Tour


@click.command("knight")
@click.argument("rows", metavar="ROWS", type=int)
@click.argument("columns", metavar="COLUMNS", type=int)
@click.option(
    "--start", metavar="R,C", callback=place, help="Square to begin on: row, column from 1."
)
@click.option("--closed", is_flag=True, help="The last square is a move away from the first.")
@click.option("--given", metavar="FILE", help="Known numbers of moves.")
@click.option("--holes", metavar="FILE", help="Squares that are not part of the board.")
@click.option(
    "--max-solutions",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Stop after K tours.",
)
@how_and_as(
    "tour",
    ("loop=cut-sets", "loop=circuit"),
    ("matrix", "list", "way"),
    "Numbers of the moves by square, squares in their order, or the path drawn in dots.",
)
@click.pass_context
def command(ctx: click.Context, /, **params: object) -> None:
    """Visit every square of ROWS x COLUMNS squares exactly once by knight's moves.

    FILE is a board (a line per row, a word per square: `.` free, `x` a hole, a number if it is
    given), or one square per line: "row,column" for a hole, "row,column number" for a given number.
    Rows, columns and moves count from 1 (with --json rows and columns from 0).

    A closed tour is the same in both directions, and counts once.

    If there is no tour, the reason is stated: a theorem, the colours of the squares, an exhaustive
    search, or the refutation by an engine.
    """
    options = options_of(params)
    ctx.exit(_solve(Problem(_puzzle(params), options), params))


def _puzzle(params: Mapping[str, Any]) -> Knight:
    """Return the board with the squares that the files give."""
    rows, columns, start, closed = (params[name] for name in ("rows", "columns", "start", "closed"))
    Knight(rows, columns, start, closed)  # raises before files are read if the size is invalid
    found = Marks([], [])
    for file in (params["given"], params["holes"]):
        if file is None:
            continue
        more = read_from(file, lambda data: marks(data, rows, columns, closed, start))
        found.holes.extend(more.holes)
        found.given.extend(more.given)
    return Knight(rows, columns, start, closed, tuple(found.holes), tuple(found.given))


def _solve(problem: Problem, params: Mapping[str, Any]) -> int:
    """Search for one tour or several, print them, and return the exit status."""
    puzzle: Any = problem.puzzle
    started, as_json = perf_counter(), params["as_json"]
    with Working(f"searching a tour of {puzzle.size}"):
        result = pipeline.decide(problem)

    def make() -> str:
        if as_json:
            return result_json(result)
        return "\n\n".join(_text(puzzle, tour, params["shape"]) for tour in result.solutions)

    if text := made(params, started, result, make):
        click.echo(text)
    if not as_json:
        kind = "closed tour" if puzzle.closed else "tour"
        click.echo(description(f"{kind} of {puzzle.size}", result), err=True)
    if params["svg"]:
        made(params, started, result, partial(draw, params["svg"], result))
    return status_of(result)


def _text(puzzle: Knight, tour: Tour, shape: str) -> str:
    if shape == "list":
        return " ".join(f"{row + 1},{column + 1}" for row, column in tour.squares())
    style = style_of_stdout()
    if shape == "way":
        return way(puzzle, tour, style)
    return render.text(puzzle, tour, style)
