"""`nonosat decode`: what another solver answered, back to a verified picture."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter

import click

from nonosat.cli import EPILOG
from nonosat.cli._deciding import STATUS
from nonosat.cli._options import json_option, puzzle_argument, reading


@click.command("decode", short_help="Show what another solver answered.", epilog=EPILOG)
@puzzle_argument
@click.argument("output", metavar="SOLVER-OUTPUT")
@reading("PUZZLE")
@json_option("One JSON object, as in `solve`.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    output: str,
    format_: str | None,
    family: str | None,
    as_json: bool,
) -> None:
    """Show the picture that SOLVER-OUTPUT (- is standard input) means for PUZZLE.

    It is what a solver has printed for a file of `nonosat encode`: a line `s SATISFIABLE` and lines
    `v 1 -2 ... 0` (or `v x1 -x2`), with any comments, or MiniSat's result file. The picture is
    checked against the clues; an answer that they refute is bad input.
    """
    from nonosat import export
    from nonosat.cli._output import Pictures, Records
    from nonosat.cli._sources import the_item
    from nonosat.solving.elsewhere import result_of

    item = the_item(file, format_, family)
    started = perf_counter()
    name = "standard input" if output == "-" else output
    data = sys.stdin.buffer.read() if output == "-" else Path(output).read_bytes()
    answer = export.read_answer(data.decode(errors="replace"), name)
    result = result_of(item.puzzle, answer, started)
    shown = Records() if as_json else Pictures(every=True)
    shown.result(item, result)
    ctx.exit(STATUS[result.verdict.value])
