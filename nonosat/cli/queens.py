"""`nonosat queens`: a placement of n queens, all of them, or their number.

Placements go to standard output, by default as a JSON list per line; remarks go to standard error.
`--all` and `--count` use constant memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat import render
from nonosat.cli import INTERRUPTED
from nonosat.cli._boards import description, how_and_as, json_of, result_json
from nonosat.cli._deciding import options_of
from nonosat.cli._deciding import status_of as status_of_verdict
from nonosat.cli._files import draw, read_from
from nonosat.cli._options import decorated
from nonosat.cli._output import style_of_stdout
from nonosat.cli._progress import Working
from nonosat.cli._showing import made
from nonosat.cli.count import status_of
from nonosat.core.errors import LimitReached, counted
from nonosat.formats import queens
from nonosat.puzzles.queens import Queens, obstacle
from nonosat.questions import counting
from nonosat.questions.counting import CountResult
from nonosat.solving import pipeline
from nonosat.solving.problem import Problem

if TYPE_CHECKING:
    from nonosat.puzzles.queens.data import Placement, Square

# options that JSON data of a count state
_PASSED_ON = ("backend", "encoding", "formulation", "time_limit_s", "memory_limit_mib", "seed")


@click.command("queens")
@decorated(
    click.argument("n", metavar="N", type=int),
    click.option("--all", "every", is_flag=True, help="All placements, in lexicographic order."),
    click.option("--count", "counts", is_flag=True, help="Only the number of placements."),
    click.option(
        "--up-to-symmetry",
        is_flag=True,
        help="With --count: also the classes that turns and reflections map to each other.",
    ),
    click.option(
        "--max-solutions", metavar="K", type=click.IntRange(min=1), help="Stop after K solutions."
    ),
    click.option("--given", metavar="FILE", help="Queens that are placed already."),
    click.option("--blocked", metavar="FILE", help="Squares without a queen."),
    how_and_as(
        "placement",
        ("count=product", "count=linear"),
        ("list", "matrix", "board"),
        "Columns of the queens by row, matrix of 0 and 1, or picture.",
    ),
)
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Place N queens on N x N squares so that none attacks another.

    The output is a JSON list, which counts from 0: the column of the queen in each row. FILE is a
    board (a line per row: `Q` a given queen, `x` a blocked square, `.` a free one), or one "row
    column" per line, both from 1.

    Status 0: placed (with --all and --count: at least one placement, and none is missing).
    """
    every, counts, most = params["every"], params["counts"], params["max_solutions"]
    if every + counts + (most is not None) > 1:
        raise click.UsageError("--all, --count and --max-solutions exclude each other; use one")
    if params["up_to_symmetry"] and not counts:
        raise click.UsageError("--up-to-symmetry is for --count; add it")
    if counts and (params["svg"] or params["shape"] != "list"):
        raise click.UsageError("--count prints a number; --as and --svg are for placements")
    if every and (params["svg"] or params["as_json"]):
        raise click.UsageError("--all prints placements one by one; --as selects the form")
    options = options_of({**params, "max_solutions": None if every or counts else most or 1})
    answer = _count if counts else _all if every else _solve
    puzzle = _puzzle(params["n"], params["given"], params["blocked"])
    ctx.exit(answer(Problem(puzzle, options), params))


def _puzzle(n: int, given: str | None, blocked: str | None) -> Queens:
    """Return the board with the squares that the files give."""
    squares: tuple[list[Square], list[Square]] = [], []
    bare = Queens(n)  # raises before files are read if the size is invalid
    for file, sign in ((given, "Q"), (blocked, "x")):
        if file is None:
            continue
        found = read_from(file, partial(queens.marks, n=bare.n, sign=sign))
        for mine, theirs in zip(squares, found, strict=True):
            mine += theirs
    return Queens(n, tuple(squares[0]), tuple(squares[1]))


class _Printer:
    """Prints placements as they are found.

    Attributes:
        number: Number of placements so far.
    """

    def __init__(self, puzzle: Queens, shape: str) -> None:
        self.number = 0
        self._puzzle = puzzle
        self._shape = shape
        self._style = style_of_stdout()

    def show(self, text: str) -> None:
        """Print one more placement."""
        is_apart = self.number and self._shape != "list"
        click.echo(("\n" if is_apart else "") + text, color=self._style.ansi)
        self.number += 1

    def text(self, placement: Placement) -> str:
        """Return the printed form of a placement."""
        if self._shape == "list":
            return str(list(placement.columns))
        if self._shape == "matrix":
            signs = str.maketrans(".Q", "01")
            return "\n".join(" ".join(line.translate(signs)) for line in placement.lines())
        return render.text(self._puzzle, placement, self._style)


def _solve(problem: Problem, params: Mapping[str, Any]) -> int:
    """Search for one placement or several, print them, and return the exit status."""
    puzzle: Any = problem.puzzle
    started, printer = perf_counter(), _Printer(puzzle, params["shape"])
    with Working(f"placing {puzzle.size}"):
        result = pipeline.decide(problem)

    def make() -> list[str]:
        if params["as_json"]:
            return [result_json(result)]
        return [printer.text(placement) for placement in result.solutions]

    for text in made(params, started, result, make):
        printer.show(text)
    if not params["as_json"]:
        click.echo(description(puzzle.size, result), err=True)
    if params["svg"]:
        made(params, started, result, partial(draw, params["svg"], result))
    return status_of_verdict(result)


def _all(problem: Problem, params: Mapping[str, Any]) -> int:
    """Print every placement as it is found, and then their number."""
    puzzle: Any = problem.puzzle
    started, reason, printer = perf_counter(), "", _Printer(puzzle, params["shape"])
    try:
        with Working(f"placing {puzzle.size}") as work:
            for placement in pipeline.enumerated(problem):
                with work.hidden():
                    printer.show(printer.text(placement))
                work.doing("placements", printer.number)
    except LimitReached as limit:
        reason = str(limit)
    except KeyboardInterrupt:
        placements = counted(printer.number, "placement")
        click.echo(f"nonosat: interrupted, {placements} found", err=True)
        return INTERRUPTED
    why, seconds = reason or obstacle(puzzle) or "", perf_counter() - started
    found = CountResult(puzzle, printer.number, not reason, reason=why, seconds=seconds)
    click.echo(_summary(puzzle, found), err=True)
    return status_of(found)


def _count(problem: Problem, params: Mapping[str, Any]) -> int:
    """Print the number of placements."""
    puzzle: Any = problem.puzzle
    with Working(f"counting {puzzle.size}"):
        found = counting.count_problem(problem, up_to_symmetry=params["up_to_symmetry"])
    if params["as_json"]:
        why = {"reason": found.reason} if found.reason else {}
        seconds = round(found.seconds, 6)
        number_data = {**found.found_data(), "seconds": seconds}
        options = {name: params[name] for name in _PASSED_ON}
        click.echo(json_of(puzzle, {**number_data, **why, "options": options}))
    else:
        click.echo(_summary(puzzle, found))
    return status_of(found)


def _summary(puzzle: Queens, found: CountResult) -> str:
    reason = f" ({found.reason})" if found.reason else ""
    return f"{puzzle.size}: {found.description()}{reason}, {found.seconds:.3f} s"
