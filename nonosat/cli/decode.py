"""`nonosat decode`: what another solver answered, back to a verified picture."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from nonosat.cli._deciding import STATUS
from nonosat.cli._files import draw, force_option, svg_option
from nonosat.cli._options import json_option, puzzle_argument, reading
from nonosat.cli._progress import Working, quiet_option

if TYPE_CHECKING:
    from nonosat.export import SolverAnswer
    from nonosat.plugins import Puzzle
    from nonosat.result import Result

_UNSAT = (
    "so says the solver of the file that it read, and nothing here has checked it; "
    "a file written with --unique holds one solution less"
)


@click.command("decode", short_help="Show what another solver answered.")
@puzzle_argument
@click.argument("output", metavar="SOLVER-OUTPUT")
@reading("PUZZLE")
@json_option("One JSON object, as in `solve`.")
@svg_option("the picture, or else the puzzle")
@force_option
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    output: str,
    format_: str | None,
    family: str | None,
    as_json: bool,
    svg: str | None,
) -> None:
    """Show the picture that SOLVER-OUTPUT (- is standard input) means for PUZZLE.

    It is what a solver has printed for a file of `nonosat encode`: a line `s SATISFIABLE` and lines
    `v 1 -2 ... 0` (or `v x1 -x2`), with any comments; MiniSat's result file; what `minizinc`
    prints; or the `<instantiation>` of a solver of XCSP3. The picture is checked against the clues;
    an answer that they refute is bad input. Of several solutions, which MiniZinc may print, all
    are shown.
    """
    from nonosat import export
    from nonosat.cli._output import Pictures, Records
    from nonosat.cli._sources import the_item

    item = the_item(file, format_, family)
    started = perf_counter()
    name = "standard input" if output == "-" else output
    with Working(f"decode {name}"):
        data = sys.stdin.buffer.read() if output == "-" else Path(output).read_bytes()
        answer = export.read_answer(data.decode(errors="replace"), name)
        result = _result(item.puzzle, answer, started)
    shown = Records() if as_json else Pictures(every=True)
    shown.result(item, result)
    if svg is not None:
        draw(svg, result)
    ctx.exit(STATUS[result.verdict.value])


def _result(puzzle: Puzzle, answer: SolverAnswer, started: float) -> Result:
    """The answer as a result like those of `solve`."""
    from nonosat import export
    from nonosat.plugins import Answer
    from nonosat.result import Result, Stage, Verdict

    if answer.verdict is Answer.SAT:
        grids = export.pictures_of(puzzle, answer)
        seconds = perf_counter() - started
        num_cells = len(getattr(grids[0], "cells", ()))  # a solution of another family has none
        stage = Stage("decode", seconds, num_cells, {"engine": "another solver"})
        verdict = Verdict.SOLVED if len(grids) == 1 else Verdict.MULTIPLE
        return Result(puzzle, verdict, grids, "", seconds, (stage,), backend="another solver")
    is_unsat = answer.verdict is Answer.UNSAT
    verdict = Verdict.UNSOLVABLE if is_unsat else Verdict.UNKNOWN
    reason = _UNSAT if is_unsat else "the solver gave up"
    seconds = perf_counter() - started
    return Result(puzzle, verdict, (), reason, seconds, backend="another solver")
