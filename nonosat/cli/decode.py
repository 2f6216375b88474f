"""`nonosat decode`: convert the answer of another solver to a verified picture."""

from __future__ import annotations

import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from nonosat import export
from nonosat.cli._deciding import STATUS
from nonosat.cli._each import record
from nonosat.cli._files import draw, force_option, svg_option
from nonosat.cli._options import json_option, limits, limits_of, puzzle_argument, reading
from nonosat.cli._output import json_line, picture, style_of_stdout
from nonosat.cli._progress import Working
from nonosat.cli._showing import made
from nonosat.cli._sources import the_item
from nonosat.core.limits import watch_of
from nonosat.core.scope import within
from nonosat.solving.external import result_of

if TYPE_CHECKING:
    from nonosat.core.result import Result


@click.command("decode")
@puzzle_argument
@click.argument("output", metavar="SOLVER-OUTPUT")
@reading("PUZZLE")
@json_option("One JSON object, as in `solve`.")
@svg_option("the picture, or else the puzzle")
@force_option
@limits("reading and checking")
@click.pass_context
def command(ctx: click.Context, /, file: str, output: str, **params: Any) -> None:
    """Show the picture that SOLVER-OUTPUT (- is standard input) encodes for PUZZLE.

    SOLVER-OUTPUT is the output of a solver for a file of `nonosat encode`: a line `s SATISFIABLE`
    and lines `v 1 -2 ... 0` (or `v x1 -x2`), with any comments; MiniSat's result file; the output
    of `minizinc` or `clingo`; or the `<instantiation>` of a solver of XCSP3. The picture is checked
    against the clues; a wrong answer is bad input. If there are several solutions, as MiniZinc may
    print, all are shown.
    """
    item = the_item(file, params["format_"], params["family"], params)
    name = "standard input" if output == "-" else output
    with Working(f"decoding {name}"):
        data = sys.stdin.buffer.read() if output == "-" else Path(output).read_bytes()
        started = perf_counter() - item.read_s  # the answer may be read from a pipe

        watch = watch_of(**limits_of(params, item.read_s))

        def decoded() -> Result:
            watch.reserve(len(data))  # for its text, which is allocated in one step
            answer = export.read_answer(data.decode(errors="replace"), name)
            return result_of(item.puzzle, answer, started)

        result = within(watch, decoded)

    def text() -> str:
        if params["as_json"]:
            return json_line(record(item, result))
        return picture(style_of_stdout(), True, item, result)

    click.echo(made(params, started, result, text))
    if (svg := params["svg"]) is not None:
        made(params, started, result, lambda: draw(svg, result))
    ctx.exit(STATUS[result.verdict.value])
